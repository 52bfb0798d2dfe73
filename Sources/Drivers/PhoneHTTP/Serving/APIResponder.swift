import CoreEncodings
package import HTTPTypes
import Logging
package import PhoneDomain
import PhoneSignup
import Synchronization
import Telemetry
import Tracing

/// Wraps the router and gives every response what all have in common: errors as problems, the headers that restrict
/// browsers and caches, the request's ID, a log line, a span, and metrics.
public final class APIResponder: Sendable {
    /// What requests are served by, from their first line to their response.
    private final class Served: Sendable {
        let routes: RouteTable
        let paths: [(method: HTTPRequest.Method, path: String)]
        let origins: CrossOrigins
        let language: LanguageTag

        init(_ router: APIRouter, _ origins: CrossOrigins, _ language: LanguageTag) {
            (routes, paths) = (RouteTable(router), router.routes.map { ($0.method, $0.path) })
            (self.origins, self.language) = (origins.adding(router.pageAreas), language)
        }
    }

    private let served: Mutex<Served>
    private let clock: any WallClock
    private let fields: CommonHeaders
    private let origins: CrossOrigins
    private let outages = OutageLog()
    private let requestMetrics: RequestMetrics
    private let tracer: (any Tracer)?

    init(
        router: APIRouter,
        clock: any WallClock,
        fields: CommonHeaders = CommonHeaders(),
        origins: CrossOrigins = .none,
        language: LanguageTag = .english,
        requestMetrics: RequestMetrics = RequestMetrics(Instruments.none.metrics),
        tracer: (any Tracer)? = nil
    ) {
        (self.clock, self.fields, self.origins) = (clock, fields, origins)
        (self.requestMetrics, self.tracer) = (requestMetrics, tracer)
        served = Mutex(Served(router, origins, language))
    }

    /// What it responds to, for those who try everything.
    package var paths: [(method: HTTPRequest.Method, path: String)] { served.withLock(\.paths) }

    /// Serves other routes from the next request on.
    package func serve(_ router: APIRouter, language: LanguageTag) {
        let new = Served(router, origins, language)
        served.withLock { $0 = new }
    }

    package func respond(to request: Request, _ context: APIContext) async -> Response {
        await withUnsafeContinuation { continuation in
            respond(to: request, context) { continuation.resume(returning: $0()) }
        }
    }

    /// - Parameter send: called once, on any thread, with what makes the response on the connection's event loop.
    func respond(
        to request: Request,
        _ context: APIContext,
        then send: @escaping @Sendable (@escaping @Sendable () -> Response) -> Void
    ) {
        var context = context
        let served = served.withLock { $0 }
        context.language = served.language
        context.id = request.headers[.requestID].flatMap { Self.isValidRequestID($0) ? $0 : nil } ?? RequestID.make()
        let endpoint = served.routes.endpoint(of: request.path, &context.parameters)
        let route = endpoint?.routes[request.method]
        if route != nil { context.route = endpoint?.path }
        let exchange = Exchange(self, served, request, context, isPolled: route?.isPolled == true)
        requestMetrics.requestBegan()
        let answer: Answer = { make in send { exchange.response(make) } }
        exchange.traced {
            do {
                try Self.checkHead(of: request)
                if let route { return route.respond(to: request, exchange.context, answer) }
                let response = try served.routes.response(to: request, at: endpoint)
                answer { response }
            } catch {
                answer { throw error }
            }
        }
    }

    /// A request while it waits for its response.
    private final class Exchange: Sendable {
        private let responder: APIResponder
        private let served: Served
        private let request: Request
        let context: APIContext
        private let isPolled: Bool
        private let start = ContinuousClock.now
        private let span: (any Span)?
        private let trace: TraceParent?

        init(
            _ responder: APIResponder,
            _ served: Served,
            _ request: Request,
            _ context: APIContext,
            isPolled: Bool
        ) {
            (self.responder, self.served) = (responder, served)
            (self.request, self.context) = (request, context)
            self.isPolled = isPolled
            // Continues the client's trace, or begins one.
            let caller = request.headers[.traceParent].flatMap { TraceParent($0) }
            span = responder.tracer?.startSpan(
                request.method.rawValue,
                context: InstrumentationContext(caller),
                ofKind: .server
            )
            trace = span?.context.traceParent ?? caller
        }

        func traced<Value>(_ work: () -> Value) -> Value {
            trace == nil ? work() : TraceParent.$current.withValue(trace, operation: work)
        }

        func response(_ make: () throws -> Response) -> Response {
            traced {
                let response = completed(make)
                let duration = ContinuousClock.now - start
                log(response, after: duration)
                responder.requestMetrics.requestEnded(
                    route: context.route,
                    method: request.method,
                    status: response.status.code,
                    took: duration
                )
                if let span {
                    if span.isRecording { APIResponder.describe(request, response, context, in: span) }
                    span.end()
                }
                return response
            }
        }

        private func completed(_ make: () throws -> Response) -> Response {
            var response: Response
            do { response = try make() } catch {
                response = responder.response(to: error, request, context, served.routes)
            }
            if request.method == .head { response = response.withoutBody }
            responder.fields.add(to: &response.headers)
            served.origins.mark(&response, to: request)
            response.headers[.requestID] = context.id
            return response
        }

        private func log(_ response: Response, after duration: Duration) {
            if let origin = served.origins.refusedOrigin(of: request),
                responder.outages.shouldLog("origin", at: responder.clock.now())
            {
                context.logger.notice(
                    "a page of another site was refused; server.cors.origins allows it",
                    metadata: ["http.origin": "\(origin)"]
                )
            }
            // Not made for a line that is not written.
            let level: Logger.Level = isPolled && response.status.code < 400 ? .debug : .info
            guard context.logs(level) else { return }
            // The path is not logged, since it may contain a phone number; the route says as much.
            context.logger.log(
                level: level,
                "answered",
                metadata: [
                    "http.method": .string(request.method.rawValue),
                    "http.route": .string(context.route ?? "-"),
                    "http.status": .stringConvertible(response.status.code),
                    "http.microseconds": .stringConvertible(Int(duration / .microseconds(1))),
                ]
            )
        }
    }

    /// Sets the attributes of OpenTelemetry
    /// (https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server-span), except path, query, address and
    /// headers: those contain numbers, codes and keys.
    private static func describe(_ request: Request, _ response: Response, _ context: APIContext, in span: any Span) {
        let method = RequestMetrics.label(request.method)
        let route = context.route
        span.operationName = route.map { "\(method) \($0)" } ?? method
        var attributes: SpanAttributes = [
            "http.request.method": .string(method),
            "http.response.status_code": .int64(Int64(response.status.code)),
            "url.scheme": request.scheme == "https" ? "https" : "http",
        ]
        attributes["http.route"] = route
        span.attributes = attributes
        if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
    }

    /// What routes ask of a head is no more work for one head than for another.
    private static func checkHead(of request: Request) throws(Problem) {
        guard FormFields.areFew(in: request.queryText ?? "") else {
            throw Problem.malformed("The query has more than \(FormFields.most) parameters.")
        }
        let texts = [request.target, request.authority ?? "", request.scheme]
        guard texts.allSatisfy(\.isStreamSafe), request.headers.allSatisfy(\.value.isStreamSafe) else {
            throw Problem.malformed(
                "The request's line or a field has more than \(String.mostMarks) combining marks in a row."
            )
        }
    }

    private func response(
        to error: any Error,
        _ request: Request,
        _ context: APIContext,
        _ routes: RouteTable
    ) -> Response {
        if let write = routes.errorWriter(for: request) { return write(error, request, context) }
        let problem = Problem(of: error, at: clock.now())
        outages.log(problem, at: clock.now(), in: context)
        return problem.response(to: request, in: context)
    }

    private static func isValidRequestID(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(\.isUnreserved)
    }
}

/// The headers of every response, unless it has one of that name already.
struct CommonHeaders: Sendable {
    private var fields: [(name: HTTPField.Name, value: String)] = [
        (.cacheControl, "no-store"), (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
        (.crossOriginResourcePolicy, "same-origin"), (.xContentTypeOptions, "nosniff"),
        // Paths contain IDs of signups and numbers
        // (https://www.w3.org/TR/referrer-policy/#referrer-policy-no-referrer).
        (.referrerPolicy, "no-referrer"),
    ]

    /// - Parameter transportSecurity: for how long browsers must use TLS (RFC 6797); nil without TLS, where browsers
    ///   ignore the header.
    init(transportSecurity: Duration? = nil) {
        if let transportSecurity, transportSecurity > .zero {
            // Without includeSubDomains: the host's subdomains are not ours.
            fields.append((.strictTransportSecurity, "max-age=\(transportSecurity.wholeSecondsRoundedUp)"))
        }
    }

    func add(to headers: inout HeaderFields) {
        for (name, value) in fields where !headers.contains(name) { headers.append(name, value) }
    }
}

/// Limits the log lines of an outage: every request fails for the same cause, and a full disk must not be filled by
/// logging that.
final class OutageLog: Sendable {
    private static let interval: Duration = .seconds(60)
    /// More causes than there are, so that the dictionary stays small.
    private static let limit = 100

    private let lastLogged = Mutex<[String: Timestamp]>([:])

    /// Whether the cause has not been logged within the last minute. Records it as logged.
    func shouldLog(_ cause: String, at now: Timestamp) -> Bool {
        lastLogged.withLock { lastLogged in
            if let last = lastLogged[cause], last <= now, now < last + Self.interval { return false }
            if lastLogged.count >= Self.limit { lastLogged.removeAll() }
            lastLogged[cause] = now
            return true
        }
    }

    /// Logs what the response does not say.
    func log(_ problem: Problem, at now: Timestamp, in context: APIContext) {
        guard let cause = problem.cause, problem.code != .unavailable || shouldLog(cause, at: now) else { return }
        context.logger.error("\(problem.code.title)", metadata: ["error.cause": "\(cause)"])
    }
}
