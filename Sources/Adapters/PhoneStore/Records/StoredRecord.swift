/// One record of a store, in the form in which every store has it.
public struct StoredRecord: Hashable, Sendable {
    /// The name of its table.
    public let kind: String
    public let row: Row

    public init(_ record: some Record) { self.init(Row(record), of: type(of: record).table) }
    init(_ row: Row, of table: Table) { (kind, self.row) = (table.name, row) }

    /// The key by which it is found among those of its kind.
    public var key: SQLValue { row[0] }

    /// The record, if it is of this type.
    public func record<R: Record>(
        as type: R.Type = R.self
    ) throws(UnreadableRecord) -> R? { R.table.name == kind ? try R(row) : nil }

    public var encoded: [UInt8] { row.encoded(as: kind) }
}

extension Row {
    /// All of the row in bytes that no other row has: the table, then each column with its type and its length, so that
    /// no two lists of columns give the same bytes.
    func encoded(as table: String) -> [UInt8] {
        var bytes = Array(table.utf8)
        bytes.reserveCapacity(bytes.count + self.bytes.count + columns.count * 9)
        for column in columns {
            bytes.append(column.kind.rawValue)
            let number = column.kind == .integer ? column.integer : Int64(column.end - column.start)
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: self.bytes[column.start..<column.end])
        }
        return bytes
    }
}
