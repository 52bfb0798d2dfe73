import CSQLite

/// A database that is open until the program ends.
struct SQLiteConnection {
    private let handle: OpaquePointer

    /// - Throws: ``SQLiteFailure``.
    init(path: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let opened else {
            throw SQLiteFailure(description: "\(path) cannot be opened: \(code)")
        }
        handle = opened
    }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func prepare(_ sql: String) throws -> SQLiteStatement {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK,
            let prepared
        else {
            throw failure
        }
        return SQLiteStatement(prepared, of: handle)
    }

    private var failure: SQLiteFailure { SQLiteFailure(description: String(cString: sqlite3_errmsg(handle))) }
}
