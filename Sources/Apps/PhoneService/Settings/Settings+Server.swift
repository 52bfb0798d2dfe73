package import CoreEncodings
import PhoneDelivery
import PhoneDomain
package import PhoneHTTP
import PhoneNumbers
package import PhoneStore
package import Telemetry

extension Settings {
    package static let listeningHostForm = "an IP address, such as 0.0.0.0 or ::, or a host name"

    /// What a server is to listen at, as the system's resolver takes it: an IP address without the brackets that it has
    /// in a URL, perhaps with a zone (`fe80::1%eth0`), or a host name. Nil for anything else: of some texts, such as `*`
    /// or `127.1`, resolvers make an address that nobody has meant.
    package static func listeningHost(_ text: String) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let host = isBracketed ? String(text.dropFirst().dropLast()) : text
        let (address, zone) = (host.prefix { $0 != "%" }, host.drop { $0 != "%" })
        if IPAddress(String(address)) != nil {
            let isValid = address.contains(":") ? zone.isEmpty || zone.count > 1 : zone.isEmpty && !isBracketed
            return isValid ? host : nil
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false).map(\.utf8)
        let areValid = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
        // What ends in a number is no name, but an address in one of its old forms
        // (https://url.spec.whatwg.org/#ends-in-a-number-checker).
        guard !isBracketed, areValid, host.utf8.count <= 253, let last = labels.last,
            !last.allSatisfy(\.isASCIIDigit), !last.starts(with: "0x".utf8)
        else { return nil }
        return host
    }

    package struct Server {
        package var host: String
        package var port: Int
        /// Whether programs on this machine are served without an API key.
        package var servesWithoutKeys: Bool
        package let proxies: TrustedProxies
        package var limits: ConnectionLimits
        /// Nil for plain HTTP.
        package let tls: TLS?
        package let crossOrigins: [WebOrigin]

        package init(_ reader: SettingsReader) {
            let server = reader.section("server")
            host = server("host").host("127.0.0.1") {
                "The address to listen on. Unless it is a loopback address, the SMS stub must be allowed by"
                "sms.stub.allow_remote."
            }
            port = server("port").integer(8080, in: 0...65_535) {
                "The port to listen on. 0 picks a free port, which the ready line shows."
            }
            servesWithoutKeys = server("insecure_no_keys").flag(false) {
                "Whether programs on this machine may call without an API key, to try things out. Refused in"
                "production, and when other machines can reach the service."
            }
            proxies = Self.proxies(server)
            limits = ConnectionLimits()
            server("idle_timeout_seconds").set(&limits.idleTimeout, in: 1...3600) {
                "How long an idle connection stays open. A proxy in front must close its idle connections earlier."
            }
            server("max_body_bytes").set(&limits.maxBodyBytes, in: 1024...16_777_216) {
                "Maximum size of a request body, in bytes. Larger requests get 413."
            }
            server("max_connections").set(&limits.maxConnections, in: 1...1_000_000) {
                "Maximum number of open connections. Further ones wait to be accepted. The limit of open files is"
                "raised as far as the system allows (`ulimit -Hn`); if that is too low, fewer connections are"
                "accepted."
            }
            server("max_connections_per_address").set(&limits.maxConnectionsPerAddress, in: 1...1_000_000) {
                "Maximum number of connections from one client address (see limits). Further ones are closed. Trusted"
                "proxies are exempt."
            }
            tls = TLS(reader)
            crossOrigins = Self.crossOrigins(reader)
        }

        private static func proxies(_ server: SettingsSection) -> TrustedProxies {
            let setting = server("trusted_proxies")
            let texts = setting.list(
                [String](),
                "addresses or CIDR blocks without host bits, such as 127.0.0.1, 10.0.0.0/8 or fd00::/8, or none",
                { $0 == "none" || AddressBlock($0) != nil ? $0 : nil }
            ) {
                "The proxies in front of this service. A limit identifies a client by the address of the connection,"
                "or the one that a trusted proxy reports (see limits). Behind a proxy that is not listed, all clients"
                "share one address. A Unix domain socket (systemd's) counts as 127.0.0.1."
            }
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
            let header = server("forwarded_header").choice(ForwardedHeader.xForwardedFor) {
                "The header in which trusted proxies report the client's address. The other header is ignored,"
                "because proxies pass it on from clients."
            }
            return TrustedProxies(blocks: blocks, header: header)
        }

        private static func crossOrigins(_ reader: SettingsReader) -> [WebOrigin] {
            let setting = reader.section("server.cors")("origins")
            let wanted =
                "origins as browsers write them, such as https://example.com or http://localhost:3000: scheme and host in "
                + "lower case, a port unless it is the default one, and no path"
            func origin(_ text: String) -> WebOrigin?? { text == "*" ? .some(nil) : WebOrigin(text).map(Optional.some) }
            let origins = setting.list([WebOrigin?](), wanted, origin) {
                "Origins of your own sites, whose pages may call /v1/signups, /v1/tokens, /v1/sessions, /v1/accounts,"
                "/v1/number-changes, /oauth2/token, /oauth2/userinfo and /oauth2/revoke from a browser."
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

    package struct TLS {
        package let files: TLSFiles
        /// How long browsers must use TLS only; zero to send no such header.
        package let transportSecurity: Duration

        /// - Returns: nil if no files are named.
        package init?(_ reader: SettingsReader) {
            let tls = reader.section("server.tls") {
                "With a certificate and a key the server accepts only TLS 1.2 and 1.3, and HTTP/2. The files are read again"
                "when they change, and on SIGHUP."
            }
            let certificate = tls("certificate_file").text(example: "/etc/phoneproof/tls/fullchain.pem") {
                "The certificate, followed by its chain, in PEM."
            }
            let key = tls("key_file").text(example: "/etc/phoneproof/tls/privkey.pem") {
                "The private key of the certificate, in PEM and not encrypted. Only its owner may read it (mode"
                "0600)."
            }
            transportSecurity = tls("hsts_seconds").duration(.seconds(31_536_000), in: 0...63_072_000) {
                "max-age of the Strict-Transport-Security header: how long browsers use only TLS. 0 sends no such"
                "header."
            }
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
    }

    package struct Database {
        package var place: Place
        /// Whether the file of settings names it, and nothing overrides that.
        package var urlIsInFile: Bool
        /// Whether a commit survives a power cut.
        package let isDurable: Bool
        package var busyTimeout: Duration
        package var migratesAtStart: Bool

        package enum Place {
            /// It ends with the program.
            case memory
            /// SQLite, at this path.
            case file(String)
            /// A server: the URL as libpq takes it, which may contain a password.
            case postgresql(String)
        }

        package init(_ reader: SettingsReader) {
            let database = reader.section("database")
            let url = database("url")
            place = Place(url)
            urlIsInFile = reader.isInFileAlone(url.key)
            isDurable = database("synchronous")
                .value(true, "full or normal", shown: "full", { ["full": true, "normal": false][$0] }) {
                    "full: acknowledged requests survive a power failure. normal: they survive a crash of the"
                    "service, but a power failure (or a crash of the PostgreSQL server) can lose the last moments."
                }
            busyTimeout = database("busy_timeout_seconds").duration(.seconds(5), in: 0...60) {
                "How long a request waits for the database before it gets 503."
            }
            migratesAtStart = database("migrate").flag(true) {
                "Whether `serve` and `signup` migrate the database. Otherwise run `phoneproof migrate`."
            }
        }
    }

    package struct Observability {
        package struct Listener {
            package let host: String
            package let port: Int
        }

        package struct Collector {
            /// The URL with its path.
            package let url: EndpointURL
            /// Secrets may be among them.
            package let headers: [Pair]
            /// Where entries of the audit log are sent; nil if they are not.
            package let logsURL: EndpointURL?
            package let encoding: CollectorEncoding
            /// The attributes of the service, by OpenTelemetry's names.
            package let attributes: [Pair]

            package typealias Pair = (name: String, value: String)
        }

        /// Nil if none is set.
        package let logFormat: LogFormat?
        /// Nil if `/metrics` of the service shows them.
        package let listener: Listener?
        /// Nil if spans are not sent.
        package let collector: Collector?
        /// The share of traces that begin here which is recorded.
        package let sampleRatio: Double

        package init(_ reader: SettingsReader, _ log: SettingsSection) {
            let format = log("format")
            let chosen = format.choice(LogFormat.text) {
                "text for people; json, with one object per line; or short, for a developer. If it is not set, it is"
                "short in local development (see profile) where the log goes to a terminal."
            }
            logFormat = reader.isSet(format.key) ? chosen : nil
            let metrics = reader.section("metrics") {
                "Metrics for Prometheus: requests, verifications, messages, limits, the guard, the store, the process. None"
                "contains a number, a code or a key."
            }
            let port = metrics("port").integer(example: 9464, in: 1...65_535) {
                "A separate port for metrics, without an API key. By default they are at /metrics of the service, for"
                "programs on this machine and for API keys of the scope admin."
            }
            let host = metrics("host").host("127.0.0.1") { "The address of the separate metrics port." }
            listener = port.map { Listener(host: host, port: $0) }
            let tracing = reader.section("tracing")
            collector = Self.collector(tracing)
            sampleRatio = tracing("sample_ratio")
                .value(
                    1.0,
                    "a number from 0 to 1, such as 0.05",
                    shown: "1",
                    { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } }
                ) { "The share of traces that are recorded, of those that begin here." }
        }

        /// The collector that our own settings name, else the variables that OpenTelemetry has for every program
        /// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
        private static func collector(_ tracing: SettingsSection) -> Collector? {
            let reader = tracing.reader
            let wanted = "an http or https URL, such as http://127.0.0.1:4318"
            let own = tracing("otlp_endpoint").value(example: "http://127.0.0.1:4318", wanted, address) {
                "The URL of an OpenTelemetry collector that accepts OTLP/HTTP, without /v1/traces. By default the"
                "OTEL_EXPORTER_OTLP_… variables apply. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES always apply."
            }
            let encoding = tracing("protocol").value(
                example: CollectorEncoding.json.rawValue,
                "http/protobuf or http/json",
                CollectorEncoding.init(rawValue:)
            ) {
                "How requests to the collector are encoded: http/protobuf or http/json. By default"
                "OTEL_EXPORTER_OTLP_PROTOCOL applies, and without it http/protobuf, which every collector accepts."
            }
            let url = own ?? sharedAddress(reader, wanted: wanted)
            let logs = tracing("audit_log").flag(false) {
                "Whether the collector gets each entry of the audit log too, as OTLP logs (/v1/logs). What waits while it"
                "is away, up to 16,384 entries, is lost when the process ends; the event audit.recorded loses none."
            }
            let logsURL = url.flatMap {
                EndpointURL(base: $0.description.replacing(/\/v1\/traces$/, with: "") + "/v1/logs")
            }
            if logs, logsURL == nil {
                reader.failTogether("tracing.audit_log is true, which needs tracing.otlp_endpoint")
            }
            let secret = tracing("headers").secret(example: "/run/secrets/otlp-headers", isNeeded: url != nil) {
                "HTTP headers for the collector: name=value pairs, separated by commas or line breaks, with"
                "percent-encoded values: authorization=Bearer%20token."
            }
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
            let shared = reader.shared(Self.protocols.0, Self.protocols.1).flatMap(CollectorEncoding.init(rawValue:))
            return Collector(
                url: url,
                headers: headers,
                logsURL: logs ? logsURL : nil,
                encoding: encoding ?? shared ?? .protobuf,
                attributes: attributes
            )
        }

        private static let protocols = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")

        private static func address(_ collector: String) -> EndpointURL? {
            EndpointURL(base: collector).flatMap { EndpointURL(base: "\($0)/v1/traces") }
        }

        /// What the variables name; nil if they want gRPC, which is not supported.
        private static func sharedAddress(_ reader: SettingsReader, wanted: String) -> EndpointURL? {
            let isOff = reader.shared("OTEL_SDK_DISABLED") { $0.lowercased() == "true" } ?? false
            let exporter = reader.shared("OTEL_TRACES_EXPORTER") ?? "otlp"
            let isGRPC = reader.shared(protocols.0, protocols.1) == "grpc"
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
    package static let forms =
        "sqlite:PATH, sqlite::memory: for a database that is lost when the service stops, or postgresql://HOST/NAME"

    package init(_ setting: Setting) {
        var place: Self?
        // A value is not quoted, since it may contain a password.
        let text = setting.text("sqlite:data/phoneproof.sqlite") {
            "sqlite:PATH for one instance; postgresql://USER@HOST:PORT/NAME?sslmode=verify-full&sslrootcert=FILE (any"
            "libpq URL, with several hosts too) for several instances; sqlite::memory: for tests. Put a password into"
            "PHONEPROOF_DATABASE_URL or the file that PGPASSFILE names. If it is here, only the owner may read this"
            "file."
        }
        do {
            place = try Self(url: text)
            if place == nil { setting.reader.reject(setting.key, text, wanted: Self.forms, isSecret: true) }
        } catch {
            setting.reader.fail("\(setting.key) (or \(setting.variable)): \(error)")
        }
        self = place ?? .file("data/phoneproof.sqlite")
    }

    /// - Returns: nil if the URL is of no known form.
    /// - Throws: ``PostgreSQLStoreError`` if it is of that form, and invalid.
    package init?(url: String) throws(PostgreSQLStoreError) {
        if PostgreSQLURL.isMeant(by: url) {
            _ = try PostgreSQLURL(url)
            self = .postgresql(url)
            return
        }
        guard url.hasPrefix("sqlite:") else { return nil }
        let path = String(url.dropFirst("sqlite:".count))
        guard !path.isEmpty else { return nil }
        self = path == ":memory:" ? .memory : .file(path)
    }

    package var description: String {
        switch self {
        case .memory: "in memory"
        case .file(let path): path
        case .postgresql(let url): (try? PostgreSQLURL(url).description) ?? "postgresql://***"
        }
    }
}
