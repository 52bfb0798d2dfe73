import CSQLite

/// What a start reads and writes, by SQLite's own interface: each statement is prepared once, and N starts share
/// a transaction. Whatever else PhoneProof does for a start is missing: no rule is applied, no row is made a value.
struct SQLiteFloor {
    private let path: String
    private let synchronous: String
    private let duration: Duration
    private let batch: Int

    /// - Throws: ``UsageError``.
    init(arguments: [String]) throws {
        guard arguments.count == 4, ["full", "normal"].contains(arguments[1]), let seconds = Double(arguments[2]),
            seconds > 0, let batch = Int(arguments[3]), batch > 0
        else {
            throw UsageError()
        }
        (path, synchronous, duration) = (arguments[0], arguments[1], .seconds(seconds))
        self.batch = batch
    }

    /// Does transactions until the time is over, and prints how many starts that were and how many seconds it took.
    ///
    /// - Throws: ``SQLiteFailure``.
    func run() throws {
        let connection = try SQLiteConnection(path: path)
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = \(synchronous)")
        try connection.run("PRAGMA foreign_keys = ON")
        let begin = try connection.prepare("BEGIN IMMEDIATE")
        let commit = try connection.prepare("COMMIT")
        let start = try StartStatements(connection)
        let clock = ContinuousClock()
        let (began, end) = (clock.now, clock.now + duration)
        var count = 0
        while clock.now < end {
            try begin.run()
            for _ in 0..<batch {
                try start.run(count)
                count += 1
            }
            try commit.run()
        }
        let seconds = (clock.now - began) / .seconds(1)
        print("{\"starts\":\(count),\"seconds\":\(seconds)}")
    }
}

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
    func run(_ values: [Value] = []) throws {
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

/// What SQLite says when something fails.
struct SQLiteFailure: Error, CustomStringConvertible {
    let description: String
}
