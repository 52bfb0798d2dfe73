public import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

// An operator's acts, for tests that do not look at the audit log.

extension AuditEntry {
    fileprivate static let unread = Operator().entry(.retryEvent, "test", at: Timestamp(milliseconds: 0))
}

extension AdministrationStore {
    public func set(_ rule: GuardRule) async throws { try await set(rule, audit: .unread) }

    public func removeGuardRule(prefix: String) async throws -> GuardRule? {
        try await removeGuardRule(prefix: prefix, audit: .unread)
    }

    public func unblock(_ key: TrafficKey) async throws -> [TrafficKey] { try await unblock(key, audit: .unread) }

    public func clear(_ key: LimitKey) async throws -> Bool { try await clear(key, audit: .unread) }

    public func clearActivity(of number: PhoneNumber) async throws -> Bool {
        try await clearActivity(of: number, audit: .unread)
    }

    public func retry(_ command: RetryEvent) async throws -> Result<Event, RetryEvent.Refusal> {
        try await retry(command, audit: .unread)
    }
}

extension APIKeyStore {
    public func insert(_ key: APIKey) async throws { try await insert(key, audit: .unread) }

    public func revoke(_ id: APIKey.ID, at now: Timestamp) async throws -> APIKey? {
        try await revoke(id, at: now, audit: .unread)
    }
}

extension SigningKeyStore {
    public func rotate(_ command: RotateSigningKey) async throws -> SigningKeys {
        try await rotate(command, audit: .unread)
    }
}
