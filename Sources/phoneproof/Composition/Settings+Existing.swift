import Glibc
import OpenSSLCrypto
import PhoneCLI
import SQLiteStore

/// What a running or stopped service has left, for commands that look at it or mend it: they make nothing and migrate
/// nothing.
extension Settings {
    /// The service's database.
    ///
    /// - Throws: ``Failure`` where there is none, else what the store throws.
    func existingStore() throws -> SQLiteStore {
        guard case .file(let path) = database else {
            throw Failure(.configuration, "the database is in memory; name that of the service by database.url")
        }
        guard access(path, F_OK) == 0 else {
            throw Failure(.configuration, "there is no database at \(path); name that of the service by database.url")
        }
        // SQLite makes files by the mask alone, and what they hold is for their owner.
        umask(0o077)
        return try SQLiteStore(
            path: path,
            migrating: false,
            durability: isDurable ? .full : .normal,
            busyTimeout: databaseBusyTimeout
        )
    }

    /// The vault with the service's keys.
    ///
    /// - Throws: ``Failure`` where there is no key file, else what the keys throw.
    func existingVault() throws -> OpenSSLCodeVault {
        guard let keyPath, access(keyPath, F_OK) == 0 else {
            throw Failure(
                .configuration,
                "there is no key file at \(keyPath ?? "-"), and without the keys no entry of a number can be found; "
                    + "name that of the service by keys.file"
            )
        }
        return try OpenSSLCodeVault(keys: KeyRing.load(from: keyPath))
    }
}
