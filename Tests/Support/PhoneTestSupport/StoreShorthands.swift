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

// What limits do not concern.

extension LimitLedger {
    public static let none = LimitLedger([]) { _ in nil }
}

extension SignupStore {
    public func insert(_ signup: Signup) async throws { try await begin(BeginSignup(signup, from: nil, limits: .none)) }

    @discardableResult
    public func update(
        _ id: Signup.ID,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? { try await update(id, within: .none, change) }
}

extension OpenIDStore {
    public func insert(_ code: AuthorizationCode) async throws { try await insert(code, within: .none) }
}

extension AccountStore {
    public func record(_ entry: AuditEntry) async throws { try await record(entry, within: .none) }
}

extension OutboxStore {
    public func settle(_ command: SettleMessage) async throws -> Bool { try await settle([command])[0] }
}

extension AdministrationStore {
    /// The first messages of this status, or of all, newest first.
    public func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim] {
        var (search, found) = (MessageSearch(limit: min(limit, 1000)), [OutboxClaim]())
        search.status = status
        repeat {
            let page = try await messages(search)
            found += page.items
            search.before = page.next.flatMap { OutboxMessage.ID($0) }
        } while search.before != nil && found.count < limit
        return Array(found.prefix(limit))
    }
}

extension AdministrationStore {
    /// The meters of all policies, those that fill last first.
    public func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse] {
        var meters: [MeterInUse] = []
        for key in try await limitPolicies() {
            meters += try await metersInUse(of: key.policyName, at: now, after: nil, limit: limit)
        }
        meters.sort { ($1.meter.fullAt, $0.key.description) < ($0.meter.fullAt, $1.key.description) }
        return Array(meters.prefix(max(0, limit)))
    }
}
