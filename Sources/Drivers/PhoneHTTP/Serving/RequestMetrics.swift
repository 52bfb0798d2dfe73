public import CoreMetrics
import HTTPTypes
import Telemetry
public import Tracing

/// Counts requests and measures how long they take. Labels come from the router and from closed lists, never from a
/// client's path or method.
final class RequestMetrics: Sendable {
    private static let noRoute = "none"

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private struct Outcome: Hashable {
        let route: String?
        let method: String
        let status: Int
    }

    private let factory: any MetricsFactory
    private let inFlight: Meter
    private let made = KeptMetrics<Outcome, (requests: Counter, durations: Timer)>()

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        inFlight = Meter(label: "phoneproof_http_requests_in_flight", factory: factory)
        inFlight.set(0)
    }

    /// Has the faults of these routes begin at 0, from which rates are calculated.
    func begin(_ routes: [APIRouter.Route]) {
        for route in routes {
            for status in [500, 503] { _ = counter(Self.labels(route.path, Self.label(route.method)), status) }
        }
    }

    func requestBegan() { inFlight.increment() }

    /// - Parameter route: the template, such as `/v1/verifications/{id}`.
    func requestEnded(route: String?, method: HTTPRequest.Method, status: Int, took duration: Duration) {
        inFlight.decrement()
        let outcome = Outcome(route: route, method: Self.label(method), status: status)
        let (requests, durations) = made.value(for: outcome) { outcome in
            let labels = Self.labels(route ?? Self.noRoute, outcome.method)
            let durations = Timer(
                label: "phoneproof_http_request_duration_seconds",
                dimensions: labels,
                factory: factory
            )
            return (requests: counter(labels, status), durations: durations)
        }
        requests.increment()
        durations.record(duration)
    }

    /// Counts a request that could not be parsed, and so has neither route nor method.
    func requestRefused(status: Int) {
        counter(Self.labels(Self.noRoute, "other"), status).increment()
    }

    private static func labels(_ route: String, _ method: String) -> [(String, String)] {
        [("route", route), ("method", method)]
    }

    private func counter(_ labels: [(String, String)], _ status: Int) -> Counter {
        let dimensions = labels + [("status", String(status))]
        return Counter(label: "phoneproof_http_requests_total", dimensions: dimensions, factory: factory)
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
