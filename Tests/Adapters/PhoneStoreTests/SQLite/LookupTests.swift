import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneStore

/// What nearly every call looks up.
@Suite(.hangLimit) struct LookupTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let key: APIKey

    init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("phone.db"))
        key = APIKey(
            id: APIKey.ID(bits: 0, 1),
            name: try #require(CallerName("shop")),
            digest: [1, 2],
            scopes: [.verifications],
            createdAt: Timestamp(seconds: 1)
        )
        try await store.insert(key)
    }

    @Test func `a key is found while the connections for reading and writing are at work`() async throws {
        let (reading, writing) = (Gate(reading: store), Gate(writing: store))
        #expect(try await store.apiKey(key.id) == key)
        await reading.open(whenWaiting: 0)
        await writing.open(whenWaiting: 0)
    }

    @Test func `a key that another process revokes is found revoked at once`() async throws {
        #expect(try await store.apiKey(key.id)?.revokedAt == nil)
        let other = try SQLiteStore(path: folder.path("phone.db"))
        _ = try await other.revoke(key.id, at: Timestamp(seconds: 5))
        #expect(try await store.apiKey(key.id)?.revokedAt == Timestamp(seconds: 5))
    }
}
