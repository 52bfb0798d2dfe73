public import CoreMetrics
import HTTPTypes
public import Tracing

/// Counts requests and measures how long they take. Labels come from the router and from closed lists, never from a
/// client's path or method.
final class RequestMetrics: Sendable {
    private static let noRoute = "none"

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private let factory: any MetricsFactory
    private let inFlight: Meter

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        inFlight = Meter(label: "phoneproof_http_requests_in_flight", factory: factory)
        inFlight.set(0)
    }

    /// Has the faults of these routes begin at 0, from which rates are calculated.
    func begin(_ routes: [APIRouter.Route]) {
        for route in routes {
            for status in ["500", "503"] {
                _ = counter(Self.labels(route.path, Self.label(route.method)), status)
            }
        }
    }

    func requestBegan() { inFlight.increment() }

    /// - Parameter route: the template, such as `/v1/verifications/{id}`.
    func requestEnded(route: String?, method: HTTPRequest.Method, status: Int, took duration: Duration) {
        inFlight.decrement()
        let labels = Self.labels(route ?? Self.noRoute, Self.label(method))
        counter(labels, String(status)).increment()
        let (seconds, attoseconds) = duration.components
        Timer(label: "phoneproof_http_request_duration_seconds", dimensions: labels, factory: factory)
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Counts a request that could not be parsed, and so has neither route nor method.
    func requestRefused(status: Int) {
        counter(Self.labels(Self.noRoute, "other"), String(status)).increment()
    }

    private static func labels(_ route: String, _ method: String) -> [(String, String)] {
        [("route", route), ("method", method)]
    }

    private func counter(_ labels: [(String, String)], _ status: String) -> Counter {
        let dimensions = labels + [("status", status)]
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
