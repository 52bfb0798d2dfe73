import PhoneDomain
import PhoneTestSupport
import Records
import Testing

/// Keys of accounts of tenants beside those of the service's own interface.
@Suite struct TenantKeysTests {
    private let store = MemoryStore()
    private let clock = ManualClock()
    private let keys: APIKeys
    private let name: CallerName

    init() throws {
        keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: CountingIdentifiers(), clock: clock)
        name = try #require(CallerName("shop"))
    }

    @Test func `the first key makes the account and bears its name, others are of it`() async throws {
        let (first, token) = try await keys.createForTenants(name: name)
        #expect(first.account == TenantAccount.ID(bits: 0, 1))
        #expect(first.id == APIKey.ID(bits: 0, 1))
        #expect(token.text == "00000000000000000000000000000002")
        let tenant = Tenant.ID(bits: 9, 9)
        let (second, secret) = try await keys.createForTenants(name: name, account: first.account, tenant: tenant)
        #expect(second.account == first.account)
        #expect(second.tenant == tenant)
        #expect(second.scopes == [.verifications])

        let opened = try await keys.keyForTenants(first.id, isFirst: true, secret: token)
        #expect(opened?.key == first)
        #expect(try await keys.keyForTenants(second.id, isFirst: false, secret: secret)?.key == second)
        for (id, isFirst, secret) in [
            (first.id, false, token), (second.id, true, secret), (first.id, true, secret), (second.id, false, token),
            (APIKey.ID(bits: 0, 8), true, token),
        ] {
            #expect(try await keys.keyForTenants(id, isFirst: isFirst, secret: secret) == nil)
        }
        _ = try await store.revoke(first.id, at: clock.now())
        #expect(try await keys.keyForTenants(first.id, isFirst: true, secret: token) == nil)
        #expect(try await keys.keyForTenants(second.id, isFirst: false, secret: secret)?.key.id == second.id)
    }

    @Test func `a secret has no time in it, as IDs have`() async throws {
        let identifiers = OrderedIdentifiers(random: CountingIdentifiers(), clock: clock)
        let keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock)
        let (key, secret) = try await keys.createForTenants(name: name)
        #expect(key.id.hexadecimal != "00000000000000000000000000000001")
        #expect(secret.text == "00000000000000000000000000000002")
    }

    @Test func `no key of one interface opens the other`() async throws {
        let (own, secret) = try await keys.create(name: name, scopes: [.verifications])
        for isFirst in [true, false] {
            #expect(try await keys.keyForTenants(own.id, isFirst: isFirst, secret: secret) == nil)
        }
        let (tenants, token) = try await keys.createForTenants(name: name)
        #expect(try await keys.key(of: token) == nil)
        // Even one whose secret has the form of the other kind.
        let forged = SecretToken("pk_\(tenants.id.hexadecimal)_1")
        let disguised = APIKey(
            id: APIKey.ID(bits: 7, 7),
            name: name,
            digest: PlainTokenVault().digest(of: SecretToken("pk_\(APIKey.ID(bits: 7, 7).hexadecimal)_1")),
            scopes: [.verifications],
            account: tenants.account,
            createdAt: clock.now()
        )
        try await store.insert(disguised)
        #expect(try await keys.key(of: forged) == nil)
        #expect(try await keys.key(of: SecretToken("pk_\(disguised.id.hexadecimal)_1")) == nil)
        #expect(try await keys.key(of: secret)?.id == own.id)
    }
}
