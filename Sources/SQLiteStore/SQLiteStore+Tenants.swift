public import PhoneDomain

extension SQLiteStore: TenantStore {
    public func insert(_ tenant: Tenant) async throws {
        try await write { try $0.tenants.insert(tenant) }
    }

    public func tenant(_ id: Tenant.ID) async throws -> Tenant? {
        try await lookUp { try $0.tenants.find(id) }
    }

    public func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try await read { try $0.tenants.all(of: account, offset: offset, limit: limit) }
    }

    public func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure> {
        try await write { tables in
            let loaded = try tables.tenants.find(command.id)
            var tenant = loaded
            let outcome = command.apply(to: &tenant)
            try tables.tenants.save(tenant, loaded: loaded)
            return outcome
        }
    }

    public func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool {
        try await write { try $0.tenants.delete(id, of: account) }
    }

    public func insert(_ number: SafeNumber) async throws -> Bool {
        try await write { tables in
            guard try tables.safeNumbers.find(number.e164, of: number.account) == nil else { return false }
            try tables.safeNumbers.insert(number)
            return true
        }
    }

    public func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber? {
        try await lookUp { try $0.safeNumbers.find(e164, of: account) }
    }

    public func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool {
        try await write { try $0.safeNumbers.delete(e164, of: account) }
    }

    public func liveVerification(
        of number: PhoneNumber,
        owner: Owner,
        at now: Timestamp
    ) async throws -> Verification? {
        try await read { try $0.verifications.live(e164: number.e164, owner: owner, at: now) }
    }

    public func attempts(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        try await read { try $0.messages.attempts(query, limit: max(0, limit)) }
    }

    public func summary(of query: AttemptQuery) async throws -> AttemptSummary {
        try await read { try $0.messages.summary(of: query) }
    }

    public func take(_ command: TakeLimits) async throws -> PhoneFailure? {
        try await write { tables in
            let loaded = try tables.meters.ledger(command.rules)
            var limits = loaded
            let refusal = command.apply(to: &limits)
            tables.meters.save(limits, loaded: loaded)
            return refusal
        }
    }
}
