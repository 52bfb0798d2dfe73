/// How metrics are written.
public enum ExpositionFormat: Sendable, CaseIterable {
    /// Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
    case text
    /// OpenMetrics 1.0.0 (https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md).
    case openMetrics

    /// The one that a reader who says so in `Accept` gets: OpenMetrics for whoever names it, the other for everyone else.
    public init(accept: String?) {
        self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .text
    }

    /// The media type.
    public var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}
