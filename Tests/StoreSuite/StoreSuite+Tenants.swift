import PhoneTestSupport
import Records
import Testing

@testable import PhoneDomain

extension StoreSuite {
    static let tenantRules = [
        StoreRule("a tenant is found by its name, and listed with others of its account, newest first") { scene in
            let (ours, theirs) = (TenantScene.ours, TenantScene.theirs)
            let later = StoreScene.start + .seconds(1)
            let tenants = [
                try tenant(1, createdAt: later), try tenant(2), try tenant(3), try tenant(4, of: theirs),
            ]
            for tenant in tenants { try await scene.store.insert(tenant) }
            for tenant in tenants { #expect(try await scene.store.tenant(tenant.id) == tenant) }
            #expect(try await scene.store.tenant(Tenant.ID(bits: 9, 9)) == nil)
            let listed = [tenants[0], tenants[2], tenants[1]]
            #expect(try await scene.store.tenants(of: ours, offset: 0, limit: 9) == listed)
            #expect(try await scene.store.tenants(of: ours, offset: 0, limit: 2) == Array(listed[..<2]))
            #expect(try await scene.store.tenants(of: ours, offset: 2, limit: 2) == Array(listed[2...]))
            #expect(try await scene.store.tenants(of: ours, offset: 3, limit: 2) == [])
            #expect(try await scene.store.tenants(of: ours, offset: -1, limit: -1) == [])
            #expect(try await scene.store.tenants(of: theirs, offset: 0, limit: 9) == [tenants[3]])
        },
        StoreRule("a key comes with the tenant that it is used for, whoever's that is, as both are now") { scene in
            let (store, made) = (scene.store, try tenant(1, of: TenantScene.theirs))
            let (id, missing) = (APIKey.ID(bits: 0, 1), Tenant.ID(bits: 9, 9))
            #expect(try await store.apiKey(id, for: made.id) == nil)
            try await store.insert(made)
            #expect(try await store.apiKey(id, for: made.id) == nil)
            try await store.insert(key(1))
            let found = try #require(try await store.apiKey(id, for: made.id))
            #expect(found == (key(1), made))
            #expect(try await store.apiKey(id, for: missing)?.key == key(1))
            #expect(try await store.apiKey(id, for: missing)?.tenant == nil)
            _ = try await store.revoke(id, at: StoreScene.start)
            #expect(try await store.apiKey(id, for: made.id)?.key.revokedAt == StoreScene.start)
            #expect(try await store.deleteTenant(made.id, of: TenantScene.theirs))
            #expect(try await store.apiKey(id, for: made.id)?.tenant == nil)
        },
        StoreRule("a tenant is changed by its own account, and a change that is refused leaves it as it was") { scene in
            let made = try tenant(1)
            try await scene.store.insert(made)
            let now = StoreScene.start + .seconds(7)
            func change(
                _ id: UInt64 = 1,
                of account: TenantAccount.ID = TenantScene.ours,
                refusing failure: TenantFailure? = nil
            ) async throws -> Result<Tenant, TenantFailure> {
                try await scene.store.update(
                    UpdateTenant(id: Tenant.ID(bits: 2, id), account: account, now: now) { tenant in
                        tenant.codeLength = 8
                        tenant.options = [.customCodes, .lookup]
                        tenant.defaultTemplate = .standard
                        tenant.limits = []
                        return failure
                    }
                )
            }
            #expect(try await change(of: TenantScene.theirs) == .failure(.notFound))
            #expect(try await change(2) == .failure(.notFound))
            #expect(try await change(refusing: .tooManyLimits) == .failure(.tooManyLimits))
            #expect(try await scene.store.tenant(made.id) == made)
            var changed = made
            (changed.codeLength, changed.options, changed.updatedAt) = (8, [.customCodes, .lookup], now)
            (changed.defaultTemplate, changed.limits) = (.standard, [])
            #expect(try await change() == .success(changed))
            #expect(try await scene.store.tenant(made.id) == changed)
        },
        StoreRule("of 50 changes of a tenant at once none is lost") { scene in
            var made = try tenant(1)
            made.options = []
            try await scene.store.insert(made)
            let outcomes = try await scene.atOnce(50) { index in
                try await scene.store.update(
                    UpdateTenant(id: Tenant.ID(bits: 2, 1), account: TenantScene.ours, now: scene.now) { tenant in
                        tenant.options.insert(TenantOptions(rawValue: 1 << index))
                        return nil
                    }
                )
            }
            // Each has seen what those before it left.
            let counts = try outcomes.map { try $0.get().options.rawValue.nonzeroBitCount }.sorted()
            #expect(counts == Array(1...50))
            #expect(try await scene.store.tenant(Tenant.ID(bits: 2, 1))?.options.rawValue == 1 << 50 - 1)
        },
        StoreRule("a tenant is taken away by its own account, once, and what was verified in its name stays") { scene in
            let tenants = try TenantScene(scene.store)
            let made = try tenant(1)
            try await scene.store.insert(made)
            let begun = try await tenants.request("+821012345678")
            #expect(try await scene.store.deleteTenant(made.id, of: TenantScene.theirs) == false)
            #expect(try await scene.store.tenant(made.id) == made)
            #expect(try await scene.store.deleteTenant(made.id, of: TenantScene.ours))
            #expect(try await scene.store.deleteTenant(made.id, of: TenantScene.ours) == false)
            #expect(try await scene.store.tenant(made.id) == nil)
            #expect(try await scene.store.tenants(of: TenantScene.ours, offset: 0, limit: 9) == [])
            let late = UpdateTenant(id: made.id, account: TenantScene.ours, now: scene.now) { _ in nil }
            #expect(try await scene.store.update(late) == .failure(.notFound))
            #expect(try await scene.store.verification(begun.id) == begun)
        },
        StoreRule("a number is on an account's safe list once, however many put it there at once") { scene in
            let (ours, theirs) = (TenantScene.ours, TenantScene.theirs)
            let outcomes = try await scene.atOnce(20) { index in
                try await scene.store.insert(safeNumber(UInt64(index), "+821012345678"))
            }
            #expect(outcomes.count(where: \.self) == 1)
            let kept = try #require(try await scene.store.safeNumber("+821012345678", of: ours))
            #expect(kept == safeNumber(kept.id.low, "+821012345678"))
            #expect(try await scene.store.insert(safeNumber(30, "+821012345678")) == false)
            #expect(try await scene.store.safeNumber("+821012345678", of: ours) == kept)

            #expect(try await scene.store.safeNumber("+821012345678", of: theirs) == nil)
            #expect(try await scene.store.safeNumber("+82101234567", of: ours) == nil)
            let other = safeNumber(31, "+821012345678", of: theirs)
            #expect(try await scene.store.insert(other))
            #expect(try await scene.store.removeSafeNumber("+821012345678", of: ours))
            #expect(try await scene.store.removeSafeNumber("+821012345678", of: ours) == false)
            #expect(try await scene.store.safeNumber("+821012345678", of: ours) == nil)
            #expect(try await scene.store.safeNumber("+821012345678", of: theirs) == other)
        },
        StoreRule("a number that is erased is on no safe list any more") { scene in
            let audit = try AuditScene(scene.store)
            let other = safeNumber(3, "+821012345679")
            for number in [
                safeNumber(1, "+821012345678"), safeNumber(2, "+821012345678", of: TenantScene.theirs), other,
            ] { _ = try await scene.store.insert(number) }
            var expected = Erasure()
            expected.rows = ["safe_number": 2]
            #expect(try await scene.store.erase(try audit.erasing()) == expected)
            #expect(try await scene.store.count(of: SafeNumber.self) == 1)
            #expect(try await scene.store.safeNumber("+821012345679", of: TenantScene.ours) == other)
        },
        StoreRule("of 50 takes at once as many come through as the limit says, and a refused one takes nothing") {
            scene in
            let few = LimitRule("looks", try #require(RateLimit("7/1h")), of: "a")
            let many = LimitRule("looks", try #require(RateLimit("20/1d")), of: "a")
            let take = TakeLimits(rules: [few, many], now: StoreScene.start)
            let refusals = try await scene.atOnce(50) { _ in
                try await scene.refusal { try await scene.store.take(take) }
            }
            #expect(refusals.count { $0 == nil } == 7)
            let names = refusals.compactMap { refusal -> [String]? in
                guard case .rateLimited(let policies, _) = refusal else { return nil }
                return policies.map(\.name)
            }
            #expect(names == Array(repeating: ["looks-1h"], count: 43))
            var left = 0
            let one = TakeLimits(rules: [many], now: StoreScene.start)
            while try await scene.refusal({ try await scene.store.take(one) }) == nil { left += 1 }
            #expect(left == 13)
        },
    ]

    private static func tenant(
        _ serial: UInt64,
        of account: TenantAccount.ID = TenantScene.ours,
        createdAt: Timestamp = StoreScene.start
    ) throws -> Tenant {
        Tenant(
            id: Tenant.ID(bits: 2, serial),
            account: account,
            name: try #require(TenantName("Shop \(serial)")),
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
        of account: TenantAccount.ID = TenantScene.ours
    ) -> SafeNumber {
        SafeNumber(id: SafeNumber.ID(bits: 0, serial), account: account, e164: e164, createdAt: StoreScene.start)
    }
}
