public import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain

/// A command over records: what it loads and what it keeps, written once for every engine.
public protocol StoredCommand: Command {
    /// Runs in ``RecordSource/loading(_:)``. What this reads is locked, so that it says which records to lock.
    func load(from unit: UnitOfWork) throws -> State
    func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws
}

extension StoredCommand {
    public func run(in unit: UnitOfWork) throws -> Result<Answer, Refusal> {
        let loaded = try unit.source.loading { try load(from: unit) }
        var state = loaded
        let result = try apply(to: &state)
        try keep(state, loaded: loaded, in: unit)
        return result
    }
}

/// A command that reads and changes one record.
public protocol OneRecordCommand: StoredCommand where State == Stored? {
    associatedtype Stored: Record
    var key: Stored.Key { get }
}

extension OneRecordCommand {
    public func load(from unit: UnitOfWork) throws -> State { try unit.find(Stored.self, key) }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) {
        guard state != loaded else { return }
        if let state { unit.put(state) } else { unit.remove(Stored.self, key) }
    }
}

// MARK: - Verifications

extension BeginVerification: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        let live = try unit.live(phoneNumber, owner: context.owner, at: now)
        return State(
            live: live,
            activity: try unit.activity(of: phoneNumber),
            limits: try unit.ledger(limitRules),
            traffic: try unit.traffic(around: phoneNumber, from: live.map(\.begunFrom) ?? requester),
            guardRules: try unit.guardRules(fitting: phoneNumber),
            signup: try context.owner.signupID.flatMap { try unit.find(Signup.self, $0) },
            isKeyInvalid: try unit.hasInvalidKey(context),
            isProofUsed: try options.proof?.key.map { try unit.find(UsedProof.self, $0) != nil } ?? false
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) {
        unit.keep(state.activity, of: phoneNumber, loaded: loaded.activity)
        unit.keep(state.limits, loaded: loaded.limits)
        unit.keep(state.traffic, around: phoneNumber, loaded: loaded.traffic, at: now)
        unit.keep(state.replaced, loaded: loaded.live, at: now)
        unit.keep(state.live, loaded: loaded.live, at: now)
        if let message = state.message { unit.put(message) }
        if let signup = state.signup, signup != loaded.signup { unit.put(signup) }
        if let proof = state.usedProof { unit.put(proof) }
        unit.append(state.audit)
    }
}

extension CheckVerification: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        unit.need(.activityOfVerification, of: Verification.self, id)
        let verification = try unit.find(Verification.self, id)
        return State(
            verification: verification,
            activity: try verification.map { try unit.activity(of: $0.phoneNumber) } ?? .none,
            limits: try unit.ledger(limitRules),
            isKeyInvalid: try unit.hasInvalidKey(context)
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        unit.keep(state.verification, loaded: loaded.verification, at: now)
        unit.keep(state.limits, loaded: loaded.limits)
        if let verification = loaded.verification {
            unit.keep(state.activity, of: verification.phoneNumber, loaded: loaded.activity)
            if state.isApprovalToBeCounted {
                try unit.edit(around: verification, at: now) { recordApproval(in: &$0) }
            }
        }
        unit.append(state.audit)
    }
}

extension CheckLiveVerification {
    func run(in unit: UnitOfWork) throws -> Result<Verification, PhoneFailure> {
        let found = try unit.source.loading { try unit.live(number, owner: owner, at: now) }
        guard let found else { return .failure(.verificationNotFound) }
        return try check(found.id).run(in: unit)
    }
}

extension ReceiveMessage {
    func run(in unit: UnitOfWork) throws -> Result<Verification, PhoneFailure> {
        let recent = try unit.source.loading { try unit.recent(message.sender, at: now) }
        guard let meant = try meant(of: recent) else { return .failure(.verificationNotFound) }
        return try approval(meant).run(in: unit)
    }
}

extension UnitOfWork {
    /// Whether the client's key was revoked since it was last looked up.
    fileprivate func hasInvalidKey(_ context: RequestContext) throws -> Bool {
        guard let id = context.apiKey else { return false }
        // Clients share their keys, and a revocation applies to what comes after it.
        return try find(APIKey.self, id, isShared: true).map { $0.revokedAt != nil } ?? true
    }
}

extension CancelVerification: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        State(verification: try unit.find(Verification.self, id))
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) {
        unit.keep(state.verification, loaded: loaded.verification, at: now)
        unit.append(state.audit)
    }
}

extension SignUp: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        unit.need(.accountOfVerification, of: Verification.self, check.id)
        let check = try check.load(from: unit)
        return State(
            check: check,
            account: try check.verification.flatMap { try unit.account(holding: $0.phoneNumber) },
            session: try unit.find(Session.self, Session.id(openedBy: self.check.id)),
            signup: try signupID.flatMap { try unit.find(Signup.self, $0) }
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        try unit.keep(state.unlinked, loaded: loaded.account, at: check.now)
        try unit.keep(state.account, loaded: loaded.account, at: check.now)
        try unit.keep(state.session, loaded: loaded.session, of: state.account, at: check.now)
        try check.keep(state.check, loaded: loaded.check, in: unit)
        if let signup = state.signup, signup != loaded.signup { unit.put(signup) }
        unit.append(state.audit)
    }
}

extension BeginSignup: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        State(limits: try unit.ledger(limitRules), signup: try unit.find(Signup.self, signup.id))
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) {
        unit.keep(state.limits, loaded: loaded.limits)
        if let begun = state.signup, begun != loaded.signup { unit.put(begun) }
    }
}

extension TakeLimits: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> LimitLedger { try unit.ledger(rules) }
    public func keep(_ limits: LimitLedger, loaded: LimitLedger, in unit: UnitOfWork) {
        unit.keep(limits, loaded: loaded)
    }
}

// MARK: - Accounts

extension RefreshSession: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        let session = try unit.find(Session.self, token.sessionID)
        return State(
            session: session,
            account: try session.flatMap { try unit.find(Account.self, $0.accountID) },
            limits: try unit.ledger(limitRules)
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        try unit.keep(state.account, loaded: loaded.account, at: now)
        try unit.keep(state.session, loaded: loaded.session, of: state.account, at: now)
        unit.keep(state.limits, loaded: loaded.limits)
        unit.append(state.audit)
    }
}

extension EndSessions: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        State(
            account: try unit.find(Account.self, accountID),
            session: try sessionID.flatMap { try unit.find(Session.self, $0) }
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        try unit.keep(state.account, loaded: loaded.account, at: now)
        try unit.keep(state.session, loaded: loaded.session, of: state.account, at: now)
        unit.append(state.audit)
    }
}

extension UpdateAccount: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> SignedIn? { try unit.signedIn(sessionID) }
    public func keep(_ state: SignedIn?, loaded: SignedIn?, in unit: UnitOfWork) throws {
        try unit.keep(state?.account, loaded: loaded?.account, at: now)
    }
}

extension RequestDeletion: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State { State(signedIn: try unit.signedIn(sessionID)) }
    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        try unit.keep(state.signedIn?.account, loaded: loaded.signedIn?.account, at: now)
        unit.append(state.audit)
    }
}

extension ChangeNumber: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        unit.need(.accountOfVerification, of: Verification.self, check.id)
        let check = try check.load(from: unit)
        let session = try sessionID.flatMap { try unit.find(Session.self, $0) }
        let account = try session.flatMap { try unit.find(Account.self, $0.accountID) }
        return State(
            check: check,
            session: session,
            opened: try self.check.options.opening.flatMap { _ in
                try unit.find(Session.self, Session.id(openedBy: self.check.id))
            },
            account: account,
            holder: try check.verification.flatMap { try unit.account(holding: $0.phoneNumber) },
            changes: try account.map { try unit.numberChanges(of: $0.id) } ?? []
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        try unit.keep(state.unlinked, loaded: loaded.holder, at: now)
        try unit.keep(state.account, loaded: loaded.account, at: now)
        try unit.keep(state.opened, loaded: loaded.opened, of: state.account, at: now)
        try check.keep(state.check, loaded: loaded.check, in: unit)
        unit.keep(state.changes, loaded: loaded.changes)
        if let change = state.change { unit.keep(change) }
        if let message = state.message { unit.put(message) }
        unit.append(state.audit)
    }
}

/// The undoing of a change that was looked up before: what is used of it to load others never changes, the account and
/// the number of before.
struct UndoFoundChange: StoredCommand {
    let command: UndoNumberChange
    let change: NumberChange?

    func apply(to state: inout UndoNumberChange.State) throws -> Result<Account, PhoneFailure> {
        try command.apply(to: &state)
    }

    func load(from unit: UnitOfWork) throws -> UndoNumberChange.State {
        UndoNumberChange.State(
            change: try change.flatMap { try unit.find(NumberChange.self, $0.id) },
            changes: try change.map { change in
                try unit.numberChanges(of: change.accountID).filter { $0.changedAt >= change.changedAt }
            } ?? [],
            account: try change.flatMap { try unit.find(Account.self, $0.accountID) },
            holder: try change?.oldNumber.flatMap { try unit.account(holding: $0) }
        )
    }

    func keep(_ state: UndoNumberChange.State, loaded: UndoNumberChange.State, in unit: UnitOfWork) throws {
        try unit.keep(state.unlinked, loaded: loaded.holder, at: command.now)
        try unit.keep(state.account, loaded: loaded.account, at: command.now)
        unit.keep(state.changes, loaded: loaded.changes)
        unit.append(state.audit)
    }
}

extension ExchangeCode: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        let code = try unit.find(AuthorizationCode.self, id)
        if let code { unit.need(.othersOfSession, of: Session.self, code.sessionID) }
        let signedIn = try code.flatMap { try unit.signedIn($0.sessionID) }
        let opened = try code.flatMap { try unit.find(Session.self, $0.openedSessionID) }
        return State(
            code: code,
            signedIn: signedIn,
            opened: opened,
            account: try signedIn?.account ?? opened.flatMap { try unit.find(Account.self, $0.accountID) }
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        if let code = state.code, code != loaded.code { unit.put(code) }
        try unit.keep(state.account, loaded: loaded.account, at: now)
        try unit.keep(state.opened, loaded: loaded.opened, of: state.account, at: now)
        unit.append(state.audit)
    }
}

// MARK: - Messages and events

extension SettleMessage: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        let message = try unit.find(OutboxMessage.self, id)
        let verification = try message.flatMap { try unit.find(Verification.self, $0.verificationID) }
        return State(message: message, verification: verification)
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        // Those of a batch belong to as many traces.
        unit.traceParent = state.message?.traceParent
        try unit.keep(state.message, loaded: loaded.message, of: loaded.verification, limits, at: now)
        unit.keep(state.verification, loaded: loaded.verification, at: now)
    }
}

extension RetryMessage: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        let message = try unit.find(OutboxMessage.self, id)
        return State(
            message: message,
            verification: try message.flatMap { try unit.find(Verification.self, $0.verificationID) },
            change: try message?.numberChangeID.flatMap { try unit.find(NumberChange.self, $0) }
        )
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) throws {
        try unit.keep(state.message, loaded: loaded.message, of: loaded.verification, limits, at: now)
        unit.keep(state.verification, loaded: loaded.verification, at: now)
        unit.append(state.audit)
    }
}

extension SettleEvent: OneRecordCommand {
    public typealias Stored = Event
    public var key: EventID { id }
}

extension RetryEvent: OneRecordCommand {
    public typealias Stored = Event
    public var key: EventID { id }
}

/// The receipt of a message that was looked up by its gateway's ID before; it may have got another one since.
struct RecordFoundReceipt: StoredCommand {
    let command: RecordReceipt
    let id: OutboxMessage.ID

    func apply(to state: inout OutboxMessage?) -> Result<Bool, Never> { command.apply(to: &state) }
    func load(from unit: UnitOfWork) throws -> OutboxMessage? { try unit.find(OutboxMessage.self, id) }

    func keep(_ message: OutboxMessage?, loaded: OutboxMessage?, in unit: UnitOfWork) throws {
        try unit.keep(message, loaded: loaded, of: nil, .none, at: command.now)
    }
}

// MARK: - Others

extension BeginRequest: OneRecordCommand {
    public typealias Stored = IdempotentRequest
    public var key: IdempotentRequest.Name { name }
}

extension EndRequest: StoredCommand {
    public func load(from unit: UnitOfWork) throws -> State {
        // An erasure waits until the answer is kept, and deletes that as well.
        let isErased = try answer?.verificationID.map { try unit.find(Verification.self, $0) == nil } ?? false
        return State(request: try unit.find(IdempotentRequest.self, name), isErased: isErased)
    }

    public func keep(_ state: State, loaded: State, in unit: UnitOfWork) {
        if let request = state.request, request != loaded.request { unit.put(request) }
    }
}
