import CSQLite

struct SQLiteStatement {
    let handle: OpaquePointer

    /// Whether it is at work already: it would lose its rows.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Does something with the statement while what is written are its parameters.
    ///
    /// - Parameter arena: memory for texts and bytes that no other statement uses meanwhile; without it, SQLite copies
    ///   each of them.
    func with<Value>(
        _ arena: UnsafeMutableRawBufferPointer? = nil,
        _ write: (inout ParameterWriter) -> Void,
        _ work: () throws -> Value
    ) throws -> Value {
        // What a failed step had to say was said by the step. The parameters stay bound to what may be gone by then,
        // but the next run binds all of them first.
        defer { sqlite3_reset(handle) }
        var writer = ParameterWriter(self, arena)
        write(&writer)
        try writer.end()
        return try work()
    }

    func run(_ arena: UnsafeMutableRawBufferPointer? = nil, _ write: (inout ParameterWriter) -> Void) throws {
        try with(arena, write) { while try step() {} }
    }

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
            case SQLITE_TEXT: row.append(bytes(index, as: .text), as: .text)
            // A fraction, of which there is none in a table, is neither a number nor a text.
            default: row.append(bytes(index, as: .bytes), as: .bytes)
            }
        }
    }

    fileprivate func bytes(_ index: CInt, as kind: Row.Kind) -> UnsafeRawBufferPointer {
        // The pointer before the length, which it may change.
        let start =
            kind == .text
            ? UnsafeRawPointer(sqlite3_column_text(handle, index)) : sqlite3_column_blob(handle, index)
        return UnsafeRawBufferPointer(
            start: start,
            count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index))
        )
    }
}

/// Binds what it is given to the parameters of a statement, one after the other.
struct ParameterWriter: ColumnWriter {
    private let statement: SQLiteStatement
    private let arena: UnsafeMutableRawBufferPointer?
    private var used = 0
    private var index: CInt = 0
    private var code = SQLITE_OK

    init(_ statement: SQLiteStatement, _ arena: UnsafeMutableRawBufferPointer?) {
        (self.statement, self.arena) = (statement, arena)
    }

    /// - Throws: unless each parameter has a value: SQLite takes what is not bound for NULL.
    func end() throws(SQLiteStoreError) {
        guard code == SQLITE_OK else { throw SQLiteStoreError(code) }
        guard index == sqlite3_bind_parameter_count(statement.handle) else { throw SQLiteStoreError(SQLITE_RANGE) }
    }

    private mutating func note(_ code: CInt) {
        index += 1
        if self.code == SQLITE_OK { self.code = code }
    }

    mutating func appendNull() { note(sqlite3_bind_null(statement.handle, index + 1)) }

    mutating func append(_ number: Int64) { note(sqlite3_bind_int64(statement.handle, index + 1, number)) }

    mutating func append(_ buffer: UnsafeRawBufferPointer, as kind: Row.Kind) {
        // To SQLite a place that is nil is NULL.
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return append(Self.nothing, 0, kind, nil) }
        guard let arena, let place = arena.baseAddress, used + buffer.count <= arena.count else {
            return append(start, buffer.count, kind, Self.copying)
        }
        place.advanced(by: used).copyMemory(from: start, byteCount: buffer.count)
        append(place.advanced(by: used), buffer.count, kind, nil)
        used += buffer.count
    }

    private mutating func append(
        _ start: UnsafeRawPointer,
        _ count: Int,
        _ kind: Row.Kind,
        _ destructor: sqlite3_destructor_type?
    ) {
        let (place, size) = (index + 1, CInt(clamping: count))
        if kind == .text {
            let text = start.assumingMemoryBound(to: CChar.self)
            note(sqlite3_bind_text(statement.handle, place, text, size, destructor))
        } else {
            note(sqlite3_bind_blob(statement.handle, place, start, size, destructor))
        }
    }

    /// `SQLITE_TRANSIENT`, a macro that Swift does not see.
    private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// What stands for an empty value: SQLite reads no byte of it.
    private nonisolated(unsafe) static let nothing = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    )
}

/// Reads the row that a statement is at.
struct StatementReader: ColumnReader {
    private let statement: SQLiteStatement
    private let table: Table
    private var index: CInt = 0

    init(_ statement: SQLiteStatement, of table: Table) { (self.statement, self.table) = (statement, table) }

    var isNextNull: Bool { sqlite3_column_type(statement.handle, index) == SQLITE_NULL }

    /// - Returns: the place of the next column, which is of this type; nil if it is NULL.
    private mutating func next(_ type: CInt) throws(UnreadableRecord) -> CInt? {
        let found = sqlite3_column_type(statement.handle, index)
        index += 1
        if found == type { return index - 1 }
        guard found == SQLITE_NULL else { throw unreadable() }
        return nil
    }

    mutating func optionalInteger() throws(UnreadableRecord) -> Int64? {
        try next(SQLITE_INTEGER).map { sqlite3_column_int64(statement.handle, $0) }
    }

    mutating func next<Value>(
        _ kind: Row.Kind,
        _ read: (UnsafeRawBufferPointer) -> Value
    ) throws(UnreadableRecord) -> Value? {
        guard let index = try next(kind == .text ? SQLITE_TEXT : SQLITE_BLOB) else { return nil }
        return read(statement.bytes(index, as: kind))
    }

    func unreadable() -> UnreadableRecord { UnreadableRecord(table: table.name, column: Int(index) - 1) }
}
