public import PhoneDomain

/// A transaction in an engine's own statements, for what concerns more rows than a ``UnitOfWork`` should know.
///
/// Statements are written for both engines, with parameters as `$1`; where the engines differ, ``SQLDialect`` has the words.
public protocol SQLSession: RecordSink {
    var dialect: SQLDialect { get }
    /// By which stored numbers are read.
    var plans: NumberingPlans { get }
    /// What observers are notified of after the commit.
    var effects: StoreEffects { get set }

    /// Runs a statement.
    ///
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int

    /// Every row that a statement returns.
    func forEach(_ sql: String, _ arguments: [SQLValue], _ body: (Row) throws -> Void) throws

    /// Every row of `select` of which the column has one of these values, which are of one type. `locking` waits for others who
    /// change these rows, and keeps them out until the end of the transaction.
    func forEach(
        _ select: String,
        where column: String,
        isAnyOf values: [SQLValue],
        locking: Bool,
        _ body: (Row) throws -> Void
    ) throws

    /// - Parameter command: `DELETE FROM table`, or an UPDATE without its WHERE.
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ command: String, where column: String, isAnyOf values: [SQLValue]) throws -> Int

    /// Adds rows as they are.
    func insert(_ rows: [Row], into table: Table) throws

    /// Keeps others from changing the table until the end of the transaction.
    func lock(_ table: Table) throws

    /// Overwrites what is deleted until the end of the transaction, as far as the engine can.
    func overwriteDeleted() throws

    /// That somebody else has changed what was being worked on: the transaction begins anew.
    func overtaken() -> any Error
}

/// Where the two engines use other words.
public struct SQLDialect: Sendable {
    /// After a SELECT whose rows are about to change: passes over what another instance works on.
    public let skippingLocked: String
    /// After a SELECT whose rows are about to change: waits for the transactions that work on them.
    public let forUpdate: String
    /// Whether others may change rows between two statements of a transaction, unless they are locked.
    public let isShared: Bool
    /// Joins in the order that is written, where the engine would otherwise choose a worse one.
    public let orderedJoin: String
    /// `IN (…)` a subselect of keys, which are locked, and read once.
    public let inKeys: @Sendable (_ subselect: String) -> String
    /// Names the index that a table is to be searched by, where the engine would choose another.
    public let indexedBy: @Sendable (_ index: String) -> String
    /// What comes before a condition on the column that follows the day in an index, `AND` included.
    public let everyDay: @Sendable (_ table: String) -> String
    /// The same for the days between two moments.
    public let days: @Sendable (_ table: String, _ first: Timestamp, _ last: Timestamp) -> String

    public init(
        skippingLocked: String,
        forUpdate: String,
        isShared: Bool,
        orderedJoin: String,
        inKeys: @escaping @Sendable (String) -> String,
        indexedBy: @escaping @Sendable (String) -> String,
        everyDay: @escaping @Sendable (String) -> String,
        days: @escaping @Sendable (String, Timestamp, Timestamp) -> String
    ) {
        self.skippingLocked = skippingLocked
        self.forUpdate = forUpdate
        self.isShared = isShared
        self.orderedJoin = orderedJoin
        self.inKeys = inKeys
        self.indexedBy = indexedBy
        self.everyDay = everyDay
        self.days = days
    }
}

/// What observers are notified of once a transaction is committed.
public struct StoreEffects: Sendable {
    public var auditEntries: [AuditEntry] = []
    public var unreadable: [UnreadableRow] = []
    public var hasAnnounced = false

    public init() {}

    public func notify(_ observer: (any StoreObserver)?, _ events: EventSubscription) {
        if let observer {
            for entry in auditEntries { observer.observe(entry) }
            for row in unreadable { observer.observe(row) }
        }
        if hasAnnounced { events.announced() }
    }
}

/// The rows that can be read, and the keys of those that cannot.
public struct ReadableRows<Value> {
    public var values: [Value] = []
    public var unreadable: [SQLValue] = []

    public mutating func add(_ row: Row, _ read: (Row) throws -> Value) throws {
        do {
            values.append(try read(row))
        } catch is UnreadableRecord {
            unreadable.append(row[0])
        }
    }
}

extension SQLSession {
    @discardableResult
    func run(_ sql: String) throws -> Int { try run(sql, []) }

    func reader(_ row: Row, of table: String) -> RowReader { RowReader(row, of: table, plans: plans) }

    func record<R: Record>(_ row: Row, as type: R.Type = R.self) throws -> R {
        var reader = reader(row, of: R.table.name)
        return try R(from: &reader)
    }

    func rows<Value>(
        _ sql: String,
        _ arguments: [SQLValue] = [],
        of table: String,
        _ read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEach(sql, arguments) { row in
            var reader = reader(row, of: table)
            values.append(try read(&reader))
        }
        return values
    }

    /// Records of a table.
    ///
    /// - Parameter condition: what comes after `FROM table`.
    public func all<R: Record>(
        _ type: R.Type,
        _ condition: String = "",
        _ arguments: [SQLValue] = []
    ) throws -> [R] {
        var records: [R] = []
        try forEach("SELECT \(R.table.columnList) FROM \(R.table.name) \(condition)", arguments) { row in
            records.append(try record(row))
        }
        return records
    }

    public func all<R: Record>(
        _ type: R.Type,
        where column: String,
        isAnyOf values: [SQLValue],
        locking: Bool = false
    ) throws -> [R] {
        var records: [R] = []
        let select = "SELECT \(R.table.columnList) FROM \(R.table.name)"
        try forEach(select, where: column, isAnyOf: values, locking: locking) { row in
            records.append(try record(row))
        }
        return records
    }

    /// Records of a table that can be read; the others are reported.
    func readable<R: Record>(
        _ type: R.Type,
        _ condition: String = "",
        _ arguments: [SQLValue] = []
    ) throws -> ReadableRows<R> {
        let sql = "SELECT \(R.table.columnList) FROM \(R.table.name) \(condition)"
        return try readable(sql, arguments, of: R.table) { try R(from: &$0) }
    }

    /// What can be read; the others are reported.
    func readable<Value>(
        _ sql: String,
        _ arguments: [SQLValue],
        of table: Table,
        _ read: (inout RowReader) throws -> Value
    ) throws -> ReadableRows<Value> {
        var rows = ReadableRows<Value>()
        try forEach(sql, arguments) { row in
            try rows.add(row) { row in
                var reader = reader(row, of: table.name)
                return try read(&reader)
            }
        }
        report(rows.unreadable, of: table)
        return rows
    }

    func report(_ keys: [SQLValue], of table: Table) {
        effects.unreadable += keys.map { UnreadableRow(table: table.name, key: table.text(ofKey: $0)) }
    }

    /// The keys of one column.
    func keys<Key: RecordKey>(
        _ select: String,
        _ arguments: [SQLValue],
        as type: Key.Type = Key.self
    ) throws -> [Key] {
        var keys: [Key] = []
        try forEach(select, arguments) { row in if let key = Key(row[0]) { keys.append(key) } }
        return keys
    }

    /// Adds records that are there from now on.
    func insert<R: TrackedRecord>(_ records: [R]) throws {
        guard !records.isEmpty else { return }
        var changes = RecordChanges<R>()
        changes.inserted = records
        try save(changes)
    }

    func update<R: TrackedRecord>(_ records: [(loaded: R, current: R)]) throws {
        guard !records.isEmpty else { return }
        var changes = RecordChanges<R>()
        changes.updated = records
        try save(changes)
    }
}
