import PhoneCLI
import PostgreSQLStore
import Records
import SQLiteStore

extension Failure {
    /// What a database did not do, with a code that tells whether it is worth trying again: whoever starts
    /// programs does so on its own only where nobody has to set something right first.
    ///
    /// - Returns: nil for the errors of others.
    init?(store error: any Error) {
        if case .folderLocked? = error as? SQLiteStoreError {
            self.init(.unreachable, "\(error)")
            return
        }
        if let error = error as? UnreadableRecord {
            self.init(.configuration, "\(error)")
            return
        }
        guard let error = error as? PostgreSQLStoreError else { return nil }
        switch error {
        case .unreachable, .disconnected, .timedOut, .waitedTooLong:
            self.init(.unreachable, "\(error); see that it runs and that database.url names it")
        case .readOnly, .outcomeUnknown, .overloaded, .conflict, .closed: self.init(.unreachable, "\(error)")
        case .refused:
            self.init(
                .configuration,
                "\(error); correct database.url (PHONEPROOF_DATABASE_URL), or the password file that PGPASSFILE names"
            )
        case .olderSchema: self.init(.configuration, "\(error), by `phoneproof migrate`")
        case .invalidURL, .newerSchema, .failed: self.init(.configuration, "\(error)")
        }
    }
}
