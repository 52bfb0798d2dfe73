public import CoreMetrics
public import Tracing

/// What measures and traces requests.
public struct Instruments: Sendable {
    /// Keeps what is counted.
    public let metrics: any MetricsFactory
    /// Keeps spans, or nil where a trace that comes from outside is only passed on.
    public let tracer: (any Tracer)?

    /// These instruments.
    public init(metrics: any MetricsFactory, tracer: (any Tracer)?) {
        self.metrics = metrics
        self.tracer = tracer
    }

    /// None.
    public static let none = Instruments(metrics: NOOPMetricsHandler.instance, tracer: nil)
}
