import PhoneCLI

extension Settings.Database {
    /// The database that a flag names. Every user of a machine can read the flags of its programs, so that a secret in
    /// one is none any more.
    ///
    /// - Throws: ``Failure`` that says how to write it, and quotes nothing.
    init(url: String, flag: String) throws {
        let database: Settings.Database?
        do {
            database = try Settings.Database(url: url)
        } catch {
            throw Failure(.usage, "\(flag) is no address of a PostgreSQL database: \(error)")
        }
        guard let database else { throw Failure(.usage, "\(flag) must be \(Self.forms)") }
        if case .postgresql(let url) = database, try PostgreSQLURL(url).bearsSecret {
            throw Failure(
                .usage,
                "\(flag) bears a password, which every user of this machine can read; leave it out, and set "
                    + "PHONEPROOF_DATABASE_URL instead, or keep it in a file that PGPASSFILE or the parameter passfile names"
            )
        }
        self = database
    }
}
