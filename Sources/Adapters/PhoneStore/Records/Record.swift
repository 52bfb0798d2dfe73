public import PhoneDomain
import Synchronization

/// What a store keeps rows of. This is the only place that names its columns: the tables of both engines, their
/// statements, the copy from one store to another and its digests come from it.
public protocol Record: Hashable, Sendable, SendableMetatype {
    associatedtype Key: RecordKey

    static var table: Table { get }

    /// The first column.
    var key: Key { get }

    /// Whether it says no more than a record that is not there, and so has no row.
    var isBlank: Bool { get }

    /// Writes every column, in the order of ``Table/columns``.
    func write(to row: inout some ColumnWriter)

    /// Reads every column, in the order of ``Table/columns``.
    init(from row: inout some ColumnReader) throws(UnreadableRecord)
}

extension Record {
    public var isBlank: Bool { false }

    public init(_ row: Row) throws(UnreadableRecord) {
        var reader = RowReader(row, of: Self.table.name)
        try self.init(from: &reader)
    }

    /// - Parameter condition: what comes after `FROM table`.
    public static func select(_ condition: SQL = "") -> SQL {
        "SELECT \(raw: table.columnList) FROM \(table) \(condition)"
    }
}

/// A record whose key is its ID.
public protocol IdentifiedRecord: Record {
    associatedtype Subject: Identified = Self
    var id: Identifier<Subject> { get }
}

extension IdentifiedRecord {
    public var key: Identifier<Subject> { id }
}

/// A value by which records are found, stored as one column.
public protocol RecordKey: ColumnValue, Hashable, Sendable {
    /// The key that is stored as this value; nil for any other.
    init?(_ value: SQLValue)
}

extension RecordKey {
    public var value: SQLValue { row[0] }

    var row: Row {
        var row = Row()
        write(to: &row)
        return row
    }
}

extension Identifier: RecordKey {
    public init?(_ value: SQLValue) {
        guard case .bytes(let bytes) = value, bytes.count == 16 else { return nil }
        self.init(
            bits: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }
}

extension Int64: RecordKey {
    public init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }
}

/// A key that is stored as its text.
public protocol TextKey: RecordKey, LosslessStringConvertible {}

extension TextKey {
    public func write(to row: inout some ColumnWriter) { row.append(description) }

    public init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }
}

extension String: TextKey {}
extension EventID: TextKey {}
extension TrafficKey: TextKey {}

extension LimitKey: TextKey {
    public init?(_ text: String) { self.init(rawValue: text) }
}

extension IdempotentRequest.Name: TextKey {
    public var description: String { rawValue }
    public init?(_ text: String) { self.init(rawValue: text) }
}

public final class Table: Sendable {
    public enum ColumnType: Sendable {
        /// The 16 bytes of an identifier with this prefix.
        case id(String)
        case text
        /// 64 bits, a moment in milliseconds since 1970-01-01T00:00:00Z among them.
        case integer
        case boolean
        case bytes
    }

    public struct Column: Sendable {
        public let name: String
        public let type: ColumnType
        let isNullable: Bool
        /// Whether the engine refuses less than 0.
        let isNotNegative: Bool

        public static func column(_ name: String, _ type: ColumnType, isNotNegative: Bool = false) -> Column {
            Column(name: name, type: type, isNullable: false, isNotNegative: isNotNegative)
        }

        public static func optional(_ name: String, _ type: ColumnType) -> Column {
            Column(name: name, type: type, isNullable: true, isNotNegative: false)
        }
    }

    /// Counts the tables of the process from 0, so that what belongs to each can lie in an array.
    public let number = Table.count.add(1, ordering: .relaxed).oldValue
    private static let count = Atomic(0)
    public let name: String
    /// The first is the key.
    public let columns: [Column]
    /// Indexes of both engines: the name, and what comes after `ON table`. What only one engine has is in its schema.
    public let indexes: [(name: String, definition: String)]
    /// Columns that an update finds as they were loaded, or it changes nothing and fails: of what is counted or used
    /// once. Every engine has the row locked; this is for the day when one gets that wrong.
    public let guards: [Int]
    /// Whether a record that is there already stays as it is when it is inserted once more.
    let keepsFirst: Bool
    /// Whether many commands of a batch find or change the same row.
    let isCommon: Bool
    /// Whether a row is nearly always found again soon after it was saved.
    let isUsedSoon: Bool
    /// The column with the moment from which on a row is of no more use, and is purged.
    public let expiry: String?
    /// The column with the number that a row goes with when that is erased.
    public let erasedNumber: String?
    /// The column with the account that a row goes with when that is deleted, and in whose export it is.
    public let account: String?
    /// All columns with the table's name in front, for a SELECT.
    let columnList: String
    public let key: String

    public init(
        _ name: String,
        _ columns: [Column],
        indexes: [(name: String, definition: String)] = [],
        guards: [String] = [],
        keepsFirst: Bool = false,
        isCommon: Bool = false,
        isUsedSoon: Bool = false,
        expiry: String? = nil,
        erasedNumber: String? = nil,
        account: String? = nil
    ) {
        (self.name, self.columns, self.indexes, self.keepsFirst) = (name, columns, indexes, keepsFirst)
        (self.isCommon, self.isUsedSoon) = (isCommon, isUsedSoon)
        (self.expiry, self.erasedNumber, self.account) = (expiry, erasedNumber, account)
        self.guards = columns.indices.filter { guards.contains(columns[$0].name) }
        columnList = columns.map { "\(name).\($0.name)" }.joined(separator: ", ")
        key = columns[0].name
    }

    /// The statements that make it and its indexes.
    ///
    /// - Parameter options: what comes behind the columns.
    func definition(_ type: (ColumnType) -> String, options: String = "") -> [String] {
        let lines = columns.map { column in
            let key = column.name == key ? " PRIMARY KEY" : ""
            let check = column.isNotNegative ? " CHECK (\(column.name) >= 0)" : ""
            return "\(column.name) \(type(column.type))\(column.isNullable ? "" : " NOT NULL")\(key)\(check)"
        }
        return ["CREATE TABLE \(name) (\(lines.joined(separator: ", ")))\(options)"]
            + indexes.map { "CREATE INDEX \($0.name) ON \(name) \($0.definition)" }
    }

    /// A value that is less than every key.
    var leastKey: SQLValue {
        switch columns[0].type {
        case .integer, .boolean: .integer(Int64.min)
        case .text: .text("")
        case .id, .bytes: .bytes([])
        }
    }

    /// The key of a row as an operator writes it: an identifier with its prefix.
    public func text(ofKey value: SQLValue) -> String {
        switch value {
        case .null: return "NULL"
        case .integer(let number): return "\(number)"
        case .text(let text): return text
        case .bytes(let bytes):
            return if case .id(let prefix) = columns[0].type { "\(prefix)_\(bytes.hexadecimal)" } else {
                bytes.hexadecimal
            }
        }
    }
}
