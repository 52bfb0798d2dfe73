import PhoneDelivery
import PhoneHTTP
import Telemetry
import TextEncodings

extension Settings {
    struct Server {
        var host: String
        var port: Int
        /// Whether programs on this machine are served without an API key.
        var servesWithoutKeys: Bool
        let proxies: TrustedProxies
        var limits: ConnectionLimits
        /// Nil for plain HTTP.
        let tls: TLS?
        let crossOrigins: [WebOrigin]

        init(_ reader: SettingsReader) {
            let server = reader.section("server")
            host = server("host").text("127.0.0.1")
            port = server("port").integer(8080, in: 0...65_535)
            servesWithoutKeys = server("insecure_no_keys").flag(false)
            proxies = Self.proxies(server)
            limits = ConnectionLimits()
            server("first_byte_timeout_seconds").set(&limits.firstByteTimeout, in: 1...300)
            server("header_timeout_seconds").set(&limits.headerTimeout, in: 1...300)
            server("body_timeout_seconds").set(&limits.bodyTimeout, in: 1...300)
            server("write_timeout_seconds").set(&limits.writeTimeout, in: 1...300)
            server("idle_timeout_seconds").set(&limits.idleTimeout, in: 1...3600)
            server("max_header_bytes").set(&limits.maxHeaderBytes, in: 1024...1_048_576)
            server("max_body_bytes").set(&limits.maxBodyBytes, in: 1024...16_777_216)
            server("max_pipelined_requests").set(&limits.maxPipelinedRequests, in: 1...1000)
            server("max_connections").set(&limits.maxConnections, in: 1...1_000_000)
            server("max_connections_per_address").set(&limits.maxConnectionsPerAddress, in: 1...1_000_000)
            let http2 = reader.section("server.http2")
            http2("max_streams").set(&limits.maxStreams, in: 1...10_000)
            http2("max_open_streams").set(&limits.maxOpenStreams, in: 1...1_000_000)
            http2("max_stream_resets").set(&limits.maxStreamResets, in: 1...100_000)
            tls = TLS(reader)
            crossOrigins = Self.crossOrigins(reader)
        }

        private static func proxies(_ server: SettingsSection) -> TrustedProxies {
            let setting = server("trusted_proxies")
            let texts = setting.list(
                [String](),
                "addresses or CIDR blocks without host bits, such as 127.0.0.1, 10.0.0.0/8 or fd00::/8, or none"
            ) { $0 == "none" || AddressBlock($0) != nil ? $0 : nil }
            if texts.contains("none"), texts != ["none"] {
                let value = texts.joined(separator: ", ")
                server.reader.reject(setting.key, value, wanted: "none alone, or a list without it")
            }
            let blocks = texts.compactMap { AddressBlock($0) }
            if let block = blocks.first(where: \.isEverything) {
                server.reader.fail(
                    "\(setting.key) contains \(block), so any client could choose the address that limits apply to; list "
                        + "only your proxies"
                )
            }
            let header = server("forwarded_header").choice(ForwardedHeader.xForwardedFor)
            return TrustedProxies(blocks: blocks, header: header)
        }

        private static func crossOrigins(_ reader: SettingsReader) -> [WebOrigin] {
            let setting = reader.section("server.cors")("origins")
            let wanted =
                "origins as browsers write them, such as https://example.com or http://localhost:3000: scheme and host in "
                + "lower case, a port unless it is the default one, and no path"
            let origins = setting.list([WebOrigin?](), wanted) { text -> WebOrigin?? in
                text == "*" ? .some(nil) : WebOrigin(text).map(Optional.some)
            }
            if origins.contains(nil) {
                reader.fail(
                    "\(setting.key) contains *, so any site could sign its visitors up and read their tokens; list only your "
                        + "own sites"
                )
            }
            return origins.compactMap(\.self)
        }
    }

    struct TLS {
        let files: TLSFiles
        let reloadInterval: Duration
        /// How long browsers must use TLS only; zero to send no such header.
        let transportSecurity: Duration

        /// - Returns: nil if no files are named.
        init?(_ reader: SettingsReader) {
            let tls = reader.section("server.tls")
            let certificate = tls("certificate_file").text(example: "/etc/phoneproof/tls/fullchain.pem")
            let key = tls("key_file").text(example: "/etc/phoneproof/tls/privkey.pem")
            reloadInterval = tls("reload_seconds").duration(.seconds(10), in: 1...3600)
            transportSecurity = tls("hsts_seconds").duration(.seconds(31_536_000), in: 0...63_072_000)
            guard let certificate, let key else {
                let names = certificate == nil ? ["certificate_file", "key_file"] : ["key_file", "certificate_file"]
                let (missing, other) = (tls(names[0]), tls(names[1]))
                if certificate != nil || key != nil {
                    reader.failTogether(
                        "\(other.key) is set, which needs \(missing.key) beside it (or set \(missing.variable))"
                    )
                }
                return nil
            }
            files = TLSFiles(certificate: certificate, key: key)
        }

        init(files: TLSFiles, transportSecurity: Duration) {
            self.files = files
            self.transportSecurity = transportSecurity
            reloadInterval = .seconds(10)
        }
    }

    struct Database {
        var place: Place
        /// Whether the file of settings names it, and nothing overrides that.
        var urlIsInFile: Bool
        /// Whether a commit survives a power cut.
        let isDurable: Bool
        var busyTimeout: Duration
        var migratesAtStart: Bool

        enum Place {
            /// Until the program ends.
            case memory
            /// SQLite, at this path.
            case file(String)
            /// A server: the URL as libpq takes it, which may contain a password.
            case postgresql(String)
        }

        init(_ reader: SettingsReader) {
            let database = reader.section("database")
            let url = database("url")
            place = Place(url)
            urlIsInFile = reader.isInFileAlone(url.key)
            isDurable = database("synchronous")
                .value(true, "full or normal", shown: "full") { ["full": true, "normal": false][$0] }
            busyTimeout = database("busy_timeout_seconds").duration(.seconds(5), in: 0...60)
            migratesAtStart = database("migrate").flag(true)
        }
    }

    struct Observability {
        struct Listener {
            let host: String
            let port: Int
        }

        struct Collector {
            /// With the path.
            let url: EndpointURL
            /// Secrets may be among them.
            let headers: [Pair]
            /// Of the service, by OpenTelemetry's names.
            let attributes: [Pair]

            typealias Pair = (name: String, value: String)
        }

        let logFormat: LogFormat
        let measures: Bool
        /// Nil if `/metrics` of the service shows them.
        let listener: Listener?
        /// Nil if spans are not sent.
        let collector: Collector?
        /// The share of traces that begin here which is recorded.
        let sampleRatio: Double

        init(_ reader: SettingsReader, _ log: SettingsSection) {
            logFormat = log("format").choice(.text)
            let metrics = reader.section("metrics")
            measures = metrics("enabled").flag(true)
            let port = metrics("port").integer(example: 9464, in: 1...65_535)
            let host = metrics("host").text("127.0.0.1")
            listener = port.map { Listener(host: host, port: $0) }
            let tracing = reader.section("tracing")
            collector = Self.collector(tracing)
            sampleRatio = tracing("sample_ratio")
                .value(1.0, "a number from 0 to 1, such as 0.05", shown: "1") {
                    Double($0).flatMap { (0...1).contains($0) ? $0 : nil }
                }
        }

        /// By our own settings, else by the variables that OpenTelemetry has for every program
        /// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
        private static func collector(_ tracing: SettingsSection) -> Collector? {
            let reader = tracing.reader
            let wanted = "an http or https URL, such as http://127.0.0.1:4318"
            let own = tracing("otlp_endpoint").value(example: "http://127.0.0.1:4318", wanted, address)
            let url = own ?? sharedAddress(reader, wanted: wanted)
            let secret = tracing("headers").secret(example: "/run/secrets/otlp-headers", isNeeded: url != nil)
            guard let url else { return nil }
            let pairs = "name=value pairs, separated by commas or line breaks, with percent-encoded values in ASCII"
            let headers: [Collector.Pair]
            if let secret {
                headers = headerFields(secret) ?? []
                if headerFields(secret) == nil { reader.reject("tracing.headers", "", wanted: pairs, isSecret: true) }
            } else {
                let names = ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")
                headers = reader.shared(names.0, names.1, wanted: pairs, headerFields) ?? []
            }
            var attributes = reader.shared("OTEL_RESOURCE_ATTRIBUTES", wanted: pairs, Self.pairs) ?? []
            if let name = reader.shared("OTEL_SERVICE_NAME") {
                attributes.removeAll { $0.name == "service.name" }
                attributes.append(("service.name", name))
            }
            return Collector(url: url, headers: headers, attributes: attributes)
        }

        private static func address(_ collector: String) -> EndpointURL? {
            EndpointURL(base: collector).flatMap { EndpointURL(base: "\($0)/v1/traces") }
        }

        /// What the variables name; nil if they want gRPC, which is not supported.
        private static func sharedAddress(_ reader: SettingsReader, wanted: String) -> EndpointURL? {
            let isOff = reader.shared("OTEL_SDK_DISABLED") { $0.lowercased() == "true" } ?? false
            let exporter = reader.shared("OTEL_TRACES_EXPORTER") ?? "otlp"
            let isGRPC = reader.shared("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc"
            guard !isOff, exporter.split(separator: ",").contains("otlp"), !isGRPC else { return nil }
            return reader.shared("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", wanted: wanted, EndpointURL.init(base:))
                ?? reader.shared("OTEL_EXPORTER_OTLP_ENDPOINT", wanted: wanted, address)
        }

        /// Pairs as OpenTelemetry's variables have them; a file may have each on a line of its own.
        private static func pairs(_ text: String) -> [Collector.Pair]? {
            var pairs: [Collector.Pair] = []
            for part in text.split(whereSeparator: { $0 == "," || $0.isNewline }) {
                let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
                if sides == [""] { continue }
                guard sides.count == 2, !sides[0].isEmpty, let value = String(percentDecoding: sides[1][...]) else {
                    return nil
                }
                pairs.append((sides[0], value))
            }
            return pairs
        }

        /// Pairs that are valid header fields (RFC 9110 section 5.5).
        private static func headerFields(_ text: String) -> [Collector.Pair]? {
            pairs(text).flatMap { pairs in
                let areValid = pairs.allSatisfy { pair in
                    pair.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"()<>@,;:\"/[]?={}"#.utf8.contains($0) }
                        && pair.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
                }
                return areValid ? pairs : nil
            }
        }
    }
}

extension Settings.Database.Place: CustomStringConvertible {
    static let forms =
        "sqlite:PATH, sqlite::memory: for a database that is lost when the service stops, or postgresql://HOST/NAME"

    init(_ setting: Setting) {
        var place: Self?
        // A value is not quoted, since it may contain a password.
        let text = setting.text("sqlite:data/phoneproof.sqlite")
        do {
            place = try Self(url: text)
            if place == nil { setting.reader.reject(setting.key, text, wanted: Self.forms, isSecret: true) }
        } catch {
            setting.reader.fail(
                "\(setting.key) (or \(setting.variable)) is not a valid PostgreSQL URL: \(error)"
            )
        }
        self = place ?? .file("data/phoneproof.sqlite")
    }

    /// - Returns: nil if the URL is of no known form.
    /// - Throws: ``PostgreSQLURLError`` if it is of that form, and invalid.
    init?(url: String) throws(PostgreSQLURLError) {
        if PostgreSQLURL.isMeant(by: url) {
            self = .postgresql(try PostgreSQLURL(url).text)
            return
        }
        guard url.hasPrefix("sqlite:") else { return nil }
        let path = String(url.dropFirst("sqlite:".count))
        guard !path.isEmpty else { return nil }
        self = path == ":memory:" ? .memory : .file(path)
    }

    var description: String {
        switch self {
        case .memory: "in memory"
        case .file(let path): path
        case .postgresql(let url): (try? PostgreSQLURL(url).masked) ?? "postgresql://***"
        }
    }
}
