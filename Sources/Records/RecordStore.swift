public import PhoneDomain

/// A store that runs commands over a ``UnitOfWork``. What the ports ask of it is written once, here; an engine does
/// ``perform(_:needing:_:)`` and ``find(_:_:)``.
public protocol RecordStore: VerificationStore, AccountStore, SignupStore, OutboxStore, EventStore, LimitStore,
    GuardStore,
    APIKeyStore, IdempotencyStore, TenantStore
{
    /// Runs a command, together with others that arrive at the same time (group commit), and returns when what it left is safe.
    ///
    /// - Parameters:
    ///   - kind: which commands may wait for it.
    ///   - keys: what it needs, for engines that load beforehand. Others do not ask.
    ///   - work: it may run again on another unit of work, and must do nothing but use it.
    /// - Throws: what the work throws, and what the engine throws; then nothing of it is kept.
    func perform<Value: Sendable>(
        _ kind: CommandKind,
        needing keys: () -> RecordKeys,
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value

    /// Reads one record.
    ///
    /// - Parameter isHot: whether nearly every request asks for it. Then it may not be safe yet: of a key that is revoked a
    ///   moment too early, nobody comes to harm.
    func find<R: TrackedRecord>(_ type: R.Type, _ key: R.Key, isHot: Bool) async throws -> R?
}

/// Which commands share a transaction.
public enum CommandKind: Sendable {
    /// Requests for codes and new signups, of which all that they need is known beforehand.
    case request
    /// All others.
    case change
}

extension RecordStore {
    private func change<Value: Sendable>(
        _ kind: RecordKeys.Kind,
        _ key: some RecordKey,
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value {
        try await perform(.change, needing: { RecordKeys(kind, key.value) }, work)
    }

    // MARK: - VerificationStore

    public func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer {
        try await perform(.request, needing: { .of(command) }) { try $0.begin(command) }.get()
    }

    public func check(_ command: CheckVerification) async throws -> CheckVerification.Outcome {
        try await perform(.change, needing: { .of(command) }) { try $0.check(command) }.get()
    }

    public func cancel(_ command: CancelVerification) async throws -> Verification {
        try await change(.verification, command.id) { try $0.cancel(command) }.get()
    }

    public func signUp(_ command: SignUp) async throws -> SignUp.Outcome {
        try await perform(.change, needing: { .of(command) }) { try $0.signUp(command) }
    }

    public func verification(_ id: Verification.ID) async throws -> Verification? {
        try await find(Verification.self, id, isHot: false)
    }

    public func account(_ id: Account.ID) async throws -> Account? {
        try await find(Account.self, id, isHot: false)
    }

    // MARK: - AccountStore

    public func refresh(_ command: RefreshSession) async throws -> RefreshSession.Outcome {
        try await change(.session, command.token.sessionID) { try $0.refresh(command) }
    }

    public func end(_ command: EndSessions) async throws -> Int {
        try await change(.accountWithSessions, command.accountID) { try $0.end(command) }
    }

    public func update(_ command: UpdateAccount) async throws -> Result<Account, PhoneFailure> {
        try await change(.session, command.sessionID) { try $0.update(command) }
    }

    public func requestDeletion(_ command: RequestDeletion) async throws -> Result<Account, PhoneFailure> {
        try await change(.sessionWithOthers, command.sessionID) { try $0.requestDeletion(command) }
    }

    public func record(_ entry: AuditEntry) async throws {
        try await perform(.change, needing: { RecordKeys() }) { $0.append(entry) }
    }

    public func changeNumber(_ command: ChangeNumber) async throws -> ChangeNumber.Outcome {
        try await perform(.change, needing: { .of(command) }) { try $0.changeNumber(command) }
    }

    public func undo(_ command: UndoNumberChange) async throws -> UndoNumberChange.Outcome {
        let change = try await numberChange(undoDigest: command.digest)
        return try await perform(.change, needing: { .undoing(change) }) { try $0.undo(command, change?.id) }
    }

    // MARK: - SignupStore

    public func begin(_ command: BeginSignup) async throws {
        let refusal = try await perform(.request, needing: { .of(command.limitRules) }) { try $0.begin(command) }
        if let refusal { throw refusal }
    }

    public func signup(_ id: Signup.ID) async throws -> Signup? {
        try await find(Signup.self, id, isHot: false)
    }

    public func update(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup? {
        try await self.change(.signup, id) { try $0.change($0.signups, id, change) }
    }

    // MARK: - OutboxStore and EventStore

    public func settle(_ command: SettleMessage) async throws -> Bool {
        try await change(.message, command.id) { try $0.settle(command) }
    }

    public func retry(_ command: RetryMessage) async throws -> RetryMessage.Outcome {
        try await change(.message, command.id) { try $0.retry(command) }
    }

    public func settle(_ command: SettleEvent) async throws -> Bool {
        try await change(.event, command.id) { try $0.settle(command) }
    }

    public func retry(_ command: RetryEvent) async throws -> RetryEvent.Outcome {
        try await change(.event, command.id) { try $0.retry(command) }
    }

    // MARK: - LimitStore and GuardStore

    public func take(_ command: TakeLimits) async throws {
        let refusal = try await perform(.change, needing: { .of(command.rules) }) { try $0.take(command) }
        if let refusal { throw refusal }
    }

    public func clear(_ key: LimitKey) async throws -> Bool {
        try await change(.meter, key) { unit in
            guard try unit.meters.find(key) != nil else { return false }
            unit.meters.remove(key)
            return true
        }
    }

    public func clearActivity(of number: PhoneNumber) async throws -> Bool {
        try await change(.number, number.e164) { unit in
            guard try unit.activities.find(number.e164) != nil else { return false }
            unit.activities.remove(number.e164)
            return true
        }
    }

    public func traffic(of key: TrafficKey) async throws -> Traffic {
        try await find(KeyedTraffic.self, key, isHot: false)?.traffic ?? .none
    }

    public func set(_ rule: GuardRule) async throws {
        try await change(.guardRule, rule.prefix) { unit in
            _ = try unit.guardRules.find(rule.prefix)
            unit.guardRules.put(rule)
        }
    }

    public func removeGuardRule(prefix: String) async throws -> GuardRule? {
        try await change(.guardRule, prefix) { unit in
            let rule = try unit.guardRules.find(prefix)
            if rule != nil { unit.guardRules.remove(prefix) }
            return rule
        }
    }

    // MARK: - APIKeyStore

    public func insert(_ key: APIKey) async throws {
        try await perform(.change, needing: { RecordKeys() }) { $0.apiKeys.put(key) }
    }

    public func apiKey(_ id: APIKey.ID) async throws -> APIKey? { try await find(APIKey.self, id, isHot: true) }

    public func revoke(_ id: APIKey.ID, at now: Timestamp) async throws -> APIKey? {
        try await change(.apiKey, id) { try $0.change($0.apiKeys, id) { _ = $0.revoke(at: now) } }
    }

    public func recordUse(of id: APIKey.ID, at now: Timestamp) async throws {
        _ = try await change(.apiKey, id) { try $0.change($0.apiKeys, id) { $0.recordUse(at: now) } }
    }

    // MARK: - IdempotencyStore

    public func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome {
        try await change(.request, command.name) { try $0.begin(command) }
    }

    public func end(_ command: EndRequest) async throws {
        try await perform(.change, needing: { .of(command) }) { try $0.end(command) }
    }

    // MARK: - TenantStore

    public func insert(_ tenant: Tenant) async throws {
        try await perform(.change, needing: { RecordKeys() }) { $0.tenants.put(tenant) }
    }

    public func tenant(_ id: Tenant.ID) async throws -> Tenant? { try await find(Tenant.self, id, isHot: true) }

    public func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure> {
        try await change(.tenant, command.id) { try $0.update(command) }
    }

    public func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool {
        try await change(.tenant, id) { unit in
            guard try unit.tenants.find(id)?.account == account else { return false }
            unit.tenants.remove(id)
            return true
        }
    }

    public func insert(_ number: SafeNumber) async throws -> Bool {
        try await change(.safeNumber, number.key) { try $0.insert(number) }
    }

    public func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber? {
        try await find(SafeNumber.self, SafeNumber.key(e164, of: account), isHot: true)
    }

    public func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool {
        let key = SafeNumber.key(e164, of: account)
        return try await change(.safeNumber, key) { unit in
            guard try unit.safeNumbers.find(key) != nil else { return false }
            unit.safeNumbers.remove(key)
            return true
        }
    }
}
