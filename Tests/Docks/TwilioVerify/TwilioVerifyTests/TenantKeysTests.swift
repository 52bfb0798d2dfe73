import PhoneAccounts
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

@testable import TwilioVerify

/// Keys of accounts of tenants beside those of the service's own interface.
@Suite struct TenantKeysTests {
    private let store = MemoryStore()
    private let clock = ManualClock()
    private let own: APIKeys
    private let keys: TenantKeys
    private let name: CallerName

    init() throws {
        let identifiers = CountingIdentifiers()
        own = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock)
        keys = TenantKeys(keys: own)
        name = try #require(CallerName("shop"))
    }

    @Test func `the first key makes the account and has its name, others are of it`() async throws {
        let (first, token) = try await keys.create(name: name)
        #expect(first.account == TenantAccount.ID(bits: 0, 1))
        #expect(first.id == APIKey.ID(bits: 0, 1))
        #expect(token.text == "00000000000000000000000000000002")
        let tenant = Tenant.ID(bits: 9, 9)
        let (second, secret) = try await keys.create(name: name, account: first.account, tenant: tenant)
        #expect(second.account == first.account)
        #expect(second.tenant == tenant)

        #expect((first.isFirst, second.isFirst) == (true, false))
        #expect(try await keys.key(first.id, token) == first)
        #expect(try await keys.key(second.id, secret) == second)
        for (id, secret) in [(first.id, secret), (second.id, token), (APIKey.ID(bits: 0, 8), token)] {
            #expect(try await keys.key(id, secret) == nil)
        }
        let stored = try await store.apiKeys()
        #expect(stored.map(\.scopes) == [[.verifications], [.verifications]])
        #expect(stored.map { TenantKey($0) } == [first, second])
        _ = try await store.revoke(first.id, at: clock.now())
        #expect(try await keys.key(first.id, token) == nil)
        #expect(try await keys.key(second.id, secret) == second)
    }

    @Test func `a secret has no time in it, as IDs have`() async throws {
        let identifiers = OrderedIdentifiers(random: CountingIdentifiers(), clock: clock)
        let keys = TenantKeys(
            keys: APIKeys(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock)
        )
        let (key, secret) = try await keys.create(name: name)
        #expect(key.id.hexadecimal != "00000000000000000000000000000001")
        #expect(secret.text == "00000000000000000000000000000002")
    }

    @Test func `no key of one interface opens the other`() async throws {
        let (ours, secret) = try await own.create(name: name, scopes: [.verifications])
        #expect(try await keys.key(ours.id, secret) == nil)
        let (tenants, token) = try await keys.create(name: name)
        for text in [token.text, "pk_\(tenants.id.hexadecimal)_\(token.text)"] {
            #expect(try await own.key(of: SecretToken(text)) == nil)
        }
        // Even one whose secret has the form of the other kind.
        let forged = SecretToken("pk_\(tenants.id.hexadecimal)_1")
        let disguised = APIKey(
            id: APIKey.ID(bits: 7, 7),
            name: name,
            digest: PlainTokenVault().digest(of: SecretToken("pk_\(APIKey.ID(bits: 7, 7).hexadecimal)_1")),
            scopes: [.verifications],
            audience: "AC\(tenants.account.hexadecimal)",
            createdAt: clock.now()
        )
        try await store.insert(disguised)
        #expect(try await own.key(of: forged) == nil)
        #expect(try await own.key(of: SecretToken("pk_\(disguised.id.hexadecimal)_1")) == nil)
        #expect(try await own.key(of: secret)?.id == ours.id)
    }

    @Test(arguments: [
        nil, "", "AC", "AC1", "VA00000000000000000000000000000001", "AC00000000000000000000000000000001/x",
    ])
    func `a key of another API is no key of tenants`(audience: String?) {
        let key = APIKey(
            id: .init(bits: 0, 1),
            name: name,
            digest: [],
            scopes: [],
            audience: audience,
            createdAt: clock.now()
        )
        #expect(TenantKey(key) == nil)
    }
}
