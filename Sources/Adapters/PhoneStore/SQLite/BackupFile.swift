import CSQLite
import Glibc
public import PhoneAdministration
public import PhoneSignup

/// All that a store of either engine held at one moment, in one SQLite file without companions, with a digest of every
/// table and of the whole file.
public struct BackupFile: Sendable {
    /// What was acknowledged before this moment is in it.
    public let madeAt: Timestamp
    public let tables: [(name: String, tally: RecordTally)]
    private let path: String
    /// What is read instead of ``path``: a copy that was brought to the current schema.
    private let migrated: Draft?

    /// - Throws: ``BackupError`` unless it is a whole backup of a schema that this program knows.
    public init(at path: String, copy: TableCopy) throws {
        try self.init(at: path, migrator: SQLiteSchema.migrator(copy.types), copy: copy)
    }

    init(at path: String, migrator: SQLiteMigrator, copy: TableCopy) throws {
        self.path = path
        guard access(path, R_OK) == 0 else { throw BackupError.unreadable(path, reason: .lastError) }
        var status = stat()
        // Opening a pipe would wait for a writer.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw BackupError.unreadable(path, reason: "it is not a plain file")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BackupError.unreadable(path, reason: .lastError) }
        defer { close(file) }
        let (contents, version) = try Self.reading(path) {
            let original = try SQLiteConnection(path: path.asFile, access: .reading)
            defer { original.close() }
            let contents = try Contents(of: original, at: path, migrator)
            try contents.verify(original, file, at: path, copy)
            return (contents, try original.version)
        }
        madeAt = contents.madeAt
        tables = contents.tables.map { ($0.name, $0.tally) }
        migrated = version < migrator.migrations.count ? try Draft(of: Self.temporaryPath) : nil
        guard let migrated else { return }
        let original = try SQLiteConnection(path: path.asFile, access: .reading)
        defer { original.close() }
        let copy = try migrated.connect()
        defer { copy.close() }
        try original.copy(into: copy)
        _ = try migrator.migrate(copy, isAllowed: true)
    }

    private static var temporaryPath: String {
        "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/phoneproof-restore"
    }

    /// Reads the file, as a transaction of a store is read.
    public func read<Value>(_ work: (any SQLSession) throws -> Value) throws -> Value {
        let connection = try migrated?.connect(.reading) ?? SQLiteConnection(path: path.asFile, access: .reading)
        defer { connection.close() }
        return try connection.transaction(.reading) { try work(connection) }
    }

    private static func reading<Value>(_ path: String, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as SQLiteStoreError {
            guard case .failed(let code, let reason) = error else { throw error }
            switch code & 0xFF {
            case SQLITE_NOTADB: throw BackupError.noBackup(path)
            // A table or column that is called otherwise than the backup says.
            case SQLITE_CORRUPT, SQLITE_ERROR: throw BackupError.damaged(path, what: reason)
            default: throw BackupError.unreadable(path, reason: "\(error)")
            }
        } catch is UnreadableRecord {
            throw BackupError.damaged(path, what: "what it says of itself")
        }
    }
}

// MARK: - Digests

/// What a backup says of itself, in the table `backup_table`, with a digest of it all in `backup`, and one of the file
/// (``FileDigest``). Columns are named, so that later versions, which have others, can verify it.
private struct Contents {
    let madeAt: Timestamp
    var tables: [(name: String, columns: String, tally: RecordTally)] = []

    static let definition = """
        CREATE TABLE backup (made_at INTEGER NOT NULL, digest TEXT NOT NULL, file_digest TEXT NOT NULL) STRICT;
        CREATE TABLE backup_table (
            name TEXT NOT NULL, columns TEXT NOT NULL, count INTEGER NOT NULL, digest TEXT NOT NULL
        ) STRICT
        """

    init(madeAt: Timestamp, _ tables: [Table], _ tallies: TableCopy.Tallies) {
        self.madeAt = madeAt
        self.tables = zip(tables, tallies).map { ($0.name, $0.columnList, $1) }
    }

    init(of db: SQLiteConnection, at path: String, _ migrator: SQLiteMigrator) throws {
        guard try db.integer("SELECT 1 FROM sqlite_schema WHERE name = 'backup'") != nil,
            let madeAt = try db.integer("SELECT made_at FROM backup")
        else { throw BackupError.noBackup(path) }
        self.madeAt = Timestamp(milliseconds: madeAt)
        let version = try db.version
        guard version > 0 else { throw BackupError.noVersion(path, version: version) }
        guard version <= migrator.migrations.count else { throw BackupError.newerSchema(path) }
        try db.forEach("SELECT name, columns, count, digest FROM backup_table ORDER BY rowid") { row in
            var reader = RowReader(row, of: "backup_table")
            let (name, columns, count) = (try reader.text(), try reader.text(), try reader.count())
            guard let digest = RecordDigest(try reader.text()) else {
                throw BackupError.damaged(path, what: "the digest of \(name)")
            }
            tables.append((name, columns, RecordTally(count: count, digest: digest)))
        }
    }

    func write(to db: SQLiteConnection, _ copy: TableCopy) throws {
        for table in tables {
            let (count, digest) = (Int64(table.tally.count), table.tally.digest.description)
            _ = try db.run("INSERT INTO backup_table VALUES (\(table.name), \(table.columns), \(count), \(digest))")
        }
        let digest = try digest(version: db.version, copy).description
        _ = try db.run("INSERT INTO backup VALUES (\(madeAt), \(digest), \(FileDigest.unknown))")
    }

    /// - Throws: ``BackupError/damaged(_:what:)`` unless all of it is as it was when it was written.
    /// - Parameter file: an open descriptor of the database's file.
    func verify(_ db: SQLiteConnection, _ file: Int32, at path: String, _ copy: TableCopy) throws {
        guard try db.value("PRAGMA integrity_check(1)") == .text("ok") else {
            throw BackupError.damaged(path, what: "the file itself")
        }
        let digest = try digest(version: db.version, copy).description
        guard try db.value("SELECT digest FROM backup") == .text(digest) else {
            throw BackupError.damaged(path, what: "what it says of itself")
        }
        for table in tables {
            guard try copy.tally(of: table.name, columns: table.columns, in: db) == table.tally else {
                throw BackupError.damaged(path, what: "the table \(table.name)")
            }
        }
        // Last, since the others say what is damaged: it covers free space and the text of the schema as well.
        guard case .text(let text) = try db.value("SELECT file_digest FROM backup"),
            try FileDigest(in: db).digest(of: file, containing: text, copy)?.digest.description == text
        else { throw BackupError.damaged(path, what: "the file itself") }
    }

    private func digest(version: Int, _ copy: TableCopy) throws -> RecordDigest {
        var row = Row([.integer(Int64(version)), .integer(madeAt.milliseconds)])
        for table in tables {
            row.append(table.name)
            row.append(table.columns)
            row.append(Int64(table.tally.count))
            row.append(table.tally.digest.description)
        }
        return try copy.digest(of: row, in: "backup")
    }
}

/// A digest of the whole file, within the file: where it stands, ``unknown`` counts.
private struct FileDigest {
    /// No digit of a digest, or the one before it could end in some.
    static let unknown = String(repeating: "-", count: 64)

    private let pageSize: Int
    /// Where the page begins that it is on.
    private let pageStart: Int

    /// The table that it is in has one row, and so one page.
    init(in db: SQLiteConnection) throws {
        pageSize = Int(try db.integer("PRAGMA page_size") ?? 0)
        pageStart =
            Int(try db.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'backup'") ?? 0) * pageSize - pageSize
    }

    /// The digest, and where it stands in the file.
    ///
    /// - Parameter text: what stands there.
    /// - Returns: nil if that is not on its page.
    func digest(of file: Int32, containing text: String, _ copy: TableCopy) throws -> (
        digest: RecordDigest, place: Int
    )? {
        guard pageSize > 0, text.utf8.count == Self.unknown.utf8.count else { return nil }
        var (digest, start, place) = (RecordDigest.none, 0, Int?.none)
        while case var block = try Self.read(file, at: start, count: pageSize * 256), !block.isEmpty {
            let page = (pageStart - start)..<(pageStart - start + pageSize)
            if block.indices.contains(page.lowerBound), page.upperBound <= block.count {
                guard let range = block[page].firstRange(of: text.utf8) else { return nil }
                block.replaceSubrange(range, with: Self.unknown.utf8)
                place = start + range.lowerBound
            }
            start += block.count
            digest = try copy.digest(of: Row([.text(digest.description), .bytes(block)]), in: "file")
        }
        return place.map { (digest, $0) }
    }

    /// Fewer bytes than that only at the end of the file.
    private static func read(_ file: Int32, at start: Int, count: Int) throws(SQLiteStoreError) -> [UInt8] {
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = pread(file, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(start + filled))
                if read < 0 { failure = errno }
                if read <= 0 { break }
                filled += read
            }
        }
        guard failure == 0 else { throw .failed(resultCode: SQLITE_IOERR, reason: String(cString: strerror(failure))) }
        return bytes
    }
}

// MARK: - Making

extension BackupFile {
    /// Writes a backup without a name, reads it again, and gives it its name when it is whole and on the disk. The
    /// store goes on reading and writing meanwhile.
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
        guard isReplacing || access(path, F_OK) != 0 else { throw BackupError.exists(path) }
        // Its next user would replay the log of the replaced file into the new one.
        for suffix in ["-wal", "-journal"] where access(path + suffix, F_OK) == 0 {
            throw BackupError.database(path, log: path + suffix)
        }
        let draft = try Draft(of: path)
        // The store may do it again after a conflict.
        let copied = try await store.run(isReadOnly: true) { session in
            try write(session, to: draft, at: path, now, copy)
        }
        do {
            try draft.seal(copy)
            let connection = try draft.connect(.reading)
            defer { connection.close() }
            let found = try Contents(of: connection, at: path, SQLiteSchema.migrator(copy.types))
            try found.verify(connection, draft.descriptor, at: path, copy)
            guard found.tables.map(\.tally) == copied else { throw BackupError.different(path) }
        } catch is SQLiteStoreError {
            throw BackupError.different(path)
        } catch BackupError.damaged {
            throw BackupError.different(path)
        }
        try draft.publish(at: path, isReplacing: isReplacing)
        return copy.result(copied: copied, found: copied)
    }

    /// The name of the backup of this process that goes to this path, where it must have one while it is written. To be
    /// deleted if it is interrupted.
    public static func draft(of path: String) -> String { "\(path).\(getpid()).draft" }

    private static func write(
        _ session: any SQLSession,
        to draft: Draft,
        at path: String,
        _ now: Timestamp,
        _ copy: TableCopy
    ) throws -> TableCopy.Tallies {
        func writing<Value>(_ work: () throws -> Value) throws -> Value {
            do { return try work() } catch { throw BackupError.unwritable(path, reason: "\(error)") }
        }
        let target = try writing {
            try draft.empty()
            return try draft.connect()
        }
        defer { target.close() }
        try writing {
            _ = try SQLiteSchema.migrator(copy.types).migrate(target, isAllowed: true)
            try target.execute(Contents.definition)
            try target.execute("BEGIN")
        }
        let tallies = try copy.copy(from: session) { rows, table in
            try writing { try target.restore(rows, in: table) }
        }
        try writing {
            try Contents(madeAt: now, copy.types.tables, tallies).write(to: target, copy)
            try target.execute("COMMIT")
        }
        return tallies
    }
}

/// A database file that is being written. It has no name until it is whole, so that nothing is left of it however this
/// process ends.
///
/// Not every file system has files without a name (NFS and FAT have none), and they cannot be used without `/proc`.
/// There it has that of ``BackupFile/draft(of:)`` until the end, which `kill -9` leaves behind.
private final class Draft: Sendable {
    /// The path by which SQLite opens it.
    let path: String
    private let name: String?
    let descriptor: Int32

    private static let hasSQLiteFindOpenFiles = phoneproof_sqlite_find_open_files() == SQLITE_OK

    /// - Parameter path: in the folder of which it is made.
    init(of path: String) throws(BackupError) {
        // O_TMPFILE (open(2)), which C has as two flags in parentheses.
        let unnamed = open(path.folder, 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        if unnamed >= 0, access("/proc/self/fd/\(unnamed)", F_OK) == 0 {
            _ = Self.hasSQLiteFindOpenFiles
            (descriptor, name, self.path) = (unnamed, nil, PHONEPROOF_OPEN_FILES + "\(unnamed)")
        } else {
            if unnamed >= 0 { close(unnamed) }
            let name = BackupFile.draft(of: path)
            // An earlier process with this number may have left it.
            unlink(name)
            (descriptor, self.name, self.path) = (
                open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600), name, name.asFile
            )
        }
        guard descriptor >= 0 else { throw .unwritable(path, reason: .lastError) }
        // The mask may have cleared bits of the owner.
        fchmod(descriptor, 0o600)
    }

    deinit {
        if let name { unlink(name) }
        close(descriptor)
    }

    func connect(_ access: SQLiteConnection.Access = .writing) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: access)
        // What is not finished is deleted.
        if access == .writing { try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
        return connection
    }

    func empty() throws(BackupError) {
        guard ftruncate(descriptor, 0) == 0 else { throw .unwritable(path, reason: .lastError) }
    }

    /// Puts the digest of the file into it. What fails here is found when it is verified.
    func seal(_ copy: TableCopy) throws {
        let connection = try connect(.reading)
        defer { connection.close() }
        guard
            let (digest, place) = try FileDigest(in: connection)
                .digest(of: descriptor, containing: FileDigest.unknown, copy)
        else { return }
        let bytes = Array(digest.description.utf8)
        _ = pwrite(descriptor, bytes, bytes.count, off_t(place))
    }

    func publish(at path: String, isReplacing: Bool) throws(BackupError) {
        try Self.flush(descriptor, path)
        let folder = open(path.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .unwritable(path, reason: .lastError) }
        defer { close(folder) }
        // Unlike rename(2) this never replaces a file that somebody has made meanwhile; not every file system has it.
        if !link(as: path) {
            guard isReplacing || errno != EEXIST && access(path, F_OK) != 0 else { throw .exists(path) }
            let draft = BackupFile.draft(of: path)
            if name == nil {
                unlink(draft)
                guard link(as: draft) else { throw .unwritable(path, reason: .lastError) }
            }
            guard rename(draft, path) == 0 else {
                let reason = String.lastError
                unlink(draft)
                throw .unwritable(path, reason: reason)
            }
        }
        try Self.flush(folder, path)
    }

    private func link(as path: String) -> Bool {
        linkat(AT_FDCWD, name ?? "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    private static func flush(_ descriptor: Int32, _ path: String) throws(BackupError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path, reason: .lastError) }
    }
}

/// Why there is no backup, or none that can be restored. Nothing has been changed.
public enum BackupError: Error, Hashable, CustomStringConvertible {
    case exists(String)
    /// It is in use, or was not closed.
    case database(String, log: String)
    case unwritable(String, reason: String)
    /// What was read back is not what was written.
    case different(String)
    case unreadable(String, reason: String)
    case noBackup(String)
    case damaged(String, what: String)
    case noVersion(String, version: Int)
    case newerSchema(String)

    public var description: String {
        switch self {
        case .exists(let path): "\(path) is there already; choose another name, or replace it by --force"
        case .database(let path, let log): "\(path) is a database with a log of its own (\(log)); choose another name"
        case .unwritable(let path, let reason):
            "cannot write \(path): \(reason); check the folder's permissions and the free space; the incomplete backup was removed"
        case .different(let path):
            "verification of \(path) failed: what was read back differs from what was written; it was removed; check the disk"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .noBackup(let path):
            "\(path) is not a file that `phoneproof backup` has made; a database file is used where it is (database.url), or "
                + "copied by `phoneproof copy`"
        case .damaged(let path, let what): "\(path) is damaged (\(what)); take another backup"
        case .noVersion(let path, let version):
            "\(path) does not say which version of this program made it (its user_version is \(version)); take another backup"
        case .newerSchema(let path):
            "\(path) was made by a newer version of this program; restore it with that version"
        }
    }
}
