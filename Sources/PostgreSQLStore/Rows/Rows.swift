import PhoneDomain

/// The rows that a batch works on. Operations of a batch see what those before them left.
struct Rows {
    var activities = Image<NumberActivityTable>()
    var messages = Image<OutboxMessageTable>()
    private(set) var verifications = Image<VerificationTable>()
    var accounts = AccountRows()
    var signups = Image<SignupTable>()
    var requests = Image<IdempotentRequestTable>()
    var tenants = Image<TenantTable>()
    var safeNumbers = Image<SafeNumberTable>()
    var meters = Image<RateMeterTable>()
    var traffic = Image<TrafficTable>()
    var guardRules = Image<GuardRuleTable>()
    var events = Image<EventTable>()
    /// The kinds of event that are kept when something changes.
    let announcing: Set<Event.Kind>
    /// The trace that the operation at work belongs to.
    var traceParent: TraceParent?
    /// How many events were announced, those among them that were undone.
    private(set) var announcedCount = 0
    private(set) var auditEntries: [AuditEntry] = []
    /// The verifications that are known, by number.
    private var verificationsByNumber: [String: [String]] = [:]
    /// Numbers of which every verification that may live is known.
    private var begunNumbers: Set<String> = []

    init(announcing: Set<Event.Kind>) {
        self.announcing = announcing
    }

    // MARK: - What operations ask for and leave

    /// The verification of this number and owner that lives at this moment. A clock that was set back can make two of
    /// them live; it is the one that lives longer then.
    func live(_ number: PhoneNumber, owner: Owner, at now: Timestamp) throws(NotLoaded) -> Verification? {
        guard begunNumbers.contains(number.e164) else {
            var keys = RowKeys()
            keys.begunNumbers = [number.e164]
            keys.liveSince = now - Verification.longestLife
            throw NotLoaded(keys)
        }
        return (verificationsByNumber[number.e164] ?? [])
            .compactMap { verifications.known($0) }
            .filter { $0.owner == owner && $0.isLive(at: now) }
            .max { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
    }

    func verification(_ id: Verification.ID) throws(NotLoaded) -> Verification? {
        try verifications.find(id.description)
    }

    /// Keeps what a command left at this moment, and what that announces.
    mutating func keep(_ verification: Verification?, loaded: Verification?, at now: Timestamp) {
        guard let verification, verification != loaded else { return }
        if loaded?.id != verification.id {
            verificationsByNumber[verification.phoneNumber.e164, default: []].append(verification.id.description)
        }
        verifications.keep(verification, under: verification.id.description)
        announce(Event(verification, was: loaded?.id == verification.id ? loaded : nil, at: now))
    }

    mutating func keep(_ message: OutboxMessage, loaded: OutboxMessage, at now: Timestamp) {
        guard message != loaded else { return }
        messages.keep(message, under: message.id.description)
        announce(Event(message, was: loaded, at: now))
    }

    /// Keeps what a command left of an account, or the account that it made, and what that announces. Where a number
    /// goes from one account to another, the one that loses it is kept first.
    mutating func keep(_ account: Account?, loaded: Account?, at now: Timestamp) {
        guard let account, account != loaded else { return }
        let before = loaded?.id == account.id ? loaded : nil
        accounts.keep(account, loaded: before)
        announce(before.map { Event(account, was: $0, at: now) } ?? Event(made: account, at: now))
    }

    /// Keeps the session that a command left; nil where none is to stay.
    mutating func keep(_ session: Session?, loaded: Session?) {
        guard session != loaded else { return }
        accounts.keep(session, loaded: loaded)
    }

    mutating func end(_ sessions: [Session]) {
        for session in sessions { accounts.keep(nil, loaded: session) }
    }

    /// Keeps an event if somebody wants to hear of it. One of that name that is there already stays as it is.
    private mutating func announce(_ event: Event?) {
        guard let event, announcing.contains(event.kind), events.known(event.id.description) == nil else { return }
        events.keep(event.belonging(to: traceParent), under: event.id.description)
        announcedCount += 1
    }

    func activity(of e164: String) throws(NotLoaded) -> NumberActivity {
        try activities.find(e164) ?? .none
    }

    mutating func keep(_ activity: NumberActivity, of e164: String, loaded: NumberActivity) {
        guard activity != loaded else { return }
        activities.keep(activity.silentSince == nil ? nil : activity, under: e164)
    }

    func ledger(_ rules: [LimitRule]) throws -> LimitLedger {
        try LimitLedger(rules) { try meters.find($0.description) }
    }

    mutating func keep(_ ledger: LimitLedger, loaded: LimitLedger) {
        for (key, meter) in ledger.meters where loaded.meters[key] != meter {
            meters.keep(meter, under: key.description)
        }
    }

    func traffic(around number: PhoneNumber) throws -> NumberTraffic {
        do {
            return try NumberTraffic(of: number) { try traffic.find($0.description) }
        } catch is NotLoaded {
            // All of it at once, since one way to the server brings all.
            var keys = RowKeys()
            keys.need(trafficAround: number)
            throw NotLoaded(keys)
        }
    }

    mutating func keep(_ traffic: NumberTraffic, around number: PhoneNumber, loaded: NumberTraffic, at now: Timestamp) {
        announce(Event(traffic.prefix, was: loaded.prefix, of: number.prefix, at: now))
        for (part, loaded) in zip(traffic.parts(of: number), loaded.parts(of: number))
        where part.traffic != loaded.traffic {
            self.traffic.keep(
                part.traffic.silentSince == nil ? nil : part.traffic,
                under: part.key.description
            )
        }
    }

    /// The operator's rules of every beginning of the number.
    func guardRules(fitting number: PhoneNumber) throws(NotLoaded) -> [GuardRule] {
        var rules: [GuardRule] = []
        for prefix in GuardRule.prefixes(of: number) {
            if let rule = try guardRules.find(prefix) { rules.append(rule) }
        }
        return rules
    }

    mutating func keep(_ request: IdempotentRequest?, loaded: IdempotentRequest?) {
        guard let request, request != loaded else { return }
        requests.keep(request, under: request.name.rawValue)
    }

    mutating func append(_ entries: [AuditEntry]) {
        auditEntries += entries
    }

    mutating func append(_ entry: AuditEntry?) {
        if let entry { auditEntries.append(entry) }
    }

    /// Keeps what became of a message in the traffic around its number.
    mutating func follow(
        _ message: OutboxMessage,
        loaded: OutboxMessage,
        of verification: Verification,
        at now: Timestamp
    ) throws {
        guard message.countsAsSent != loaded.countsAsSent else { return }
        let before = try traffic(around: verification.phoneNumber)
        var after = before
        after.follow(message, from: loaded)
        keep(after, around: verification.phoneNumber, loaded: before, at: now)
    }

    // MARK: - What the server has

    /// Takes in verifications that the server returned for these keys.
    mutating func load(
        _ rows: [(key: String, value: Verification)],
        for keys: RowKeys
    ) {
        for row in rows where !verifications.isLoaded(row.key) {
            verificationsByNumber[row.value.phoneNumber.e164, default: []].append(row.key)
        }
        verifications.load(rows, of: keys.allVerifications)
        begunNumbers.formUnion(keys.begunNumbers)
        // Their numbers were not known before. What the server has of a number it has returned together with them.
        for id in keys.checkedVerifications {
            if let verification = verifications.known(id) { activities.load([], of: [verification.phoneNumber.e164]) }
        }
    }

    /// The numbers of verifications that are known.
    func numbers(of ids: some Sequence<String>) -> [String] {
        ids.compactMap { verifications.known($0)?.phoneNumber.e164 }
    }

    /// What the batch leaves. Tables in the order in which they are locked; messages after what they refer to.
    func saves() -> [Query] {
        activities.saves() + messages.saves() + verifications.saves() + accounts.saves() + events.saves()
            + signups.saves() + requests.saves() + tenants.saves() + safeNumbers.saves() + meters.saves()
            + traffic.saves() + AuditEntryTable.inserts(auditEntries)
    }

    // MARK: - One operation of many

    struct Mark {
        fileprivate let counts: [Int]
    }

    /// Where ``rollBack(to:)`` goes back to.
    var mark: Mark {
        Mark(
            counts: [
                activities.mark, messages.mark, verifications.mark, signups.mark, requests.mark, meters.mark,
                traffic.mark, auditEntries.count, events.mark, tenants.mark, safeNumbers.mark,
            ] + accounts.marks
        )
    }

    /// Undoes what an operation did that failed in the middle.
    mutating func rollBack(to mark: Mark) {
        activities.rollBack(to: mark.counts[0])
        messages.rollBack(to: mark.counts[1])
        verifications.rollBack(to: mark.counts[2])
        signups.rollBack(to: mark.counts[3])
        requests.rollBack(to: mark.counts[4])
        meters.rollBack(to: mark.counts[5])
        traffic.rollBack(to: mark.counts[6])
        auditEntries.removeSubrange(mark.counts[7]...)
        events.rollBack(to: mark.counts[8])
        tenants.rollBack(to: mark.counts[9])
        safeNumbers.rollBack(to: mark.counts[10])
        accounts.rollBack(to: mark.counts[11...])
    }
}
