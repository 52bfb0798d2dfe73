import CSQLite

struct SQLiteStatement {
    let handle: OpaquePointer

    /// Whether it is at work already: it would lose its rows.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Does something with the statement while the columns of a row are its parameters. SQLite is given texts and bytes
    /// where they lie, so that nothing is copied only to be bound.
    func with<Value>(_ parameters: Row, _ work: () throws -> Value) throws -> Value {
        let columns = parameters.columns
        // SQLite takes what is not bound for NULL.
        guard columns.count == sqlite3_bind_parameter_count(handle) else { throw SQLiteStoreError(SQLITE_RANGE) }
        return try parameters.bytes.withUnsafeBytes { bytes in
            // What a failed step had to say was said by the step. The parameters stay bound to what may be gone by
            // then, but the next run binds all of them first.
            defer { sqlite3_reset(handle) }
            var index: CInt = 0
            for column in columns {
                index += 1
                let value = UnsafeRawBufferPointer(rebasing: bytes[column.start..<column.end])
                let code =
                    switch column.kind {
                    case .null: sqlite3_bind_null(handle, index)
                    case .integer: sqlite3_bind_int64(handle, index, column.integer)
                    case .text: sqlite3_bind_text(handle, index, Self.start(of: value), CInt(value.count), nil)
                    case .bytes: sqlite3_bind_blob(handle, index, Self.start(of: value), CInt(value.count), nil)
                    }
                guard code == SQLITE_OK else { throw SQLiteStoreError(code) }
            }
            return try work()
        }
    }

    func run(_ parameters: Row = Row()) throws { try with(parameters) { while try step() {} } }

    /// Never nil, which SQLite takes for NULL, nor a place that is gone before the statement is: of nothing it reads
    /// nothing.
    private static func start(of bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar> {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nothing }
        return start.assumingMemoryBound(to: CChar.self)
    }

    private nonisolated(unsafe) static let nothing: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()

    /// - Returns: whether there is a row.
    func step() throws(SQLiteStoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw .init(code, of: sqlite3_db_handle(handle))
        }
    }

    func read(into row: inout Row) {
        row.removeAll()
        for index in 0..<sqlite3_column_count(handle) {
            switch sqlite3_column_type(handle, index) {
            case SQLITE_NULL: row.appendNull()
            case SQLITE_INTEGER: row.append(sqlite3_column_int64(handle, index) as Int64)
            case SQLITE_TEXT:
                // The pointer before the length, which it may change.
                let start = UnsafeRawPointer(sqlite3_column_text(handle, index))
                row.append(buffer(start, index), as: .text)
            // A fraction, of which there is none in a table, is neither a number nor a text.
            default: row.append(buffer(sqlite3_column_blob(handle, index), index), as: .bytes)
            }
        }
    }

    private func buffer(_ start: UnsafeRawPointer?, _ index: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
    }
}

extension Row {
    mutating func append(_ index: Int, of other: Row) {
        let column = other.columns[index]
        switch column.kind {
        case .null: appendNull()
        case .integer: append(column.integer)
        case .text, .bytes:
            other.bytes.withUnsafeBytes { bytes in
                append(UnsafeRawBufferPointer(rebasing: bytes[column.start..<column.end]), as: column.kind)
            }
        }
    }
}
