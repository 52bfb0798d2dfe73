public import PhoneDomain

/// Every store port over dictionaries: the plainest store that keeps the contract, for tests of what stands on it.
public actor MemoryStore: VerificationStore, SignupStore, StoreMaintenance {
    var verifications: [Verification.ID: Verification] = [:]
    /// The names of those that were begun of each number, so that many numbers are no slower than few.
    private var begun: [String: Set<Verification.ID>] = [:]
    var activities: [String: NumberActivity] = [:]
    var accounts: [Account.ID: Account] = [:]
    var sessions: [Session.ID: Session] = [:]
    var changes: [NumberChange.ID: NumberChange] = [:]
    var signups: [Signup.ID: Signup] = [:]
    var messages: [OutboxMessage.ID: OutboxMessage] = [:]
    var meters: [LimitKey: RateMeter] = [:]
    var traffic: [TrafficKey: Traffic] = [:]
    var rules: [String: GuardRule] = [:]
    var keys: [APIKey.ID: APIKey] = [:]
    var tenants: [Tenant.ID: Tenant] = [:]
    var safeNumbers: [SafeNumber.ID: SafeNumber] = [:]
    var signers: [SigningKey.ID: SigningKey] = [:]
    var requests: [IdempotentRequest.Name: IdempotentRequest] = [:]
    var audit: [(cursor: AuditCursor, entry: AuditEntry)] = []
    var events: [EventID: Event] = [:]
    let subscription: EventSubscription
    private var lastAuditSerial: Int64 = 0
    private var outage: (any Error)?
    private let observer: (any StoreObserver)?

    /// An empty store.
    ///
    /// - Parameters:
    ///   - events: what is announced when it changes.
    ///   - observer: is told of audit entries; there are no batches.
    public init(announcing events: EventSubscription = .none, observer: (any StoreObserver)? = nil) {
        subscription = events
        self.observer = observer
    }

    /// From now on every operation throws this, until it is nil again.
    public func fail(with error: (any Error)?) {
        outage = error
    }

    /// All messages, oldest first.
    public var outbox: [OutboxMessage] {
        messages.values.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    /// How many accounts there are.
    public var accountCount: Int { accounts.count }

    func reach() throws {
        if let outage { throw outage }
    }

    public func begin(_ command: BeginVerification) throws -> BeginVerification.Answer {
        try reach()
        // A clock that was set back can make two of them live; it is the one that lives longer then.
        let live = live(command.phoneNumber, command.context.owner, at: command.now)
        let e164 = command.phoneNumber.e164
        var state = BeginVerification.State(
            live: live,
            activity: activities[e164] ?? .none,
            limits: LimitLedger(command.limitRules) { meters[$0] },
            traffic: NumberTraffic(of: command.phoneNumber) { traffic[$0] },
            guardRules: GuardRule.prefixes(of: command.phoneNumber).compactMap { rules[$0] }
        )
        let outcome = try command.apply(to: &state)
        keep(state.activity, of: e164)
        keep(state.limits)
        announce(
            Event(
                state.traffic.prefix,
                was: traffic[.prefix(command.phoneNumber.prefix)] ?? .none,
                of: command.phoneNumber.prefix,
                at: command.now
            )
        )
        keep(state.traffic, around: command.phoneNumber)
        keep(state.audit)
        if let verification = state.live {
            keep(verification, at: command.now)
            begun[e164, default: []].insert(verification.id)
        }
        if let message = state.message { messages[message.id] = message }
        return BeginVerification.Answer(outcome, state)
    }

    func live(_ number: PhoneNumber, _ owner: Owner, at now: Timestamp) -> Verification? {
        begun[number.e164, default: []]
            .compactMap { verifications[$0] }
            .filter { $0.owner == owner && $0.isLive(at: now) }
            .max { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
    }

    public func check(_ command: CheckVerification) throws -> CheckVerification.Outcome {
        try reach()
        var state = state(of: command)
        let outcome = try command.apply(to: &state)
        keep(state, of: command)
        return outcome
    }

    func state(of command: CheckVerification) -> CheckVerification.State {
        let found = verifications[command.id]
        return CheckVerification.State(
            verification: found,
            activity: found.flatMap { activities[$0.phoneNumber.e164] } ?? .none,
            limits: LimitLedger(command.limitRules) { meters[$0] }
        )
    }

    func keep(_ state: CheckVerification.State, of command: CheckVerification) {
        if let verification = state.verification {
            keep(verification, at: command.now)
            keep(state.activity, of: verification.phoneNumber.e164)
            if state.isApprovalToBeCounted {
                var around = NumberTraffic(of: verification.phoneNumber) { traffic[$0] }
                command.recordApproval(in: &around)
                keep(around, around: verification.phoneNumber)
            }
        }
        keep(state.limits)
        keep(state.audit)
    }

    /// Keeps what a command left at this moment, and what that announces.
    func keep(_ verification: Verification, at now: Timestamp) {
        announce(Event(verification, was: verifications[verification.id], at: now))
        verifications[verification.id] = verification
    }

    /// Keeps what a command left at this moment, and what that announces.
    func keep(_ message: OutboxMessage, at now: Timestamp) {
        announce(Event(message, was: messages[message.id], at: now))
        messages[message.id] = message
    }

    /// Keeps what a command left at this moment, and what that announces.
    func keep(_ account: Account?, at now: Timestamp) {
        guard let account else { return }
        announce(accounts[account.id].map { Event(account, was: $0, at: now) } ?? Event(made: account, at: now))
        accounts[account.id] = account
    }

    func keep(_ limits: LimitLedger) {
        meters.merge(limits.meters) { $1 }
    }

    func keep(_ traffic: NumberTraffic, around number: PhoneNumber) {
        for part in traffic.parts(of: number) { self.traffic[part.key] = part.traffic == .none ? nil : part.traffic }
    }

    func keep(_ entry: AuditEntry?) {
        guard let entry else { return }
        lastAuditSerial += 1
        audit.append((AuditCursor(at: entry.at, serial: lastAuditSerial), entry))
        observer?.observe(entry)
    }

    func restore(_ cursor: AuditCursor, _ entry: AuditEntry) {
        lastAuditSerial = max(lastAuditSerial, cursor.serial)
        audit.append((cursor, entry))
    }

    func restore(_ verification: Verification) {
        verifications[verification.id] = verification
        begun[verification.phoneNumber.e164, default: []].insert(verification.id)
    }

    private func keep(_ activity: NumberActivity, of e164: String) {
        activities[e164] = activity == .none ? nil : activity
    }

    public func cancel(_ command: CancelVerification) throws -> CancelVerification.Outcome {
        try reach()
        var state = CancelVerification.State(verification: verifications[command.id])
        let outcome = try command.apply(to: &state)
        if let verification = state.verification { keep(verification, at: command.now) }
        keep(state.audit)
        return outcome
    }

    public func signUp(_ command: SignUp) throws -> SignUp.Outcome {
        try reach()
        let check = state(of: command.check)
        let session = Session.id(openedBy: command.check.id)
        var state = SignUp.State(
            check: check,
            account: try check.verification.flatMap { try account(of: $0.phoneNumber) },
            session: sessions[session],
            signup: command.signupID.flatMap { signups[$0] }
        )
        let outcome = try command.apply(to: &state)
        keep(state.check, of: command.check)
        keep(state.unlinked, at: command.check.now)
        keep(state.account, at: command.check.now)
        sessions[session] = state.session
        if let signup = state.signup { signups[signup.id] = signup }
        for entry in state.audit { keep(entry) }
        return outcome
    }

    public func verification(_ id: Verification.ID) throws -> Verification? {
        try reach()
        return verifications[id]
    }

    public func account(_ id: Account.ID) throws -> Account? {
        try reach()
        return accounts[id]
    }

    public func begin(_ command: BeginSignup) throws -> BeginSignup.Outcome {
        try reach()
        var state = BeginSignup.State(limits: LimitLedger(command.limitRules) { meters[$0] })
        let outcome = command.apply(to: &state)
        keep(state.limits)
        if let signup = state.signup { signups[signup.id] = signup }
        return outcome
    }

    public func signup(_ id: Signup.ID) throws -> Signup? {
        try reach()
        return signups[id]
    }

    public func update(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) throws -> Signup? {
        try reach()
        guard var signup = signups[id] else { return nil }
        change(&signup)
        signups[id] = signup
        return signup
    }

    public func ping() throws {
        try reach()
    }

    public func close(at now: Timestamp, limit: Int) throws -> Int {
        try reach()
        var count = 0
        for var verification in verifications.values where count < limit && verification.close(at: now) {
            keep(verification, at: now)
            count += 1
        }
        return count
    }

    public func purgeSignups(before moment: Timestamp, limit: Int) throws -> Int {
        try reach()
        let old = signups.values.filter { $0.expiresAt < moment }
            .sorted { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
            .prefix(limit)
        for signup in old { signups[signup.id] = nil }
        return old.count
    }

    public func purge(before moment: Timestamp, limit: Int) throws -> Int {
        try reach()
        let ended = verifications.values
            .filter { max($0.expiresAt, $0.updatedAt) < moment }
            .sorted {
                (max($0.expiresAt, $0.updatedAt), $0.id.description)
                    < (max($1.expiresAt, $1.updatedAt), $1.id.description)
            }
            .prefix(limit)
            .map(\.id)
        let oldMessages = ended.flatMap { id in
            messages.values.filter { $0.verificationID == id }.map(\.id).sorted { $0.description < $1.description }
        }
        let purgedMessages = oldMessages.prefix(limit)
        for id in purgedMessages { messages[id] = nil }

        let owing = Set(messages.values.map(\.verificationID))
        let purgedVerifications = ended.filter { !owing.contains($0) }
        for id in purgedVerifications {
            guard let e164 = verifications.removeValue(forKey: id)?.phoneNumber.e164 else { continue }
            begun[e164]?.remove(id)
            if begun[e164]?.isEmpty ?? false { begun[e164] = nil }
        }

        let purgedSignups = try purgeSignups(before: moment, limit: limit)

        let silent = activities.compactMap { e164, activity in
            (activity.recentSends + [activity.lastFailureAt].compactMap(\.self)).max().map { (since: $0, e164: e164) }
        }
        let purgedActivities = silent.filter { $0.since < moment }.sorted { $0 < $1 }.prefix(limit)
        for activity in purgedActivities { activities[activity.e164] = nil }

        return purgedMessages.count + purgedVerifications.count + purgedSignups
            + purgedActivities.count
    }
}
