import PhoneDomain

/// Writes rows column by column: one array for each column comes of it.
struct RowWriter {
    private var columns: [ColumnValues]
    private var column = 0

    init(_ types: [ColumnType]) {
        columns = types.map(ColumnValues.init)
    }

    var arguments: [Argument] {
        columns.map(\.argument)
    }

    mutating func write(_ text: String?) {
        columns[column].append(text: text)
        column += 1
    }

    mutating func write(_ number: Int64?) {
        columns[column].append(integer: number)
        column += 1
    }

    mutating func write(_ count: Int) {
        write(Int64(count))
    }

    mutating func write(_ flag: Bool) {
        columns[column].append(boolean: flag)
        column += 1
    }

    mutating func write(_ bytes: [UInt8]?) {
        columns[column].append(bytes: bytes)
        column += 1
    }

    mutating func write(_ moment: Timestamp?) {
        write(moment?.milliseconds)
    }

    mutating func endRow() {
        assert(column == columns.count, "a row of \(column) values for \(columns.count) columns")
        column = 0
    }
}
