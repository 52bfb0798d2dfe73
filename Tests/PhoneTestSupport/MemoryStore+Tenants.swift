public import PhoneDomain

extension MemoryStore: TenantStore {
    public func insert(_ tenant: Tenant) throws {
        try reach()
        tenants[tenant.id] = tenant
    }

    public func tenant(_ id: Tenant.ID) throws -> Tenant? {
        try reach()
        return tenants[id]
    }

    public func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) throws -> [Tenant] {
        try reach()
        return tenants.values.filter { $0.account == account }
            .sorted { ($0.createdAt, $0.id.description) > ($1.createdAt, $1.id.description) }
            .dropFirst(max(0, offset))
            .prefix(max(0, limit))
            .map(\.self)
    }

    public func update(_ command: UpdateTenant) throws -> Result<Tenant, TenantFailure> {
        try reach()
        return command.apply(to: &tenants[command.id])
    }

    public func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) throws -> Bool {
        try reach()
        guard tenants[id]?.account == account else { return false }
        tenants[id] = nil
        return true
    }

    public func insert(_ number: SafeNumber) throws -> Bool {
        guard try safeNumber(number.e164, of: number.account) == nil else { return false }
        safeNumbers[number.id] = number
        return true
    }

    public func safeNumber(_ e164: String, of account: TenantAccount.ID) throws -> SafeNumber? {
        try reach()
        return safeNumbers.values.first { $0.e164 == e164 && $0.account == account }
    }

    public func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) throws -> Bool {
        try reach()
        return remove(from: &safeNumbers) { $0.e164 == e164 && $0.account == account } > 0
    }

    public func liveVerification(of number: PhoneNumber, owner: Owner, at now: Timestamp) throws -> Verification? {
        try reach()
        return live(number, owner, at: now)
    }

    public func attempts(_ query: AttemptQuery, limit: Int) throws -> [DeliveryAttempt] {
        try reach()
        return Array(covered(query).prefix(max(0, limit)))
    }

    public func summary(of query: AttemptQuery) throws -> AttemptSummary {
        try reach()
        var query = query
        query.after = nil
        let attempts = covered(query)
        return AttemptSummary(total: attempts.count, converted: attempts.count(where: \.isConverted))
    }

    private func covered(_ query: AttemptQuery) -> [DeliveryAttempt] {
        outbox.reversed().compactMap { message in
            verifications[message.verificationID].map { DeliveryAttempt(message: message, verification: $0) }
        }
        .filter(query.covers)
    }

    public func take(_ command: TakeLimits) throws -> PhoneFailure? {
        try reach()
        var limits = LimitLedger(command.rules) { meters[$0] }
        let refusal = command.apply(to: &limits)
        keep(limits)
        return refusal
    }
}
