public import PhoneDomain
public import Records

/// Every store of the domain in one PostgreSQL database, which many instances of the service may share.
///
/// It has no rule: `RecordStore` and `SQLStore` run the commands, this has the connections and the statements.
/// Operations that arrive together share a transaction (``BatchRunner``), and lock the rows of all in one order
/// (`RecordKeys.Lock`). Nobody's thread waits for the server but the store's own.
///
/// If the server is away, restarts, or becomes one that only reads, operations fail until it is back, and go on then.
public final class PostgreSQLStore: SQLStore {
    /// What an acknowledged operation survives
    /// (https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
    public enum Durability: Sendable {
        /// What the server is set up for: by default its crash and the loss of power; with synchronous standbys its loss.
        case full
        /// A crash of the server may cost the last moments, never the database.
        case normal
    }

    /// Requests for codes and new signups. A lane of their own, so that what a batch needs is known before it begins.
    private let requests: Lane<BatchedOperation>
    /// Whatever else changes a few rows that are named.
    private let changes: Lane<BatchedOperation>
    private let reads: Lane<ReadOperation>
    /// What looks for its rows first.
    private let transactions: Lane<TransactionOperation>
    private let options: ConnectionOptions
    public let plans: NumberingPlans
    public let events: EventSubscription
    public let observer: (any StoreObserver)?
    public let scans = PurgeScans()
    public var dialect: SQLDialect { .postgreSQL }

    /// How many connections a store holds.
    public static let connectionCount = 5

    /// Opens the database.
    ///
    /// - Parameters:
    ///   - url: a connection URI as libpq has it (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING),
    ///     with whatever else libpq reads: the password file, the service file, the environment. Of several hosts the
    ///     first that writes is used.
    ///   - migrating: whether to bring the tables up to date, which several instances may do at once; otherwise they must
    ///     be.
    ///   - durability: what an acknowledged operation survives.
    ///   - timeout: how long the server may take to answer, a second or more, before an operation fails.
    ///   - plans: the numbering plans by which kept numbers are read.
    ///   - events: what is announced when it changes.
    ///   - observer: is told what the store does. A batch that has to be done in parts is told of once as a whole, which
    ///     failed, and then part by part.
    /// - Throws: ``PostgreSQLStoreError``.
    public convenience init(
        url: String,
        migrating: Bool = true,
        durability: Durability = .full,
        timeout: Duration = .seconds(5),
        plans: NumberingPlans = .builtIn,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) throws(PostgreSQLStoreError) {
        let servers = try ServerAddresses(url: url)
        if migrating {
            try Self.migrate(servers, timeout: timeout)
        } else {
            let connection = try Connection.open(ConnectionOptions(servers: servers, isDurable: true, timeout: timeout))
            try Migrator(connection).requireUpToDate()
        }
        self.init(
            ConnectionOptions(servers: servers, isDurable: durability == .full, timeout: timeout),
            plans: plans,
            announcing: events,
            observer: observer
        )
    }

    init(
        _ options: ConnectionOptions,
        plans: NumberingPlans,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) {
        self.options = options
        self.plans = plans
        self.events = events
        self.observer = observer
        let runner = BatchRunner(plans: plans, announcing: events.kinds, observer: observer)
        func batches(_ label: String) -> Lane<BatchedOperation> {
            Lane(
                workers: [Worker(options, label: label)],
                batchLimit: 256,
                serve: { runner.serve($0, $1) },
                refuse: { $0.fail($1) }
            )
        }
        requests = batches("requests")
        changes = batches("changes")
        reads = Lane(
            workers: [Worker(options, label: "reads")],
            batchLimit: 64,
            serve: { ReadOperation.serve($0, $1, observer) },
            refuse: { $0.fail($1) }
        )
        // Two, so that the outbox does not wait for what is cleared away.
        transactions = Lane(
            workers: (1...2).map { Worker(options, label: "transactions.\($0)") },
            batchLimit: 1,
            serve: { operations, worker in
                operations.map { $0.perform(worker, plans: plans, events: events, observer: observer) }.allSatisfy(
                    \.self
                )
            },
            refuse: { $0.fail($1) }
        )
    }

    deinit {
        close()
    }

    /// Brings the tables of the database up to date.
    ///
    /// - Returns: the versions that were missing, in order.
    /// - Throws: ``PostgreSQLStoreError``.
    @discardableResult
    public static func migrate(
        url: String,
        timeout: Duration = .seconds(5)
    ) throws(PostgreSQLStoreError) -> [Int64] {
        try migrate(ServerAddresses(url: url), timeout: timeout)
    }

    @discardableResult
    private static func migrate(
        _ servers: ServerAddresses,
        timeout: Duration
    ) throws(PostgreSQLStoreError) -> [Int64] {
        let options = ConnectionOptions(servers: servers, isDurable: true, timeout: timeout)
        return try Migrator(Connection.open(options.patient)).migrate()
    }

    /// Closes the connections once what waits is done. Operations after that fail.
    public func close() {
        requests.close()
        changes.close()
        reads.close()
        transactions.close()
    }

    // MARK: - SQLStore

    public func perform<Value: Sendable>(
        _ kind: CommandKind,
        needing keys: () -> RecordKeys,
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value {
        let lane = kind == .request ? requests : changes
        let (keys, announced, traceParent) = (keys(), events.announced, TraceParent.current)
        return try await withCheckedThrowingContinuation { continuation in
            lane.submit(
                BatchedOperation(
                    keys: keys,
                    work: { unit in
                        let before = unit.announcedCount
                        unit.traceParent = traceParent
                        let value = try work(unit)
                        let hasAnnounced = unit.announcedCount > before
                        return {
                            if hasAnnounced { announced() }
                            continuation.resume(returning: value)
                        }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    public func find<R: TrackedRecord>(_ type: R.Type, _ key: R.Key, isHot: Bool) async throws -> R? {
        let (table, plans) = (R.table, plans)
        let sql = "SELECT \(table.columnList) FROM \(table.name) WHERE \(table.key) = $1"
        return try await read(sql, [key.value], isSafe: true) { row in
            var reader = RowReader(row, of: table.name, plans: plans)
            return try R(from: &reader)
        }
        .first
    }

    public func read<Value: Sendable>(
        _ sql: String,
        _ arguments: [SQLValue],
        isSafe: Bool,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try await withCheckedThrowingContinuation { continuation in
            reads.submit(
                ReadOperation(
                    query: Query(sql, arguments.map(Argument.init)),
                    finish: { result in continuation.resume(with: Result { try result.map(read) }) },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    public func transact<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await transact(.begin, work)
    }

    public func snapshot<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await transact(.beginSnapshot, work)
    }

    private func transact<Value: Sendable>(
        _ begin: Query,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            transactions.submit(
                TransactionOperation(
                    begin: begin,
                    work: { transaction in
                        let value = try work(transaction)
                        return { continuation.resume(returning: value) }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    // MARK: - What is PostgreSQL's own

    /// Reads, and finds out whether the server lets us write. Nothing is written, unless its disk was full: then it must take a
    /// batch's worth before all is well. A single row is too little to go by, as there may be room for it in a page.
    public func ping() async throws {
        let inUse = options.servers.inUse
        if let failure = inUse.diskFailure {
            // Before the write, so that a failure from here on is not forgotten.
            inUse.diskFailure = nil
            do {
                try await transact { session in
                    _ = try session.run(
                        "CREATE TEMP TABLE phoneproof_probe ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, 256)",
                        []
                    )
                }
            } catch {
                inUse.diskFailure = failure
                throw error
            }
        }
        let isReadOnly = "SELECT current_setting('transaction_read_only')"
        let requireWritable: @Sendable (Row) throws -> Void = { row in
            guard row[0] == .text("off") else { throw PostgreSQLStoreError.readOnly }
        }
        _ = try await read(isReadOnly, [], isSafe: true, requireWritable)
        try await transact { try $0.forEach(isReadOnly, [], requireWritable) }
        // Every way that an operation may go: whoever is told that all is well must not be refused a moment later.
        for kind in [CommandKind.request, .change] { try await perform(kind, needing: { RecordKeys() }) { _ in } }
    }

    /// The tables in which there may be something of a person.
    public static let tablesOfPeople = RecordKind.tables.map(\.name)

    /// Takes what was deleted out of the tables' rows (https://www.postgresql.org/docs/current/sql-vacuum.html), while
    /// others read and write.
    ///
    /// What else the server keeps is out of reach: free space in pages that is not overwritten yet, which VACUUM FULL gives back
    /// while it shuts everybody out; the write-ahead log until it is recycled, its archive, standbys and backups.
    ///
    /// - Throws: ``PostgreSQLStoreError`` also where the role may not: the server then skips the table with a warning.
    public func removeTraces() async throws {
        let options = options.patient
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Worker(options, label: "vacuum").perform(Self.vacuum) { continuation.resume(with: $0) }
        }
    }

    private static let vacuum: @Sendable (Connection) throws -> Void = { connection in
        let names = tablesOfPeople.map { "'\($0)'::regclass" }.joined(separator: ", ")
        let refused = try connection.exchange([
            .once(
                """
                SELECT min(relname::text) FROM pg_class
                WHERE oid IN (\(names))
                AND NOT CASE WHEN current_setting('server_version_num')::integer < 170000
                    THEN pg_has_role(relowner, 'USAGE') ELSE has_table_privilege(oid, 'MAINTAIN') END
                AND NOT pg_has_role((SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE')
                """
            )
        ]).last?.firstValue
        if case .text(let table) = refused {
            throw PostgreSQLStoreError.failed(
                sqlState: "42501",
                reason: "only the owner of the table \(table) may vacuum it"
            )
        }
        for table in tablesOfPeople { _ = try connection.exchange([.once("VACUUM \(table)")]) }
    }

    /// How many connections others have to the database under the name that this program gives itself
    /// (`application_name`), whether they do anything or not.
    ///
    /// Without the rights of `pg_read_all_stats` only those of the same role show
    /// (https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW).
    ///
    /// - Throws: ``PostgreSQLStoreError``.
    public static func sessionCount(
        url: String,
        timeout: Duration = .seconds(5)
    ) throws(PostgreSQLStoreError) -> Int {
        let options = ConnectionOptions(servers: try ServerAddresses(url: url), isDurable: true, timeout: timeout)
        let query = Query(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND application_name = current_setting('application_name')
            """
        )
        guard case .integer(let count) = try Connection.open(options).exchange([query]).first?.firstValue else {
            throw .disconnected(reason: "no answer")
        }
        return Int(count)
    }
}
