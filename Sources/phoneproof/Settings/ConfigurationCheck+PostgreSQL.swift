import Foundation

/// What is unsafe about a database on a server, and about several instances that share it.
extension ConfigurationCheck {
    mutating func checkServer(_ settings: Settings, url text: String) {
        guard let url = try? PostgreSQLURL(text) else { return }
        let environment = ProcessInfo.processInfo.environment
        let remote = url.remoteHosts(environment: environment)
        let mode = url.sslMode(environment: environment)
        if !remote.isEmpty, mode != "verify-full" {
            warn(
                "sslmode is \(mode), by which somebody between here and \(remote.joined(separator: ", ")) can read and change "
                    + "everything; add sslmode=verify-full and sslrootcert=FILE (database.url)"
            )
        }
        checkPasswordFile(url.parameters["passfile"] ?? environment["PGPASSFILE"])
        if settings.gateways.contains(.stub) {
            warn("each instance has an SMS stub of its own; a code may be shown by another one (sms.gateway)")
        }
    }

    /// libpq passes over such a file and asks nobody, so that the server is the first to complain
    /// (https://www.postgresql.org/docs/current/libpq-pgpass.html).
    private mutating func checkPasswordFile(_ file: String?) {
        guard let file, !file.isEmpty else { return }
        guard let mode = Self.mode(of: file) else {
            return warn("there is no file of passwords at \(file) (PGPASSFILE)")
        }
        if mode & 0o077 != 0 { warn("\(file) is not read, since others have access to it; chmod 600 it (PGPASSFILE)") }
    }

    private static func mode(of file: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? Int
    }
}
