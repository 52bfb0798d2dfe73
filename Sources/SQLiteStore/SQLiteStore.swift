import CSQLite
import GRDB
public import PhoneDomain

/// Every store of the domain in one SQLite database: a file, or memory for tests.
///
/// It holds no rule: each operation loads the state of a command, applies the command to it and keeps what it left.
/// Operations that arrive together share a transaction (``BatchedConnection``). Reads have a connection of their own:
/// they wait for no flush to the disk and for no other process's lock, and what has been acknowledged before a read
/// begins is there to be read. What nearly every call looks up is read where it is asked for (``LookupConnection``).
///
/// If a file of the database is moved, deleted or replaced, operations fail from then on, reads as well, until it is back.
///
/// Several processes on one machine may use one file; on a network drive they must not
/// (https://www.sqlite.org/wal.html, "Disadvantages").
public final class SQLiteStore: Sendable {
    /// What an acknowledged operation survives (https://www.sqlite.org/pragma.html#pragma_synchronous).
    public enum Durability: String, Sendable, CaseIterable {
        /// The end of the process and the loss of power: every commit is flushed to the disk before it is acknowledged.
        case full = "FULL"
        /// The end of the process; the loss of power may cost the last operations, never the database. Several times
        /// as fast where the disk is slow.
        case normal = "NORMAL"
    }

    /// What the writer keeps of the database in memory, in KiB, if that is as large: the pages that an operation changes lie
    /// wide apart, and SQLite's own 2 MB are less than a batch can touch
    /// (https://www.sqlite.org/pragma.html#pragma_cache_size).
    private static let writerCache = 16_384
    /// How many pages the log gathers before they are copied to the database, 4 KiB each: few enough that the disk is soon done.
    private static let checkpointStep = 1_024
    /// With how many pages the log begins anew. A page that many batches have changed is kept once by each, so that a longer
    /// one makes for less work; SQLite's own 1,000 are but a few batches
    /// (https://www.sqlite.org/wal.html, "Avoiding Excessively Large WAL Files").
    private static let logLimit = 8_192

    /// Has SQLite count no memory: it would lock and count at each piece it takes or gives back, for figures that nobody
    /// reads, and several threads would wait for each other there. It can be said only before the first database of the process is
    /// opened, and is refused, without harm, where somebody else has opened one
    /// (https://www.sqlite.org/c3ref/c_config_covering_index_scan.html, "SQLITE_CONFIG_MEMSTATUS").
    private static let countsNoMemory: Void = { _ = phoneproof_sqlite_count_no_memory() }()

    let writer: BatchedConnection
    let reader: BatchedConnection
    /// nil where the only connection is the writer's.
    private let lookups: LookupConnection?
    /// nil where there is no log.
    let checkpoint: LogCheckpoint?
    /// nil in memory.
    let files: DatabaseFiles?
    private let plans: NumberingPlans
    private let events: EventSubscription
    private let observer: (any StoreObserver)?

    /// Opens the database at this path. File and folder are made if they are not there, readable for their owner alone.
    ///
    /// - Parameters:
    ///   - path: of the file, or of a symbolic link to it; beside the file SQLite keeps two more of that name with `-wal` and
    ///     `-shm`.
    ///   - migrating: whether to bring the tables up to date, which several processes may do at once; otherwise they
    ///     must be.
    ///   - durability: what an acknowledged operation survives.
    ///   - busyTimeout: how long to wait for another process that is writing, in whole milliseconds, before an
    ///     operation fails, and for one that opens a database in the same folder, before this does.
    ///   - plans: the numbering plans by which kept numbers are read.
    ///   - events: what is announced when it changes.
    ///   - observer: is told what the store does.
    /// - Throws: ``SQLiteStoreError``.
    public convenience init(
        path: String,
        migrating: Bool = true,
        durability: Durability = .full,
        busyTimeout: Duration = .seconds(5),
        plans: NumberingPlans = .builtIn,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) throws {
        // Never a path that SQLite takes for something else, such as `:memory:` or `file:…`.
        let folder = try DatabaseFolder(of: path.hasPrefix("/") ? path : "./" + path)
        let path = folder.file
        let (connections, files, log) = try folder.alone(waiting: busyTimeout) {
            do {
                let connections = try Self.open(
                    path,
                    migrating: migrating,
                    busyTimeout: busyTimeout
                )
                return (
                    connections, try DatabaseFiles(openAt: path),
                    durability == .full ? try LogFlush(ofDatabaseAt: path) : nil
                )
            } catch let error as DatabaseError {
                let reason = error.message ?? error.extendedResultCode.description
                throw SQLiteStoreError.unusableFile(path: path, reason: reason)
            }
        }
        self.init(
            writer: connections.writer,
            reader: connections.reader,
            lookups: connections.lookups,
            files: files,
            log: log,
            checkpoint: LogCheckpoint(
                connections.checkpointer,
                beside: connections.writer,
                step: Self.checkpointStep,
                limit: Self.logLimit
            ),
            plans: plans,
            announcing: events,
            observer: observer
        )
    }

    /// A database in memory, which ends with the store.
    ///
    /// - Throws: ``SQLiteStoreError`` if there is no memory.
    public static func inMemory(
        plans: NumberingPlans = .builtIn,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) throws -> SQLiteStore {
        _ = countsNoMemory
        do {
            let connection = try DatabaseQueue()
            try Schema.migrator.migrate(connection)
            return SQLiteStore(
                writer: connection,
                reader: connection,
                plans: plans,
                announcing: events,
                observer: observer
            )
        } catch let error as DatabaseError {
            throw SQLiteStoreError(error)
        }
    }

    /// Brings the tables of the database at this path up to date, and makes it if it is not there.
    ///
    /// - Throws: ``SQLiteStoreError``.
    public static func migrate(path: String, busyTimeout: Duration = .seconds(5)) throws {
        _ = try SQLiteStore(path: path, migrating: true, busyTimeout: busyTimeout)
    }

    init(
        writer: DatabaseQueue,
        reader: DatabaseQueue,
        lookups: DatabaseQueue? = nil,
        files: DatabaseFiles? = nil,
        log: LogFlush? = nil,
        checkpoint: LogCheckpoint? = nil,
        plans: NumberingPlans = .builtIn,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) {
        self.checkpoint = checkpoint
        self.files = files
        self.writer = BatchedConnection(
            writer,
            access: .writing,
            files: files,
            log: log,
            checkpoint: checkpoint,
            observer: observer
        )
        self.reader = BatchedConnection(reader, access: .reading, files: files, log: log, observer: observer)
        self.lookups = lookups.map { LookupConnection($0, files: files, observer: observer) }
        self.plans = plans
        self.events = events
        self.observer = observer
    }

    /// To one database, each for one use.
    struct Connections {
        let writer: DatabaseQueue
        let reader: DatabaseQueue
        let lookups: DatabaseQueue
        /// For ``LogCheckpoint``.
        let checkpointer: DatabaseQueue
    }

    /// Whether callers are told after their changes are on the disk, and not before.
    var isFlushed: Bool { writer.isFlushed }

    /// What migrated a large file leaves a log of gigabytes, which would be for the first batch to copy.
    private static func emptyLog(_ writer: DatabaseQueue) throws {
        do {
            _ = try writer.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // Somebody still reads what was before the migration, and needs the log; later steps copy it.
        }
    }

    static func open(
        _ path: String,
        migrating: Bool,
        busyTimeout: Duration
    ) throws -> Connections {
        _ = countsNoMemory
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(busyTimeout.wholeMilliseconds) / 1000)
        configuration.journalMode = .wal
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        try writer.writeWithoutTransaction { db in
            // What is more is LogFlush's. Not before: GRDB sets it when it sets the journal mode.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA cache_size = -\(writerCache)")
            // Checkpoints are LogCheckpoint's.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }

        guard try !writer.read(Schema.migrator.hasBeenSuperseded) else {
            throw SQLiteStoreError.newerSchema(path: path)
        }
        if migrating, try !writer.read(Schema.migrator.hasCompletedMigrations) {
            try Schema.migrator.migrate(writer)
            try emptyLog(writer)
        }
        guard try writer.read(Schema.migrator.hasCompletedMigrations) else {
            throw SQLiteStoreError.olderSchema(path: path)
        }

        let checkpointer = try DatabaseQueue(path: path, configuration: configuration)
        configuration.readonly = true
        return Connections(
            writer: writer,
            reader: try DatabaseQueue(path: path, configuration: configuration),
            lookups: try DatabaseQueue(path: path, configuration: configuration),
            checkpointer: checkpointer
        )
    }

    /// - Parameter holdsRows: whether the work gets at traffic, meters and rules by what finds and saves one of them, so that it
    ///   may share with others what they hold of them.
    func write<Value: Sendable>(
        holdsRows: Bool = false,
        _ work: @escaping @Sendable (Tables) throws -> Value
    ) async throws -> Value {
        let (value, entries, unreadable, hasAnnounced) = try await writer.perform {
            [plans, events, trace = TraceParent.current] batch in
            if !holdsRows { try batch.letGo() }
            let journal = AuditJournal()
            let announcing = EventTable(db: batch.db, kinds: events.kinds, traceParent: trace)
            let value = try work(Tables(batch, plans: plans, journal: journal, events: announcing))
            if !holdsRows { try batch.letGo() }
            return (value, journal.entries, journal.unreadable, announcing.hasAnnounced)
        }
        // They are kept by now, and what failed or was undone has not come this far.
        if let observer {
            for entry in entries { observer.observe(entry) }
            for row in unreadable { observer.observe(row) }
        }
        if hasAnnounced { events.announced() }
        return value
    }

    /// - Parameter awaitingFlush: whether what is read must be on the disk before it is told. Not where it makes no
    ///   difference: a key that was revoked is no good a moment earlier.
    func read<Value: Sendable>(
        awaitingFlush: Bool = true,
        _ work: @escaping @Sendable (Tables) throws -> Value
    ) async throws -> Value {
        let (value, unreadable) = try await reader.perform(awaitingFlush: awaitingFlush) { [plans] batch in
            let journal = AuditJournal()
            return (try work(Tables(reading: batch, plans: plans, journal: journal)), journal.unreadable)
        }
        if let observer { for row in unreadable { observer.observe(row) } }
        return value
    }

    /// Reads a row by its name, which may not be on the disk yet.
    func lookUp<Value: Sendable>(_ work: @escaping @Sendable (Tables) throws -> Value) async throws -> Value {
        guard let lookups else { return try await read(awaitingFlush: false, work) }
        return try lookups.perform { try work(Tables(reading: $0, plans: plans)) }
    }
}
