import PhoneDomain
import PhoneStore
import Testing

/// Transactions that the server gives up for the sake of others, and that are done anew.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct RepetitionTests {
    private let database: TestDatabase
    private let store: PostgreSQLStore

    init() async throws {
        database = try await TestDatabase()
        store = try database.open()
    }

    @Test func `a transaction that a deadlock ends is done anew`() async throws {
        let scene = try ServerScene(store, limits: .byService(try #require(RateLimit("100/1h"))))
        let begun = try await scene.request()
        // Somebody else locks in the other order, and is not the one who gives in.
        let other = try database.connect()
        try other.run("SET deadlock_timeout = '1h'; SET lock_timeout = '5s'")
        var hasGivenIn = false
        for _ in 0..<10 where !hasGivenIn {
            try other.run("BEGIN; SELECT 1 FROM rate_meter FOR UPDATE")
            async let request = scene.request("010-1234-5678")
            try await database.wait { try database.waitingCount() == 1 }
            // The server looks for a deadlock once, a second after the wait began. On a busy machine that may have been
            // before this: then nobody gives in, and it is tried again.
            hasGivenIn = (try? other.run("SELECT 1 FROM number_activity FOR UPDATE")) != nil
            try other.run(hasGivenIn ? "COMMIT" : "ROLLBACK")
            do {
                _ = try await request
                Issue.record("it was sent twice")
            } catch let failure as PhoneFailure {
                #expect(failure == .resendTooSoon(nextSendAt: begun.nextSendAt))
            }
        }
        #expect(hasGivenIn)
        #expect(try database.run("SELECT action FROM audit_entry") == ["begin"])
    }

    @Test(arguments: ["40001", "40P01"])
    func `a transaction that does not fit with others is done anew`(_ code: String) async throws {
        // As an engine that runs SERIALIZABLE has it; the sequence counts what is undone as well.
        try database.run(
            """
            CREATE SEQUENCE attempt;
            CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF nextval('attempt') <= 2 THEN RAISE EXCEPTION 'once more' USING ERRCODE = '\(code)'; END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER fail_twice BEFORE INSERT ON verification FOR EACH ROW EXECUTE FUNCTION fail_twice();
            """
        )
        let scene = try ServerScene(store)
        let begun = try await scene.request()
        #expect(try await store.verification(begun.id) == begun)
        #expect(try database.run("SELECT last_value FROM attempt") == ["3"])
        #expect(try database.run("SELECT action FROM audit_entry") == ["begin"])
    }

    @Test func `what never fits is given up, and keeps nothing`() async throws {
        try database.run(
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'once more' USING ERRCODE = '40001'; END $$;
            CREATE TRIGGER fail BEFORE INSERT ON verification FOR EACH ROW EXECUTE FUNCTION fail();
            """
        )
        let scene = try ServerScene(store)
        #expect(
            try await scene.outage { try await scene.request() } == "other transactions kept changing the same rows"
        )
        #expect(try database.run("SELECT 1 FROM number_activity") == [])
        #expect(try await store.nextAttempt() == nil)
    }
}

extension LimitPolicy {
    /// No limit but that of the service.
    fileprivate static func byService(_ limit: RateLimit) -> LimitPolicy {
        var policy = LimitPolicy.none
        policy.sendsByService = [limit]
        return policy
    }
}
