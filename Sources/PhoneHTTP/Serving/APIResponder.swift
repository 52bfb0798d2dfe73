import HTTPTypes
public import Hummingbird
import Logging
import PhoneDomain
import TraceContext
import Tracing

/// Stands in front of the router and gives every answer what all have in common: errors as problems, the header fields
/// that keep browsers and caches in check, the request's name, a line in the log, a place in a trace, and a count.
public struct APIResponder: HTTPResponder {
    private let router: RouterResponder<APIContext>
    private let allowedMethods: AllowedMethods
    private let clock: any WallClock
    private let fields: CommonFields
    private let origins: CrossOrigins
    private let outages = OutageLog()
    private let measures: RequestMeasures
    private let tracer: (any Tracer)?

    /// A responder for the routes of this router.
    ///
    /// - Parameters:
    ///   - router: all routes.
    ///   - clock: says how long a caller is to wait.
    ///   - fields: what every answer bears.
    ///   - origins: pages of which other sites may sign people up.
    ///   - measures: counts requests.
    ///   - tracer: traces them; nil for none.
    init(
        router: Router<APIContext>,
        clock: any WallClock,
        fields: CommonFields = CommonFields(),
        origins: CrossOrigins = .none,
        measures: RequestMeasures = RequestMeasures(Instruments.none.metrics),
        tracer: (any Tracer)? = nil
    ) {
        self.fields = fields
        self.origins = origins
        self.router = router.buildResponder()
        self.clock = clock
        self.measures = measures
        self.tracer = tracer
        allowedMethods = AllowedMethods(of: router)
    }

    public func respond(to request: Request, context: APIContext) async -> Response {
        let start = ContinuousClock.now
        measures.requestBegan()
        var context = context
        let name = name(request, &context)
        let response = await trace(request, context) { await respond(to: request, context, by: name, since: start) }
        let route = Self.isRouted(context) ? context.endpointPath : nil
        measures.requestEnded(
            route: route,
            method: request.method,
            status: response.status.code,
            took: .now - start
        )
        return response
    }

    /// Answers as a part of the caller's trace, or at the beginning of one; where nobody traces, there is nothing to pay.
    private func trace(
        _ request: Request,
        _ context: APIContext,
        _ answer: () async -> Response
    ) async -> Response {
        let caller = Self.traceParentField.flatMap { request.headers[$0] }.flatMap { TraceParent($0) }
        guard tracer != nil else {
            guard let caller else { return await answer() }
            return await TraceParent.$current.withValue(caller) { await answer() }
        }
        return await TraceParent.$current.withValue(caller) {
            await tracer.span(request.method.rawValue, ofKind: .server) { span in
                let response = await answer()
                if let span, span.isRecording { Self.describe(request, response, context, in: span) }
                return response
            }
        }
    }

    /// Tells what OpenTelemetry wants to know of a request
    /// (https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server-span), but neither path, nor query, nor
    /// address, nor any of its fields: those bear numbers, codes and keys.
    private static func describe(
        _ request: Request,
        _ response: Response,
        _ context: APIContext,
        in span: any Span
    ) {
        let method = RequestMeasures.label(request.method)
        let route = isRouted(context) ? context.endpointPath : nil
        span.operationName = route.map { "\(method) \($0)" } ?? method
        var attributes: SpanAttributes = [
            "http.request.method": .string(method),
            "http.response.status_code": .int64(Int64(response.status.code)),
            // Of a request by HTTP/2 the client writes it: any text.
            "url.scheme": request.head.scheme == "https" ? "https" : "http",
        ]
        attributes["http.route"] = route
        span.attributes = attributes
        if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
    }

    private func respond(
        to request: Request,
        _ context: APIContext,
        by name: String,
        since start: ContinuousClock.Instant
    ) async -> Response {
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

    /// https://www.w3.org/TR/trace-context-1/#traceparent-header.
    private static let traceParentField = HTTPField.Name("traceparent")

    /// Where Hummingbird keeps the request's name.
    private static let requestIDKey = "hb.request.id"
}
