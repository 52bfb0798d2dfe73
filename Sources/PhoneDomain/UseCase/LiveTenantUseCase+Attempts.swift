extension LiveTenantUseCase {
    public func attempts(_ query: AttemptQuery, limit: Int) async throws(TenantFailure) -> [DeliveryAttempt] {
        try await reach { try await store.attempts(query, limit: limit) }
    }

    public func summary(of query: AttemptQuery) async throws(TenantFailure) -> AttemptSummary {
        try await reach { try await store.summary(of: query) }
    }

    public func makeSafe(
        _ phoneText: String,
        for account: TenantAccount.ID
    ) async throws(TenantFailure) -> SafeNumber {
        let number = try phoneNumber(in: phoneText)
        let safe = SafeNumber(
            id: try await reach { try identifiers.makeIdentifier() },
            account: account,
            e164: number.e164,
            createdAt: clock.now()
        )
        guard try await reach({ try await store.insert(safe) }) else { throw .numberListed }
        return safe
    }

    public func safeNumber(
        _ phoneText: String,
        of account: TenantAccount.ID
    ) async throws(TenantFailure) -> SafeNumber {
        let number = try phoneNumber(in: phoneText)
        let found = try await reach { try await store.safeNumber(number.e164, of: account) }
        guard let found else { throw .notFound }
        return found
    }

    public func removeSafeNumber(_ phoneText: String, of account: TenantAccount.ID) async throws(TenantFailure) {
        let number = try phoneNumber(in: phoneText)
        let isRemoved = try await reach { try await store.removeSafeNumber(number.e164, of: account) }
        guard isRemoved else { throw .notFound }
    }
}
