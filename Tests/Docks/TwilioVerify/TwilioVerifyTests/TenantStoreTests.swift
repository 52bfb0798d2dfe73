import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import TwilioVerify

@Suite struct TenantStoreTests {
    private static let (ours, theirs) = (TenantAccount.ID(bits: 1, 1), TenantAccount.ID(bits: 1, 2))
    private static let start = ManualClock().now()

    private let store = MemoryStore(records: RecordTypes(docks: TwilioVerify.records))

    @Test func `a tenant is found by its name, and listed with others of its account, newest first`() async throws {
        let later = Self.start + .seconds(1)
        let tenants = [
            try Self.tenant(1, createdAt: later), try Self.tenant(2), try Self.tenant(3),
            try Self.tenant(4, of: Self.theirs),
        ]
        for tenant in tenants { try await store.insert(tenant) }
        for tenant in tenants { #expect(try await store.tenant(tenant.id) == tenant) }
        #expect(try await store.tenant(Tenant.ID(bits: 9, 9)) == nil)
        let listed = [tenants[0], tenants[2], tenants[1]]
        #expect(try await store.tenants(of: Self.ours, offset: 0, limit: 9) == listed)
        #expect(try await store.tenants(of: Self.ours, offset: 0, limit: 2) == Array(listed[..<2]))
        #expect(try await store.tenants(of: Self.ours, offset: 2, limit: 2) == Array(listed[2...]))
        #expect(try await store.tenants(of: Self.ours, offset: 3, limit: 2) == [])
        #expect(try await store.tenants(of: Self.ours, offset: -1, limit: -1) == [])
        #expect(try await store.tenants(of: Self.theirs, offset: 0, limit: 9) == [tenants[3]])
    }

    @Test func `a tenant is changed by its own account, and a change that is refused leaves it as it was`()
        async throws
    {
        let made = try Self.tenant(1)
        try await store.insert(made)
        let now = Self.start + .seconds(7)
        func change(
            _ id: UInt64 = 1,
            of account: TenantAccount.ID = Self.ours,
            refusing failure: TenantFailure? = nil
        ) async throws -> Result<Tenant, TenantFailure> {
            try await store.update(
                UpdateTenant(id: Tenant.ID(bits: 2, id), account: account, now: now) { tenant in
                    tenant.codeLength = 8
                    tenant.options = [.customCodes, .lookup]
                    tenant.defaultTemplate = .standard
                    tenant.limits = []
                    return failure
                }
            )
        }
        #expect(try await change(of: Self.theirs) == .failure(.notFound))
        #expect(try await change(2) == .failure(.notFound))
        #expect(try await change(refusing: .tooManyLimits) == .failure(.tooManyLimits))
        #expect(try await store.tenant(made.id) == made)
        var changed = made
        (changed.codeLength, changed.options, changed.updatedAt) = (8, [.customCodes, .lookup], now)
        (changed.defaultTemplate, changed.limits) = (.standard, [])
        #expect(try await change() == .success(changed))
        #expect(try await store.tenant(made.id) == changed)
    }

    @Test func `of 50 changes of a tenant at once none is lost`() async throws {
        var made = try Self.tenant(1)
        made.options = []
        try await store.insert(made)
        let outcomes = try await atOnce(50) { index in
            try await store.update(
                UpdateTenant(id: Tenant.ID(bits: 2, 1), account: Self.ours, now: Self.start) { tenant in
                    tenant.options.insert(TenantOptions(rawValue: 1 << index))
                    return nil
                }
            )
        }
        // Each has seen what those before it left.
        let counts = try outcomes.map { try $0.get().options.rawValue.nonzeroBitCount }.sorted()
        #expect(counts == Array(1...50))
        #expect(try await store.tenant(Tenant.ID(bits: 2, 1))?.options.rawValue == 1 << 50 - 1)
    }

    @Test func `a tenant is taken away by its own account, once`() async throws {
        let made = try Self.tenant(1)
        try await store.insert(made)
        #expect(try await store.deleteTenant(made.id, of: Self.theirs) == false)
        #expect(try await store.tenant(made.id) == made)
        #expect(try await store.deleteTenant(made.id, of: Self.ours))
        #expect(try await store.deleteTenant(made.id, of: Self.ours) == false)
        #expect(try await store.tenant(made.id) == nil)
        #expect(try await store.tenants(of: Self.ours, offset: 0, limit: 9) == [])
        let late = UpdateTenant(id: made.id, account: Self.ours, now: Self.start) { _ in nil }
        #expect(try await store.update(late) == .failure(.notFound))
    }

    @Test func `a number is on an account's safe list once, however many put it there at once`() async throws {
        let outcomes = try await atOnce(20) { index in
            try await store.insert(Self.safeNumber(UInt64(index), "+821012345678"))
        }
        #expect(outcomes.count(where: \.self) == 1)
        let kept = try #require(try await store.safeNumber("+821012345678", of: Self.ours))
        #expect(kept == Self.safeNumber(kept.id.bits.low, "+821012345678"))
        #expect(try await store.insert(Self.safeNumber(30, "+821012345678")) == false)
        #expect(try await store.safeNumber("+821012345678", of: Self.ours) == kept)

        #expect(try await store.safeNumber("+821012345678", of: Self.theirs) == nil)
        #expect(try await store.safeNumber("+82101234567", of: Self.ours) == nil)
        let other = Self.safeNumber(31, "+821012345678", of: Self.theirs)
        #expect(try await store.insert(other))
        #expect(try await store.removeSafeNumber("+821012345678", of: Self.ours))
        #expect(try await store.removeSafeNumber("+821012345678", of: Self.ours) == false)
        #expect(try await store.safeNumber("+821012345678", of: Self.ours) == nil)
        #expect(try await store.safeNumber("+821012345678", of: Self.theirs) == other)
    }

    @Test func `a number that is erased is on no safe list any more`() async throws {
        let other = Self.safeNumber(3, "+821012345679")
        for number in [
            Self.safeNumber(1, "+821012345678"), Self.safeNumber(2, "+821012345678", of: Self.theirs), other,
        ] { _ = try await store.insert(number) }
        let erasure = try EraseNumber(
            try PhoneNumber(e164: "+821012345678"),
            by: Operator(owner: .operator("alice")),
            digester: PlainNumberDigester(),
            now: Self.start
        )
        var expected = Erasure()
        expected.rows = ["safe_number": 2]
        #expect(try await store.erase(erasure) == expected)
        #expect(try await store.count(of: SafeNumber.self) == 1)
        #expect(try await store.safeNumber("+821012345679", of: Self.ours) == other)
    }

    @Test(arguments: [("name", "'1'"), ("default_template", "'!'"), ("limits", "'x'")])
    func `a tenant that makes no sense is an error`(column: String, value: String) async throws {
        let made = try Self.tenant(1)
        try await store.insert(made)
        try await store.transact { _ = try $0.run("UPDATE tenant SET \(raw: column) = \(raw: value)") }
        await #expect(throws: UnreadableRecord.self) { _ = try await store.tenant(made.id) }
    }

    @Test func `a safe number whose key is not its own is an error`() async throws {
        #expect(try await store.insert(Self.safeNumber(1, "+821012345678")))
        try await store.transact { _ = try $0.run("UPDATE safe_number SET e164 = '+821087654321'") }
        await #expect(throws: UnreadableRecord(table: "safe_number", column: 0)) {
            _ = try await store.safeNumber("+821012345678", of: Self.ours)
        }
    }

    private static func tenant(
        _ serial: UInt64,
        of account: TenantAccount.ID = ours,
        createdAt: Timestamp = start
    ) throws -> Tenant {
        Tenant(
            id: Tenant.ID(bits: 2, serial),
            account: account,
            name: try #require(DisplayName("Shop \(serial)")),
            codeLength: 6,
            options: [.sharingWarning],
            defaultTemplate: nil,
            limits: [
                TenantLimit(
                    id: TenantLimit.ID(bits: 3, serial),
                    uniqueName: try #require(UniqueName("end_user")),
                    text: "who asks",
                    buckets: [],
                    createdAt: createdAt,
                    updatedAt: createdAt
                )
            ],
            createdAt: createdAt,
            updatedAt: createdAt
        )
    }

    private static func safeNumber(
        _ serial: UInt64,
        _ e164: String,
        of account: TenantAccount.ID = ours
    ) -> SafeNumber {
        SafeNumber(id: SafeNumber.ID(bits: 0, serial), account: account, e164: e164, createdAt: start)
    }
}
