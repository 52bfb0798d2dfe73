import PhoneTestSupport
import Records
import Testing

@testable import PhoneDomain

extension StoreSuite {
    private static let (ours, theirs) = (TenantAccount.ID(bits: 1, 1), TenantAccount.ID(bits: 1, 2))

    static let tenantRules = [
        StoreRule("a tenant is found by its name, and listed with others of its account, newest first") { scene in
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
        StoreRule("a tenant is changed by its own account, and a change that is refused leaves it as it was") { scene in
            let made = try tenant(1)
            try await scene.store.insert(made)
            let now = StoreScene.start + .seconds(7)
            func change(
                _ id: UInt64 = 1,
                of account: TenantAccount.ID = ours,
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
            #expect(try await change(of: theirs) == .failure(.notFound))
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
                    UpdateTenant(id: Tenant.ID(bits: 2, 1), account: ours, now: scene.now) { tenant in
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
            let clients = try ClientScene(scene.store)
            let made = try tenant(1)
            try await scene.store.insert(made)
            let begun = try await clients.request("+821012345678", as: .tenant(made.id, of: ours))
            #expect(try await scene.store.deleteTenant(made.id, of: theirs) == false)
            #expect(try await scene.store.tenant(made.id) == made)
            #expect(try await scene.store.deleteTenant(made.id, of: ours))
            #expect(try await scene.store.deleteTenant(made.id, of: ours) == false)
            #expect(try await scene.store.tenant(made.id) == nil)
            #expect(try await scene.store.tenants(of: ours, offset: 0, limit: 9) == [])
            let late = UpdateTenant(id: made.id, account: ours, now: scene.now) { _ in nil }
            #expect(try await scene.store.update(late) == .failure(.notFound))
            #expect(try await scene.store.verification(begun.id) == begun)
        },
        StoreRule("a number is on an account's safe list once, however many put it there at once") { scene in
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
                safeNumber(1, "+821012345678"), safeNumber(2, "+821012345678", of: theirs), other,
            ] { _ = try await scene.store.insert(number) }
            var expected = Erasure()
            expected.rows = ["safe_number": 2]
            #expect(try await scene.store.erase(try audit.erasing()) == expected)
            #expect(try await scene.store.count(of: .safeNumber) == 1)
            #expect(try await scene.store.safeNumber("+821012345679", of: ours) == other)
        },
    ]

    private static func tenant(
        _ serial: UInt64,
        of account: TenantAccount.ID = ours,
        createdAt: Timestamp = StoreScene.start
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
        SafeNumber(id: SafeNumber.ID(bits: 0, serial), account: account, e164: e164, createdAt: StoreScene.start)
    }
}
