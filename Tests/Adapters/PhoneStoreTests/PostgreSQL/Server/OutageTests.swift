import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

/// What becomes of operations when the server or the way to it is gone in the middle.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct OutageTests {
    private let database: TestDatabase
    private let store: PostgreSQLStore
    private let scene: ServerScene

    init() async throws {
        database = try await TestDatabase()
        store = try database.open()
        scene = try ServerScene(store)
    }

    @Test func `connections that were cut while nobody used them cost nobody anything`() async throws {
        let begun = try await scene.request()
        try await store.ping()
        try database.cutConnections()
        #expect(try await store.verification(begun.id) == begun)
        try await scene.check(begun.id)
        try await scene.request("010-8765-4321")
        try await store.ping()
        let claims = try await store.claim(limit: 10, at: ServerScene.start, until: ServerScene.start + .seconds(60))
        #expect(claims.count == 2)
    }

    @Test func `an operation whose connection is cut while it waits for a row is done anew`() async throws {
        let begun = try await scene.request()
        let side = try database.connect()
        try side.run("BEGIN; SELECT 1 FROM verification FOR UPDATE")
        async let check = scene.check(begun.id)
        try await database.wait { try database.waitingCount() == 1 }
        try database.cutConnections()
        try await database.wait { try database.waitingCount() == 1 }
        try side.run("COMMIT")
        #expect(try await check.recordedStatus == .approved)
        #expect(try database.run("SELECT action FROM audit_entry ORDER BY id") == ["begin", "approve"])
    }

    @Test func `an operation that waits for a row for too long fails, keeps nothing, and the next goes on`()
        async throws
    {
        let hurried = try database.open(timeout: .seconds(1))
        let scene = try ServerScene(hurried)
        let begun = try await scene.request()
        let side = try database.connect()
        try side.run("BEGIN; SELECT 1 FROM verification FOR UPDATE")
        #expect(
            try await scene.outage { try await scene.check(begun.id) } == "the database did not answer in time"
        )
        try side.run("COMMIT")
        #expect(try await store.verification(begun.id) == begun)
        try await scene.check(begun.id)
    }

    @Test func `a connection that is lost during a commit fails with an unknown outcome`() async throws {
        let begun = try await scene.request()
        // The server ends the connection within COMMIT, before it has kept anything.
        try database.run(
            """
            CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON verification DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION cut();
            """
        )
        let cause = try #require(try await scene.outage { try await scene.check(begun.id) })
        #expect(cause.hasPrefix("the database may or may not have committed the operation: "))
        #expect(try await store.verification(begun.id) == begun)
        try database.run("DROP TRIGGER cut ON verification")
        try await scene.check(begun.id)
        #expect(try database.run("SELECT action FROM audit_entry ORDER BY id") == ["begin", "approve"])
    }

    @Test func `what the server does not take of one operation does not cost the others`() async throws {
        try database.run("ALTER TABLE signup ADD CHECK (phone_text <> 'poison')")
        for number in 0..<40 { try await store.insert(ServerScene.signup(UInt64(number))) }
        let refused = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<40 {
                group.addTask { [store] in
                    do {
                        _ = try await store.update(Signup.ID(bits: 0, UInt64(number))) {
                            $0.phoneText = number == 17 ? "poison" : "\(number)"
                        }
                        return nil
                    } catch {
                        return number
                    }
                }
            }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(refused == [17])
        #expect(try database.run("SELECT phone_text FROM signup WHERE phone_text <> '' ").count == 39)
    }

    @Test func `a row that is locked for too long does not cost others their turn`() async throws {
        let hurried = try database.open(timeout: .seconds(1))
        for number in 0..<20 { try await store.insert(ServerScene.signup(UInt64(number))) }
        let side = try database.connect()
        try side.run("BEGIN; SELECT 1 FROM signup WHERE id = \(Signup.ID(bits: 0, 7).sql) FOR UPDATE")
        let refused = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        _ = try await hurried.update(Signup.ID(bits: 0, UInt64(number))) { $0.phoneText = "010" }
                        return nil
                    } catch {
                        return number
                    }
                }
            }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(refused == [7])
        try side.run("COMMIT")
    }

    @Test func `a statement that somebody has made useless is prepared anew`() async throws {
        let begun = try await scene.request()
        _ = try await store.verification(begun.id)
        // Another type for a column, as no migration of ours would: the server does not run its old plan for it.
        try database.run("ALTER TABLE verification ALTER channel TYPE varchar(10)")
        #expect(try await store.verification(begun.id) == begun)
        try await scene.check(begun.id)
    }

    @Test func `a server that only reads is refused, and said to be one`() async throws {
        let url = database.url.replacing("search_path", with: "default_transaction_read_only%3Don%20-csearch_path")
        #expect(throws: PostgreSQLStoreError.readOnly) { try PostgreSQLStore(url: url) }
    }

    @Test func `a server that becomes one that only reads is left for one that writes`() async throws {
        let begun = try await scene.request()
        let role = "\(database.name)_role"
        try database.run(
            """
            CREATE ROLE \(role) LOGIN SUPERUSER PASSWORD 'secret';
            ALTER ROLE \(role) SET search_path = \(database.name)
            """
        )
        defer { _ = try? database.run("DROP ROLE \(role)") }
        let url = try #require(TestDatabase.server?.firstMatch(of: /@(.+)$/)?.1)
        let store = try PostgreSQLStore(url: "postgresql://\(role):secret@\(url)", timeout: .seconds(60))
        try await store.ping()
        try database.run("ALTER ROLE \(role) SET default_transaction_read_only = on")
        try database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
        await #expect(throws: PostgreSQLStoreError.readOnly) { try await store.ping() }
        let scene = try ServerScene(store)
        let cause = try await scene.outage { try await scene.check(begun.id) }
        #expect(cause == PostgreSQLStoreError.readOnly.description)
        try database.run("ALTER ROLE \(role) RESET default_transaction_read_only")
        // Every worker finds out for itself, and not more often than every tenth of a second.
        try await Self.eventually { try await store.ping() }
        try await Self.eventually { try await scene.check(begun.id) }
        store.close()
    }

    private static func eventually(_ work: () async throws -> Void) async throws {
        for _ in 0..<300 {
            do { return try await work() } catch { try await Task.sleep(for: .milliseconds(20)) }
        }
        try await work()
    }

    @Test func `a store that has been closed says so`() async throws {
        store.close()
        await #expect(throws: PostgreSQLStoreError.closed) { try await store.ping() }
    }
}
