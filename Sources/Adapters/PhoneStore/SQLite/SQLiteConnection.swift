import CSQLite
import Dispatch
import PhoneDomain
import PhoneSignup

/// A connection to one database, with the statements that it has compiled. Not for two threads at a time:
/// ``SQLiteThread`` has the queue that it is used on.
final class SQLiteConnection {
    /// What a connection is opened, or a transaction begun, for (https://www.sqlite.org/lang_transaction.html).
    enum Access {
        /// Keeps others from writing from its beginning on: two that both read first and want to write then would wait
        /// for each other.
        case writing
        /// Sees the database of one moment, from the first statement on; it never waits for a writer.
        case reading
    }

    /// Has SQLite count no memory: it would take a lock for each piece, for figures that nobody reads. Only before the
    /// first database of the process is opened; later it is refused, without harm
    /// (https://www.sqlite.org/c3ref/c_config_covering_index_scan.html, "SQLITE_CONFIG_MEMSTATUS").
    private static let countsNoMemory: Void = { _ = phoneproof_sqlite_count_no_memory() }()

    /// How many statements are kept by their text. There are fewer, but for those that have a number or a moment in it.
    private static let textLimit = 500
    /// KiB. Records are restored in the order of their keys, and so all over the indexes: with less each page of those
    /// would be read and written many times.
    static let restoringCache = 65_536

    let path: String
    var effects = StoreEffects()
    /// Whether each entry of the audit log is written with an event (``EventSubscription/announcesAudit``).
    var announcesAudit = false
    private(set) var handle: OpaquePointer?
    /// Those that are made of a table's description, by table and purpose: few for each, or one for each set of columns
    /// that is updated, a bit for each column.
    private var statements: [[(columns: UInt64, statement: SQLiteStatement)]] = []
    private var statementsByText: [String: SQLiteStatement] = [:]

    // Used again and again, so that no record costs memory of its own.
    var loadedRow = Row()
    var currentRow = Row()
    /// The texts and bytes of the parameters of a statement that runs to its end before the next.
    let arena = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    let isWriter: Bool
    /// Whether there is any rule of the guard; nil if that is not known.
    var knownRules: Bool?
    /// ``RecentRecords``, of the connection that writes.
    var recentRecords = ObjectsByTable()
    /// The names of their tables.
    var recentTables: Set<String> = []
    /// Goes up with whatever may have changed a row behind the back of those.
    var generation = 0
    private var secureDeleteBefore: Int64?
    private var dataVersion: Int64?

    /// - Parameter path: of the file, or `:memory:`.
    init(
        path: String,
        access: Access = .writing,
        busyTimeout: Duration = .seconds(5)
    ) throws(SQLiteStoreError) {
        _ = Self.countsNoMemory
        (self.path, isWriter) = (path, access == .writing)
        let flags = access == .writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else {
            defer { close() }
            throw SQLiteStoreError(code, of: handle)
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, CInt(clamping: busyTimeout.wholeMilliseconds))
    }

    deinit {
        close()
        arena.deallocate()
    }

    func close() {
        for (_, statement) in statements.joined() { sqlite3_finalize(statement.handle) }
        statements.removeAll()
        forgetTexts()
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: - Statements

    func prepare(_ sql: String) throws(SQLiteStoreError) -> SQLiteStatement {
        guard handle != nil else { throw .closed }
        var statement: OpaquePointer?
        // To SQLite `$1` is the name of a parameter, and `?1` its number.
        let code = sqlite3_prepare_v3(
            handle,
            sql.replacing("$", with: "?"),
            -1,
            CUnsignedInt(SQLITE_PREPARE_PERSISTENT),
            &statement,
            nil
        )
        guard code == SQLITE_OK, let statement else { throw SQLiteStoreError(code, of: handle) }
        return SQLiteStatement(handle: statement)
    }

    /// A statement that is made of a table's description, compiled once.
    func statement(
        _ table: Table,
        _ purpose: Purpose,
        columns: UInt64 = 0,
        _ sql: () -> String
    ) throws(SQLiteStoreError) -> SQLiteStatement {
        let index = table.number * Purpose.allCases.count + purpose.rawValue
        while statements.count <= index { statements.append([]) }
        if let known = statements[index].first(where: { $0.columns == columns }) { return known.statement }
        let statement = try prepare(sql())
        statements[index].append((columns, statement))
        return statement
    }

    /// Does something with a statement of any text, which is compiled once.
    func withStatement<Value>(
        _ sql: String,
        _ arguments: [SQLValue],
        _ work: (SQLiteStatement) throws -> Value
    ) throws -> Value {
        func run(_ statement: SQLiteStatement) throws -> Value {
            try statement.with {
                for argument in arguments { argument.write(to: &$0) }
            } _: {
                try work(statement)
            }
        }
        if let cached = statementsByText[sql], !cached.isBusy { return try run(cached) }
        let statement = try prepare(sql)
        // One that is at work is run once more within itself, by what its rows are given to.
        guard statementsByText[sql] == nil else {
            defer { sqlite3_finalize(statement.handle) }
            return try run(statement)
        }
        if statementsByText.count >= Self.textLimit { forgetTexts() }
        statementsByText[sql] = statement
        return try run(statement)
    }

    /// Statements in use stay.
    private func forgetTexts() {
        let idle = statementsByText.filter { !$0.value.isBusy }
        for (sql, statement) in idle {
            sqlite3_finalize(statement.handle)
            statementsByText[sql] = nil
        }
    }

    /// Runs several statements, compiled for this once.
    func execute(_ script: String) throws(SQLiteStoreError) {
        generation += 1
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteStoreError(code, of: handle) }
    }

    /// Makes another database the same as this one, page by page (https://www.sqlite.org/backup.html).
    func copy(into other: SQLiteConnection) throws(SQLiteStoreError) {
        let copying = sqlite3_backup_init(other.handle, "main", handle, "main")
        sqlite3_backup_step(copying, -1)
        let code = copying == nil ? sqlite3_errcode(other.handle) : sqlite3_backup_finish(copying)
        guard code == SQLITE_OK else { throw SQLiteStoreError(code, of: other.handle) }
    }

    /// The first column of the first row.
    func value(_ sql: String, _ arguments: [SQLValue] = []) throws -> SQLValue? {
        try withStatement(sql, arguments) { statement in
            guard try statement.step() else { return nil }
            var row = Row()
            statement.read(into: &row)
            return row[0]
        }
    }

    func integer(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64? {
        if case .integer(let number) = try value(sql, arguments) { number } else { nil }
    }

    /// How many rows the last statement that changes rows has changed.
    var changesCount: Int { Int(sqlite3_changes(handle)) }

    /// How many rows all statements have changed.
    var totalChangesCount: Int { Int(sqlite3_total_changes(handle)) }

    // MARK: - Transactions

    var isInTransaction: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }

    /// - Throws: what the work throws, and ``SQLiteStoreError``; then nothing is kept.
    func transaction<Value>(_ access: Access, _ work: () throws -> Value) throws -> Value {
        try begin(access)
        do {
            let value = try work()
            try commit()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    func begin(_ access: Access) throws {
        try run(access == .writing ? "BEGIN IMMEDIATE" : "BEGIN", [])
        knownRules = nil
        guard access == .writing else { return }
        // Goes up when another connection, of this process or another, has changed the database
        // (https://www.sqlite.org/pragma.html#pragma_data_version).
        let version = try integer("PRAGMA data_version")
        if version != dataVersion { generation += 1 }
        dataVersion = version
    }

    func commit() throws { try run("COMMIT", []) }

    /// Does nothing where SQLite has undone it itself. Why it failed is of more use than why it could not be undone.
    func rollBack() {
        generation += 1
        if isInTransaction { _ = try? run("ROLLBACK", []) }
    }

    // MARK: - Settings of one operation

    func overwriteDeleted() throws {
        // Nor does what is erased stay in memory.
        recentRecords = ObjectsByTable()
        guard secureDeleteBefore == nil else { return }
        secureDeleteBefore = try integer("PRAGMA secure_delete") ?? 0
        try execute("PRAGMA secure_delete = ON")
    }

    /// Has the connection as it was before an operation; a larger cache stays.
    func endOperation() {
        effects = StoreEffects()
        guard let before = secureDeleteBefore else { return }
        secureDeleteBefore = nil
        try? execute("PRAGMA secure_delete = \(before == 2 ? "FAST" : "\(before)")")
    }
}

/// A connection and the one thread at a time that it is used on.
final class SQLiteThread: Engine {
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    let path: String
    let queue: DispatchQueue
    // Safe by proof: it is used in blocks on `queue` alone, those here and those of ``ConnectionQueue``, and a serial queue runs
    // one block after the other.
    nonisolated(unsafe) let connection: SQLiteConnection

    init(_ connection: sending SQLiteConnection, label: String) {
        path = connection.path
        queue = DispatchQueue(label: label)
        self.connection = connection
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(queue))
    }

    static func scope(of error: any Error) -> FailureScope {
        guard let error = error as? SQLiteStoreError else { return .operation }
        return error.isBusy ? .queue(error) : error.isOfOneOperation ? .operation : .batch
    }

    static func refusal(waiting: Int?) -> any Error {
        waiting.map { SQLiteStoreError.overloaded(waiting: $0) } ?? .closed
    }

    /// Does the work on the caller's thread, when those before are done.
    func sync<Value>(_ work: (SQLiteConnection) throws -> Value) rethrows -> Value {
        try queue.sync { try work(connection) }
    }

    func close() { close { _ in } }

    /// Closes the connection after the work that is scheduled, and this. On its own thread it would wait for itself;
    /// then it is closed when it is released.
    func close(after last: (SQLiteConnection) -> Void) {
        guard DispatchQueue.getSpecific(key: Self.queueKey) != ObjectIdentifier(queue) else { return }
        queue.sync {
            last(connection)
            connection.close()
        }
    }

    func async(_ work: @escaping @Sendable (SQLiteConnection) -> Void) { queue.async { work(self.connection) } }

    /// Does the work on the queue's thread, since it may take long.
    func run<Value: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { connection in continuation.resume(with: Result { try work(connection) }) }
        }
    }
}
