public import PhoneDomain

/// A store that runs commands over a ``UnitOfWork``. What the ports ask of it is written once, here and in the files beside
/// this one; an engine does ``execute(_:needing:_:)`` and ``row(of:_:isHot:_:)``.
public protocol RecordStore: VerificationStore, AccountStore, SignupStore, OutboxStore, EventStore, LimitStore,
    GuardStore, APIKeyStore, IdempotencyStore, TenantStore, OpenIDStore
{
    var events: EventSubscription { get }
    var observer: (any StoreObserver)? { get }

    /// Runs a command, together with others that arrive at the same time (group commit), and returns when what it left is safe.
    /// If it throws, nothing of it is kept.
    ///
    /// - Parameters:
    ///   - keys: what it needs, for engines that load beforehand. Others do not ask.
    ///   - work: it may run again on another unit of work, and must do nothing but use it.
    func execute<Value: Sendable>(
        _ kind: CommandKind,
        needing keys: () -> RecordKeys,
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value

    /// - Parameter isHot: whether nearly every request asks for it. Then it may not be safe yet: of a key that is revoked a
    ///   moment too early, nobody comes to harm.
    func row<Value: Sendable>(
        of table: Table,
        _ key: Row,
        isHot: Bool,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> Value?
}

/// Which commands share a transaction.
public enum CommandKind: Sendable {
    /// Requests for codes and new signups, of which all that they need is known beforehand.
    case request
    /// All others.
    case change
}

extension RecordStore {
    public func perform<Value: Sendable>(
        _ kind: CommandKind,
        needing keys: () -> RecordKeys = { RecordKeys() },
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value {
        let trace = TraceParent.current
        let (value, effects) = try await execute(kind, needing: keys) { try $0.withEffects(in: trace, work) }
        // They are kept by now, and what failed or was undone has not come this far.
        effects.notify(observer, events)
        return value
    }

    func find<R: Record>(_ type: R.Type, _ key: R.Key, isHot: Bool = false) async throws -> R? {
        try await row(of: R.table, key.row, isHot: isHot) { try R($0) }
    }

    func change<Value: Sendable>(
        _ kind: RecordKeys.Kind,
        _ key: some RecordKey,
        within rules: [LimitRule] = [],
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value {
        try await perform(
            .change,
            needing: {
                var keys = RecordKeys(kind, key.value)
                keys.need(rules)
                return keys
            },
            work
        )
    }

    // MARK: - VerificationStore

    public func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer {
        try await perform(.request, needing: { .of(command) }) { try $0.begin(command) }.get()
    }

    public func check(_ command: CheckVerification) async throws -> CheckVerification.Outcome {
        try await perform(.change, needing: { .of(command) }) { try $0.check(command) }.get()
    }

    public func check(_ command: CheckLiveVerification) async throws -> CheckVerification.Outcome {
        try await perform(.change, needing: { .of(command) }) { try $0.check(command) }.get()
    }

    public func cancel(_ command: CancelVerification) async throws -> Verification {
        try await change(.verification, command.id) { try $0.cancel(command) }.get()
    }

    public func signUp(_ command: SignUp) async throws -> SignUp.Outcome {
        try await perform(.change, needing: { .of(command) }) { try $0.signUp(command) }
    }

    public func verification(_ id: Verification.ID) async throws -> Verification? {
        try await find(Verification.self, id)
    }

    public func account(_ id: Account.ID) async throws -> Account? { try await find(Account.self, id) }

    public func record(_ entry: AuditEntry, within limits: TakeLimits) async throws {
        try await perform(.change, needing: { .of(limits.rules) }) { try $0.counted(limits) { $0.append(entry) } }
    }

    // MARK: - SignupStore

    public func begin(_ command: BeginSignup) async throws {
        let refusal = try await perform(.request, needing: { .of(command) }) { try $0.begin(command) }
        if let refusal { throw refusal }
    }

    public func signup(_ id: Signup.ID) async throws -> Signup? { try await find(Signup.self, id) }

    public func update(
        _ id: Signup.ID,
        within limits: TakeLimits,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? {
        try await self.change(.signup, id, within: limits.rules) { unit in
            try unit.counted(limits) { try $0.change($0.signups, id, change) }
        }
    }

    // MARK: - EventStore

    public func settle(_ command: SettleEvent) async throws -> Bool {
        try await change(.event, command.id) { try $0.edit($0.events, command.id) { command.apply(to: &$0) } }
    }

    public func retry(
        _ command: RetryEvent,
        audit entry: AuditEntry
    ) async throws -> Result<Event, RetryEvent.Refusal> {
        try await change(.event, command.id) { unit in
            let outcome = try unit.edit(unit.events, command.id) { command.apply(to: &$0) }
            if case .success = outcome { unit.append(entry) }
            return outcome
        }
    }

    // MARK: - LimitStore and GuardStore

    public func take(_ command: TakeLimits) async throws {
        let refusal = try await perform(.change, needing: { .of(command.rules) }) { try $0.take(command) }
        if let refusal { throw refusal }
    }

    public func clear(_ key: LimitKey, audit entry: AuditEntry) async throws -> Bool {
        try await change(.meter, key) { try $0.remove($0.meters, key, audit: entry) != nil }
    }

    public func clearActivity(of number: PhoneNumber, audit entry: AuditEntry) async throws -> Bool {
        try await change(.number, number.e164) { try $0.remove($0.activities, number.e164, audit: entry) != nil }
    }

    public func traffic(of key: TrafficKey) async throws -> Traffic {
        try await find(KeyedTraffic.self, key)?.traffic ?? .none
    }

    public func set(_ rule: GuardRule, audit entry: AuditEntry) async throws {
        try await change(.guardRule, rule.prefix) {
            try $0.edit($0.guardRules, rule.prefix) { $0 = rule }
            $0.append(entry)
        }
    }

    public func removeGuardRule(prefix: String, audit entry: AuditEntry) async throws -> GuardRule? {
        try await change(.guardRule, prefix) { try $0.remove($0.guardRules, prefix, audit: entry) }
    }

    // MARK: - APIKeyStore

    public func insert(_ key: APIKey, audit entry: AuditEntry) async throws {
        try await perform(.change) {
            $0.apiKeys.put(key)
            $0.append(entry)
        }
    }

    public func apiKey(_ id: APIKey.ID) async throws -> APIKey? { try await find(APIKey.self, id, isHot: true) }

    public func apiKey(_ id: APIKey.ID, for tenant: Tenant.ID) async throws -> (key: APIKey, tenant: Tenant?)? {
        guard let key = try await apiKey(id) else { return nil }
        return (key, try await self.tenant(tenant))
    }

    public func revoke(_ id: APIKey.ID, at now: Timestamp, audit entry: AuditEntry) async throws -> APIKey? {
        try await change(.apiKey, id) { unit in
            try unit.change(unit.apiKeys, id) { if $0.revoke(at: now) { unit.append(entry) } }
        }
    }

    public func recordUse(of id: APIKey.ID, at now: Timestamp) async throws {
        _ = try await change(.apiKey, id) { try $0.change($0.apiKeys, id) { $0.recordUse(at: now) } }
    }

    // MARK: - IdempotencyStore

    public func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome {
        try await change(.request, command.name) { try $0.edit($0.requests, command.name) { command.apply(to: &$0) } }
    }

    public func end(_ command: EndRequest) async throws {
        try await perform(.change, needing: { .of(command) }) { unit in
            let id = command.answer?.verificationID
            let isErased = try id.map { try unit.verifications.find($0) == nil } ?? false
            try unit.edit(unit.requests, command.name) { command.apply(to: &$0, isErased: isErased) }
        }
    }

    // MARK: - TenantStore

    public func insert(_ tenant: Tenant) async throws { try await perform(.change) { $0.tenants.put(tenant) } }

    public func tenant(_ id: Tenant.ID) async throws -> Tenant? { try await find(Tenant.self, id, isHot: true) }

    public func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure> {
        try await change(.tenant, command.id) { try $0.edit($0.tenants, command.id) { command.apply(to: &$0) } }
    }

    public func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool {
        try await change(.tenant, id) { unit in
            guard try unit.tenants.find(id)?.account == account else { return false }
            unit.tenants.remove(id)
            return true
        }
    }

    public func insert(_ number: SafeNumber) async throws -> Bool {
        try await change(.safeNumber, number.key) { unit in
            guard try unit.safeNumbers.find(number.key) == nil else { return false }
            unit.safeNumbers.put(number)
            return true
        }
    }

    public func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber? {
        try await find(SafeNumber.self, SafeNumber.key(e164, of: account), isHot: true)
    }

    public func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool {
        let key = SafeNumber.key(e164, of: account)
        return try await change(.safeNumber, key) { try $0.remove($0.safeNumbers, key) != nil }
    }
}
