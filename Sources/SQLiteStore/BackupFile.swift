import CSQLite
public import PhoneDomain
public import Records

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// All that a store of either engine held at one moment, in one SQLite file without companions.
public struct BackupFile: Sendable {
    /// What was acknowledged before this moment is in it.
    public let madeAt: Timestamp
    private let path: String
    /// What ``path`` names, if it is a copy that was brought to the current schema.
    private let migrated: TemporaryFile?

    /// - Throws: ``BackupError`` unless it is a whole backup of a schema that this program knows.
    public init(at path: String) throws { try self.init(at: path, migrator: Schema.migrator) }

    init(at path: String, migrator: Migrator) throws {
        guard access(path, R_OK) == 0 else { throw BackupError.unreadable(path, reason: .lastError) }
        let found = try Self.look(at: path)
        guard found.version <= migrator.migrations.count else { throw BackupError.newerSchema(path) }
        madeAt = found.madeAt
        migrated = found.version < migrator.migrations.count ? try TemporaryFile() : nil
        self.path = migrated?.path ?? path
        guard let migrated else { return }
        let original = try SQLiteConnection(path: path.asFile, access: .reading)
        defer { original.close() }
        try original.execute("VACUUM INTO '\(migrated.path.replacing("'", with: "''"))'")
        let copy = try SQLiteConnection(path: migrated.path)
        defer { copy.close() }
        _ = try migrator.migrate(copy, isAllowed: true)
    }

    /// Reads the file, as a transaction of a store is read.
    public func read<Value>(_ work: (any SQLSession) throws -> Value) throws -> Value {
        let connection = try SQLiteConnection(path: path.asFile, access: .reading)
        defer { connection.close() }
        return try connection.transaction(.reading) { try work(connection) }
    }

    private static func look(at path: String) throws -> (version: Int, madeAt: Timestamp) {
        do {
            let connection = try SQLiteConnection(path: path.asFile, access: .reading)
            defer { connection.close() }
            guard try connection.value("PRAGMA integrity_check(1)") == .text("ok") else {
                throw BackupError.damaged(path)
            }
            guard try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'backup'") != nil,
                let madeAt = try connection.integer("SELECT made_at FROM backup")
            else { throw BackupError.noBackup(path) }
            return (try connection.version, Timestamp(milliseconds: madeAt))
        } catch let error as SQLiteStoreError {
            if case .failed(SQLITE_NOTADB, _) = error { throw BackupError.noBackup(path) }
            if case .failed(let code, _) = error, code & 0xFF == SQLITE_CORRUPT { throw BackupError.damaged(path) }
            throw BackupError.unreadable(path, reason: "\(error)")
        }
    }
}

// MARK: - Making

extension BackupFile {
    /// Writes a backup beside its place, reads it again, and puts it there when it is whole and on the disk. The store goes on
    /// reading and writing meanwhile.
    ///
    /// - Parameter isReplacing: whether a file that is there may be replaced.
    /// - Throws: ``BackupError``, and what the store throws; nothing has changed at this path then.
    public static func make(
        of store: any SQLStore,
        at path: String,
        isReplacing: Bool,
        now: Timestamp,
        copy: TableCopy
    ) async throws -> CopyResult {
        let draft = draft(of: path)
        defer { unlink(draft) }
        guard isReplacing || access(path, F_OK) != 0 else { throw BackupError.exists(path) }
        // Its next user would replay the log of the replaced file into the new one.
        guard access(path + "-wal", F_OK) != 0 else { throw BackupError.database(path) }
        // The store may do it again after a conflict.
        let copied = try await store.run(isReadOnly: true) { session in
            unlink(draft)
            return try write(session, to: draft, now, copy)
        }
        _ = try look(at: draft)
        let connection = try SQLiteConnection(path: draft.asFile, access: .reading)
        defer { connection.close() }
        let found = try copy.tallies(of: connection)
        guard copied == found else { throw BackupError.different(path) }
        try publish(draft, at: path, isReplacing: isReplacing)
        return TableCopy.result(copied: copied, found: found)
    }

    /// Where this process writes the backup that goes to this path. To be deleted if it is interrupted.
    public static func draft(of path: String) -> String { "\(path).\(getpid()).draft" }

    private static func write(
        _ session: any SQLSession,
        to path: String,
        _ now: Timestamp,
        _ copy: TableCopy
    ) throws -> TableCopy.Tallies {
        // Before SQLite does, which would go by the mask.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BackupError.unwritable(path, reason: .lastError) }
        fchmod(file, 0o600)
        close(file)
        func writing<Value>(_ work: () throws -> Value) throws -> Value {
            do { return try work() } catch { throw BackupError.unwritable(path, reason: "\(error)") }
        }
        let target = try writing { try SQLiteConnection(path: path.asFile) }
        defer { target.close() }
        try writing {
            // What is not finished is deleted.
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            _ = try Schema.migrator.migrate(target, isAllowed: true)
            try target.execute(
                """
                CREATE TABLE backup (made_at INTEGER NOT NULL) STRICT;
                INSERT INTO backup VALUES (\(now.milliseconds));
                BEGIN
                """
            )
        }
        let tallies = try copy.copy(from: session) { rows, table in
            try writing { try target.restore(rows, in: table) }
        }
        try writing { try target.execute("COMMIT") }
        return tallies
    }

    private static func publish(_ draft: String, at path: String, isReplacing: Bool) throws(BackupError) {
        try flush(draft, O_RDONLY)
        // link(2), unlike rename(2), never replaces a file that somebody has made meanwhile; not every file system has it.
        if isReplacing || link(draft, path) != 0 {
            guard isReplacing || errno != EEXIST && access(path, F_OK) != 0 else { throw .exists(path) }
            guard rename(draft, path) == 0 else { throw .unwritable(path, reason: .lastError) }
        }
        try flush(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY)
    }

    private static func flush(_ path: String, _ flags: Int32) throws(BackupError) {
        let file = open(path, flags | O_CLOEXEC)
        guard file >= 0 else { throw .unwritable(path, reason: .lastError) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .unwritable(path, reason: .lastError) }
    }
}

/// Why there is no backup, or none that can be restored. Nothing has been changed.
public enum BackupError: Error, Hashable, CustomStringConvertible {
    case exists(String)
    /// It is in use, or was not closed.
    case database(String)
    case unwritable(String, reason: String)
    /// What was read back is not what was written.
    case different(String)
    case unreadable(String, reason: String)
    case noBackup(String)
    case damaged(String)
    case newerSchema(String)

    public var description: String {
        switch self {
        case .exists(let path): "\(path) is there already; choose another name, or replace it by --force"
        case .database(let path): "\(path) is a database with a log of its own (\(path)-wal); choose another name"
        case .unwritable(let path, let reason):
            "cannot write \(path): \(reason); check the folder's permissions and the free space; the incomplete backup was removed"
        case .different(let path):
            "verification of \(path) failed: what was read back differs from what was written; it was removed; check the disk"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .noBackup(let path):
            "\(path) is not a file that `phoneproof backup` has made; a database file is used where it is (database.url), or "
                + "copied by `phoneproof copy`"
        case .damaged(let path): "\(path) is damaged; nothing was restored, take another backup"
        case .newerSchema(let path):
            "\(path) was made by a newer version of this program; restore it with that version"
        }
    }
}

/// Deleted at the end.
private final class TemporaryFile: Sendable {
    let path: String

    init() throws(BackupError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/phoneproof-restore-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard file >= 0 else { throw .unwritable(path, reason: .lastError) }
        close(file)
    }

    deinit { unlink(path) }
}

extension String {
    /// Never a path that SQLite takes for something else, such as `:memory:`.
    fileprivate var asFile: String { hasPrefix("/") ? self : "./" + self }

    fileprivate static var lastError: String { String(cString: strerror(errno)) }
}
