import CSQLite

/// A statement that is done again and again.
struct SQLiteStatement {
    enum Value {
        case text(String)
        case integer(Int64)
        case blob([UInt8])
        case null
    }

    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ handle: OpaquePointer, of connection: OpaquePointer) {
        (self.handle, self.connection) = (handle, connection)
    }

    /// Does it with these values, and reads every column of every row.
    ///
    /// - Throws: ``SQLiteFailure``.
    func run(_ values: Value...) throws {
        for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                for column in 0..<sqlite3_column_count(handle) { _ = sqlite3_column_text(handle, column) }
            case SQLITE_DONE:
                sqlite3_reset(handle)
                return
            default: throw SQLiteFailure(description: String(cString: sqlite3_errmsg(connection)))
            }
        }
    }

    private func bind(_ value: Value, at index: Int32) {
        // SQLITE_TRANSIENT: SQLite takes a copy.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .text(let text): sqlite3_bind_text(handle, index, text, -1, copied)
        case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
        case .blob(let bytes): sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count), copied)
        case .null: sqlite3_bind_null(handle, index)
        }
    }
}
