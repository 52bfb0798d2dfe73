import GRDBSQLite

/// Bytes in a BLOB column.
struct Blob: Bindable, Equatable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        bytes.isEmpty
            ? sqlite3_bind_zeroblob(statement, index, 0)
            : sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), copied)
    }

    init?(column index: CInt, of statement: OpaquePointer) {
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        // An empty one has no address.
        bytes =
            sqlite3_column_blob(statement, index).map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
}
