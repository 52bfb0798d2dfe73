import Foundation
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
        /// Where spans are sent to, and with what.
        struct Collector {
            /// The whole of it, with the path.
            let url: GatewayAddress
            /// What the collector knows the sender by, among others: secrets.
            let headers: [Pair]
            /// What is known of the service, by OpenTelemetry's names, besides what the program knows itself.
            let attributes: [Pair]

            typealias Pair = (name: String, value: String)
        }

        /// nil where metrics are shown at `/metrics` of the service.
        let listener: Listener?
        /// Where spans are sent to, or nil for nowhere.
        let collector: Collector?
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
            collector = try Self.collector(&reader)
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

        /// By our own settings, else by the variables that OpenTelemetry has for every program
        /// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
        private static func collector(_ reader: inout SettingsReader) throws(SettingsError) -> Collector? {
            let wanted = "an http or https address, such as http://127.0.0.1:4318"
            let own: GatewayAddress? = try reader.value("tracing.otlp_endpoint", default: nil, wanted: wanted) {
                address($0).map(Optional.some)
            }
            let url = if let own { own } else { try sharedAddress(reader, wanted: wanted) }
            let ownHeaders = try reader.secret("tracing.headers", isNeeded: url != nil)
            guard let url else { return nil }
            let pairs = "name=value pairs, separated by commas or line ends, with percent-encoded values in ASCII"
            let headers: [Collector.Pair]
            if let ownHeaders {
                guard let read = headerFields(ownHeaders) else {
                    throw SettingsError(key: "tracing.headers", wanted: pairs)
                }
                headers = read
            } else {
                let names = ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")
                headers = try reader.shared(names.0, names.1, wanted: pairs, headerFields) ?? []
            }
            var attributes = try reader.shared("OTEL_RESOURCE_ATTRIBUTES", wanted: pairs, Self.pairs) ?? []
            if let name = try reader.shared("OTEL_SERVICE_NAME") {
                attributes.removeAll { $0.name == "service.name" }
                attributes.append(("service.name", name))
            }
            return Collector(url: url, headers: headers, attributes: attributes)
        }

        /// Where a collector takes spans.
        private static func address(_ collector: String) -> GatewayAddress? {
            GatewayAddress(collector).flatMap { GatewayAddress("\($0)/v1/traces") }
        }

        /// Where the variables want spans to be sent: nowhere if by gRPC, which is not spoken here.
        private static func sharedAddress(
            _ reader: SettingsReader,
            wanted: String
        ) throws(SettingsError) -> GatewayAddress? {
            let isOff = try reader.shared("OTEL_SDK_DISABLED") { $0.lowercased() == "true" } ?? false
            let exporter = try reader.shared("OTEL_TRACES_EXPORTER") ?? "otlp"
            let names = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
            let isGRPC = try reader.shared(names.0, names.1) == "grpc"
            guard !isOff, exporter.split(separator: ",").contains("otlp"), !isGRPC else { return nil }
            if let url = try reader.shared("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", wanted: wanted, GatewayAddress.init) {
                return url
            }
            return try reader.shared("OTEL_EXPORTER_OTLP_ENDPOINT", wanted: wanted, address)
        }

        /// Pairs as OpenTelemetry's variables have them; a file may have each on a line of its own.
        private static func pairs(_ text: String) -> [Collector.Pair]? {
            var pairs: [Collector.Pair] = []
            for part in text.split(whereSeparator: { $0 == "," || $0.isNewline }) {
                let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
                if sides == [""] { continue }
                guard sides.count == 2, !sides[0].isEmpty, let value = sides[1].removingPercentEncoding else {
                    return nil
                }
                pairs.append((sides[0], value))
            }
            return pairs
        }

        /// Pairs that are fit for header fields (RFC 9110 section 5.5).
        private static func headerFields(_ text: String) -> [Collector.Pair]? {
            pairs(text).flatMap { pairs in
                let areFit = pairs.allSatisfy { pair in
                    pair.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"()<>@,;:\"/[]?={}"#.utf8.contains($0) }
                        && pair.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
                }
                return areFit ? pairs : nil
            }
        }

        private static func trimmed(_ text: Substring) -> String {
            String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
    }
}
