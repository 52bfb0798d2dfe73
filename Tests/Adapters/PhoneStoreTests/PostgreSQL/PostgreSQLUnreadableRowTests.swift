import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneStore
@testable import StoreSuite

/// A row that cannot be read is passed over, and blocks no other.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct PostgreSQLUnreadableRowTests {
    private let database: TestDatabase
    private let log = CommitLog()
    private let store: PostgreSQLStore
    private let scene: ServerScene

    init() async throws {
        database = try await TestDatabase()
        store = try PostgreSQLStore(
            url: database.url,
            timeout: .seconds(60),
            announcing: EventSubscription(to: Set(Event.Kind.standard)) {},
            observer: log
        )
        scene = try ServerScene(store)
    }

    private func begin() async throws -> [Verification] {
        [try await scene.request("010-1111-1111"), try await scene.request("010-2222-2222")]
    }

    @Test(arguments: [
        "UPDATE outbox_message SET wording = 'x' WHERE verification_id = %",
        "UPDATE verification SET channel = 'Pigeon' WHERE id = %",
    ])
    func `a message is put off by a lease, and listed no more`(change: String) async throws {
        let begun = try await begin()
        let messages = try await store.messages(status: .queued, limit: 9).map(\.message)
        try database.run(change.replacing("%", with: begun[0].id.sql))
        let now = ServerScene.start
        let broken = try #require(messages.first { $0.verificationID == begun[0].id })

        #expect(try await store.claim(limit: 1, at: now, until: now + .seconds(60)) == [])
        #expect(log.rows == [UnreadableRow(table: "outbox_message", key: broken.id.description)])
        let claims = try await store.claim(limit: 1, at: now, until: now + .seconds(30))
        #expect(claims.map(\.verification.id) == [begun[1].id])
        #expect(try await store.nextAttempt() == now + .seconds(30))
        #expect(try await store.messages(status: nil, limit: 9).map(\.message.id) == claims.map(\.message.id))
        #expect(log.rows.count == 2)
    }

    @Test func `a person is erased, though rows of theirs and of others make no sense`() async throws {
        let begun = try await begin()
        for statement in [
            "UPDATE verification SET language = '!'",
            "ALTER TABLE audit_entry DISABLE TRIGGER ALL",
            "UPDATE audit_entry SET action = 'x' WHERE verification_id = \(begun[0].id.sql)",
            "ALTER TABLE audit_entry ENABLE TRIGGER ALL",
            """
            INSERT INTO signup (id, token_digest, region, language, created_at, expires_at, phone_text, is_complete)
            VALUES (\(Signup.ID(bits: 0, 1).sql), '', '!', 'ko', 0, 0, '', false)
            """,
        ] { try database.run(statement) }
        let command = try EraseNumber(
            begun[0].phoneNumber,
            digester: PlainNumberDigester(),
            now: ServerScene.start
        )
        #expect(try await store.erase(command).verifications == 1)
        #expect(log.rows.map(\.table) == ["signup", "audit_entry"])
        let left = try database.run(
            """
            SELECT id FROM audit_entry WHERE action = 'x'
            AND coalesce(owner, address, masked_number, number_digest, prefix_digest) IS NOT NULL
            """
        )
        #expect(left == [])
        #expect(try database.run("SELECT 'ver_' || encode(id, 'hex') FROM verification") == [begun[1].id.description])
    }

    /// What stands for a full disk: a trigger that refuses rows, and one that refuses tables, as the server does.
    @Test func `after a full disk the store is ready when the disk takes a write again`() async throws {
        try await store.ping()
        try database.run(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$
            """
        )
        try database.run("CREATE TRIGGER refuse BEFORE INSERT ON verification FOR EACH ROW EXECUTE FUNCTION refuse()")
        try database.run(
            """
            CREATE FUNCTION refuse_table() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
                IF current_schema() = '\(database.name)' THEN
                    RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100';
                END IF;
            END $$
            """
        )
        try database.run(
            """
            CREATE EVENT TRIGGER refuse_\(database.name) ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
            EXECUTE FUNCTION refuse_table()
            """
        )
        defer { _ = try? database.run("DROP EVENT TRIGGER refuse_\(database.name)") }
        // Nothing was refused yet, so nothing is tried.
        try await store.ping()
        _ = try await scene.outage { try await scene.request() }
        await #expect(throws: PostgreSQLStoreError.self) { try await store.ping() }
        try database.run("DROP EVENT TRIGGER refuse_\(database.name)")
        try await store.ping()
    }
}
