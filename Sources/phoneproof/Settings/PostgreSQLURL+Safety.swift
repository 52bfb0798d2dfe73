/// What becomes of passwords and codes on their way to the server.
extension PostgreSQLURL {
    /// The servers that are not this machine's, as the URL names them or else the environment
    /// (https://www.postgresql.org/docs/current/libpq-envars.html).
    func remoteHosts(environment: [String: String]) -> [String] {
        let others = (environment["PGHOSTADDR"] ?? environment["PGHOST"])?.split(separator: ",").map(String.init)
        return (hosts.isEmpty ? others ?? [] : hosts).filter { !Self.isLocal($0) }
    }

    /// How far libpq goes to be sure of the server: what the URL says, else the environment, else that it takes
    /// encryption if it is offered, and whoever offers it.
    func sslMode(environment: [String: String]) -> String {
        // What JDBC calls it, libpq takes as well.
        if let mode = parameters["sslmode"] ?? (parameters["ssl"] == "true" ? "require" : nil) { return mode }
        if let mode = environment["PGSSLMODE"] { return mode }
        return (parameters["sslrootcert"] ?? environment["PGSSLROOTCERT"]) == "system" ? "verify-full" : "prefer"
    }

    /// Whether it is this machine: a socket, which begins with `/`, or in Linux's namespace of its own with `@`; or an
    /// address of loopback.
    private static func isLocal(_ host: String) -> Bool {
        if host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
