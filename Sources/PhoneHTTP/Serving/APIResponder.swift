import HTTPTypes
public import Hummingbird
import Logging
import PhoneDomain

/// Stands in front of the router and gives every answer what all have in common: errors as problems, the header fields
/// that keep browsers and caches in check, the request's name, and a line in the log.
public struct APIResponder: HTTPResponder {
    private let router: RouterResponder<APIContext>
    private let allowedMethods: AllowedMethods
    private let clock: any WallClock
    private let fields: CommonFields
    private let origins: CrossOrigins
    private let outages = OutageLog()

    /// A responder for the routes of this router.
    ///
    /// - Parameters:
    ///   - router: all routes.
    ///   - clock: says how long a caller is to wait.
    ///   - fields: what every answer bears.
    ///   - origins: pages of which other sites may sign people up.
    init(
        router: Router<APIContext>,
        clock: any WallClock,
        fields: CommonFields = CommonFields(),
        origins: CrossOrigins = .none
    ) {
        self.fields = fields
        self.origins = origins
        self.router = router.buildResponder()
        self.clock = clock
        allowedMethods = AllowedMethods(of: router)
    }

    public func respond(to request: Request, context: APIContext) async -> Response {
        let start = ContinuousClock.now
        var context = context
        let name = name(request, &context)
        var response = await answer(request, context)
        fields.add(to: &response.headers)
        origins.mark(&response, to: request)
        if let field = HTTPField.Name.requestID { response.headers[field] = name }
        log(request, response, context, duration: .now - start)
        return response
    }

    /// The name that the request came with, or the one that Hummingbird has given it; the log knows it by that name.
    private func name(_ request: Request, _ context: inout APIContext) -> String {
        if let name = HTTPField.Name.requestID.flatMap({ request.headers[$0] }), Self.isSane(name) {
            context.logger[metadataKey: Self.requestIDKey] = .string(name)
            return name
        }
        // `context.id` would be shorter, but traps where a log handler keeps no metadata.
        return context.logger[metadataKey: Self.requestIDKey]?.description ?? RequestID().description
    }

    private func answer(_ request: Request, _ context: APIContext) async -> Response {
        let response: Response
        do {
            let routed = try await router.respond(to: request, context: context)
            response = Self.isRouted(context) ? routed : try allowedMethods.answer(to: request)
        } catch {
            let problem = problem(error)
            note(problem, context)
            response = problem.response(from: request, context: context)
        }
        // What the router makes of a HEAD request is without a body already; an error is not.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let failure as PhoneFailure: Problem(failure, at: clock.now())
        // The error itself may bear anything, a number among it; its type says where to look.
        default: .internalError(cause: String(reflecting: type(of: error)))
        }
    }

    /// Logs what the caller is not told.
    private func note(_ problem: Problem, _ context: APIContext) {
        guard let cause = problem.cause,
            problem.code != .unavailable || outages.isWorthNoting(cause, at: clock.now())
        else { return }
        context.logger.error("\(problem.code.title)", metadata: ["error.cause": "\(cause)"])
    }

    /// The path is not logged, since it may bear a phone number; the route says as much.
    private func log(_ request: Request, _ response: Response, _ context: APIContext, duration: Duration) {
        context.logger.info(
            "answered",
            metadata: [
                "http.method": .string(request.method.rawValue),
                "http.route": .string(Self.isRouted(context) ? context.endpointPath ?? "-" : "-"),
                "http.status": .stringConvertible(response.status.code),
                "http.microseconds": .stringConvertible(Int(duration / .microseconds(1))),
            ]
        )
    }

    /// Whether a route took the request. Hummingbird names the lack of one so.
    private static func isRouted(_ context: APIContext) -> Bool {
        context.endpointPath != "NotFound"
    }

    /// Whether a name given from outside can go to the log and back: short, and nothing in it that could be taken for
    /// more than a name.
    private static func isSane(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(\.isUnreserved)
    }

    /// Where Hummingbird keeps the request's name.
    private static let requestIDKey = "hb.request.id"
}
