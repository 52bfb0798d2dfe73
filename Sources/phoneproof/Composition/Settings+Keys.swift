import Glibc
import OpenSSLCrypto
import PhoneCLI
import SQLiteStore

extension Settings {
    /// Where the keys are: beside the database unless they are named; nil for a database in memory, which outlives no
    /// key.
    ///
    /// - Throws: ``SettingsError`` for a database on a server, beside which no file can lie, unless they are named.
    func keyPath() throws(SettingsError) -> String? {
        if let keyFile { return keyFile }
        switch database {
        case .memory: return nil
        case .file(let link):
            let path = SQLiteStore.file(at: link)
            return (path.hasSuffix(".sqlite") ? String(path.dropLast(".sqlite".count)) : path) + ".keys"
        case .postgresql:
            throw SettingsError(
                "keys.file is not set, and the keys cannot lie beside a PostgreSQL database; name a file that is the same "
                    + "for every instance (or set \(SettingsError.environmentName(of: "keys.file")))"
            )
        }
    }

    /// Refuses to begin with keys that no other instance has: in production, with a database that several share, the file
    /// must be there before the first of them starts.
    ///
    /// - Throws: ``Failure`` if it is not, ``SettingsError`` as ``keyPath()``.
    func requireKeysOfAll() throws {
        guard case .postgresql = database, profile == .production, let path = try keyPath(), access(path, F_OK) != 0
        else { return }
        throw Failure(
            .configuration,
            "there is no key file at \(path), and an instance with keys of its own cannot check the codes of others; make "
                + "one with `phoneproof keys make`, and give every instance this very file"
        )
    }

    /// The vault with the keys of a running or stopped service; no file is made.
    ///
    /// - Throws: ``Failure`` where there is no key file, else what the keys throw.
    func existingVault() throws -> OpenSSLCodeVault {
        let path = try keyPath()
        guard let path, access(path, F_OK) == 0 else {
            throw Failure(
                .configuration,
                "there is no key file at \(path ?? "-"), and without the keys no entry of a number can be found; "
                    + "name that of the service by keys.file"
            )
        }
        return try OpenSSLCodeVault(keys: KeyRing.load(from: path))
    }
}
