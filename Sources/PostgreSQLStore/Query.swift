import CPostgreSQL
import PhoneDomain
import Records

/// A statement with the values for it.
struct Query: Sendable {
    let sql: String
    let arguments: [Argument]
    /// Whether the server compiles it once for the connection. The text must be one of few then.
    let isPrepared: Bool

    init(_ sql: String, _ arguments: [Argument] = []) {
        self.sql = sql
        self.arguments = arguments
        isPrepared = true
    }

    private init(unprepared sql: String) {
        self.sql = sql
        arguments = []
        isPrepared = false
    }

    /// A statement that is over before it is worth compiling, or that must go through where nothing else does.
    static func once(_ sql: String) -> Query { Query(unprepared: sql) }

    /// Named, since a server may be set up to begin with another level; the store's reasons hold for this one.
    static let begin = once("BEGIN ISOLATION LEVEL READ COMMITTED")
    /// Every statement sees what was committed when the first one began.
    static let beginSnapshot = once("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    /// The server may not give up while it commits: it has the rows by then, and what it gives up is to wait for a
    /// synchronous standby, which it does not even call an error
    /// (https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION-HA). We give up instead, and say so.
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
/// (https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES): nothing is quoted, and nothing
/// is taken for anything but a value.
struct Argument: Sendable {
    /// 0 where the server finds out.
    let type: Oid
    /// Nil for NULL.
    let bytes: [UInt8]?

    init(type: Oid, bytes: [UInt8]?) {
        self.type = type
        self.bytes = bytes
    }

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
        var array = ArrayArgument(TypeID.of(type))
        var row = Row()
        for value in values {
            row.removeAll()
            switch value {
            case .null: row.appendNull()
            case .integer(let number): row.append(number)
            case .text(let text): row.append(text)
            case .bytes(let bytes): row.append(bytes)
            }
            array.append(row.columns[0], of: row.bytes)
        }
        return array.argument
    }

    /// An array of values that are all of the type of the first.
    static func array(_ values: some Collection<SQLValue>) -> Argument {
        switch values.first {
        case .integer: array(.integer, values)
        case .bytes: array(.bytes, values)
        default: array(.text, values)
        }
    }

    /// An array for each column.
    static func arrays(_ types: some Collection<Table.ColumnType>, _ rows: [Row]) -> [Argument] {
        var arrays = types.map { ArrayArgument(TypeID.of($0)) }
        for row in rows {
            for index in arrays.indices { arrays[index].append(row.columns[index], of: row.bytes) }
        }
        return arrays.map(\.argument)
    }
}

/// The values of one column of many rows: an array to a statement, which takes as long for many rows as for few.
private struct ArrayArgument {
    private let type: Oid
    private var count: Int32 = 0
    private var hasNull = false
    private var elements: [UInt8] = []

    init(_ type: Oid) { self.type = type }

    mutating func append(_ column: Row.Column, of bytes: [UInt8]) {
        count += 1
        switch column.kind {
        case .null:
            hasNull = true
            append(Int32(-1))
        case .integer where type == TypeID.boolean:
            append(Int32(1))
            elements.append(column.integer == 0 ? 0 : 1)
        case .integer:
            append(Int32(8))
            append(column.integer)
        case .text, .bytes:
            append(Int32(clamping: column.end - column.start))
            elements.append(contentsOf: bytes[column.start..<column.end])
        }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { elements.append(contentsOf: $0) }
    }

    /// As `array_recv` reads it (https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/utils/adt/arrayfuncs.c):
    /// dimensions, whether a NULL is in it, the type of the elements, how many there are and the index of the first; then
    /// each with its length.
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

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

/// What a statement gave: rows in binary form, or how many it touched.
final class QueryResult {
    private let pointer: OpaquePointer

    /// - Parameter pointer: libpq's result, which is freed with this object.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit {
        PQclear(pointer)
    }

    /// How many rows were inserted, updated or deleted.
    var touchedCount: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The first column of the first row.
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
        // What no column of ours has is no text and no number to whoever reads it.
        default: row.append(bytes, as: .bytes)
        }
    }
}

// MARK: - Statements from the tables' descriptions

extension Query {
    /// The statements that bring the server to what a unit of work left. In order of the keys, so that two batches that insert
    /// the same ones wait for each other in one direction.
    static func saves<R: TrackedRecord>(_ changes: RecordChanges<R>) -> [Query] {
        let table = R.table
        var queries: [Query] = []
        if !changes.inserted.isEmpty {
            // Else it fails if one of them is there by now; see ``PostgreSQLStoreError/isRetryable``.
            let first = table.keepsFirst ? " ON CONFLICT (\(table.key)) DO NOTHING" : ""
            queries.append(insert(rows(of: changes.inserted), into: table, first))
        }
        if !changes.updated.isEmpty {
            // Of rows that the transaction has locked: nobody has changed or deleted them since they were read.
            let columns = table.columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
            queries.append(
                insert(
                    rows(of: changes.updated.map(\.current)),
                    into: table,
                    " ON CONFLICT (\(table.key)) DO UPDATE SET \(columns)"
                )
            )
        }
        if !changes.deleted.isEmpty {
            queries.append(
                Query(
                    "DELETE FROM \(table.name) WHERE \(table.key) = ANY($1)",
                    [.array(table.columns[0].type, changes.deleted.map(\.value))]
                )
            )
        }
        return queries
    }

    static func insert(_ rows: [Row], into table: Table, _ conflict: String = "") -> Query {
        let names = table.columns.map(\.name).joined(separator: ", ")
        let arrays = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return Query(
            "INSERT INTO \(table.name) (\(names)) SELECT * FROM unnest(\(arrays))\(conflict)",
            Argument.arrays(table.columns.map(\.type), rows)
        )
    }

    private static func rows(of records: [some Record]) -> [Row] {
        let rows = records.map { record in
            var row = Row()
            record.write(to: &row)
            return row
        }
        guard rows.count > 1 else { return rows }
        return rows.sorted { one, two in
            let (key, other) = (one.columns[0], two.columns[0])
            guard key.kind != .integer else { return key.integer < other.integer }
            return one.bytes[..<key.end].lexicographicallyPrecedes(two.bytes[..<other.end])
        }
    }

    /// Adds entries to the end of the audit log. Those of one millisecond are told apart by a sequence that all instances share,
    /// so that the later one has the higher key; it begins anew after a million.
    static func appends(_ entries: [AuditEntry]) -> [Query] {
        guard !entries.isEmpty else { return [] }
        let rows = entries.map { entry in
            let serial = AuditRecord.serial(at: entry.at, 0)
            return Row(AuditRecord(cursor: AuditCursor(at: entry.at, serial: serial), entry: entry))
        }
        return [Query(auditInsertion, Argument.arrays(AuditRecord.table.columns.map(\.type), rows))]
    }

    private static let auditInsertion: String = {
        let names = AuditRecord.table.columns.map(\.name)
        let list = names.joined(separator: ", ")
        let arrays = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return """
            INSERT INTO audit_entry (\(list))
            SELECT id + nextval('\(Schema.auditSequence)'), \(names.dropFirst().joined(separator: ", "))
            FROM unnest(\(arrays)) AS entry (\(list))
            """
    }()
}

/// Collects the statements that save a unit of work, so that they can be sent together with the commit.
final class ChangeCollector: RecordSink {
    private(set) var queries: [Query] = []

    func save<R: TrackedRecord>(_ changes: RecordChanges<R>) { queries += Query.saves(changes) }

    func append(_ entries: [AuditEntry]) { queries += Query.appends(entries) }
}
