import CPostgreSQL
import PhoneAdministration
import PhoneDomain
import PhoneSignup

struct Query: Sendable {
    let sql: String
    let arguments: [Argument]
    /// Whether the server compiles it once for the connection. The text must be one of few then.
    let isPrepared: Bool

    init(_ sql: String, _ arguments: [Argument] = [], isPrepared: Bool = true) {
        (self.sql, self.arguments, self.isPrepared) = (sql, arguments, isPrepared)
    }

    init(_ sql: SQL) { self.init(sql.text, sql.arguments.map(Argument.init)) }

    /// A statement that is over before it is worth compiling, or that must go through where nothing else does.
    static func once(_ sql: String) -> Query { Query(sql, isPrepared: false) }

    /// Named, since a server may be set up to begin with another level; the store's reasons hold for this one.
    static let begin = once("BEGIN ISOLATION LEVEL READ COMMITTED")
    /// Waits until no other instance has a batch of requests under way (``PostgreSQLThread/awaitTurn()``).
    /// The table is found by the search path: services in schemas of one database do not wait for each other.
    static let requestLock = Query("SELECT pg_advisory_xact_lock('\(KeyedTraffic.table.name)'::regclass::oid::bigint)")
    /// Every statement sees what was committed when the first one began.
    static let beginSnapshot = once("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    /// The server may not give up while it commits: it has the rows by then, and what it gives up is to wait for a
    /// synchronous standby, which it does not even call an error
    /// (https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION-HA). We give up instead, and
    /// say so.
    static let commit = [once("SET LOCAL statement_timeout = 0"), once("COMMIT")]
    static let rollback = once("ROLLBACK")
}

/// PostgreSQL's numbers for its built-in types
/// (https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat), which never change.
enum TypeID {
    static let boolean: Oid = 16
    static let bytes: Oid = 17
    static let name: Oid = 19
    static let integer: Oid = 20
    static let shortInteger: Oid = 23
    static let text: Oid = 25
    static let limitedText: Oid = 1043

    static func array(of type: Oid) -> Oid {
        switch type {
        case boolean: 1000
        case bytes: 1001
        case integer: 1016
        default: 1009
        }
    }

    static func of(_ type: Table.ColumnType) -> Oid {
        switch type {
        case .id, .bytes: bytes
        case .text: text
        case .integer: integer
        case .boolean: boolean
        }
    }
}

/// A value for a statement's parameter, in PostgreSQL's binary form
/// (https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES): nothing is quoted, and
/// nothing is taken for anything but a value.
struct Argument: Sendable {
    /// 0 where the server finds out.
    let type: Oid
    /// Nil for NULL.
    let bytes: [UInt8]?

    init(type: Oid, bytes: [UInt8]?) { (self.type, self.bytes) = (type, bytes) }

    init(_ value: SQLValue) {
        switch value {
        case .null: self.init(type: 0, bytes: nil)
        case .integer(let number): self.init(type: TypeID.integer, bytes: number.bigEndianBytes)
        case .text(let text): self.init(type: TypeID.text, bytes: Array(text.utf8))
        case .bytes(let bytes): self.init(type: TypeID.bytes, bytes: bytes)
        }
    }

    /// An array of values of this column type, none of them NULL.
    static func array(_ type: Table.ColumnType, _ values: some Collection<SQLValue>) -> Argument {
        var columns = ColumnArrays([type])
        for value in values { columns.append { value.write(to: &$0) } }
        return columns.arguments[0]
    }

    /// An array of values that are all of the type of the first.
    static func array(_ values: some Collection<SQLValue>) -> Argument {
        switch values.first {
        case .integer: array(.integer, values)
        case .bytes: array(.bytes, values)
        default: array(.text, values)
        }
    }
}

/// The columns of many records: arrays to a statement, which takes as long for many records as for few.
struct ColumnArrays: ColumnWriter, Sendable {
    private struct Column {
        let type: Oid
        var count: Int32 = 0
        var hasNull = false
        /// Each with its length before it.
        var elements: [UInt8] = []

        mutating func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { elements.append(contentsOf: $0) }
        }

        /// As `array_recv` reads it
        /// (https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/arrayfuncs.c): dimensions,
        /// whether a NULL is in it, the type of the elements, how many there are and the index of the first; then each
        /// with its length.
        var argument: Argument {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(20 + elements.count)
            bytes += Int32(count == 0 ? 0 : 1).bigEndianBytes
            bytes += Int32(hasNull ? 1 : 0).bigEndianBytes
            bytes += type.bigEndianBytes
            if count > 0 {
                bytes += count.bigEndianBytes
                bytes += Int32(1).bigEndianBytes
            }
            return Argument(type: TypeID.array(of: type), bytes: bytes + elements)
        }
    }

    private var columns: [Column]
    private var index = 0

    init(_ types: some Collection<Table.ColumnType>) { columns = types.map { Column(type: TypeID.of($0)) } }

    var isEmpty: Bool { columns[0].count == 0 }
    var arguments: [Argument] { columns.map(\.argument) }

    /// Adds a record, of which `write` writes every column.
    mutating func append(_ write: (inout ColumnArrays) -> Void) {
        index = 0
        write(&self)
    }

    private mutating func append(_ append: (inout Column) -> Void) {
        columns[index].count += 1
        append(&columns[index])
        index += 1
    }

    mutating func appendNull() {
        append { (column: inout Column) in
            column.hasNull = true
            column.append(Int32(-1))
        }
    }

    mutating func append(_ number: Int64) {
        append { (column: inout Column) in
            if column.type == TypeID.boolean {
                column.append(Int32(1))
                column.elements.append(number == 0 ? 0 : 1)
            } else {
                column.append(Int32(8))
                column.append(number)
            }
        }
    }

    mutating func append(_ buffer: UnsafeRawBufferPointer, as kind: Row.Kind) {
        append { (column: inout Column) in
            column.append(Int32(clamping: buffer.count))
            column.elements.append(contentsOf: buffer)
        }
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

/// What a statement gave: rows in binary form, or how many it touched.
final class QueryResult {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var touchedCount: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    var firstValue: SQLValue? {
        var value: SQLValue?
        forEach { value = value ?? $0[0] }
        return value
    }

    func forEach<Failure>(_ body: (Row) throws(Failure) -> Void) throws(Failure) {
        var row = Row()
        let types = (0..<PQnfields(pointer)).map { PQftype(pointer, $0) }
        for index in 0..<PQntuples(pointer) {
            row.removeAll()
            for (column, type) in types.enumerated() { append(index, Int32(column), type, to: &row) }
            try body(row)
        }
    }

    func map<Value>(_ read: (Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(Int(PQntuples(pointer)))
        try forEach { (row) throws in values.append(try read(row)) }
        return values
    }

    private func append(_ index: Int32, _ column: Int32, _ type: Oid, to row: inout Row) {
        guard PQgetisnull(pointer, index, column) == 0 else { return row.appendNull() }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(pointer, index, column),
            count: Int(PQgetlength(pointer, index, column))
        )
        switch (type, bytes.count) {
        case (TypeID.boolean, 1): row.append(Int64(bytes[0] == 0 ? 0 : 1))
        case (TypeID.integer, 8): row.append(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case (TypeID.shortInteger, 4): row.append(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
        case (TypeID.text, _), (TypeID.name, _), (TypeID.limitedText, _): row.append(bytes, as: .text)
        // A type that no column of ours has: a reader of a text or a number fails on it.
        default: row.append(bytes, as: .bytes)
        }
    }
}

// MARK: - Statements from the tables' descriptions

extension Query {
    /// - Parameters:
    ///   - key: in place of the rows' own.
    ///   - ending: what comes behind the rows.
    static func insert(_ rows: ColumnArrays, into table: Table, key: String? = nil, _ ending: String = "") -> Query {
        let names = table.columns.map(\.name)
        let arrays = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let (list, rest) = (names.joined(separator: ", "), names.dropFirst().joined(separator: ", "))
        return Query(
            """
            INSERT INTO \(table.name) (\(list)) SELECT \(key ?? table.key), \(rest)
            FROM unnest(\(arrays)) AS entry (\(list))\(ending)
            """,
            rows.arguments
        )
    }

    /// Adds entries to the end of the audit log. Those of one millisecond are ordered by a sequence that all instances
    /// share, so that the later one has the higher key; it begins anew after a million.
    ///
    /// - Parameter isAnnounced: whether each is an event, which the server makes, since it alone knows their keys.
    fileprivate static func append(_ entries: [AuditEntry], isAnnounced: Bool) -> Query {
        var rows = ColumnArrays(AuditRecord.table.columns.map(\.type))
        for entry in entries {
            rows.append { AuditRecord(serial: AuditRecord.serial(at: entry.at, 0), entry: entry).write(to: &$0) }
        }
        let insertion = insert(rows, into: AuditRecord.table, key: "id + nextval('\(PostgreSQLSchema.auditSequence)')")
        guard isAnnounced else { return insertion }
        // What is written here of an entry with the key 0 ends with that key.
        let event = Event(AuditEntry(at: Timestamp(milliseconds: 0), action: .begin, owner: nil), serial: 0)
        return Query(
            """
            WITH appended AS (\(insertion.sql) RETURNING id, at)
            INSERT INTO \(Event.table.name) (\(Event.table.columns.map(\.name).joined(separator: ", ")))
            SELECT '\(event.id.description.dropLast())' || id, '\(event.kind.rawValue)', '\(event.subject.description.dropLast())' || id, at,
                '\(event.status.rawValue)', 0, 0, at, NULL, NULL
            FROM appended
            """,
            insertion.arguments
        )
    }
}

/// Collects what is saved, so that it is sent with the commit, or with the next statement of the transaction.
final class ChangeCollector {
    private struct Changes {
        let table: Table
        var inserted: ColumnArrays
        var updated: ColumnArrays
        var deleted: [SQLValue] = []

        init(of table: Table) {
            self.table = table
            inserted = ColumnArrays(table.columns.map(\.type))
            updated = inserted
        }
    }

    /// The changes, in the order in which the tables were written to.
    private var changes: [Changes] = []
    private var auditEntries: [AuditEntry] = []
    private let announcesAudit: Bool

    init(announcesAudit: Bool) { self.announcesAudit = announcesAudit }

    /// - Parameter loaded: as the transaction has locked it: nobody has changed or deleted it since it was read.
    func save<R: Record>(_ loaded: R?, _ current: R?) {
        switch (loaded, current) {
        case (nil, let current?): changes[index(R.table)].inserted.append { current.write(to: &$0) }
        case (_?, let current?): changes[index(R.table)].updated.append { current.write(to: &$0) }
        case (let loaded?, nil): changes[index(R.table)].deleted.append(loaded.key.value)
        case (nil, nil): break
        }
    }

    func append(_ entries: [AuditEntry]) { auditEntries += entries }

    private func index(_ table: Table) -> Int {
        if let index = changes.lastIndex(where: { $0.table === table }) { return index }
        changes.append(Changes(of: table))
        return changes.count - 1
    }

    /// The statements that save it, after which it is forgotten.
    func takeQueries() -> [Query] {
        var queries: [Query] = []
        for changes in changes {
            let table = changes.table
            // Sorted, so that two batches that insert the same ones wait for each other in one direction.
            let inOrder = " ORDER BY 1"
            if !changes.inserted.isEmpty {
                // Else it fails if one of them is there by now; see ``PostgreSQLStoreError/isRetryable``.
                let first = table.keepsFirst ? " ON CONFLICT (\(table.key)) DO NOTHING" : ""
                queries.append(.insert(changes.inserted, into: table, inOrder + first))
            }
            if !changes.updated.isEmpty {
                let columns = table.columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }
                let update = " ON CONFLICT (\(table.key)) DO UPDATE SET \(columns.joined(separator: ", "))"
                queries.append(.insert(changes.updated, into: table, inOrder + update))
            }
            if !changes.deleted.isEmpty {
                let keys = Argument.array(table.columns[0].type, changes.deleted)
                queries.append(Query("DELETE FROM \(table.name) WHERE \(table.key) = ANY($1)", [keys]))
            }
        }
        if !auditEntries.isEmpty { queries.append(.append(auditEntries, isAnnounced: announcesAudit)) }
        (changes, auditEntries) = ([], [])
        return queries
    }
}
