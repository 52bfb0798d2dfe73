import PhoneDomain

/// The tables, as ``RecordTypes/tables`` describe them. What is particular here:
/// - Identifiers have the time in front, so what is written lies together; other keys are spread by what they are of.
/// - No table has a UNIQUE but its key, and none refers to another: so each can be divided by its key. What refers to
///   what is kept by the operations, which lock and delete in one order.
/// - Texts are ordered by their bytes, whatever the order of texts of the database: so keys are read in the same order
///   from every store, and an index stays right when the system's rules change with an upgrade
///   (https://www.postgresql.org/docs/current/collation.html). All of them: what is compared by two orders uses no
///   index.
/// - No trigger, no extension, no type but text, bigint, boolean and bytea: PostgreSQL's relatives have those.
///
/// Once a version has been released its migration is never changed, and a new one is added. A service of before goes on
/// while one of after is started beside it: a migration first only adds (expand), with a default for every column, and
/// a later release takes away what none uses any more (contract). Each says down to which one the program may be.
enum PostgreSQLSchema {
    /// A step from one version to the next.
    struct Migration {
        let version: Int64
        /// The last migration that a program must know to work with these tables.
        let oldestProgram: Int64
        let statements: [String]
    }

    static func migrations(_ types: RecordTypes) -> [Migration] {
        [Migration(version: 1, oldestProgram: 1, statements: types.tables.flatMap(definition) + indexes)]
    }

    /// A verification is changed soon after it was begun, once its message is sent, and in none of the columns of its
    /// indexes: where its page has room for the new version, no index gets another entry
    /// (https://www.postgresql.org/docs/current/storage-hot.html).
    private static func definition(of table: Table) -> [String] {
        table.definition(type, options: table === Verification.table ? " WITH (fillfactor = 55)" : "")
    }

    private static func type(of column: Table.ColumnType) -> String {
        switch column {
        case .id, .bytes: "bytea"
        case .text: #"text COLLATE "C""#
        case .integer: "bigint"
        case .boolean: "boolean"
        }
    }

    private static let indexes = [
        DayIndex.definition,
        "CREATE SEQUENCE \(auditSequence) MINVALUE 0 MAXVALUE \(AuditRecord.serialsPerMillisecond - 1) CYCLE",
    ]

    /// Tells audit entries of one millisecond apart, whichever instance writes them.
    static let auditSequence = "audit_entry_serial"
}

/// Brings tables up to date, and reports whether they are.
struct PostgreSQLMigrator {
    let connection: Connection
    let migrations: [PostgreSQLSchema.Migration]

    init(_ connection: Connection, migrations: [PostgreSQLSchema.Migration]) {
        (self.connection, self.migrations) = (connection, migrations)
    }

    /// - Throws: ``PostgreSQLStoreError/newerSchema`` or ``PostgreSQLStoreError/olderSchema`` where this program cannot
    ///   work with the tables as they are.
    func requireUpToDate() throws(PostgreSQLStoreError) {
        let applied = try applied()
        try requireKnown(applied)
        guard migrations.allSatisfy({ applied[$0.version] != nil }) else { throw .olderSchema }
    }

    /// Does the migrations that are missing, each in a transaction. Others who do the same at that moment wait.
    @discardableResult
    func migrate() throws(PostgreSQLStoreError) -> [Int64] {
        // Looked at without the lock first: most starts find nothing to do.
        if let applied = try? applied(), !applied.isEmpty {
            try requireKnown(applied)
            if migrations.allSatisfy({ applied[$0.version] != nil }) { return [] }
        }
        // Of the session: it is given back with the connection in any case.
        _ = try connection.exchange([.once("SELECT pg_advisory_lock(\(Self.lock))")])
        defer { _ = try? connection.exchange([.once("SELECT pg_advisory_unlock(\(Self.lock))")]) }
        _ = try connection.exchange([.once(Self.table)])
        let applied = try applied()
        try requireKnown(applied)
        var done: [Int64] = []
        for migration in migrations where applied[migration.version] == nil {
            do throws(PostgreSQLStoreError) {
                _ = try connection.exchange(
                    [.begin] + migration.statements.map(Query.once) + [
                        Query(
                            "INSERT INTO phoneproof_migration (version, oldest_program) VALUES ($1, $2)",
                            [Argument(.integer(migration.version)), Argument(.integer(migration.oldestProgram))]
                        )
                    ] + Query.commit
                )
            } catch {
                if connection.isUsable { _ = try? connection.exchange([.rollback]) }
                throw error
            }
            done.append(migration.version)
        }
        return done
    }

    /// "PhonePrf" as a number: the advisory lock of the instance that migrates.
    private static let lock: Int64 = 0x5068_6F6E_6550_7266

    private static let table = """
        CREATE TABLE IF NOT EXISTS phoneproof_migration (
            version bigint PRIMARY KEY,
            oldest_program bigint NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """

    /// The migrations that have been done, each with the oldest program that it leaves.
    private func applied() throws(PostgreSQLStoreError) -> [Int64: Int64] {
        let result: QueryResult?
        do throws(PostgreSQLStoreError) {
            result = try connection.exchange([.once("SELECT version, oldest_program FROM phoneproof_migration")]).first
        } catch {
            // 42P01: there is no such table.
            guard case .failed("42P01", _) = error else { throw error }
            return [:]
        }
        var applied: [Int64: Int64] = [:]
        result?.forEach { applied[$0.columns[0].integer] = $0.columns[1].integer }
        return applied
    }

    private func requireKnown(_ applied: [Int64: Int64]) throws(PostgreSQLStoreError) {
        let newest = migrations.last?.version ?? 0
        guard applied.allSatisfy({ $0.key <= newest || $0.value <= newest }) else { throw .newerSchema }
    }
}
