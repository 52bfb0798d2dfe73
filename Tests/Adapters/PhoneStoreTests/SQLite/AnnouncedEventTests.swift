import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneStore

@Suite struct AnnouncedEventTests {
    private static let kinds: Set<Event.Kind> = [.accountCreated]

    private static func signUp(in store: SQLiteStore) async throws {
        let useCase = try VerificationUseCase.plain(over: store)
        let context = RequestContext(owner: .local, region: .korea, language: .korean)
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try await useCase.check("123456", for: .id(begun.id), context: context)
        _ = try await useCase.signUp("123456", for: begun.id, context: context)
    }

    @Test func `what nobody subscribed to is not written`() async throws {
        let store = try SQLiteStore.inMemory()
        try await Self.signUp(in: store)
        #expect(try await store.events(status: nil, limit: 9) == [])
        let subscribed = try SQLiteStore.inMemory(announcing: EventSubscription(to: Self.kinds))
        try await Self.signUp(in: subscribed)
        #expect(try await subscribed.events(status: nil, limit: 9).map(\.kind) == [.accountCreated])
    }

    @Test func `what a newer program announced is left to it, and holds nothing up`() async throws {
        let store = try SQLiteStore.inMemory(announcing: EventSubscription(to: Self.kinds))
        try await Self.signUp(in: store)
        try store.execute(
            """
            INSERT INTO event (id, kind, subject, occurred_at, status, attempts, forgiven_attempts, next_attempt_at)
            SELECT 'evt_number_recycled_1', 'number.recycled', subject, occurred_at, status, 0, 0, 0 FROM event
            """
        )
        let now = Timestamp(seconds: 1_767_225_600)
        #expect(try await store.nextEvent() == now)
        #expect(try await store.events(status: nil, limit: 1).map(\.kind) == [.accountCreated])
        let claims = try await store.claimEvents(limit: 1, at: now, until: now + .seconds(60))
        #expect(claims.map(\.event.kind) == [.accountCreated])
        #expect(try store.column("SELECT kind FROM event WHERE attempts = 0") == [.text("number.recycled")])
    }

    @Test func `a new event is announced once it can be claimed`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("phone.db")
        let count = Mutex(0)
        let store = try SQLiteStore(
            path: path,
            announcing: EventSubscription(to: Self.kinds) { count.withLock { $0 += 1 } }
        )
        try await Self.signUp(in: store)
        #expect(count.withLock { $0 } == 1)
        // Another process finds it.
        let other = try SQLiteStore(path: path)
        let now = Timestamp(seconds: 1_767_225_600)
        #expect(try await other.claimEvents(limit: 9, at: now, until: now + .seconds(60)).count == 1)
    }
}
