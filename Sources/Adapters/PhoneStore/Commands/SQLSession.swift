public import PhoneDomain

/// A transaction in an engine's own statements, for what is not found by its key (``CommandSession``). What is saved may
/// be sent with the next statement, or with the commit.
///
/// Statements are written for both engines; where they differ, ``SQLDialect`` has the words.
public protocol SQLSession: AnyObject {
    var dialect: any SQLDialect { get }
    var effects: StoreEffects { get set }

    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    func run(_ sql: SQL) throws -> Int

    func forEach(_ sql: SQL, _ body: (Row) throws -> Void) throws

    /// Every row of `select` of which the column has one of these values, which are of one type. `locking` waits for
    /// others who change these rows, and keeps them out until the end of the transaction.
    func forEach(
        _ select: SQL,
        in table: Table,
        where column: String,
        isAnyOf values: [SQLValue],
        locking: Bool,
        _ body: (Row) throws -> Void
    ) throws

    /// - Parameter command: of this table, `DELETE FROM table` or an UPDATE, without its WHERE.
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ command: SQL, in table: Table, where column: String, isAnyOf values: [SQLValue]) throws -> Int

    /// Saves one record, which is inserted if it was not there, and deleted if it is no more.
    ///
    /// - Parameter loaded: as it was found.
    func save<R: Record>(_ loaded: R?, _ current: R?) throws

    func append(_ entries: [AuditEntry]) throws

    /// Adds rows as they are; none of them may be there.
    func restore(_ rows: [Row], in table: Table) throws

    /// Keeps others from changing the table until the end of the transaction.
    func lock(_ table: Table) throws

    /// Overwrites what is deleted until the end of the transaction, as far as the engine can.
    func overwriteDeleted() throws

    /// That others have changed what was being worked on, which the engine tries again.
    func serializationConflict() -> any Error
}

/// What observers are notified of once a transaction is committed.
public struct StoreEffects: Sendable {
    var auditEntries: [AuditEntry] = []
    var unreadable: [UnreadableRow] = []
    var hasAnnounced = false

    func notify(_ observer: (any StoreObserver)?, _ events: EventSubscription) {
        if let observer {
            for entry in auditEntries { observer.observe(entry) }
            for row in unreadable { observer.observe(row) }
        }
        if hasAnnounced || events.announcesAudit && !auditEntries.isEmpty { events.announced() }
    }
}

/// The rows that can be read, and the keys of those that cannot.
struct ReadableRows<Value> {
    var values: [Value] = []
    var unreadable: [SQLValue] = []

    mutating func add(_ row: Row, of table: Table, _ read: (inout RowReader) throws -> Value) throws {
        do { values.append(try row.read(of: table, read)) } catch is UnreadableRecord { unreadable.append(row[0]) }
    }
}

extension ReadableRows: Sendable where Value: Sendable {}

extension SQLSession {
    func rows<Value>(_ sql: SQL, of table: Table, _ read: (inout RowReader) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEach(sql) { values.append(try $0.read(of: table, read)) }
        return values
    }

    /// - Parameter condition: what comes after `FROM table`.
    public func all<R: Record>(_ type: R.Type, _ condition: SQL = "") throws -> [R] {
        try rows(R.select(condition), of: R.table) { try R(from: &$0) }
    }

    func all<R: Record>(_ type: R.Type, where column: String, isAnyOf values: [SQLValue]) throws -> [R] {
        var records: [R] = []
        try forEach(R.select(), in: R.table, where: column, isAnyOf: values, locking: false) { row in
            records.append(try R(row))
        }
        return records
    }

    /// What can be read; the others are reported.
    func readable<Value>(
        _ sql: SQL,
        of table: Table,
        _ read: (inout RowReader) throws -> Value
    ) throws -> ReadableRows<Value> {
        var rows = ReadableRows<Value>()
        try forEach(sql) { try rows.add($0, of: table, read) }
        report(rows.unreadable, of: table)
        return rows
    }

    func readable<R: Record>(_ type: R.Type, _ condition: SQL = "") throws -> ReadableRows<R> {
        try readable(R.select(condition), of: R.table) { try R(from: &$0) }
    }

    func report(_ keys: [SQLValue], of table: Table) {
        effects.unreadable += keys.map { UnreadableRow(table: table.name, key: table.text(ofKey: $0)) }
    }

    func keys<Key: RecordKey>(_ select: SQL, as type: Key.Type = Key.self) throws -> [Key] {
        var keys: [Key] = []
        try forEach(select) { row in if let key = Key(row[0]) { keys.append(key) } }
        return keys
    }

    @discardableResult
    func delete(_ table: Table, where column: String, isAnyOf values: [SQLValue]) throws -> Int {
        try run("DELETE FROM \(table)", in: table, where: column, isAnyOf: values)
    }
}
