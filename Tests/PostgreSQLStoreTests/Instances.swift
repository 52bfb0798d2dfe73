import PhoneDomain
import PostgreSQLStore
import Synchronization

/// Several stores over one database, as several instances of the service have them, each asked in its turn.
final class Instances: Sendable {
    private let database: TestDatabase
    private let stores: [PostgreSQLStore]
    private let turn = Atomic(0)

    init(_ database: TestDatabase) throws {
        self.database = database
        stores = try (0..<3).map { _ in try database.open(announcing: EventSubscription(to: Set(Event.Kind.allCases))) }
    }

    /// One of them.
    var one: PostgreSQLStore { stores[0] }

    private var next: PostgreSQLStore {
        stores[turn.wrappingAdd(1, ordering: .relaxed).oldValue % stores.count]
    }

    private static let permits = Permits(4)
    private static let idle = Mutex<[Instances]>([])

    /// Does something with instances over an empty database. They are used again and again: their connections take
    /// longer to make than most tests take.
    static func use(_ work: (Instances) async throws -> Void) async throws {
        await permits.take()
        defer { permits.giveBack() }
        let instances =
            if let used = idle.withLock({ $0.popLast() }) { used } else { try Instances(await TestDatabase()) }
        defer { idle.withLock { $0.append(instances) } }
        try instances.database.empty()
        try await work(instances)
    }
}

extension Instances: VerificationStore {
    func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer { try await next.begin(command) }
    func check(_ command: CheckVerification) async throws -> CheckVerification.Outcome { try await next.check(command) }
    func cancel(_ command: CancelVerification) async throws -> CancelVerification.Outcome {
        try await next.cancel(command)
    }
    func signUp(_ command: SignUp) async throws -> SignUp.Outcome { try await next.signUp(command) }
    func verification(_ id: Verification.ID) async throws -> Verification? { try await next.verification(id) }
    func account(_ id: Account.ID) async throws -> Account? { try await next.account(id) }
}

extension Instances: SignupStore {
    func begin(_ command: BeginSignup) async throws -> BeginSignup.Outcome { try await next.begin(command) }
    func signup(_ id: Signup.ID) async throws -> Signup? { try await next.signup(id) }
    func update(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup? {
        try await next.update(id, change)
    }
}

extension Instances: OutboxStore {
    func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        try await next.claim(limit: limit, at: now, until: end)
    }
    func settle(_ command: SettleMessage) async throws -> Bool { try await next.settle(command) }
    func nextAttempt() async throws -> Timestamp? { try await next.nextAttempt() }

    func backlog() async throws -> OutboxBacklog { try await next.backlog() }
    func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim] {
        try await next.messages(status: status, limit: limit)
    }
    func retry(_ command: RetryMessage) async throws -> RetryMessage.Outcome { try await next.retry(command) }
    func record(_ command: RecordReceipt) async throws -> Bool { try await next.record(command) }
    func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage] {
        try await next.awaitingReceipts(question)
    }
}

extension Instances: AccountStore {
    func refresh(_ command: RefreshSession) async throws -> RefreshSession.Outcome { try await next.refresh(command) }
    func signedIn(_ id: Session.ID) async throws -> SignedIn? { try await next.signedIn(id) }
    func account(of number: PhoneNumber) async throws -> Account? { try await next.account(of: number) }
    func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session] {
        try await next.sessions(of: id, at: now, limit: limit)
    }
    func end(_ command: EndSessions) async throws -> Int { try await next.end(command) }
    func update(_ command: UpdateAccount) async throws -> Result<Account, PhoneFailure> {
        try await next.update(command)
    }
    func requestDeletion(_ command: RequestDeletion) async throws -> Result<Account, PhoneFailure> {
        try await next.requestDeletion(command)
    }
    func record(_ entry: AuditEntry) async throws { try await next.record(entry) }
    func changeNumber(_ command: ChangeNumber) async throws -> ChangeNumber.Outcome {
        try await next.changeNumber(command)
    }
    func undo(_ command: UndoNumberChange) async throws -> UndoNumberChange.Outcome { try await next.undo(command) }
    func numberChange(undoDigest: [UInt8]) async throws -> NumberChange? {
        try await next.numberChange(undoDigest: undoDigest)
    }
    func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID] {
        try await next.dueAccounts(at: now, limit: limit)
    }
    func delete(_ command: DeleteAccount) async throws -> Bool { try await next.delete(command) }
    func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData? {
        try await next.personalData(of: id, digests: digests)
    }
    func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int {
        try await next.purgeSessions(before: moment, limit: limit)
    }
}

extension Instances: EventStore {
    func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim] {
        try await next.claimEvents(limit: limit, at: now, until: end)
    }
    func settle(_ command: SettleEvent) async throws -> Bool { try await next.settle(command) }
    func nextEvent() async throws -> Timestamp? { try await next.nextEvent() }
    func events(status: Event.Status?, limit: Int) async throws -> [Event] {
        try await next.events(status: status, limit: limit)
    }
    func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int {
        try await next.purgeEvents(before: moment, limit: limit)
    }
    func retry(_ command: RetryEvent) async throws -> RetryEvent.Outcome { try await next.retry(command) }
}

extension Instances: StoreMaintenance {
    func ping() async throws { try await next.ping() }
    func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        try await next.purge(before: moment, limit: limit)
    }
    func close(at now: Timestamp, limit: Int) async throws -> Int { try await next.close(at: now, limit: limit) }
    func purgeSignups(before moment: Timestamp, limit: Int) async throws -> Int {
        try await next.purgeSignups(before: moment, limit: limit)
    }
    func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int {
        try await next.purgeTraffic(at: now, limit: limit)
    }
}

extension Instances: AuditStore {
    func entries(_ query: AuditQuery) async throws -> AuditPage { try await next.entries(query) }
    func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int {
        try await next.purgeAudit(before: moment, limit: limit)
    }
}

extension Instances: ErasureStore {
    func erase(_ command: EraseNumber) async throws -> Erasure { try await next.erase(command) }
    func removeTraces() async throws { try await next.removeTraces() }
}

extension Instances: LimitStore {
    func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse] {
        try await next.metersInUse(at: now, limit: limit)
    }
    func busyNumbers(sends: Int, failures: Int, limit: Int) async throws -> [BusyNumber] {
        try await next.busyNumbers(sends: sends, failures: failures, limit: limit)
    }
    func clear(_ key: LimitKey) async throws -> Bool { try await next.clear(key) }
    func clearActivity(of number: PhoneNumber) async throws -> Bool { try await next.clearActivity(of: number) }
}

extension Instances: GuardStore {
    func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic] {
        try await next.traffic(at: now, limit: limit)
    }
    func traffic(of key: TrafficKey) async throws -> Traffic { try await next.traffic(of: key) }
    func guardRules() async throws -> [GuardRule] { try await next.guardRules() }
    func set(_ rule: GuardRule) async throws { try await next.set(rule) }
    func removeGuardRule(prefix: String) async throws -> GuardRule? { try await next.removeGuardRule(prefix: prefix) }
    func unblock(beginning: String) async throws -> [String] { try await next.unblock(beginning: beginning) }
    func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry] {
        try await next.verdicts(prefix: prefix, limit: limit)
    }
}

extension Instances: APIKeyStore {
    func insert(_ key: APIKey) async throws { try await next.insert(key) }
    func apiKey(_ id: APIKey.ID) async throws -> APIKey? { try await next.apiKey(id) }
    func apiKeys() async throws -> [APIKey] { try await next.apiKeys() }
    func revoke(_ id: APIKey.ID, at now: Timestamp) async throws -> APIKey? { try await next.revoke(id, at: now) }
    func recordUse(of id: APIKey.ID, at now: Timestamp) async throws { try await next.recordUse(of: id, at: now) }
}

extension Instances: IdempotencyStore {
    func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome { try await next.begin(command) }
    func end(_ command: EndRequest) async throws { try await next.end(command) }
    func purgeRequests(before moment: Timestamp, limit: Int) async throws -> Int {
        try await next.purgeRequests(before: moment, limit: limit)
    }
}

extension Instances: PortableStore {
    func count(of kind: RecordKind) async throws -> Int { try await next.count(of: kind) }
    func records(of kind: RecordKind, after key: RecordKey?, limit: Int) async throws -> [StoredRecord] {
        try await next.records(of: kind, after: key, limit: limit)
    }
    func restore(_ records: [StoredRecord]) async throws { try await next.restore(records) }
}

extension Instances: SigningKeyStore {
    func signingKeys() async throws -> SigningKeys { try await next.signingKeys() }
    func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys { try await next.ensure(command) }
    func rotate(_ command: RotateSigningKey) async throws -> SigningKeys { try await next.rotate(command) }
    func purgeSigningKeys(at now: Timestamp, limit: Int) async throws -> Int {
        try await next.purgeSigningKeys(at: now, limit: limit)
    }
}

extension Instances: TenantStore {
    func insert(_ tenant: Tenant) async throws { try await next.insert(tenant) }
    func tenant(_ id: Tenant.ID) async throws -> Tenant? { try await next.tenant(id) }
    func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try await next.tenants(of: account, offset: offset, limit: limit)
    }
    func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure> {
        try await next.update(command)
    }
    func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool {
        try await next.deleteTenant(id, of: account)
    }
    func insert(_ number: SafeNumber) async throws -> Bool { try await next.insert(number) }
    func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber? {
        try await next.safeNumber(e164, of: account)
    }
    func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool {
        try await next.removeSafeNumber(e164, of: account)
    }
    func liveVerification(of number: PhoneNumber, owner: Owner, at now: Timestamp) async throws -> Verification? {
        try await next.liveVerification(of: number, owner: owner, at: now)
    }
    func attempts(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        try await next.attempts(query, limit: limit)
    }
    func summary(of query: AttemptQuery) async throws -> AttemptSummary { try await next.summary(of: query) }
    func take(_ command: TakeLimits) async throws -> PhoneFailure? { try await next.take(command) }
}
