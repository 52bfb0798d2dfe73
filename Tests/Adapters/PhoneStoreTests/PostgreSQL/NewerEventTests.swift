import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneStore

/// Programs of two versions on one database.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct NewerEventTests {
    @Test func `what a newer program announced is left to it, and holds nothing up`() async throws {
        let database = try await TestDatabase()
        let store = try database.open(announcing: EventSubscription(to: [.verificationApproved]))
        let scene = try Scene(store)
        try await scene.check(try await scene.request().id)
        try database.run(
            """
            INSERT INTO event (id, kind, subject, occurred_at, status, attempts, forgiven_attempts, next_attempt_at)
            SELECT 'evt_number_recycled_1', 'number.recycled', subject, occurred_at, status, 0, 0, 0 FROM event
            """
        )
        #expect(try await store.nextEvent() == Scene.start)
        #expect(try await store.events(status: nil, limit: 1).map(\.kind) == [.verificationApproved])
        let claims = try await store.claimEvents(limit: 1, at: Scene.start, until: Scene.start + .seconds(60))
        #expect(claims.map(\.event.kind) == [.verificationApproved])
        #expect(try database.run("SELECT kind FROM event WHERE attempts = 0") == ["number.recycled"])
    }
}
