import GRDBSQLite

/// A value that SQLite can keep, and that is read back as the same.
protocol Bindable {
    /// Makes it stand for a question mark.
    ///
    /// - Parameter index: of the question mark, from 1.
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at index: CInt) -> CInt

    /// What a column of the row that the statement stands at holds; nil if it is of another type.
    ///
    /// - Parameter index: of the column, from 0.
    init?(column index: CInt, of statement: OpaquePointer)
}

/// SQLite copies what it is given before the call returns
/// (https://www.sqlite.org/c3ref/c_static.html, "SQLITE_TRANSIENT").
let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: Bindable {
    func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        sqlite3_bind_int64(statement, index, self)
    }

    init?(column index: CInt, of statement: OpaquePointer) {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
        self = sqlite3_column_int64(statement, index)
    }
}

extension Int: Bindable {
    func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        Int64(self).bind(to: statement, at: index)
    }

    init?(column index: CInt, of statement: OpaquePointer) {
        guard let value = Int64(column: index, of: statement) else { return nil }
        self.init(exactly: value)
    }
}

/// An integer of 0 or 1.
extension Bool: Bindable {
    func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        Int64(self ? 1 : 0).bind(to: statement, at: index)
    }

    init?(column index: CInt, of statement: OpaquePointer) {
        guard let value = Int64(column: index, of: statement) else { return nil }
        self = value != 0
    }
}

extension String: Bindable {
    func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text64(statement, index, $0.baseAddress, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
            }
        }
    }

    init?(column index: CInt, of statement: OpaquePointer) {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT, let text = sqlite3_column_text(statement, index)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        self = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
}
