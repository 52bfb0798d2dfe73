import PhoneDelivery
import Telemetry

extension Settings {
    /// What the service tells of itself.
    struct Observability {
        /// Where the metrics have a listener of their own.
        struct Listener {
            let host: String
            let port: Int
        }

        /// Whether anything is counted.
        let measures: Bool
        /// nil where metrics are shown at `/metrics` of the service.
        let listener: Listener?
        /// Where spans are sent to, or nil for nowhere: without the path `/v1/traces`.
        let collector: GatewayAddress?
        /// The share of traces that begin here which is recorded.
        let sampleRatio: Double
        let logFormat: LogFormat

        init(_ reader: inout SettingsReader) throws(SettingsError) {
            measures = try reader.flag("metrics.enabled", default: true)
            let host = try reader.text("metrics.host") ?? "127.0.0.1"
            let port = try reader.value("metrics.port", default: nil, wanted: "a whole number from 1 to 65535") {
                Int($0).flatMap { (1...65_535).contains($0) ? .some($0) : nil } as Int??
            }
            listener = port.map { Listener(host: host, port: $0) }
            collector = try reader.value(
                "tracing.otlp_endpoint",
                default: nil,
                wanted: "an http or https address, such as http://127.0.0.1:4318"
            ) { GatewayAddress($0).map(Optional.some) }
            sampleRatio = try reader.value(
                "tracing.sample_ratio",
                default: 1,
                wanted: "a number from 0 to 1, such as 0.05"
            ) { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } }
            logFormat = try reader.value(
                "log.format",
                default: .text,
                wanted: LogFormat.allCases.map(\.rawValue).joined(separator: " or "),
                LogFormat.init
            )
        }
    }
}
