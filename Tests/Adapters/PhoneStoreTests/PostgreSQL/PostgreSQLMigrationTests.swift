import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneStore

@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct PostgreSQLMigrationTests {
    private let database: TestDatabase

    init() async throws {
        database = try await TestDatabase()
    }

    private func migrator(_ migrations: [PostgreSQLSchema.Migration]) throws -> PostgreSQLMigrator {
        let options = ConnectionOptions(
            servers: try ServerAddresses(url: database.url),
            isDurable: true,
            timeout: .seconds(60)
        )
        return PostgreSQLMigrator(try Connection.open(options.patient), migrations: migrations)
    }

    /// The version behind the last one that there is.
    private static let next = (PostgreSQLSchema.migrations(.core).map(\.version).max() ?? 0) + 1

    private static func adding(_ version: Int64, oldestProgram: Int64, _ statement: String)
        -> PostgreSQLSchema.Migration
    {
        PostgreSQLSchema.Migration(version: version, oldestProgram: oldestProgram, statements: [statement])
    }

    @Test func `tables are made once, however many make them at once`() async throws {
        let url = database.url
        let done = try await atOnce(6) { _ in try PostgreSQLStore.migrate(url: url, timeout: .seconds(60)) }
        #expect(done.flatMap(\.self) == PostgreSQLSchema.migrations(.core).map(\.version))
        #expect(
            try database.run("SELECT version || ' ' || oldest_program FROM phoneproof_migration ORDER BY version")
                == PostgreSQLSchema.migrations(.core).map { "\($0.version) \($0.oldestProgram)" }
        )
    }

    @Test func `what is not migrated is not opened by one who is not to migrate it`() throws {
        #expect(throws: PostgreSQLStoreError.olderSchema) { try PostgreSQLStore(url: database.url, migrating: false) }
        #expect(try database.run("SELECT 1 FROM pg_tables WHERE schemaname = '\(database.name)'") == [])
        try PostgreSQLStore.migrate(url: database.url)
        _ = try PostgreSQLStore(url: database.url, migrating: false)
    }

    @Test func `a program goes on beside a newer one whose migration only adds`() async throws {
        let store = try database.open()
        let scene = try Scene(store)
        let begun = try await scene.request()
        let adding = Self.adding(
            Self.next,
            oldestProgram: 1,
            "ALTER TABLE verification ADD purpose text NOT NULL DEFAULT ''"
        )
        #expect(try migrator(PostgreSQLSchema.migrations(.core) + [adding]).migrate() == [Self.next])
        // The one that runs, one that is started now, and one that is told to look only.
        try await scene.check(begun.id)
        try await scene.request("010-8765-4321")
        try await Scene(try database.open(), identifiers: CountingIdentifiers(after: 100)).request("010-1111-2222")
        try migrator(PostgreSQLSchema.migrations(.core)).requireUpToDate()
        #expect(try PostgreSQLStore.migrate(url: database.url) == [])
    }

    @Test func `a program does not touch what a newer one has taken away`() throws {
        let taking = Self.adding(Self.next, oldestProgram: Self.next, "ALTER TABLE verification DROP repeatable_by")
        try migrator(PostgreSQLSchema.migrations(.core) + [taking]).migrate()
        for isMigrating in [true, false] {
            #expect(throws: PostgreSQLStoreError.newerSchema) {
                try PostgreSQLStore(url: database.url, migrating: isMigrating)
            }
        }
        #expect(throws: PostgreSQLStoreError.newerSchema) { try PostgreSQLStore.migrate(url: database.url) }
    }

    @Test func `a migration that fails leaves nothing behind`() throws {
        let wrong = PostgreSQLSchema.Migration(
            version: Self.next,
            oldestProgram: 1,
            statements: ["CREATE TABLE extra (id text)", "CREATE TABLE account (id text)"]
        )
        #expect {
            try migrator(PostgreSQLSchema.migrations(.core) + [wrong]).migrate()
        } throws: { error in
            guard case .failed("42P07", _) = error as? PostgreSQLStoreError else { return false }
            return true
        }
        #expect(
            try database.run("SELECT version FROM phoneproof_migration ORDER BY version")
                == PostgreSQLSchema.migrations(.core).map { "\($0.version)" }
        )
        #expect(
            try database.run("SELECT 1 FROM pg_tables WHERE tablename = 'extra' AND schemaname = '\(database.name)'")
                == []
        )
    }
}
