import CoreMetrics
import HTTPTypes
import Synchronization

/// Counts requests and measures how long they take. Its labels are of the router and of closed lists: a path, or a method
/// that somebody made up, is not among them.
final class RequestMeasures: Sendable {
    private struct Request: Hashable {
        let route: String
        let method: HTTPRequest.Method
    }

    private struct Handles: Sendable {
        let durations: Timer
        var statuses: [Int: Counter] = [:]
    }

    /// The route of a request that none took.
    static let noRoute = "none"

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private let factory: any MetricsFactory
    private let inFlight: Meter
    private let handles = Mutex<[Request: Handles]>([:])

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        inFlight = Meter(label: "phoneproof_http_requests_in_flight", factory: factory)
        inFlight.set(0)
    }

    func requestBegan() {
        inFlight.increment()
    }

    /// - Parameter route: the template of the route, such as `/v1/verifications/{id}`.
    func requestEnded(route: String?, method: HTTPRequest.Method, status: Int, took duration: Duration) {
        inFlight.decrement()
        let request = Request(route: route ?? Self.noRoute, method: method)
        let (durations, answers) = handles.withLock { handles in
            if let found = handles[request], let counter = found.statuses[status] { return (found.durations, counter) }
            var made = handles[request] ?? Handles(durations: makeTimer(request))
            let counter = made.statuses[status] ?? makeCounter(request, status: status)
            made.statuses[status] = counter
            // Methods that somebody makes up must not fill it.
            if Self.methods.contains(method) { handles[request] = made }
            return (made.durations, counter)
        }
        answers.increment()
        let (seconds, attoseconds) = duration.components
        durations.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Counts what was no request that anybody could make out, and so had neither a route nor a method.
    func requestRefused(status: Int) {
        makeCounter(Request(route: Self.noRoute, method: Self.noMethod), status: status).increment()
    }

    private static let noMethod = HTTPRequest.Method("NONE") ?? .get

    private func makeTimer(_ request: Request) -> Timer {
        Timer(
            label: "phoneproof_http_request_duration_seconds",
            dimensions: [("route", request.route), ("method", Self.label(request.method))],
            factory: factory
        )
    }

    private func makeCounter(_ request: Request, status: Int) -> Counter {
        Counter(
            label: "phoneproof_http_requests_total",
            dimensions: [
                ("route", request.route), ("method", Self.label(request.method)), ("status", String(status)),
            ],
            factory: factory
        )
    }

    /// What a method is called in a metric: one that somebody made up may be anything.
    static func label(_ method: HTTPRequest.Method) -> String {
        methods.contains(method) ? method.rawValue : "other"
    }
}
