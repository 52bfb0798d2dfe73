import CPostgreSQL
import CoreEncodings

/// The URL of a PostgreSQL database, as libpq parses it
/// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS). Its description shows no secret.
public struct PostgreSQLURL: Sendable, CustomStringConvertible {
    /// libpq's keywords (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS) with their
    /// values, as far as the URL sets them.
    let keywords: [String: String]
    /// The keywords whose values libpq never shows.
    private let secrets: Set<String>

    /// Whether a text is meant to be one; whether it is one is another matter.
    public static func isMeant(by text: String) -> Bool {
        ["postgresql:", "postgres:"].contains(where: text.hasPrefix)
    }

    /// - Throws: ``PostgreSQLStoreError/invalidURL(reason:)``, which quotes nothing: it may be a part of a password.
    public init(_ text: String) throws(PostgreSQLStoreError) {
        guard let prefix = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else {
            throw .invalidURL(reason: "it must begin with postgresql:// or postgres://")
        }
        guard
            !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F })
        else { throw Self.invalid("there is white space or a control character in it") }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            throw Self.invalid(message.map { Self.reason(String(cString: $0)) } ?? "there is no memory")
        }
        defer { PQconninfoFree(options) }
        (keywords, secrets) = Self.values(of: options)
        // Signs of a password that is not written as a URL has it. libpq takes a part of it for something else, which
        // it would quote, and we would show.
        let rest = text.dropFirst(prefix.count)
        let path = rest.drop { $0 != "/" }.prefix { $0 != "?" }
        guard !path.contains("@") else { throw Self.invalid("user and password end at the first /") }
        let servers = rest.prefix { $0 != "/" }.drop { $0 != "@" }.dropFirst().prefix { $0 != "?" }
        guard !servers.contains("@") else {
            throw Self.invalid("user and password end at the first @, and there is another one")
        }
        guard
            ports.allSatisfy({
                $0.isEmpty || ($0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16($0) ?? 0 > 0)
            })
        else {
            throw Self.invalid("a port is a number from 1 to 65535, and behind an IPv6 address in brackets")
        }
        if let mode = keywords["sslmode"], !Self.modes.contains(mode) {
            throw .invalidURL(reason: "sslmode is one of \(Self.modes.joined(separator: ", "))")
        }
    }

    /// https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-SSLMODE-STATEMENTS
    private static let modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

    private static func invalid(_ reason: String) -> PostgreSQLStoreError {
        .invalidURL(
            reason: reason
                + "; within a user, a password or a value write @ as %40, / as %2F, : as %3A, ? as %3F, = as "
                + "%3D, & as %26, % as %25 and a space as %20"
        )
    }

    /// libpq quotes the URL, or what it takes for a part of it, within `"`.
    private static func reason(_ message: String) -> String {
        guard let first = message.firstIndex(of: "\""), let last = message.lastIndex(of: "\""), first < last else {
            return Connection.reason(message)
        }
        return Connection.reason("\(message[..<first])…\(message[message.index(after: last)...])")
    }

    /// The options with values, and which are secrets: a `*` stands for them in a form, a `D` keeps them out of it.
    private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> ([String: String], Set<String>) {
        var (values, secrets): ([String: String], Set<String>) = ([:], [])
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
                if let form = option.pointee.dispchar, form.pointee != 0 { secrets.insert(String(cString: keyword)) }
            }
            option += 1
        }
        return (values, secrets)
    }

    /// Whether it contains a password or another secret.
    public var containsPassword: Bool { !secrets.isEmpty }

    /// Names, addresses, or paths of sockets, in the order in which they are tried; empty where libpq chooses.
    var hosts: [String] { Self.list(keywords["host"]) }
    var addresses: [String] { Self.list(keywords["hostaddr"]) }
    var ports: [String] { Self.list(keywords["port"]) }

    private static func list(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    public var description: String {
        let ports = ports.count == hosts.count ? ports : []
        let servers = hosts.enumerated().map { index, host in
            (host.contains(":") ? "[\(host)]" : host.percentEncoded)
                + (ports.isEmpty || ports[index].isEmpty ? "" : ":\(ports[index])")
        }
        let user = keywords["user"].map { $0.percentEncoded + (keywords["password"] == nil ? "" : ":***") + "@" }
        var named: Set = ["user", "dbname", "host"]
        if user != nil { named.insert("password") }
        if !ports.isEmpty { named.insert("port") }
        let parameters = keywords.filter { !named.contains($0.key) }.sorted { $0.key < $1.key }.map { name, value in
            let parts = value.split(separator: "/", omittingEmptySubsequences: false).map { String($0).percentEncoded }
            return "\(name)=\(secrets.contains(name) ? "***" : parts.joined(separator: "/"))"
        }
        return "postgresql://" + (user ?? "") + servers.joined(separator: ",")
            + (keywords["dbname"].map { "/" + $0.percentEncoded } ?? (parameters.isEmpty ? "" : "/"))
            + (parameters.isEmpty ? "" : "?") + parameters.joined(separator: "&")
    }
}

/// What becomes of passwords and codes on their way to the server.
extension PostgreSQLURL {
    /// The keywords in force: what the URL does not set comes from the environment, a service file or libpq itself
    /// (https://www.postgresql.org/docs/current/libpq-envars.html).
    public var keywordsInForce: [String: String] {
        guard let options = PQconndefaults() else { return keywords }
        defer { PQconninfoFree(options) }
        return Self.values(of: options).0.merging(keywords) { $1 }
    }

    /// The servers that are not this machine's: neither a socket, which begins with `/`, or in Linux's namespace of its
    /// own with `@`, nor an address of loopback.
    public var remoteHosts: [String] {
        let keywords = keywordsInForce
        return Self.list(keywords["hostaddr"] ?? keywords["host"])
            .filter { !$0.hasPrefix("/") && !$0.hasPrefix("@") && !EndpointURL.isLoopback($0) }
    }

    /// How libpq verifies the server. The authorities of the system imply that it does.
    public var sslMode: String {
        let keywords = keywordsInForce
        return keywords["sslrootcert"] == "system" ? "verify-full" : keywords["sslmode"] ?? "prefer"
    }
}
