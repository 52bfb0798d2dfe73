import CSQLite

/// Why the store could not do its work, for the operator: no code and no phone number is in it.
public enum SQLiteStoreError: Error, Hashable, Sendable {
    case unusableFolder(path: String, reason: String)
    /// Another process kept the lock on the folder of the database all the time, by its number if that is known: it
    /// opens, makes or migrates a database there, or is another program.
    case folderLocked(path: String, process: Int32?)
    case unusableFile(path: String, reason: String)
    /// A file of the database is not where it was opened. When it is put back, the store works again.
    case fileMissing(path: String)
    /// Another file is where one of the database was opened. Only opening anew mends that.
    case fileReplaced(path: String)
    /// Beside the file is the write-ahead log of another database. Nothing was changed.
    case foreignLog(path: String)
    case overloaded(waiting: Int)
    case closed
    /// A newer version of the program has changed the tables; this one would damage them.
    case newerSchema(path: String)
    /// The tables are not there, or are those of an older version, and opening was not to change them.
    case olderSchema(path: String)
    /// SQLite refused or failed, with its extended result code (https://www.sqlite.org/rescode.html) and its own words.
    /// Nothing of the operation was kept.
    case failed(resultCode: Int32, reason: String)
    /// What was written could not be flushed: whether the operation was kept is not known. Nothing more is changed
    /// until the database is opened anew.
    case unflushed(path: String, reason: String)
    /// Others have read the database all the time, so that its log could not be emptied.
    case logInUse
    /// A row changed between being read and being written, which a transaction rules out; nothing was changed.
    case changedMeanwhile(table: String)

    /// - Parameter connection: whose last error it is; without one, SQLite's general words for the code.
    init(_ code: CInt, of connection: OpaquePointer? = nil) {
        let words =
            connection.map { sqlite3_extended_errcode($0) == code } ?? false
            ? sqlite3_errmsg(connection) : sqlite3_errstr(code)
        self = .failed(resultCode: code, reason: words.map { String(cString: $0) } ?? "error \(code)")
    }

    /// SQLite's result code without what extends it, if it was SQLite that failed.
    private var primaryCode: Int32? {
        guard case .failed(let code, _) = self else { return nil }
        return code & 0xFF
    }

    /// Whether another connection kept the lock for longer than the busy timeout.
    var isBusy: Bool { primaryCode == SQLITE_BUSY }

    /// Whether the disk is full or fails.
    var isOfDisk: Bool { primaryCode == SQLITE_FULL || primaryCode == SQLITE_IOERR }

    /// Whether it concerns one operation, so that others that share its transaction may succeed without it.
    var isOfOneOperation: Bool {
        if case .changedMeanwhile = self { return true }
        guard let code = primaryCode else { return false }
        return ![
            SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_CANTOPEN,
            SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_PROTOCOL, SQLITE_INTERRUPT,
        ].contains(code)
    }
}

extension SQLiteStoreError: CustomStringConvertible {
    /// What happened and, where something can be done about it, what.
    public var description: String {
        switch self {
        case .unusableFolder(let path, let reason): "cannot write to the database folder, \(path): \(reason)"
        case .folderLocked(let path, let process):
            "\(process.map { "process \($0)" } ?? "another process") holds the lock on the database folder, \(path), as one does "
                + "that opens or migrates it; wait until it is done, or end it"
        case .unusableFile(let path, let reason): "cannot open the database \(path): \(reason)"
        case .fileMissing(let path):
            "the file \(path) of the database is gone; put it back, or restart to begin a new one"
        case .fileReplaced(let path): "a different file is at \(path) than the one in use; restart to use it"
        case .foreignLog(let path):
            "\(path)-wal is the write-ahead log of another database than \(path), which it would damage; move \(path)-wal and "
                + "\(path)-shm to the database that they belong to, or away, and start again"
        case .overloaded(let waiting): "\(waiting) operations are already waiting for the database"
        case .closed: "the database has been closed"
        case .newerSchema(let path): "the database \(path) belongs to a newer version of this program; use that version"
        case .olderSchema(let path): "the database \(path) has an older schema; migrate it first"
        case .failed(let resultCode, let reason): "SQLite error \(resultCode): \(reason)"
        case .unflushed(let path, let reason):
            "\(path) could not be flushed to the disk: \(reason); check the disk, then restart"
        case .logInUse: "the write-ahead log is in use; try again"
        case .changedMeanwhile(let table): "a row of \(table) changed while it was being worked on"
        }
    }
}
