import PhoneDomain

/// Brings tables up to date, and tells whether they are.
struct Migrator {
    let connection: Connection
    let migrations: [Schema.Migration]

    init(_ connection: Connection, migrations: [Schema.Migration] = Schema.migrations) {
        self.connection = connection
        self.migrations = migrations
    }

    /// - Throws: ``PostgreSQLStoreError/newerSchema`` or ``PostgreSQLStoreError/olderSchema`` where this program cannot
    ///   work with the tables as they are.
    func requireUpToDate() throws(PostgreSQLStoreError) {
        let applied = try applied()
        try requireKnown(applied)
        guard migrations.allSatisfy({ applied[$0.version] != nil }) else { throw .olderSchema }
    }

    /// Does the migrations that are missing, each in a transaction. Others who do the same at that moment wait.
    ///
    /// - Returns: the versions that were missing.
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
                            [.integer(migration.version), .integer(migration.oldestProgram)]
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

    /// "PhonePrf" as a number; whoever migrates has it.
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
        for row in try result?.rows(of: "phoneproof_migration", plans: .builtIn, read: Self.read) ?? [] {
            applied[row.version] = row.oldestProgram
        }
        return applied
    }

    private static func read(
        _ row: inout RowReader
    ) throws(PostgreSQLStoreError) -> (version: Int64, oldestProgram: Int64) {
        (try row.nextInteger(), try row.nextInteger())
    }

    private func requireKnown(_ applied: [Int64: Int64]) throws(PostgreSQLStoreError) {
        let newest = migrations.last?.version ?? 0
        guard applied.allSatisfy({ $0.key <= newest || $0.value <= newest }) else { throw .newerSchema }
    }
}
