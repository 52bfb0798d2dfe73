public import PhoneDomain

/// Every store of the domain in one PostgreSQL database, which many instances of the service may share.
///
/// It holds no rule: each operation loads the state of a command, applies the command to it and keeps what it left.
/// Operations that arrive together share a transaction (``BatchRunner``), and lock the rows of all in one order
/// (``RowKeys/Lock``). Nobody's thread waits for the server but the store's own.
///
/// If the server is away, restarts, or becomes one that only reads, operations fail until it is back, and go on then.
public final class PostgreSQLStore: Sendable {
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
    let options: ConnectionOptions
    let plans: NumberingPlans
    let events: EventSubscription
    let observer: (any StoreObserver)?

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
                operations.map { $0.perform(worker, plans: plans, observer: observer) }.allSatisfy(\.self)
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

    // MARK: - For the ports

    /// Requests a code or a signup, together with others.
    func request<Value: Sendable>(
        needing keys: RowKeys,
        _ work: @escaping @Sendable (inout Rows) throws -> Value
    ) async throws -> Value {
        try await perform(work, needing: keys, on: requests)
    }

    /// Changes rows, together with others.
    func change<Value: Sendable>(
        needing keys: RowKeys,
        _ work: @escaping @Sendable (inout Rows) throws -> Value
    ) async throws -> Value {
        try await perform(work, needing: keys, on: changes)
    }

    /// Does work in a transaction of its own.
    ///
    /// - Parameter work: it may be called again, if nothing came of it.
    func transact<Value: Sendable>(
        _ work: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            transactions.submit(
                TransactionOperation(
                    work: { transaction in
                        let value = try work(transaction)
                        return { continuation.resume(returning: value) }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    /// Every row that a query returns, as of one moment.
    func read<Value: Sendable>(
        _ sql: String,
        _ arguments: [Argument] = [],
        of table: String,
        read: @escaping @Sendable (inout RowReader) throws(PostgreSQLStoreError) -> Value
    ) async throws -> [Value] {
        let plans = plans
        return try await withCheckedThrowingContinuation { continuation in
            reads.submit(
                ReadOperation(
                    query: Query(sql, arguments),
                    finish: { result in
                        continuation.resume(with: Result { try result.rows(of: table, plans: plans, read: read) })
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    /// Every row, of all columns of a table, that a query returns.
    func read<T: Table>(
        _ table: T.Type,
        _ condition: String,
        _ arguments: [Argument] = []
    ) async throws -> [T.Value] {
        try await read("SELECT \(T.columnNames) FROM \(T.name) \(condition)", arguments, of: T.name) {
            (row) throws(PostgreSQLStoreError) in try T.read(&row).value
        }
    }

    /// Every row of which the first column is a text that can be read; observers are notified of the others.
    func readable<Value: Sendable>(
        _ sql: String,
        _ arguments: [Argument] = [],
        of table: String,
        read: @escaping @Sendable (inout RowReader) throws(PostgreSQLStoreError) -> Value
    ) async throws -> [Value] {
        let rows = try await self.read(sql, arguments, of: table) { (row) throws(PostgreSQLStoreError) in
            row.readable(read)
        }
        let (values, unreadable) = rows.split()
        report(unreadable, of: table)
        return values
    }

    /// Notifies observers of rows that were passed over.
    func report(_ keys: [String], of table: String) {
        guard let observer else { return }
        for key in keys { observer.observe(UnreadableRow(table: table, key: key)) }
    }

    /// Does work on a connection of its own, which is given as much time as it needs.
    func alone(_ work: @escaping @Sendable (Connection) throws -> Void) async throws {
        let options = options.patient
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Worker(options, label: "alone").perform(work) { continuation.resume(with: $0) }
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (inout Rows) throws -> Value,
        needing keys: RowKeys,
        on lane: Lane<BatchedOperation>
    ) async throws -> Value {
        let (announced, traceParent) = (events.announced, TraceParent.current)
        return try await withCheckedThrowingContinuation { continuation in
            lane.submit(
                BatchedOperation(
                    keys: keys,
                    work: { rows in
                        let before = rows.announcedCount
                        rows.traceParent = traceParent
                        let value = try work(&rows)
                        let hasAnnounced = rows.announcedCount > before
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
}
