public import PhoneDomain
import PhoneSignup

/// Every store of the domain in one PostgreSQL database, which many instances of the service may share.
///
/// Operations that arrive together share a transaction (``ConnectionQueue``), and lock rows in one order
/// (`RecordTypes`). Only the store's own threads wait for the server.
///
/// While the server is away, restarts or is read-only, operations fail.
public final class PostgreSQLStore: SQLStore {
    /// Requests for codes and new signups. A queue of their own, so that all records that a batch needs are known
    /// beforehand.
    private let requests: ConnectionQueue<CommandOperation, PostgreSQLThread>
    /// Commands that change a few rows by their keys.
    private let changes: ConnectionQueue<CommandOperation, PostgreSQLThread>
    private let reads: ConnectionQueue<ReadOperation, PostgreSQLThread>
    /// Operations that search for their rows.
    private let transactions: ConnectionQueue<QueuedWork<Transaction>, PostgreSQLThread>
    private let threads: [PostgreSQLThread]
    private let options: ConnectionOptions
    public let recordTypes: RecordTypes
    public let events: EventSubscription
    public let observer: (any StoreObserver)?
    public let scans = PurgeScans()
    public var dialect: any SQLDialect { PostgreSQLDialect() }
    public var clock: ServerClock { options.servers.clock }

    /// How many connections a store opens.
    public static let connectionCount = connectionNames.count
    /// Two for transactions, so that the outbox does not wait for a purge.
    private static let connectionNames = ["requests", "changes", "reads", "transactions.1", "transactions.2"]

    /// - Parameters:
    ///   - url: a connection URI as libpq has it
    ///     (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING),
    ///     with the password file, the service file and the environment as libpq reads them. Of several hosts the first
    ///     that accepts writes is used.
    ///   - migrating: whether to bring the tables up to date, which several instances may do at once; otherwise opening
    ///     fails unless they are.
    ///   - timeout: how long the server may take to answer, a second or more, before an operation fails.
    ///   - observer: observes a batch that has to be split once as a whole, which failed, and then part by part.
    public convenience init(
        url: String,
        migrating: Bool = true,
        durability: Durability = .full,
        timeout: Duration = .seconds(5),
        records types: RecordTypes = .core,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) throws(PostgreSQLStoreError) {
        let servers = try ServerAddresses(url: url)
        if migrating {
            try Self.migrate(servers, timeout: timeout, types)
        } else {
            let connection = try Connection.open(ConnectionOptions(servers: servers, isDurable: true, timeout: timeout))
            try PostgreSQLMigrator(connection, migrations: PostgreSQLSchema.migrations(types)).requireUpToDate()
        }
        self.init(
            ConnectionOptions(servers: servers, isDurable: durability == .full, timeout: timeout),
            records: types,
            announcing: events,
            observer: observer
        )
    }

    init(
        _ options: ConnectionOptions,
        records types: RecordTypes = .core,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) {
        (self.options, recordTypes, self.events, self.observer) = (options, types, events, observer)
        let threads = Self.connectionNames.map { PostgreSQLThread(options, label: $0) }
        let commit: @Sendable ([CommandOperation], PostgreSQLThread) throws -> [Completion] = { commands, thread in
            try thread.perform { connection in
                try Batch(commands, on: connection, records: types, announcing: events.kinds).commit {
                    $0.notify(observer, events)
                }
            }
        }
        self.threads = threads
        requests = ConnectionQueue([threads[0]], observer: observer, prepare: { try $0.awaitTurn() }, commit: commit)
        changes = ConnectionQueue([threads[1]], observer: observer, commit: commit)
        reads = ConnectionQueue([threads[2]], batchLimit: 64, observer: observer, commit: ReadOperation.run)
        transactions = ConnectionQueue(Array(threads[3...]), batchLimit: 1, observer: observer) { batch, thread in
            try thread.perform { connection in
                let begin: Query = batch[0].kind == .read ? .beginSnapshot : .begin
                let transaction = Transaction(on: connection, begin: begin, announcesAudit: events.announcesAudit)
                let answer = try transaction.rollingBackFailure { try batch[0].work(transaction) }
                try transaction.commit()
                return [answer]
            }
        }
    }

    deinit { close() }

    /// Brings the tables of the database up to date.
    ///
    /// - Returns: the versions that were missing, in order.
    @discardableResult
    public static func migrate(
        url: String,
        timeout: Duration = .seconds(5),
        records types: RecordTypes = .core
    ) throws(PostgreSQLStoreError) -> [Int64] { try migrate(ServerAddresses(url: url), timeout: timeout, types) }

    @discardableResult
    private static func migrate(
        _ servers: ServerAddresses,
        timeout: Duration,
        _ types: RecordTypes
    ) throws(PostgreSQLStoreError) -> [Int64] {
        let options = ConnectionOptions(servers: servers, isDurable: true, timeout: timeout)
        return try PostgreSQLMigrator(Connection.open(options.patient), migrations: PostgreSQLSchema.migrations(types))
            .migrate()
    }

    /// Opens all connections. A service that gets too few of them, or none to itself, is not to start: some operations
    /// would fail for as long as it runs.
    ///
    /// - Throws: ``PostgreSQLStoreError``.
    public func connect() async throws {
        var sessions: Set<Int64> = []
        for thread in threads {
            do {
                let found = try await thread.run { connection in
                    let query = Query.once("SELECT pg_backend_pid()::bigint")
                    return try connection.exchange([[query], [query]]).map { try $0.get().first?.firstValue }
                }
                // A pooler may have given the session of one connection to the next, or each transaction another one.
                guard case .integer(let session) = found[0], found[1] == found[0], sessions.insert(session).inserted
                else { throw PostgreSQLStoreError.sessionShared }
            } catch let error as PostgreSQLStoreError {
                throw error.afterConnecting(sessions.count)
            }
        }
    }

    public func close() {
        requests.close()
        changes.close()
        reads.close()
        transactions.close()
    }

    // MARK: - SQLStore

    public func submit<Value: Sendable>(
        _ kind: CommandKind,
        then answer: @escaping Callback<Value>,
        _ work: @escaping @Sendable (CommandSession) throws -> Value
    ) {
        (kind == .request ? requests : changes).submit(QueuedWork(.write, then: answer, work))
    }

    public func find<R: Record>(_ type: R.Type, _ key: R.Key) async throws -> R? {
        try await all(type, "WHERE \(raw: R.table.key) = \(key)").first
    }

    public func rows<Value: Sendable>(
        _ sql: SQL,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try await withUnsafeThrowingContinuation { continuation in
            reads.submit(ReadOperation(query: Query(sql), result: QueuedWork(.read, continuation) { try $0.map(read) }))
        }
    }

    public func run<Value: Sendable>(
        isReadOnly: Bool,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            transactions.submit(QueuedWork(isReadOnly ? .read : .write, continuation) { try work($0) })
        }
    }

    // MARK: - Maintenance

    /// Sets ``clock`` right again, as the machine's may have been set since the connections were opened.
    public func compareClocks() async throws {
        let asked = Timestamp.now
        _ = try await rows(SQL(raw: ServerClock.query.sql)) { [clock] row in clock.compare(row[0], asked: asked) }
    }

    /// Reads, and checks that the server accepts writes. Nothing is written, unless its disk was full: then it must
    /// take a batch's worth. A single row proves little, as there may be room for it in a page.
    public func ping() async throws {
        let inUse = options.servers.inUse
        if let failure = inUse.diskFailure {
            // Before the write, so that a failure from here on is recorded.
            inUse.diskFailure = nil
            do {
                try await transact { session in
                    _ = try session.run(
                        """
                        CREATE TEMP TABLE phoneproof_probe ON COMMIT DROP
                        AS SELECT repeat('x', 1000) FROM generate_series(1, 256)
                        """
                    )
                }
            } catch {
                inUse.diskFailure = failure
                throw error
            }
        }
        let isReadOnly: SQL = "SELECT current_setting('transaction_read_only')"
        let requireWritable: @Sendable (Row) throws -> Void = { row in
            guard row[0] == .text("off") else { throw PostgreSQLStoreError.readOnly }
        }
        _ = try await rows(isReadOnly, requireWritable)
        try await transact { try $0.forEach(isReadOnly, requireWritable) }
        // Every queue: after a successful ping, no operation must fail for its connection.
        for kind in [CommandKind.request, .change] { try await execute(kind) { _ in } }
    }

    /// Removes deleted rows from the tables (https://www.postgresql.org/docs/current/sql-vacuum.html), while others
    /// read and write.
    ///
    /// Out of reach are free space in pages that is not overwritten yet, which only VACUUM FULL returns under an
    /// exclusive lock; the write-ahead log until it is recycled, its archive, standbys and backups.
    ///
    /// - Throws: ``PostgreSQLStoreError`` also where the role lacks the right: the server skips such a table with a
    ///   warning.
    public func removeTraces() async throws {
        let tables = recordTypes.tables.map(\.name)
        try await PostgreSQLThread(options.patient, label: "vacuum").run { try Self.vacuum(tables, on: $0) }
    }

    private static func vacuum(_ tables: [String], on connection: Connection) throws {
        let names = tables.map { "'\($0)'::regclass" }.joined(separator: ", ")
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
        for table in tables { _ = try connection.exchange([.once("VACUUM \(table)")]) }
    }

    /// How many connections other instances have to the database, idle or not: those with the same `application_name`.
    ///
    /// Without the rights of `pg_read_all_stats` only those of the same role are visible
    /// (https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW).
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
