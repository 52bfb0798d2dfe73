public import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain

/// A command over records: what it loads and what it keeps, written once for every engine.
public protocol StoredCommand: Command {
    /// Runs in ``CommandSession/loading(_:)``. What this reads is locked, so that it says which records to lock.
    func load(from records: CommandSession) throws -> State
    func keep(_ state: State, loaded: State, in records: CommandSession) throws
}

extension StoredCommand {
    public func run(in records: CommandSession) throws -> Result<Answer, Refusal> {
        let loaded = try records.loading { try load(from: records) }
        var state = loaded
        let result = try apply(to: &state)
        try keep(state, loaded: loaded, in: records)
        return result
    }
}

/// A command that reads and changes one record.
public protocol OneRecordCommand: StoredCommand where State == Stored? {
    associatedtype Stored: Record
    var key: Stored.Key { get }
}

extension OneRecordCommand {
    public func load(from records: CommandSession) throws -> State { try records.find(Stored.self, key) }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state, loaded: loaded)
    }
}

// MARK: - Verifications

extension BeginVerification: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        let recent = try records.recent(phoneNumber, at: now)
        let live = recent.live(of: context.owner, at: now)
        return State(
            live: live,
            activity: try records.activity(of: phoneNumber),
            limits: try records.ledger(limitRules),
            traffic: try records.traffic(around: phoneNumber, from: live.map(\.begunFrom) ?? requester),
            guardRules: try records.guardRules(fitting: phoneNumber),
            signup: try context.owner.signupID.flatMap { try records.find(Signup.self, $0) },
            isKeyInvalid: try records.hasInvalidKey(context),
            isProofUsed: try proofKey.map { try records.find(UsedProof.self, $0) != nil } ?? false,
            approved: approved(among: recent)
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.activity, of: phoneNumber, loaded: loaded.activity)
        try records.keep(state.limits, loaded: loaded.limits)
        try records.keep(state.traffic, around: phoneNumber, loaded: loaded.traffic, at: now)
        try records.keep(state.replaced, loaded: loaded.live, at: now)
        try records.keep(state.live, loaded: loaded.live, at: now)
        if let message = state.message { try records.put(message) }
        try records.keep(state.signup, loaded: loaded.signup)
        if let proof = state.usedProof { try records.put(proof) }
        records.append(state.audit)
        records.append(state.approval)
    }
}

extension CheckVerification: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        records.need(.activityOfVerification, of: Verification.self, id)
        let verification = try records.find(Verification.self, id)
        return State(
            verification: verification,
            activity: try verification.map { try records.activity(of: $0.phoneNumber) } ?? .none,
            limits: try records.ledger(limitRules),
            isKeyInvalid: try records.hasInvalidKey(context)
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.verification, loaded: loaded.verification, at: now)
        try records.keep(state.limits, loaded: loaded.limits)
        if let verification = loaded.verification {
            try records.keep(state.activity, of: verification.phoneNumber, loaded: loaded.activity)
            if state.isApprovalToBeCounted {
                try records.edit(around: verification, at: now) { recordApproval(in: &$0) }
            }
        }
        records.append(state.audit)
    }
}

extension CheckLiveVerification {
    func run(in records: CommandSession) throws -> Result<Verification, PhoneFailure> {
        let found = try records.loading { try records.live(number, owner: owner, at: now) }
        guard let found else { return .failure(.verificationNotFound) }
        return try check(found.id).run(in: records)
    }
}

extension ReceiveMessage {
    func run(in records: CommandSession) throws -> Result<Verification, PhoneFailure> {
        let recent = try records.loading { try records.recent(message.sender, at: now) }
        guard let meant = try meant(of: recent) else { return .failure(.verificationNotFound) }
        return try approval(meant).run(in: records)
    }
}

extension CommandSession {
    /// Whether the client's key was revoked since it was last looked up.
    fileprivate func hasInvalidKey(_ context: RequestContext) throws -> Bool {
        guard let id = context.apiKey else { return false }
        // Clients share their keys, and a revocation applies to what comes after it.
        return try find(APIKey.self, id, isShared: true).map { $0.revokedAt != nil } ?? true
    }
}

extension CancelVerification: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        State(verification: try records.find(Verification.self, id))
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.verification, loaded: loaded.verification, at: now)
        records.append(state.audit)
    }
}

extension SignUp: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        records.need(.accountOfVerification, of: Verification.self, check.id)
        let check = try check.load(from: records)
        return State(
            check: check,
            account: try check.verification.flatMap { try records.account(holding: $0.phoneNumber) },
            session: try records.find(Session.self, Session.id(openedBy: self.check.id)),
            signup: try signupID.flatMap { try records.find(Signup.self, $0) }
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.unlinked, loaded: loaded.account, at: check.now)
        try records.keep(state.account, loaded: loaded.account, at: check.now)
        try records.keep(state.session, loaded: loaded.session, of: state.account, at: check.now)
        try check.keep(state.check, loaded: loaded.check, in: records)
        try records.keep(state.signup, loaded: loaded.signup)
        records.append(state.audit)
    }
}

extension BeginSignup: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        State(limits: try records.ledger(limitRules), signup: try records.find(Signup.self, signup.id))
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.limits, loaded: loaded.limits)
        try records.keep(state.signup, loaded: loaded.signup)
    }
}

extension TakeLimits: StoredCommand {
    public func load(from records: CommandSession) throws -> LimitLedger { try records.ledger(rules) }
    public func keep(_ limits: LimitLedger, loaded: LimitLedger, in records: CommandSession) throws {
        try records.keep(limits, loaded: loaded)
    }
}

// MARK: - Accounts

extension RefreshSession: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        let session = try records.find(Session.self, token.sessionID)
        return State(
            session: session,
            account: try session.flatMap { try records.find(Account.self, $0.accountID) },
            limits: try records.ledger(limitRules)
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.account, loaded: loaded.account, at: now)
        try records.keep(state.session, loaded: loaded.session, of: state.account, at: now)
        try records.keep(state.limits, loaded: loaded.limits)
        records.append(state.audit)
    }
}

extension OpenSession: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        State(account: try records.find(Account.self, accountID))
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.account, loaded: loaded.account, at: now)
        try records.keep(state.session, loaded: nil, of: state.account, at: now)
        records.append(state.audit)
    }
}

extension EndSessions: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        State(
            account: try records.find(Account.self, accountID),
            session: try sessionID.flatMap { try records.find(Session.self, $0) }
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.account, loaded: loaded.account, at: now)
        try records.keep(state.session, loaded: loaded.session, of: state.account, at: now)
        records.append(state.audit)
    }
}

extension UpdateAccount: StoredCommand {
    public func load(from records: CommandSession) throws -> SignedIn? { try records.signedIn(sessionID) }
    public func keep(_ state: SignedIn?, loaded: SignedIn?, in records: CommandSession) throws {
        try records.keep(state?.account, loaded: loaded?.account, at: now)
    }
}

extension RequestDeletion: StoredCommand {
    public func load(from records: CommandSession) throws -> State { State(signedIn: try records.signedIn(sessionID)) }
    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.signedIn?.account, loaded: loaded.signedIn?.account, at: now)
        records.append(state.audit)
    }
}

extension ChangeNumber: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        records.need(.accountOfVerification, of: Verification.self, check.id)
        let check = try check.load(from: records)
        let session = try sessionID.flatMap { try records.find(Session.self, $0) }
        let account = try session.flatMap { try records.find(Account.self, $0.accountID) }
        return State(
            check: check,
            session: session,
            opened: try self.check.options.opening.flatMap { _ in
                try records.find(Session.self, Session.id(openedBy: self.check.id))
            },
            account: account,
            holder: try check.verification.flatMap { try records.account(holding: $0.phoneNumber) },
            changes: try account.map { try records.numberChanges(of: $0.id) } ?? []
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.unlinked, loaded: loaded.holder, at: now)
        try records.keep(state.account, loaded: loaded.account, at: now)
        try records.keep(state.opened, loaded: loaded.opened, of: state.account, at: now)
        try check.keep(state.check, loaded: loaded.check, in: records)
        try records.keep(state.changes, loaded: loaded.changes)
        if let change = state.change { try records.put(change) }
        if let message = state.message { try records.put(message) }
        records.append(state.audit)
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

    func load(from records: CommandSession) throws -> UndoNumberChange.State {
        UndoNumberChange.State(
            change: try change.flatMap { try records.find(NumberChange.self, $0.id) },
            changes: try change.map { change in
                try records.numberChanges(of: change.accountID).filter { $0.changedAt >= change.changedAt }
            } ?? [],
            account: try change.flatMap { try records.find(Account.self, $0.accountID) },
            holder: try change?.oldNumber.flatMap { try records.account(holding: $0) }
        )
    }

    func keep(_ state: UndoNumberChange.State, loaded: UndoNumberChange.State, in records: CommandSession) throws {
        try records.keep(state.unlinked, loaded: loaded.holder, at: command.now)
        try records.keep(state.account, loaded: loaded.account, at: command.now)
        try records.keep(state.changes, loaded: loaded.changes)
        records.append(state.audit)
    }
}

extension ExchangeCode: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        let code = try records.find(AuthorizationCode.self, id)
        if let code { records.need(.othersOfSession, of: Session.self, code.sessionID) }
        let signedIn = try code.flatMap { try records.signedIn($0.sessionID) }
        let opened = try code.flatMap { try records.find(Session.self, $0.openedSessionID) }
        return State(
            code: code,
            signedIn: signedIn,
            opened: opened,
            account: try signedIn?.account ?? opened.flatMap { try records.find(Account.self, $0.accountID) }
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.code, loaded: loaded.code)
        try records.keep(state.account, loaded: loaded.account, at: now)
        try records.keep(state.opened, loaded: loaded.opened, of: state.account, at: now)
        records.append(state.audit)
    }
}

extension DecideDevice: OneRecordCommand {
    public typealias Stored = DeviceAuthorization
}

extension AskForDevice: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        let device = try records.find(DeviceAuthorization.self, key)
        if let id = device?.sessionID { records.need(.othersOfSession, of: Session.self, id) }
        let signedIn = try device?.sessionID.flatMap { try records.signedIn($0) }
        let opened = try device.flatMap { try records.find(Session.self, $0.openedSessionID) }
        return State(
            device: device,
            signedIn: signedIn,
            opened: opened,
            account: try signedIn?.account ?? opened.flatMap { try records.find(Account.self, $0.accountID) }
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.device, loaded: loaded.device)
        try records.keep(state.account, loaded: loaded.account, at: now)
        try records.keep(state.opened, loaded: loaded.opened, of: state.account, at: now)
        records.append(state.audit)
    }
}

// MARK: - Messages and events

extension SettleMessage: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        let message = try records.find(OutboxMessage.self, id)
        let verification = try message.flatMap { try records.find(Verification.self, $0.verificationID) }
        return State(message: message, verification: verification)
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        // Those of a batch belong to as many traces.
        records.traceParent = state.message?.traceParent
        try records.keep(state.message, loaded: loaded.message, of: loaded.verification, limits, at: now)
        try records.keep(state.verification, loaded: loaded.verification, at: now)
    }
}

extension RetryMessage: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        let message = try records.find(OutboxMessage.self, id)
        return State(
            message: message,
            verification: try message.flatMap { try records.find(Verification.self, $0.verificationID) },
            change: try message?.numberChangeID.flatMap { try records.find(NumberChange.self, $0) }
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.message, loaded: loaded.message, of: loaded.verification, limits, at: now)
        try records.keep(state.verification, loaded: loaded.verification, at: now)
        records.append(state.audit)
    }
}

extension SettleEvent: OneRecordCommand {
    public typealias Stored = Event
    public var key: EventID { id }
}

extension RecordFeedback: OneRecordCommand {
    public typealias Stored = OutboxMessage
    public var key: OutboxMessage.ID { id }
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
    func load(from records: CommandSession) throws -> OutboxMessage? { try records.find(OutboxMessage.self, id) }

    func keep(_ message: OutboxMessage?, loaded: OutboxMessage?, in records: CommandSession) throws {
        try records.keep(message, loaded: loaded, of: nil, .none, at: command.now)
    }
}

// MARK: - Others

extension BeginRequest: OneRecordCommand {
    public typealias Stored = IdempotentRequest
    public var key: IdempotentRequest.Name { name }
}

extension EndRequest: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        // An erasure waits until the answer is kept, and deletes that as well.
        let isErased = try answer?.verificationID.map { try records.find(Verification.self, $0) == nil } ?? false
        return State(request: try records.find(IdempotentRequest.self, name), isErased: isErased)
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.request, loaded: loaded.request)
    }
}
