public import CoreMetrics
import HTTPTypes
import Synchronization
public import Tracing

/// Counts requests and measures how long they take. Labels come from the router and from closed lists, never from a
/// client's path or method.
final class RequestMetrics: Sendable {
    private struct Request: Hashable {
        let route: String
        let method: HTTPRequest.Method
    }

    private struct Handles: Sendable {
        let durations: Timer
        var statuses: [Int: Counter] = [:]
    }

    private static let noRoute = "none"

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private let factory: any MetricsFactory
    private let inFlight: Meter
    private let handles = Mutex<[Request: Handles]>([:])

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        inFlight = Meter(label: "phoneproof_http_requests_in_flight", factory: factory)
        inFlight.set(0)
    }

    func requestBegan() { inFlight.increment() }

    /// - Parameter route: the template, such as `/v1/verifications/{id}`.
    func requestEnded(route: String?, method: HTTPRequest.Method, status: Int, took duration: Duration) {
        inFlight.decrement()
        let request = Request(route: route ?? Self.noRoute, method: method)
        let (durations, counter) = handles.withLock { handles in
            if let found = handles[request], let counter = found.statuses[status] { return (found.durations, counter) }
            var made = handles[request] ?? Handles(durations: makeTimer(request))
            let newCounter = made.statuses[status] ?? makeCounter(request, status: status)
            made.statuses[status] = newCounter
            // Invented methods must not fill it.
            if Self.methods.contains(method) { handles[request] = made }
            return (made.durations, newCounter)
        }
        counter.increment()
        let (seconds, attoseconds) = duration.components
        durations.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Counts a request that could not be parsed, and so has neither route nor method.
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

    /// The method, or `other` for one that a client has invented.
    static func label(_ method: HTTPRequest.Method) -> String {
        methods.contains(method) ? method.rawValue : "other"
    }
}

public struct Instruments: Sendable {
    public let metrics: any MetricsFactory
    /// Nil to pass traces on without recording spans.
    public let tracer: (any Tracer)?

    public init(metrics: any MetricsFactory, tracer: (any Tracer)?) {
        self.metrics = metrics
        self.tracer = tracer
    }

    public static let none = Instruments(metrics: NOOPMetricsHandler.instance, tracer: nil)
}
