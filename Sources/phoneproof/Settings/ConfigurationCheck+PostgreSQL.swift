import Foundation

/// What is unsafe about a database on a server, and about several instances that share it.
extension ConfigurationCheck {
    mutating func checkServer(_ settings: Settings, url text: String, file: String?) {
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
        if url.bearsSecret, settings.databaseURLIsInFile, let file, Self.canBeReadByOthers(file) {
            warn(
                "others can read \(file), and the password in it; chmod 600 it, or set PHONEPROOF_DATABASE_URL "
                    + "(database.url)"
            )
        }
        if settings.gateways.contains(.stub) {
            warn("each instance has an SMS stub of its own; a code may be shown by another one (sms.gateway)")
        }
    }

    private static func canBeReadByOthers(_ file: String) -> Bool {
        let mode = (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? Int
        return (mode ?? 0) & 0o044 != 0
    }
}
