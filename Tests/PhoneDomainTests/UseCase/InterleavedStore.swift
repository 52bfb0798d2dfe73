import PhoneDomain
import PhoneTestSupport
import Records
import Synchronization

/// A store in which, right after the next command returns, somebody else does something: before the use case that gave the
/// command has its answer.
final class InterleavedStore: VerificationStore, AccountStore, TenantStore {
    typealias Interruption = @Sendable () async throws -> Void

    let store: MemoryStore
    private let next = Mutex<Interruption?>(nil)

    init(_ store: MemoryStore) {
        self.store = store
    }

    /// Has this done after the next command.
    func interrupt(with work: @escaping Interruption) {
        next.withLock { $0 = work }
    }

    /// Whether the interruption is still to come.
    var isWaiting: Bool { next.withLock { $0 != nil } }

    private func interrupted<Outcome>(_ outcome: Outcome) async throws -> Outcome {
        let work = next.withLock { next in
            defer { next = nil }
            return next
        }
        try await work?()
        return outcome
    }

    func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer {
        try await interrupted(await store.begin(command))
    }

    func check(_ command: CheckVerification) async throws -> CheckVerification.Outcome {
        try await interrupted(await store.check(command))
    }

    func cancel(_ command: CancelVerification) async throws -> Verification {
        try await interrupted(await store.cancel(command))
    }

    func signUp(_ command: SignUp) async throws -> SignUp.Outcome {
        try await interrupted(await store.signUp(command))
    }

    func verification(_ id: Verification.ID) async throws -> Verification? { try await store.verification(id) }

    func account(_ id: Account.ID) async throws -> Account? { try await store.account(id) }

    func refresh(_ command: RefreshSession) async throws -> RefreshSession.Outcome {
        try await interrupted(await store.refresh(command))
    }

    func signedIn(_ id: Session.ID) async throws -> SignedIn? { try await store.signedIn(id) }

    func account(of number: PhoneNumber) async throws -> Account? { try await store.account(of: number) }

    func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session] {
        try await store.sessions(of: id, at: now, limit: limit)
    }

    func end(_ command: EndSessions) async throws -> Int { try await interrupted(await store.end(command)) }

    func update(_ command: UpdateAccount) async throws -> Result<Account, PhoneFailure> {
        try await interrupted(await store.update(command))
    }

    func requestDeletion(_ command: RequestDeletion) async throws -> Result<Account, PhoneFailure> {
        try await interrupted(await store.requestDeletion(command))
    }

    func record(_ entry: AuditEntry) async throws { try await store.record(entry) }

    func changeNumber(_ command: ChangeNumber) async throws -> ChangeNumber.Outcome {
        try await interrupted(await store.changeNumber(command))
    }

    func undo(_ command: UndoNumberChange) async throws -> UndoNumberChange.Outcome {
        try await interrupted(await store.undo(command))
    }

    func numberChange(undoDigest: [UInt8]) async throws -> NumberChange? {
        try await store.numberChange(undoDigest: undoDigest)
    }

    func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID] {
        try await store.dueAccounts(at: now, limit: limit)
    }

    func delete(_ command: DeleteAccount) async throws -> Bool { try await interrupted(await store.delete(command)) }

    func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData? {
        try await store.personalData(of: id, digests: digests)
    }

    func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int {
        try await store.purgeSessions(before: moment, limit: limit)
    }

    func insert(_ tenant: Tenant) async throws { try await interrupted(await store.insert(tenant)) }

    func tenant(_ id: Tenant.ID) async throws -> Tenant? { try await store.tenant(id) }

    func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try await store.tenants(of: account, offset: offset, limit: limit)
    }

    func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure> {
        try await interrupted(await store.update(command))
    }

    func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool {
        try await interrupted(await store.deleteTenant(id, of: account))
    }

    func insert(_ number: SafeNumber) async throws -> Bool { try await interrupted(await store.insert(number)) }

    func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber? {
        try await store.safeNumber(e164, of: account)
    }

    func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool {
        try await interrupted(await store.removeSafeNumber(e164, of: account))
    }

    func liveVerification(of number: PhoneNumber, owner: Owner, at now: Timestamp) async throws -> Verification? {
        try await store.liveVerification(of: number, owner: owner, at: now)
    }

    func attempts(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        try await store.attempts(query, limit: limit)
    }

    func summary(of query: AttemptQuery) async throws -> AttemptSummary { try await store.summary(of: query) }

    func take(_ command: TakeLimits) async throws { try await store.take(command) }
}
