/// Where everything is kept.
extension Settings {
    enum Database {
        /// Until the program ends.
        case memory
        /// SQLite, at this path.
        case file(String)
        /// A server, shared by any number of instances: the URL as libpq takes it, which may bear a password.
        case postgresql(String)
    }

    /// Reads it.
    static func database(_ reader: inout SettingsReader) throws(SettingsError) -> Database {
        let key = "database.url"
        guard let text = try reader.text(key) else { return .file("data/phoneproof.sqlite") }
        do {
            // It is not quoted, since it may bear a password.
            guard let database = try Database(url: text) else { throw SettingsError(key: key, wanted: Database.forms) }
            return database
        } catch let error as PostgreSQLURLError {
            let variable = SettingsError.environmentName(of: key)
            throw SettingsError("\(key) (or \(variable)) is no address of a PostgreSQL database: \(error)")
        } catch {
            throw error as? SettingsError ?? SettingsError("\(error)")
        }
    }
}

extension Settings.Database {
    /// What can be written.
    static let forms =
        "sqlite:PATH, sqlite::memory: for a database that is gone when the service stops, or postgresql://HOST/NAME"

    /// Reads a URL.
    ///
    /// - Returns: nil if it is of no form that is known.
    /// - Throws: ``PostgreSQLURLError`` if it is of one, and wrong.
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
}

extension Settings.Database: CustomStringConvertible {
    /// How it may be shown: no secret is in it.
    var description: String {
        switch self {
        case .memory: "in memory"
        case .file(let path): path
        case .postgresql(let url): (try? PostgreSQLURL(url).masked) ?? "postgresql://***"
        }
    }
}
