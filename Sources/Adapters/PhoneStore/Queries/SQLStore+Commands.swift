public import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// Which commands share a transaction, where an engine has more than one connection to write by.
public enum CommandKind: Sendable {
    /// Requests for codes and new signups, of which all that they need is known beforehand.
    case request
    /// All others.
    case change
}

extension SQLStore {
    /// ``submit(_:then:_:)`` from a task.
    public func execute<Value: Sendable>(
        _ kind: CommandKind,
        _ work: @escaping @Sendable (CommandSession) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            submit(kind, then: { continuation.resume(with: $0) }, work)
        }
    }

    /// - Throws: also the command's refusal.
    func run<C: StoredCommand>(_ command: C) async throws -> C.Answer { try await execute(.change, command.run).get() }

    private func put<R: Record>(_ record: R, _ entry: AuditEntry) async throws {
        try await execute(.change) { records in
            try records.put(record)
            records.append(entry)
        }
    }

    // MARK: - VerificationStore

    public func begin(_ command: BeginVerification, then answer: @escaping Callback<BeginVerification.Answer>) {
        // Not `command.run`, which is a copy of the command in each of three closures.
        submit(.request, then: { answer($0.flatMap { $0.mapError { $0 as any Error } }) }) { try command.run(in: $0) }
    }

    public func check(_ command: CheckVerification, then answer: @escaping Callback<Verification>) {
        submit(.change, then: { answer($0.flatMap { $0.mapError { $0 as any Error } }) }) { try command.run(in: $0) }
    }

    public func check(_ command: CheckLiveVerification) async throws -> Verification {
        try await execute(.change, command.run).get()
    }

    public func receive(_ command: ReceiveMessage) async throws -> Verification {
        try await execute(.change, command.run).get()
    }

    public func cancel(_ command: CancelVerification) async throws -> Verification { try await run(command) }
    public func signUp(_ command: SignUp) async throws -> SignedUp { try await run(command) }

    public func verification(_ id: Verification.ID) async throws -> Verification? {
        try await find(Verification.self, id)
    }

    public func account(_ id: Account.ID) async throws -> Account? { try await find(Account.self, id) }

    // MARK: - AccountStore

    public func refresh(_ command: RefreshSession) async throws -> RefreshSession.Answer { try await run(command) }
    public func end(_ command: EndSessions) async throws -> Bool { try await run(command) }

    public func update(_ command: UpdateAccount) async throws -> Account {
        try await execute(.change) { records in
            try records.counted(command.limits, loading: { _ = try command.load(from: records) }) {
                try command.run(in: records)
            }
        }
        .get()
    }

    public func requestDeletion(_ command: RequestDeletion) async throws -> Account { try await run(command) }

    public func record(_ entry: AuditEntry, within limits: TakeLimits) async throws {
        try await execute(.change) { records in try records.counted(limits) { records.append(entry) } }
    }

    public func changeNumber(_ command: ChangeNumber) async throws -> Account { try await run(command) }

    public func undo(_ command: UndoNumberChange) async throws -> Account {
        let change = try await numberChange(undoDigest: command.digest)
        return try await run(UndoFoundChange(command: command, change: change))
    }

    // MARK: - SignupStore

    public func begin(_ command: BeginSignup) async throws { try await execute(.request, command.run).get() }

    public func signup(_ id: Signup.ID) async throws -> Signup? { try await find(Signup.self, id) }

    public func update(
        _ id: Signup.ID,
        within limits: TakeLimits,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? {
        try await execute(.change) { records in
            try records.counted(limits, loading: { _ = try records.find(Signup.self, id) }) {
                try records.edit(Signup.self, id) { signup in
                    if var changed = signup {
                        change(&changed)
                        signup = changed
                    }
                    return signup
                }
            }
        }
    }

    // MARK: - OutboxStore and EventStore

    public func settle(_ commands: [SettleMessage]) async throws -> [Bool] {
        try await execute(.change) { records in
            try records.preload { for command in commands { _ = try command.load(from: records) } }
            return try commands.map { try $0.run(in: records).get() }
        }
    }

    public func retry(_ command: RetryMessage) async throws -> Result<OutboxMessage, RetryMessage.Refusal> {
        try await execute(.change, command.run)
    }

    public func settle(_ command: SettleEvent, _ feedback: RecordFeedback?) async throws -> Bool {
        try await execute(.change) { records in
            try feedback?.run(in: records).get()
            return try command.run(in: records).get()
        }
    }

    public func retry(
        _ command: RetryEvent,
        audit entry: AuditEntry
    ) async throws -> Result<Event, RetryEvent.Refusal> {
        try await execute(.change) { records in
            let outcome = try command.run(in: records)
            if case .success = outcome { records.append(entry) }
            return outcome
        }
    }

    // MARK: - LimitStore and GuardStore

    public func take(_ command: TakeLimits) async throws { try await run(command) }

    public func clear(_ key: LimitKey, audit entry: AuditEntry) async throws -> Bool {
        try await execute(.change) { try $0.remove(MeterInUse.self, key, audit: entry) != nil }
    }

    public func clearActivity(of number: PhoneNumber, audit entry: AuditEntry) async throws -> Bool {
        try await execute(.change) { try $0.remove(ActiveNumber.self, number.e164, audit: entry) != nil }
    }

    public func traffic(of key: TrafficKey) async throws -> Traffic {
        try await find(KeyedTraffic.self, key)?.traffic ?? .none
    }

    public func set(_ rule: GuardRule, audit entry: AuditEntry) async throws {
        try await execute(.change) { records in
            try records.edit(GuardRule.self, rule.prefix) { $0 = rule }
            records.append(entry)
        }
    }

    public func removeGuardRule(prefix: String, audit entry: AuditEntry) async throws -> GuardRule? {
        try await execute(.change) { try $0.remove(GuardRule.self, prefix, audit: entry) }
    }

    // MARK: - APIKeyStore

    public func insert(_ key: APIKey, audit entry: AuditEntry) async throws { try await put(key, entry) }

    public func apiKey(_ id: APIKey.ID) async throws -> APIKey? { try await find(APIKey.self, id) }

    public func revoke(_ id: APIKey.ID, at now: Timestamp, audit entry: AuditEntry) async throws -> APIKey? {
        try await execute(.change) { records in
            try records.edit(APIKey.self, id) { key in
                if key?.revoke(at: now) == true { records.append(entry) }
                return key
            }
        }
    }

    public func recordUse(of id: APIKey.ID, at now: Timestamp) async throws {
        try await execute(.change) { try $0.edit(APIKey.self, id) { $0?.recordUse(at: now) } }
    }

    // MARK: - IdempotencyStore

    public func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome { try await run(command) }
    public func end(_ command: EndRequest) async throws { try await run(command) }

    // MARK: - OpenIDStore

    public func insert(_ client: OAuthClient, audit entry: AuditEntry) async throws { try await put(client, entry) }

    public func client(_ id: OAuthClient.ID) async throws -> OAuthClient? { try await find(OAuthClient.self, id) }

    public func changeClient(
        _ id: OAuthClient.ID,
        audit entry: AuditEntry,
        _ change: @escaping @Sendable (inout OAuthClient) -> Bool
    ) async throws -> OAuthClient? {
        try await execute(.change) { records in
            try records.edit(OAuthClient.self, id) { client in
                guard var changed = client else { return nil }
                if change(&changed) { records.append(entry) }
                client = changed
                return changed
            }
        }
    }

    public func insert(_ code: AuthorizationCode, within limits: TakeLimits) async throws {
        try await execute(.change) { records in try records.counted(limits) { try records.put(code) } }
    }

    public func exchange(_ command: ExchangeCode) async throws -> ExchangeCode.Answer { try await run(command) }

    public func insert(_ device: DeviceAuthorization, within limits: TakeLimits) async throws {
        try await execute(.change) { records in try records.counted(limits) { try records.put(device) } }
    }

    public func device(_ key: String) async throws -> DeviceAuthorization? {
        try await find(DeviceAuthorization.self, key)
    }

    public func decide(_ command: DecideDevice) async throws -> Bool {
        try await execute(.change) { records in
            try records.counted(command.limits, loading: { _ = try command.load(from: records) }) {
                try command.run(in: records)
            }
        }
        .get()
    }

    public func ask(_ command: AskForDevice) async throws -> AskForDevice.Answer { try await run(command) }
}
