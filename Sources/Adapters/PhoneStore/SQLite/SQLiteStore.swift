public import PhoneDomain
import Synchronization

/// Every store of the domain in one SQLite database: a file, or memory for tests.
///
/// Commands that arrive together share a transaction (``ConnectionQueue``). Reads have a connection of their own: they
/// wait for no other process's lock, and find what has been acknowledged before. One row is read on the caller's
/// thread.
///
/// If a file of the database is moved, deleted or replaced, operations fail from then on, reads as well, until it is
/// back.
///
/// Several processes on one machine may use one file; on a network drive they must not
/// (https://www.sqlite.org/wal.html, "Disadvantages").
public final class SQLiteStore: SQLStore {
    /// What the writer keeps of the database in memory, in KiB, if that is as large: SQLite's own 2 MB are less than a
    /// batch can touch (https://www.sqlite.org/pragma.html#pragma_cache_size). With four times as much starts took as
    /// long, on an empty file and beside a million accounts.
    fileprivate static let writerCache = 4_096

    let writer: SQLiteWriter
    let reader: SQLiteThread
    let commands: ConnectionQueue<CommandOperation, SQLiteThread>
    /// Operations that search for their rows, one after the other on the writer's connection.
    let transactions: ConnectionQueue<CommandOperation, SQLiteThread>
    let reads: ConnectionQueue<QueuedWork<SQLiteConnection>, SQLiteThread>
    /// nil where the only connection is the writer's.
    private let lookups: SQLiteThread?
    /// nil in memory.
    let files: DatabaseFiles?

    public var dialect: any SQLDialect { SQLiteDialect() }
    public let recordTypes: RecordTypes
    public let observer: (any StoreObserver)?
    public let events: EventSubscription
    public let scans = PurgeScans()

    /// Opens the database at this path. File and folder are made if they are not there, readable for their owner alone.
    ///
    /// - Parameters:
    ///   - path: of the file, or of a symbolic link to it; beside the file SQLite keeps two more of that name with
    ///     `-wal` and `-shm`.
    ///   - migrating: whether to bring the tables up to date, which several processes may do at once; otherwise they
    ///     must be.
    ///   - busyTimeout: how long to wait for another process that is writing, in whole milliseconds, before an
    ///     operation fails, and for one that opens a database in the same folder, before this does.
    public convenience init(
        path: String,
        migrating: Bool = true,
        durability: Durability = .full,
        busyTimeout: Duration = .seconds(5),
        records types: RecordTypes = .core,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) throws {
        let folder = try DatabaseFolder(of: path.asFile)
        let path = folder.file
        let (connections, files) = try folder.alone(waiting: busyTimeout) {
            do {
                return (
                    try Connections(
                        path,
                        migrating: migrating,
                        durability: durability,
                        busyTimeout: busyTimeout,
                        migrator: SQLiteSchema.migrator(types)
                    ),
                    try DatabaseFiles(openAt: path)
                )
            } catch SQLiteStoreError.failed(_, let reason) {
                throw SQLiteStoreError.unusableFile(path: path, reason: reason)
            }
        }
        self.init(
            writer: connections.writer,
            reader: connections.reader,
            lookups: connections.lookups,
            files: files,
            checkpoint: LogCheckpoint(connections.checkpointer, beside: connections.writer),
            records: types,
            announcing: events,
            observer: observer
        )
    }

    /// A database in memory, which ends with the store.
    public static func inMemory(
        records types: RecordTypes = .core,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) throws -> SQLiteStore {
        let connection = try SQLiteConnection(path: ":memory:")
        _ = try SQLiteSchema.migrator(types).migrate(connection, isAllowed: true)
        let thread = SQLiteThread(connection, label: "database in memory")
        return SQLiteStore(writer: thread, reader: thread, records: types, announcing: events, observer: observer)
    }

    init(
        writer thread: SQLiteThread,
        reader: SQLiteThread,
        lookups: SQLiteThread? = nil,
        files: DatabaseFiles? = nil,
        checkpoint: LogCheckpoint? = nil,
        records types: RecordTypes = .core,
        announcing events: EventSubscription = .none,
        waitingLimit: Int = 10_000,
        observer: (any StoreObserver)? = nil
    ) {
        (self.files, self.reader, self.lookups) = (files, reader, lookups)
        (recordTypes, self.events, self.observer) = (types, events, observer)
        let writer = SQLiteWriter(thread, announcing: events, files: files, checkpoint: checkpoint, observer: observer)
        self.writer = writer
        commands = ConnectionQueue([thread], waitingLimit: waitingLimit, observer: observer) { commands, _ in
            try writer.commit(commands)
        }
        transactions = ConnectionQueue([thread], batchLimit: 1, observer: observer) { commands, _ in
            try writer.commit(commands, usesStatements: true)
        }
        reads = ConnectionQueue([reader], observer: observer) { batch, reader in
            let db = reader.connection
            return try db.transaction(.reading) {
                let completions = try batch.map { statements -> Completion in
                    defer { db.endOperation() }
                    do {
                        return try statements.work(db)
                    } catch {
                        guard db.isInTransaction else { throw error }
                        return { statements.fail(error) }
                    }
                }
                try files?.requireInPlace()
                return completions
            }
        }
    }

    struct Connections {
        let writer: SQLiteThread
        let reader: SQLiteThread
        let lookups: SQLiteThread
        /// The connection of ``LogCheckpoint``.
        let checkpointer: SQLiteThread

        init(
            _ path: String,
            migrating: Bool,
            durability: Durability = .full,
            busyTimeout: Duration,
            migrator: SQLiteMigrator = SQLiteSchema.migrator(.core)
        ) throws {
            // Each reads once before the files are noted: SQLite opens the log and its index for the first statement.
            func connect(_ access: SQLiteConnection.Access) throws -> SQLiteConnection {
                let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
                if access == .writing {
                    guard try !connection.hasForeignLog() else { throw SQLiteStoreError.foreignLog(path: path) }
                    try connection.execute("PRAGMA journal_mode = WAL")
                    // A log of our own flushing, beside the next batch, was no faster under load (16, 64 and 256
                    // connections, twice): batches are smaller then, and each call takes more processor time.
                    try connection.execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
                    // Checkpoints are LogCheckpoint's.
                    try connection.execute("PRAGMA wal_autocheckpoint = 0")
                }
                _ = try connection.version
                return connection
            }
            let writer = try connect(.writing)
            try writer.execute("PRAGMA cache_size = -\(SQLiteStore.writerCache)")
            // What migrated a large file leaves a log of gigabytes, which the first batch would have to copy. A reader
            // that began before the migration still needs the log; a later checkpoint copies it then.
            if try migrator.migrate(writer, isAllowed: migrating) { _ = try writer.emptyLog() }
            self.writer = SQLiteThread(writer, label: "database, writing")
            checkpointer = SQLiteThread(try connect(.writing), label: "database, checkpoints")
            reader = SQLiteThread(try connect(.reading), label: "database, reading")
            lookups = SQLiteThread(try connect(.reading), label: "database, lookups")
        }
    }

    // MARK: - Commands

    public func submit<Value: Sendable>(
        _ kind: CommandKind,
        then answer: @escaping Callback<Value>,
        _ work: @escaping @Sendable (CommandSession) throws -> Value
    ) {
        commands.submit(QueuedWork(.write, then: answer, work))
    }

    public func find<R: Record>(_ type: R.Type, _ key: R.Key) async throws -> R? {
        let load: @Sendable (SQLiteConnection) throws -> R? = { try $0.find(type, key) }
        guard let lookups else { return try await self.read(load) }
        // On the caller's thread, since the way to the thread of another connection and back takes longer. A row is
        // found by its key, however large the table is.
        let start = ContinuousClock.now
        var isFailed = true
        defer {
            observer?.observe(StoreBatch(kind: .read, operations: 1, duration: .now - start, isFailed: isFailed))
        }
        let value = try lookups.sync(load)
        try files?.requireInPlace()
        isFailed = false
        return value
    }

    // MARK: - Statements

    public func run<Value: Sendable>(
        isReadOnly: Bool,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        isReadOnly ? try await read { try work($0) } : try await change { try work($0) }
    }

    private func change<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            transactions.submit(
                QueuedWork(.write, continuation) { [writer] _ in try work(writer.connection.connection) }
            )
        }
    }

    private func read<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { reads.submit(QueuedWork(.read, $0, work)) }
    }

    public func rows<Value: Sendable>(
        _ sql: SQL,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try await self.read { db in
            var values: [Value] = []
            try db.forEach(sql) { values.append(try read($0)) }
            return values
        }
    }

    // MARK: - Maintenance

    /// Reads, and locks the database for writing, which shows a lock that another process keeps, a read-only file and a
    /// failing disk. Nothing is written, unless the last write failed for the disk: then it must take a batch's worth,
    /// and a page.
    public func ping() async throws {
        if let failure = writer.diskFailure.withLock({ $0 }) {
            guard files?.canGrow() ?? true else { throw failure }
            // Before the write, so that a failure from here on is not forgotten.
            writer.diskFailure.withLock { $0 = nil }
            do {
                try await change { try $0.execute("PRAGMA user_version = \(try $0.version)") }
            } catch {
                writer.diskFailure.withLock { $0 = failure }
                throw error
            }
        }
        for isReadOnly in [true, false] {
            try await run(isReadOnly: isReadOnly) { try $0.forEach("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in } }
        }
    }

    deinit { close() }

    /// The writer's connection is the last: the last of a database takes the log with it, if it may write
    /// (https://www.sqlite.org/walformat.html, section 1.2). Left to what holds them, the order would be any.
    public func close() {
        for connection in [lookups, reader, writer.checkpoint?.connection] { connection?.close() }
        writer.connection.close { writer.withdrawLog($0) }
    }

    /// Rewrites the file without what lingers in it, and empties the write-ahead log.
    ///
    /// To overwrite what is deleted is not enough: pages that were split or emptied long before keep copies of rows
    /// (https://www.sqlite.org/pragma.html#pragma_secure_delete), and so does the log. It takes about 0.6 s for 100 MB,
    /// in which writers wait, and as much free space again, in the folder and in that of temporary files. Out of reach
    /// is what the file system keeps of freed blocks.
    public func removeTraces() async throws {
        try await writer.connection.run { try $0.execute("VACUUM") }
        try await writer.checkpoint?.emptyLog()
    }
}
