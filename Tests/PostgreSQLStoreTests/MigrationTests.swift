import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PostgreSQLStore

@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct MigrationTests {
    private let database: TestDatabase

    init() async throws {
        database = try await TestDatabase()
    }

    private func migrator(_ migrations: [Schema.Migration]) throws -> Migrator {
        let options = ConnectionOptions(
            servers: try ServerAddresses(url: database.url),
            isDurable: true,
            timeout: .seconds(60)
        )
        return Migrator(try Connection.open(options.patient), migrations: migrations)
    }

    /// The version behind the last one that there is.
    private static let next = (Schema.migrations.map(\.version).max() ?? 0) + 1

    private static func adding(_ version: Int64, oldestProgram: Int64, _ statement: String) -> Schema.Migration {
        Schema.Migration(version: version, oldestProgram: oldestProgram, statements: [statement])
    }

    @Test func `tables are made once, however many make them at once`() async throws {
        let url = database.url
        let done = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<6 { group.addTask { try PostgreSQLStore.migrate(url: url, timeout: .seconds(60)) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(done == Schema.migrations.map(\.version))
        #expect(
            try database.run("SELECT version || ' ' || oldest_program FROM phoneproof_migration ORDER BY version")
                == Schema.migrations.map { "\($0.version) \($0.oldestProgram)" }
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
        #expect(try migrator(Schema.migrations + [adding]).migrate() == [Self.next])
        // The one that runs, one that is started now, and one that is told to look only.
        try await scene.check(begun.id)
        try await scene.request("010-8765-4321")
        try await Scene(try database.open(), identifiers: CountingIdentifiers(after: 100)).request("010-1111-2222")
        try migrator(Schema.migrations).requireUpToDate()
        #expect(try PostgreSQLStore.migrate(url: database.url) == [])
    }

    @Test func `a program does not touch what a newer one has taken away`() throws {
        let taking = Self.adding(Self.next, oldestProgram: Self.next, "ALTER TABLE verification DROP repeatable_by")
        try migrator(Schema.migrations + [taking]).migrate()
        for isMigrating in [true, false] {
            #expect(throws: PostgreSQLStoreError.newerSchema) {
                try PostgreSQLStore(url: database.url, migrating: isMigrating)
            }
        }
        #expect(throws: PostgreSQLStoreError.newerSchema) { try PostgreSQLStore.migrate(url: database.url) }
    }

    @Test func `a migration that fails leaves nothing behind`() throws {
        let wrong = Schema.Migration(
            version: Self.next,
            oldestProgram: 1,
            statements: ["CREATE TABLE extra (id text)", "CREATE TABLE account (id text)"]
        )
        #expect {
            try migrator(Schema.migrations + [wrong]).migrate()
        } throws: { error in
            guard case .failed("42P07", _) = error as? PostgreSQLStoreError else { return false }
            return true
        }
        #expect(
            try database.run("SELECT version FROM phoneproof_migration ORDER BY version")
                == Schema.migrations.map { "\($0.version)" }
        )
        #expect(
            try database.run("SELECT 1 FROM pg_tables WHERE tablename = 'extra' AND schemaname = '\(database.name)'")
                == []
        )
    }

    @Test func `accounts of before have held their numbers since they were made, and were last heard of now`()
        async throws
    {
        try migrator(Schema.migrations.filter { $0.version < 6 }).migrate()
        let (account, verification) = (Account.ID(bits: 0, 1), Verification.ID(bits: 0, 2))
        try database.run(
            """
            INSERT INTO account VALUES ('\(account)', '+821012345678', 7, '\(verification)');
            INSERT INTO account_number VALUES ('+821012345678', '\(account)');
            INSERT INTO outbox_message VALUES ('msg_00000000000000000000000000000003', '\(verification)', 1, 'sent', 1, 1,
                'a', 'b', 0, NULL, false, NULL);
            INSERT INTO signup VALUES ('sgn_00000000000000000000000000000004', '', 'KR', 'ko', 1, 9, '', '', NULL, false)
            """
        )
        #expect(try migrator(Schema.migrations).migrate() == Schema.migrations.map(\.version).filter { $0 >= 6 })
        let now = try database.run(
            "SELECT (extract(epoch FROM applied_at) * 1000)::bigint FROM phoneproof_migration WHERE version = 6"
        )[0]
        let store = try database.open()
        let kept = Account(
            id: account,
            phoneNumber: try PhoneNumber(e164: "+821012345678"),
            phoneNumberSince: Timestamp(milliseconds: 7),
            createdAt: Timestamp(milliseconds: 7),
            createdBy: verification,
            lastActiveAt: Timestamp(milliseconds: try #require(Int64(now))),
            metadata: .empty,
            deletionDueAt: nil
        )
        #expect(try await store.account(account) == kept)
        #expect(try await store.account(of: try PhoneNumber(e164: "+821012345678")) == kept)
        let messages = try await store.records(of: .message, after: nil, limit: 9)
        guard case .message(let message) = messages.first else {
            Issue.record("no message")
            return
        }
        #expect(message.numberChangeID == nil)
        #expect(try await store.signup(Signup.ID(bits: 0, 4))?.decision == nil)
        // An older program beside this one makes accounts as it did, and they are found.
        try database.run(
            """
            INSERT INTO account (id, e164, created_at, created_by)
                VALUES ('\(Account.ID(bits: 0, 5))', '+821087654321', 8, '\(verification)');
            INSERT INTO account_number VALUES ('+821087654321', '\(Account.ID(bits: 0, 5))')
            """
        )
        let scene = try Scene(store)
        let begun = try await scene.request("010-8765-4321")
        try await scene.check(begun.id)
        let found = try await scene.useCase.signUp("123456", for: begun.id, context: scene.context).get()
        #expect(found.account.id == Account.ID(bits: 0, 5))
        #expect(!found.isNew)
    }
}
