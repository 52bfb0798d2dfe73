public import PhoneDomain

/// Every store port over dictionaries: the plainest store that keeps the contract, for tests of what stands on it.
public actor MemoryStore: VerificationStore, SignupStore, OutboxStore, StoreMaintenance {
    private var verifications: [Verification.ID: Verification] = [:]
    private var activities: [String: NumberActivity] = [:]
    private var accounts: [Account.ID: Account] = [:]
    private var signups: [Signup.ID: Signup] = [:]
    private var messages: [OutboxMessage.ID: OutboxMessage] = [:]
    private var outage: (any Error)?

    /// An empty store.
    public init() {}

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

    private func reach() throws {
        if let outage { throw outage }
    }

    public func begin(_ command: BeginVerification) throws -> BeginVerification.Outcome {
        try reach()
        // A clock that was set back can make two of them live; it is the one that lives longer then.
        let live = verifications.values
            .filter {
                $0.phoneNumber == command.phoneNumber && $0.owner == command.owner && $0.isLive(at: command.now)
            }
            .max { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
        let e164 = command.phoneNumber.e164
        var state = BeginVerification.State(live: live, activity: activities[e164] ?? .none)
        let outcome = command.apply(to: &state)
        keep(state.activity, of: e164)
        if let verification = state.live { verifications[verification.id] = verification }
        if let message = state.message { messages[message.id] = message }
        return outcome
    }

    public func check(_ command: CheckVerification) throws -> CheckVerification.Outcome {
        try reach()
        let found = verifications[command.id]
        let e164 = found?.phoneNumber.e164 ?? ""
        var state = CheckVerification.State(verification: found, activity: activities[e164] ?? .none)
        let outcome = try command.apply(to: &state)
        if let verification = state.verification {
            verifications[verification.id] = verification
            keep(state.activity, of: e164)
        }
        return outcome
    }

    private func keep(_ activity: NumberActivity, of e164: String) {
        activities[e164] = activity == .none ? nil : activity
    }

    public func cancel(_ command: CancelVerification) throws -> CancelVerification.Outcome {
        try reach()
        return command.apply(to: &verifications[command.id])
    }

    public func signUp(_ command: SignUp) throws -> SignUp.Outcome {
        try reach()
        let verification = verifications[command.verificationID]
        let account = accounts.values.first { $0.phoneNumber == verification?.phoneNumber }
        var state = SignUp.State(verification: verification, account: account)
        let outcome = command.apply(to: &state)
        if let verification = state.verification { verifications[verification.id] = verification }
        if let account = state.account { accounts[account.id] = account }
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

    public func insert(_ signup: Signup) throws {
        try reach()
        signups[signup.id] = signup
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

    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) throws -> [OutboxClaim] {
        try reach()
        var claims: [OutboxClaim] = []
        let due = messages.values.filter { $0.status == .queued && $0.nextAttemptAt <= now }
            .map { (order: ($0.nextAttemptAt, $0.createdAt, $0.id.description), message: $0) }
            .sorted { $0.order < $1.order }
            .map(\.message)
        for var message in due where claims.count < limit {
            guard let verification = verifications[message.verificationID], message.claim(at: now, until: end) else {
                continue
            }
            messages[message.id] = message
            claims.append(OutboxClaim(message: message, verification: verification))
        }
        return claims
    }

    public func settle(_ command: SettleMessage) throws -> Bool {
        try reach()
        guard var message = messages[command.id], var verification = verifications[message.verificationID],
            command.apply(to: &message, &verification)
        else { return false }
        messages[message.id] = message
        verifications[verification.id] = verification
        return true
    }

    public func nextAttempt() throws -> Timestamp? {
        try reach()
        return messages.values.filter { $0.status == .queued }.map(\.nextAttemptAt).min()
    }

    public func ping() throws {
        try reach()
    }

    public func close(at now: Timestamp, limit: Int) throws -> Int {
        try reach()
        var count = 0
        for var verification in verifications.values where count < limit && verification.close(at: now) {
            verifications[verification.id] = verification
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
            .map(\.id)
        let oldMessages = ended.flatMap { id in
            messages.values.filter { $0.verificationID == id }.map(\.id).sorted { $0.description < $1.description }
        }
        let purgedMessages = oldMessages.prefix(limit)
        for id in purgedMessages { messages[id] = nil }

        let owing = Set(messages.values.map(\.verificationID))
        let purgedVerifications = ended.filter { !owing.contains($0) }.prefix(limit)
        for id in purgedVerifications { verifications[id] = nil }

        let purgedSignups = try purgeSignups(before: moment, limit: limit)

        let silent = activities.compactMap { e164, activity in
            (activity.recentSends + [activity.lastFailureAt].compactMap(\.self)).max().map { (since: $0, e164: e164) }
        }
        let purgedActivities = silent.filter { $0.since < moment }.sorted { $0 < $1 }.prefix(limit)
        for activity in purgedActivities { activities[activity.e164] = nil }

        return purgedMessages.count + purgedVerifications.count + purgedSignups + purgedActivities.count
    }
}
