import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore

/// A fault that a test plants, and what a random history says that finds it.
public enum PlantedFault: String, CaseIterable, Sendable {
    case carelessVault = "is approved by a wrong code"
    /// A wrong code is compared, and the count is not kept.
    case uncountedCheck = "has compared too many codes"
    case forgottenUse = "has signed up"
    case forgottenHolder = "has the number of"
    case forgottenSettlement = "was sent, and goes again"
    /// A message is claimed while another has it.
    case unguardedLease = "goes twice at once"
    case forgottenReplacement = "goes on with a token that was replaced"
    case forgottenEnd = "was ended, and goes on"
}

/// A store with such a fault.
final class FaultyStore: SQLStore {
    private let store: any SQLStore
    private let fault: PlantedFault

    var recordTypes: RecordTypes { store.recordTypes }
    var dialect: any SQLDialect { store.dialect }
    var scans: PurgeScans { store.scans }
    var events: EventSubscription { store.events }
    var observer: (any StoreObserver)? { store.observer }

    init(_ store: any SQLStore, _ fault: PlantedFault) { (self.store, self.fault) = (store, fault) }

    /// Does work, and what it has made of a record is undone behind its back.
    private func forgetting<R: Record, Value>(
        _ type: R.Type,
        _ key: R.Key,
        _ work: () async throws -> Value
    ) async throws -> Value {
        let before = try await store.find(type, key)
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        let after = try await store.find(type, key)
        try await store.transact { try $0.save(after, before) }
        return try outcome.get()
    }

    func check(_ command: CheckVerification, then answer: @escaping Callback<Verification>) {
        guard fault == .uncountedCheck else { return store.check(command, then: answer) }
        Task {
            do {
                answer(.success(try await forgetting(Verification.self, command.id) { try await store.check(command) }))
            } catch {
                answer(.failure(error))
            }
        }
    }

    func signUp(_ command: SignUp) async throws -> SignedUp {
        guard fault == .forgottenUse || fault == .forgottenHolder else { return try await store.signUp(command) }
        func signUp() async throws -> SignedUp {
            let done = try await store.signUp(command)
            let holder = done.account.phoneNumber.map { NumberHolder(e164: $0.e164, account: done.account.id) }
            try await store.transact { try $0.save(holder, nil) }
            return done
        }
        return fault == .forgottenHolder
            ? try await signUp() : try await forgetting(Verification.self, command.check.id, signUp)
    }

    func settle(_ commands: [SettleMessage]) async throws -> [Bool] {
        guard fault == .forgottenSettlement else { return try await store.settle(commands) }
        return commands.map { _ in true }
    }

    func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        try await store.claim(limit: limit, at: fault == .unguardedLease ? now + .seconds(120) : now, until: end)
    }

    func refresh(_ command: RefreshSession) async throws -> RefreshSession.Answer {
        guard fault == .forgottenReplacement else { return try await store.refresh(command) }
        return try await forgetting(Session.self, command.token.sessionID) { try await store.refresh(command) }
    }

    func end(_ command: EndSessions) async throws -> Bool {
        guard fault == .forgottenEnd, let id = command.sessionID else { return try await store.end(command) }
        return try await forgetting(Session.self, id) { try await store.end(command) }
    }

    func submit<Value: Sendable>(
        _ kind: CommandKind,
        then answer: @escaping Callback<Value>,
        _ work: @escaping @Sendable (CommandSession) throws -> Value
    ) { store.submit(kind, then: answer, work) }

    func find<R: Record>(_ type: R.Type, _ key: R.Key) async throws -> R? { try await store.find(type, key) }

    func run<Value: Sendable>(
        isReadOnly: Bool,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value { try await store.run(isReadOnly: isReadOnly, work) }

    func rows<Value: Sendable>(
        _ sql: SQL,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] { try await store.rows(sql, read) }

    func ping() async throws { try await store.ping() }
    func removeTraces() async throws { try await store.removeTraces() }
    func close() { store.close() }
}

/// A vault that takes every code for the right one.
struct CarelessCodeVault: CodeVault {
    let vault: any CodeVault

    func makeCode(length: Int) throws -> VerificationCode { try vault.makeCode(length: length) }
    func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode {
        try vault.seal(code, for: context)
    }
    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool { true }
    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode {
        try vault.open(sealed, for: context)
    }
}
