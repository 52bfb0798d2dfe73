import PhoneAccounts
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@Suite struct APIKeysTests {
    @Test func `a use is recorded once a minute`() async throws {
        let (store, clock) = (MemoryStore(), ManualClock())
        let keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: CountingIdentifiers(), clock: clock)
        let (key, secret) = try await keys.create(name: #require(CallerName("shop")), scopes: [.verifications])
        let start = clock.now()
        var uses: [Timestamp?] = [try await store.apiKey(key.id)?.lastUsedAt]
        for _ in 0..<3 {
            #expect(try await keys.key(of: secret)?.id == key.id)
            uses.append(try await store.apiKey(key.id)?.lastUsedAt)
            clock.advance(by: .seconds(30))
        }
        #expect(uses == [nil, start, start, start + .seconds(60)])
    }
}
