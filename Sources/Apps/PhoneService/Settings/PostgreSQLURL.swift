import CoreEncodings

/// The URL of a PostgreSQL database, parsed as libpq does it
/// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS), to check it before it is used,
/// and to show it without secrets.
package struct PostgreSQLURL {
    /// The text that was given, for libpq.
    package let text: String
    /// The URL with three stars for every secret.
    package let masked: String
    /// Whether it contains a password or another secret.
    package let containsPassword: Bool
    /// The servers in the order in which they are tried: names, addresses, or paths of sockets. Empty where libpq
    /// chooses, which is the socket of this machine unless the environment says otherwise.
    package let hosts: [String]
    /// The options; of several with the same name the last one counts.
    package let parameters: [String: String]

    /// The parameters of libpq that are secrets.
    private static let secrets: Set = [
        "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
    ]

    /// Those that everybody may see. Of any other, not even the name is shown, since what follows a `?` may be the
    /// end of a password.
    private static let harmless: Set = [
        "application_name", "channel_binding", "connect_timeout", "dbname", "fallback_application_name", "gssencmode",
        "host", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "options",
        "passfile", "port", "service", "ssl", "ssl_max_protocol_version", "ssl_min_protocol_version", "sslcert",
        "sslcertmode", "sslcrl", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "sslsni", "target_session_attrs",
        "tcp_user_timeout", "user",
    ]

    /// https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-SSLMODE-STATEMENTS
    private static let modes: Set = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

    /// Whether a text is meant to be one; whether it is one is another matter.
    package static func isMeant(by text: String) -> Bool {
        ["postgresql:", "postgres:"].contains(where: text.hasPrefix)
    }

    /// - Throws: ``PostgreSQLURLError``, which quotes nothing of it.
    package init(_ text: String) throws(PostgreSQLURLError) {
        guard
            !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F })
        else { throw .whiteSpace }
        guard let prefix = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else { throw .form }
        let (user, place) = Self.split(text.dropFirst(prefix.count))
        let (authority, path, query) = Self.parts(of: place)
        let written = try query.map { text throws(PostgreSQLURLError) in try Self.parameters(in: text) } ?? []
        let parameters = Dictionary(written.map { ($0.name, $0.value) }) { $1 }
        // A password with a / in it, of which the part before the / was taken for a port: the rest would be shown.
        guard !path.contains("@") else { throw .slash }
        _ = try Self.decoded(path, in: "name of the database")
        let named = try Self.hosts(in: authority)
        // An address that is given besides counts, and the name is then for the certificate alone.
        let other = (parameters["hostaddr"] ?? parameters["host"])?.split(separator: ",").map(String.init)
        hosts = other ?? named
        guard parameters["sslmode"].map(Self.modes.contains) ?? true else { throw .mode }
        for port in parameters["port"]?.split(separator: ",") ?? [] { try Self.checkPort(port) }
        if let user {
            _ = try Self.decoded(user.name, in: "user")
            _ = try Self.decoded(user.password ?? "", in: "password")
        }
        containsPassword = user?.password?.isEmpty == false || written.contains { Self.secrets.contains($0.name) }
        self.text = text
        self.parameters = parameters
        masked =
            prefix + (user.map { "\($0.name)\($0.password == nil ? "" : ":***")@" } ?? "") + authority + path
            + (query == nil ? "" : "?")
            + written.map(Self.shown).joined(separator: "&")
    }

    private static func shown(_ parameter: Parameter) -> String {
        if secrets.contains(parameter.name) { return "\(parameter.name)=***" }
        return harmless.contains(parameter.name) ? String(parameter.text) : "***"
    }

    private typealias User = (name: Substring, password: Substring?)
    private typealias Parameter = (name: String, value: String, text: Substring)

    /// Who, and the rest. A user ends at the first `@`, and there is none behind the first `/`.
    private static func split(_ text: Substring) -> (User?, Substring) {
        guard let end = text.firstIndex(where: { $0 == "@" || $0 == "/" }), text[end] == "@" else { return (nil, text) }
        let user = text[..<end]
        let rest = text[text.index(after: end)...]
        guard let colon = user.firstIndex(of: ":") else { return ((user, nil), rest) }
        return ((user[..<colon], user[user.index(after: colon)...]), rest)
    }

    /// Servers, the name of the database with its `/`, and what is behind the `?`.
    private static func parts(of text: Substring) -> (authority: Substring, path: Substring, query: Substring?) {
        let mark = text.firstIndex(of: "?")
        let place = text[..<(mark ?? text.endIndex)]
        let slash = place.firstIndex(of: "/") ?? place.endIndex
        return (place[..<slash], place[slash...], mark.map { text[text.index(after: $0)...] })
    }

    private static func hosts(in authority: Substring) throws(PostgreSQLURLError) -> [String] {
        // A part of a password; or a name that libpq would not resolve.
        guard !authority.contains("@") else { throw .twoAtSigns }
        var hosts: [String] = []
        for server in authority.split(separator: ",", omittingEmptySubsequences: false) {
            var (host, rest) = (server.prefix { $0 != ":" }, server.drop { $0 != ":" })
            if server.first == "[" {
                guard let end = server.firstIndex(of: "]"), end > server.index(after: server.startIndex) else {
                    throw .brackets
                }
                (host, rest) = (server[..<end].dropFirst(), server[server.index(after: end)...])
                guard rest.isEmpty || rest.first == ":" else { throw .brackets }
            }
            try checkPort(rest.dropFirst())
            hosts += try decoded(host, in: "host").split(separator: ",").map(String.init)
        }
        return hosts
    }

    /// An empty one is 5432.
    private static func checkPort(_ text: Substring) throws(PostgreSQLURLError) {
        guard !text.isEmpty else { return }
        guard text.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(text), port > 0 else { throw .port }
    }

    private static func parameters(in query: Substring) throws(PostgreSQLURLError) -> [Parameter] {
        var parameters: [Parameter] = []
        // Nothing behind the `?` is no parameter; nothing between two `&` is one without `=`.
        if query.isEmpty { return [] }
        for text in query.split(separator: "&", omittingEmptySubsequences: false) {
            let sides = text.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty else { throw .parameter }
            let name = try decoded(sides[0], in: "parameter")
            parameters.append((name, try decoded(sides[1], in: "parameter"), text))
        }
        return parameters
    }

    private static func decoded(_ text: Substring, in part: String) throws(PostgreSQLURLError) -> String {
        // libpq takes no zero byte, which would end its texts.
        guard let text = String(percentDecoding: text), !text.utf8.contains(0) else { throw .percent(part) }
        return text
    }
}

/// What becomes of passwords and codes on their way to the server.
extension PostgreSQLURL {
    /// The servers that are not this machine's, as the URL names them or else the environment
    /// (https://www.postgresql.org/docs/current/libpq-envars.html).
    package func remoteHosts(environment: [String: String]) -> [String] {
        let others = (environment["PGHOSTADDR"] ?? environment["PGHOST"])?.split(separator: ",").map(String.init)
        return (hosts.isEmpty ? others ?? [] : hosts).filter { !Self.isLocal($0) }
    }

    /// How libpq verifies the server: by the URL, else the environment, else it encrypts if the server offers that,
    /// without verifying it.
    package func sslMode(environment: [String: String]) -> String {
        // What JDBC calls it, libpq takes as well.
        if let mode = parameters["sslmode"] ?? (parameters["ssl"] == "true" ? "require" : nil) { return mode }
        if let mode = environment["PGSSLMODE"] { return mode }
        return (parameters["sslrootcert"] ?? environment["PGSSLROOTCERT"]) == "system" ? "verify-full" : "prefer"
    }

    /// Whether it is this machine: a socket, which begins with `/`, or in Linux's namespace of its own with `@`; or an
    /// address of loopback.
    private static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || EndpointURL.isLoopback(host)
    }
}

/// What is wrong with the URL of a PostgreSQL database. It quotes nothing, since a misplaced text may be a part of a
/// password.
package struct PostgreSQLURLError: Error, CustomStringConvertible {
    package let description: String

    private init(_ description: String) { self.description = description }

    package static let whiteSpace = Self(
        "there is white space or a control character in it; remove it, or write a space as %20"
    )
    package static let form = Self("it must begin with postgresql:// or postgres://")
    package static let twoAtSigns = Self("user and password end at the first @; write an @ within them as %40")
    package static let slash = Self(
        "user and password end at the first /; write / within a password as %2F, and @ within the name of a database as %40"
    )
    package static let brackets = Self(
        "an IPv6 address stands in brackets, with a port behind them or none: [2001:db8::1]:5432"
    )
    package static let port = Self(
        "a port is a number from 1 to 65535; if there is none in it, write / within a password as %2F, and : within a user as "
            + "%3A"
    )
    package static let parameter = Self(
        "behind the ? there must be name=value, several of them joined by &; write = in a value as %3D, and ? within a "
            + "password as %3F"
    )
    package static let mode = Self("sslmode is one of disable, allow, prefer, require, verify-ca and verify-full")

    package static func percent(_ part: String) -> Self {
        Self("in the \(part) a % has no two hexadecimal digits behind it; write it as %25")
    }
}
