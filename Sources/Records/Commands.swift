public import PhoneDomain

// Each command of the domain, written once for every engine: load its state, apply it, keep what it left. First the records
// that it needs (``RecordKeys``), for an engine that loads and locks them beforehand. ``RecordStore`` runs both.

extension RecordKeys {
    static func of(_ command: BeginVerification) -> RecordKeys {
        var keys = RecordKeys()
        keys.needLive(of: command.phoneNumber, since: command.now - Verification.longestLife)
        keys.need(command.limitRules)
        keys.needTraffic(around: command.phoneNumber)
        for prefix in GuardRule.prefixes(of: command.phoneNumber) { keys.need(.guardRule, .text(prefix)) }
        keys.need(.signup, command.signupID.map { .id($0) })
        keys.need(.safeNumber, command.safeNumberKey.map { .text($0) })
        keys.need(.shownKey, command.context.apiKey.map { .id($0) })
        return keys
    }

    static func of(_ command: CheckVerification) -> RecordKeys {
        var keys = RecordKeys(.checkedVerification, .id(command.id))
        keys.need(command.limitRules)
        keys.need(.shownKey, command.context.apiKey.map { .id($0) })
        return keys
    }

    static func of(_ command: CheckLiveVerification) -> RecordKeys {
        var keys = RecordKeys()
        keys.needLive(of: command.number, since: command.now - Verification.longestLife)
        return keys
    }

    static func of(_ command: SignUp) -> RecordKeys {
        var keys = of(command.check)
        keys.need(.provenVerification, .id(command.check.id))
        keys.need(.session, .id(Session.id(openedBy: command.check.id)))
        keys.need(.signup, command.signupID.map { .id($0) })
        return keys
    }

    static func of(_ command: EndSessions) -> RecordKeys {
        var keys = RecordKeys(.account, .id(command.accountID))
        keys.need(.session, command.sessionID.map { .id($0) })
        return keys
    }

    static func of(_ command: ChangeNumber) -> RecordKeys {
        var keys = of(command.check)
        keys.need(.provenVerification, .id(command.check.id))
        keys.need(.session, command.sessionID.map { .id($0) })
        return keys
    }

    static func of(_ command: BeginSignup) -> RecordKeys {
        var keys = of(command.limitRules)
        keys.need(.signup, .id(command.signup.id))
        return keys
    }

    static func of(_ rules: [LimitRule]) -> RecordKeys {
        var keys = RecordKeys()
        keys.need(rules)
        return keys
    }

    /// To undo a change of number. What is asked for by it never changes: the account, and the number of before.
    public static func undoing(_ change: NumberChange?) -> RecordKeys {
        var keys = RecordKeys()
        guard let change else { return keys }
        keys.need(.accountWithChanges, .id(change.accountID))
        keys.need(.numberChange, .id(change.id))
        keys.need(.holder, change.oldNumber.map { .text($0.e164) })
        return keys
    }

    static func of(_ command: EndRequest) -> RecordKeys {
        var keys = RecordKeys(.request, .text(command.name.rawValue))
        // An erasure waits until the answer is kept, and deletes that as well.
        keys.need(.verification, command.answer?.verificationID.map { .id($0) })
        return keys
    }
}

// MARK: - Verifications

extension UnitOfWork {
    func begin(_ command: BeginVerification) throws -> Result<BeginVerification.Answer, PhoneFailure> {
        if try hasInvalidKey(command.context) { return .failure(.keyInvalid) }
        let number = command.phoneNumber
        let live = try live(number, owner: command.context.owner, at: command.now)
        let activity = try activity(of: number)
        let limits = try ledger(command.limitRules)
        let traffic = try traffic(around: number)
        let signup = try command.signupID.flatMap { try signups.find($0) }
        let safeNumber = try command.safeNumberKey.flatMap { try safeNumbers.find($0) }
        var state = BeginVerification.State(
            live: live,
            activity: activity,
            limits: limits,
            traffic: traffic,
            guardRules: try guardRules(fitting: number),
            signup: signup,
            isSafe: safeNumber != nil
        )
        let result = try command.apply(to: &state)
        keep(state.activity, of: number, loaded: activity)
        keep(state.limits, loaded: limits)
        keep(state.traffic, around: number, loaded: traffic, at: command.now)
        keep(state.live, loaded: live, at: command.now)
        if let message = state.message { messages.put(message) }
        if let changed = state.signup, changed != signup { signups.put(changed) }
        append(state.audit)
        return result
    }

    func check(_ command: CheckVerification) throws -> Result<CheckVerification.Outcome, PhoneFailure> {
        if try hasInvalidKey(command.context) { return .failure(.keyInvalid) }
        let loaded = try state(of: command)
        var state = loaded
        let result = try command.apply(to: &state)
        try keep(state, of: command, loaded: loaded)
        return result
    }

    /// Whether the client's key was revoked since it was last looked up.
    private func hasInvalidKey(_ context: RequestContext) throws -> Bool {
        guard let id = context.apiKey else { return false }
        guard let key = try apiKeys.find(id) else { return true }
        return key.revokedAt != nil
    }

    func check(_ command: CheckLiveVerification) throws -> Result<CheckVerification.Outcome, PhoneFailure> {
        guard let live = try live(command.number, owner: command.owner, at: command.now)
        else { return .failure(.verificationNotFound) }
        return try check(command.check(live.id))
    }

    private func state(of command: CheckVerification) throws -> CheckVerification.State {
        let verification = try verifications.find(command.id)
        return CheckVerification.State(
            verification: verification,
            activity: try verification.map { try activity(of: $0.phoneNumber) } ?? .none,
            limits: try ledger(command.limitRules)
        )
    }

    private func keep(
        _ state: CheckVerification.State,
        of command: CheckVerification,
        loaded: CheckVerification.State
    ) throws {
        keep(state.verification, loaded: loaded.verification, at: command.now)
        keep(state.limits, loaded: loaded.limits)
        if let number = loaded.verification?.phoneNumber {
            keep(state.activity, of: number, loaded: loaded.activity)
            if state.isApprovalToBeCounted {
                let before = try traffic(around: number)
                var after = before
                command.recordApproval(in: &after)
                keep(after, around: number, loaded: before, at: command.now)
            }
        }
        append(state.audit)
    }

    func cancel(_ command: CancelVerification) throws -> Result<Verification, PhoneFailure> {
        let loaded = try verifications.find(command.id)
        var state = CancelVerification.State(verification: loaded)
        let result = try command.apply(to: &state)
        keep(state.verification, loaded: loaded, at: command.now)
        append(state.audit)
        return result
    }

    func signUp(_ command: SignUp) throws -> SignUp.Outcome {
        let check = try state(of: command.check)
        let loaded = SignUp.State(
            check: check,
            account: try check.verification.flatMap { try account(holding: $0.phoneNumber) },
            session: try sessions.find(Session.id(openedBy: command.check.id)),
            signup: try command.signupID.flatMap { try signups.find($0) }
        )
        var state = loaded
        let outcome = try command.apply(to: &state)
        try keep(state.unlinked, loaded: loaded.account, at: command.check.now)
        try keep(state.account, loaded: loaded.account, at: command.check.now)
        try keep(state.session, loaded: loaded.session, of: state.account, at: command.check.now)
        try keep(state.check, of: command.check, loaded: check)
        if let signup = state.signup, signup != loaded.signup { signups.put(signup) }
        append(state.audit)
        return outcome
    }

    func begin(_ command: BeginSignup) throws -> PhoneFailure? {
        let limits = try ledger(command.limitRules)
        let signup = try signups.find(command.signup.id)
        var state = BeginSignup.State(limits: limits, signup: signup)
        let refusal = command.apply(to: &state)
        keep(state.limits, loaded: limits)
        if let begun = state.signup, begun != signup { signups.put(begun) }
        return refusal
    }

    func take(_ command: TakeLimits) throws -> PhoneFailure? {
        let loaded = try ledger(command.rules)
        var limits = loaded
        let refusal = command.apply(to: &limits)
        keep(limits, loaded: loaded)
        return refusal
    }
}

// MARK: - Accounts

extension RecordStore {
    public func refresh(_ command: RefreshSession) async throws -> RefreshSession.Outcome {
        try await change(.session, command.token.sessionID, within: command.limitRules) { unit in
            let session = try unit.sessions.find(command.token.sessionID)
            let account = try session.flatMap { try unit.accounts.find($0.accountID) }
            let limits = try unit.ledger(command.limitRules)
            var state = RefreshSession.State(session: session, account: account, limits: limits)
            let outcome = try command.apply(to: &state)
            try unit.keep(state.account, loaded: account, at: command.now)
            try unit.keep(state.session, loaded: session, of: state.account, at: command.now)
            unit.keep(state.limits, loaded: limits)
            unit.append(state.audit)
            return outcome
        }
    }

    public func end(_ command: EndSessions) async throws -> Bool {
        try await perform(.change, needing: { .of(command) }) { unit in
            let account = try unit.accounts.find(command.accountID)
            let session = try command.sessionID.flatMap { try unit.sessions.find($0) }
            var state = EndSessions.State(account: account, session: session)
            let hasEnded = try command.apply(to: &state)
            try unit.keep(state.account, loaded: account, at: command.now)
            try unit.keep(state.session, loaded: session, of: state.account, at: command.now)
            unit.append(state.audit)
            return hasEnded
        }
    }

    public func update(_ command: UpdateAccount) async throws -> Account {
        try await change(.session, command.sessionID, within: command.limits.rules) { unit in
            try unit.counted(command.limits) { unit in
                let loaded = try unit.signedIn(command.sessionID)
                var signedIn = loaded
                let outcome = command.apply(to: &signedIn)
                try unit.keep(signedIn?.account, loaded: loaded?.account, at: command.now)
                return outcome
            }
        }.get()
    }

    public func requestDeletion(_ command: RequestDeletion) async throws -> Account {
        try await change(.session, command.sessionID) { unit in
            let loaded = try unit.signedIn(command.sessionID)
            var state = RequestDeletion.State(signedIn: loaded)
            let outcome = try command.apply(to: &state)
            try unit.keep(state.signedIn?.account, loaded: loaded?.account, at: command.now)
            unit.append(state.audit)
            return outcome
        }.get()
    }

    public func changeNumber(_ command: ChangeNumber) async throws -> Account {
        try await perform(.change, needing: { .of(command) }) { try $0.changeNumber(command) }.get()
    }

    public func undo(_ command: UndoNumberChange) async throws -> Account {
        let change = try await numberChange(undoDigest: command.digest)
        return try await perform(.change, needing: { .undoing(change) }) { try $0.undo(command, change?.id) }.get()
    }
}

extension UnitOfWork {
    func changeNumber(_ command: ChangeNumber) throws -> Result<Account, PhoneFailure> {
        let check = try state(of: command.check)
        let session = try command.sessionID.flatMap { try sessions.find($0) }
        let account = try session.flatMap { try accounts.find($0.accountID) }
        let holder = try check.verification.flatMap { try self.account(holding: $0.phoneNumber) }
        let changes = try account.map { try numberChanges(of: $0.id) } ?? []
        var state = ChangeNumber.State(
            check: check,
            session: session,
            account: account,
            holder: holder,
            changes: changes
        )
        let outcome = try command.apply(to: &state)
        try keep(state.unlinked, loaded: holder, at: command.now)
        try keep(state.account, loaded: account, at: command.now)
        try keep(state.check, of: command.check, loaded: check)
        keep(state.changes, loaded: changes)
        if let change = state.change {
            numberChanges.put(change)
            changesByAccount.add(change)
        }
        if let message = state.message { messages.put(message) }
        append(state.audit)
        return outcome
    }

    /// - Parameter id: of the change whose secret the command has, if there is one.
    func undo(_ command: UndoNumberChange, _ id: NumberChange.ID?) throws -> Result<Account, PhoneFailure> {
        let change = try id.flatMap { try numberChanges.find($0) }
        let account = try change.flatMap { try accounts.find($0.accountID) }
        let holder = try change?.oldNumber.flatMap { try self.account(holding: $0) }
        let changes =
            try change.map { change in
                try numberChanges(of: change.accountID).filter { $0.changedAt >= change.changedAt }
            } ?? []
        var state = UndoNumberChange.State(change: change, changes: changes, account: account, holder: holder)
        let outcome = try command.apply(to: &state)
        try keep(state.unlinked, loaded: holder, at: command.now)
        try keep(state.account, loaded: account, at: command.now)
        keep(state.changes, loaded: changes)
        append(state.audit)
        return outcome
    }
}

// MARK: - Messages

extension RecordStore {
    public func settle(_ command: SettleMessage) async throws -> Bool {
        try await change(.message, command.id) { unit in
            guard let loaded = try unit.messages.find(command.id),
                let loadedVerification = try unit.verifications.find(loaded.verificationID)
            else { return false }
            var (message, verification) = (loaded, loadedVerification)
            guard command.apply(to: &message, &verification) else { return false }
            unit.keep(message, loaded: loaded, at: command.now)
            unit.keep(verification, loaded: loadedVerification, at: command.now)
            try unit.follow(message, loaded: loaded, of: verification.phoneNumber, at: command.now)
            return true
        }
    }

    public func retry(_ command: RetryMessage) async throws -> Result<OutboxMessage, RetryMessage.Refusal> {
        try await change(.message, command.id) { unit in
            let loaded = try unit.messages.find(command.id)
            let loadedVerification = try loaded.flatMap { try unit.verifications.find($0.verificationID) }
            let change = try loaded?.numberChangeID.flatMap { try unit.numberChanges.find($0) }
            var (message, verification) = (loaded, loadedVerification)
            let outcome = command.apply(to: &message, &verification, change)
            if let loaded, let message, message != loaded, let loadedVerification {
                unit.keep(message, loaded: loaded, at: command.now)
                try unit.follow(message, loaded: loaded, of: loadedVerification.phoneNumber, at: command.now)
                unit.append(command.entry(of: loadedVerification))
            }
            unit.keep(verification, loaded: loadedVerification, at: command.now)
            return outcome
        }
    }
}

extension UnitOfWork {
    /// - Parameter id: of the message that the gateway calls so, if there is one.
    public func record(_ command: RecordReceipt, _ id: OutboxMessage.ID?) throws -> Bool {
        // It may have got another name since it was looked for.
        guard let loaded = try id.flatMap({ try messages.find($0) }), loaded.gateway == command.gateway,
            loaded.gatewayMessageID == command.gatewayMessageID
        else { return false }
        var message = loaded
        guard command.apply(to: &message) else { return false }
        keep(message, loaded: loaded, at: command.now)
        return true
    }
}
