@testable public import PhoneDomain

extension TenantStore where Self: VerificationStore & OutboxStore & LimitStore {
    /// Does everything that there is to be done with tenants, their numbers and their messages: once, and to no end.
    public func useTenantsAndMessages(at now: Timestamp) async throws {
        let (id, account) = (Tenant.ID(bits: 0, 1), TenantAccount.ID(bits: 0, 1))
        guard let name = DisplayName("Shop"), let region = Region("US") else { return }
        try await insert(
            Tenant(
                id: id,
                account: account,
                name: name,
                codeLength: 6,
                options: [],
                defaultTemplate: nil,
                limits: [],
                createdAt: now,
                updatedAt: now
            )
        )
        _ = try await tenant(id)
        _ = try await tenants(of: account, offset: 0, limit: 10)
        let change = UpdateTenant(id: id, account: account, now: now) { tenant in
            tenant.codeLength = 4
            return nil
        }
        _ = try await update(change)
        let number = try PhoneNumber(e164: "+821012345678")
        _ = try await insert(
            SafeNumber(id: SafeNumber.ID(bits: 0, 1), account: account, e164: number.e164, createdAt: now)
        )
        _ = try await safeNumber(number.e164, of: account)
        _ = try await removeSafeNumber(number.e164, of: account)
        _ = try await liveVerification(of: number, owner: .tenant(id, of: account), at: now)
        _ = try await take(TakeLimits(rules: [], now: now))
        for narrow in [
            { _ in }, { $0.owner = .tenant(id, of: account) }, { $0.verification = Verification.ID(bits: 0, 1) },
            { $0.message = OutboxMessage.ID(bits: 0, 1) }, { $0.e164 = number.e164 }, { $0.prefix = "+82" },
            { $0.region = region }, { $0.isApproved = true }, { ($0.since, $0.until) = (now, now) },
            { $0.after = MessageQuery.Cursor(at: now, id: OutboxMessage.ID(bits: 0, 1)) },
        ] as [(inout MessageQuery) -> Void] {
            var query = MessageQuery(of: account)
            narrow(&query)
            _ = try await messages(query, limit: 10)
            _ = try await count(query)
        }
        _ = try await deleteTenant(id, of: account)
    }
}
