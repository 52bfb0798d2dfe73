import PhoneDomain

/// How the rows of a table are read and written.
protocol Table: SendableMetatype {
    associatedtype Value: Equatable & Sendable

    static var name: String { get }
    /// Of every column in the order of ``write(_:under:to:)``; the first is the key, a text.
    static var columns: [(name: String, type: ColumnType)] { get }

    /// What to ask for where this key is not known.
    static func keys(of key: String) -> RowKeys

    static func write(_ value: Value, under key: String, to row: inout RowWriter)

    /// Reads all columns.
    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Value)

    static func inserts(_ rows: [(key: String, value: Value)]) -> [Query]
    static func updates(_ rows: [(key: String, value: Value)]) -> [Query]
    static func deletes(_ keys: [String]) -> [Query]
}

extension Table {
    static var columnNames: String {
        columns.map { "\(name).\($0.name)" }.joined(separator: ", ")
    }

    /// Fails if one of them is there by now; see ``PostgreSQLStoreError/isWorthAnotherTry``.
    static func inserts(_ rows: [(key: String, value: Value)]) -> [Query] {
        rows.isEmpty ? [] : [Query(insertion, arguments(rows))]
    }

    /// Of rows that the transaction has locked: nobody has changed or deleted them since they were read.
    static func updates(_ rows: [(key: String, value: Value)]) -> [Query] {
        rows.isEmpty ? [] : [Query(update, arguments(rows))]
    }

    static func deletes(_ keys: [String]) -> [Query] {
        keys.isEmpty ? [] : [Query("DELETE FROM \(name) WHERE \(columns[0].name) = ANY($1)", [.texts(keys)])]
    }

    /// Puts rows of a queue off that cannot be read, so that they are not the first to be claimed again until this moment. They
    /// are not moved to failed: a newer program may have written them.
    static func postpones(_ unreadable: [String], until moment: Timestamp) -> [Query] {
        guard !unreadable.isEmpty else { return [] }
        let arguments: [Argument] = [.integer(moment.milliseconds), .texts(unreadable)]
        return [Query("UPDATE \(name) SET next_attempt_at = $1 WHERE \(columns[0].name) = ANY($2)", arguments)]
    }

    /// One array for each column.
    static func arguments(_ rows: [(key: String, value: Value)]) -> [Argument] {
        var writer = RowWriter(columns.map(\.type))
        for row in rows.sorted(by: { $0.key < $1.key }) {
            write(row.value, under: row.key, to: &writer)
            writer.endRow()
        }
        return writer.arguments
    }

    static var insertion: String {
        let names = columns.map(\.name).joined(separator: ", ")
        let arrays = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(names)) SELECT * FROM unnest(\(arrays))"
    }

    private static var update: String {
        let changes = columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
        return "\(insertion) ON CONFLICT (\(columns[0].name)) DO UPDATE SET \(changes)"
    }
}
