public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// A transaction as commands see it: they find records by their keys, save what they leave of them, and find what
/// commands before them have left.
///
/// A command finds records and saves them; `edit` finds one and saves it as it was changed. `keep` saves what a command
/// has left of its state, with what follows from it, such as events and indexes.
public final class CommandSession {
    /// How records get here and back, in the engine's own way.
    enum Engine {
        case sqlite(SQLiteSession)
        case postgreSQL(UnitOfWork)
    }

    let engine: Engine
    private let kinds: Set<Event.Kind>
    /// What is announced belongs to it.
    var traceParent: TraceParent?
    /// What the commands have written to the audit log, which the engine saves, and announced.
    private(set) var effects = StoreEffects()
    /// How many records were saved or removed.
    private(set) var changeCount = 0
    /// What there was before the operation that is at work.
    private var before = (entryCount: 0, hasAnnounced: false, changeCount: 0)

    /// - Parameter kinds: which events are kept when something changes.
    init(_ engine: Engine, announcing kinds: Set<Event.Kind>) { (self.engine, self.kinds) = (engine, kinds) }

    // MARK: - One command of many

    /// Call before an operation is done with this.
    func begin(_ operation: CommandOperation) {
        traceParent = operation.trace
        before = (effects.auditEntries.count, effects.hasAnnounced, changeCount)
        if case .postgreSQL(let unit) = engine { unit.begin() }
    }

    /// Whether the operation that is at work has saved or removed a record.
    var hasChanged: Bool { changeCount != before.changeCount }

    /// Leaves nothing of the operation that is at work; what SQLite has saved of it is undone by its transaction alone.
    func undo() {
        effects.auditEntries.removeSubrange(before.entryCount...)
        effects.hasAnnounced = before.hasAnnounced
        if case .postgreSQL(let unit) = engine { unit.undo() }
    }

    /// Does work of which nothing is left if it throws, beside others of the transaction.
    private func isolated<Value>(_ work: () throws -> Value) throws -> Value {
        guard case .sqlite(let session) = engine else { return try work() }
        let changes = changeCount
        return try session.isolated {
            do {
                return try work()
            } catch {
                changeCount = changes
                throw error
            }
        }
    }

    /// Finds the state of a command: an engine that loads at once does so when all that it needs is known.
    public func loading<Value>(_ work: () throws -> Value) throws -> Value {
        switch engine {
        case .sqlite: try work()
        case .postgreSQL(let unit): try unit.loading(work)
        }
    }

    /// Has an engine that loads at once load what is found here, together with what is found next.
    func preload(_ work: () throws -> Void) throws {
        if case .postgreSQL(let unit) = engine { try unit.loading(work) }
    }

    /// Loads also what hangs on a record that is not known yet, where the engine loads at once.
    func need<R: Record>(_ relation: Relation, of type: R.Type, _ key: R.Key) {
        if case .postgreSQL(let unit) = engine { unit.need(relation, of: type, key) }
    }

    // MARK: - Records

    /// - Parameter isShared: whether others may change it until the end of the transaction.
    public func find<R: Record>(_ type: R.Type, _ key: R.Key, isShared: Bool = false) throws -> R? {
        switch engine {
        case .sqlite(let session): try session.find(type, key)
        case .postgreSQL(let unit): try unit.records(type).find(key, isShared: isShared)
        }
    }

    /// Saves a record as it is now.
    ///
    /// - Parameters:
    ///   - loaded: as it was found; nil if it was not there.
    ///   - current: nil if it is no more.
    func save<R: Record>(_ loaded: R?, _ current: R?) throws {
        switch engine {
        case .sqlite(let session): try session.save(loaded, current)
        case .postgreSQL(let unit): unit.save(loaded, current)
        }
        changeCount += 1
    }

    /// Adds a record: none with its key may be there.
    public func put<R: Record>(_ record: R) throws { try save(nil, record) }

    public func remove<R: Record>(_ type: R.Type, _ key: R.Key) throws { _ = try remove(type, key, audit: nil) }

    /// - Parameter entry: what the audit log gets if it was there.
    /// - Returns: the record that was removed, if it was there.
    public func remove<R: Record>(_ type: R.Type, _ key: R.Key, audit entry: AuditEntry?) throws -> R? {
        guard let record = try find(type, key) else { return nil }
        try save(record, nil)
        append(entry)
        return record
    }

    /// Changes one record, and saves it if it differs; nil removes it.
    public func edit<R: Record, Value>(
        _ type: R.Type,
        _ key: R.Key,
        _ change: (inout R?) throws -> Value
    ) throws -> Value {
        let loaded = try find(type, key)
        var record = loaded
        let value = try change(&record)
        if record != loaded { try save(loaded, record) }
        return value
    }

    // MARK: - What commands ask for

    func live(_ number: PhoneNumber, owner: Owner, at now: Timestamp) throws -> Verification? {
        try recent(number, at: now).live(of: owner, at: now)
    }

    /// Every verification of a number that may still be live.
    func recent(_ number: PhoneNumber, at now: Timestamp) throws -> [Verification] {
        let since = now - Verification.longestLife
        return switch engine {
        case .sqlite(let session):
            // Those of a clock that was further ahead are not live.
            try session.verifications(of: number.e164, since: since, until: now + Verification.clockTolerance)
        case .postgreSQL(let unit): try unit.verifications(of: number.e164, since: since)
        }
    }

    func account(holding number: PhoneNumber) throws -> Account? {
        guard let holder = try find(NumberHolder.self, number.e164) else { return nil }
        return try find(Account.self, holder.account)
    }

    func account(of id: ExternalID) throws -> Account? {
        guard let holder = try find(ExternalHolder.self, id.description) else { return nil }
        return try find(Account.self, holder.account)
    }

    func signedIn(_ id: Session.ID) throws -> SignedIn? {
        guard let session = try find(Session.self, id), let account = try find(Account.self, session.accountID)
        else { return nil }
        return SignedIn(session: session, account: account)
    }

    /// The oldest first, nearly always all that there are.
    private func sessions(of id: Account.ID) throws -> [Session] {
        switch engine {
        case .sqlite(let session): try session.sessions(of: id, limit: Self.mostSessions)
        case .postgreSQL(let unit): try unit.sessions(of: id)
        }
    }

    /// Twice as many as an account has live ones at most: those that it has ended by its generation may still be there.
    static let mostSessions = 2 * SessionPolicy.most

    /// The oldest first.
    func numberChanges(of id: Account.ID) throws -> [NumberChange] {
        let found =
            switch engine {
            case .sqlite(let session): try session.numberChanges(of: id)
            case .postgreSQL(let unit): try unit.numberChanges(of: id)
            }
        return found.sorted { ($0.changedAt, $0.id.description) < ($1.changedAt, $1.id.description) }
    }

    func activity(of number: PhoneNumber) throws -> NumberActivity {
        try find(ActiveNumber.self, number.e164)?.activity ?? .none
    }

    func ledger(_ rules: [LimitRule]) throws -> LimitLedger {
        try loading { try LimitLedger(rules) { try find(MeterInUse.self, $0)?.meter } }
    }

    /// The operator's rules that may fit the number, those among them that commands before this one have set.
    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule] {
        switch engine {
        case .sqlite(let session): try session.guardRules(fitting: number)
        case .postgreSQL(let unit): try unit.guardRules(fitting: number)
        }
    }

    func traffic(around number: PhoneNumber, from address: ClientAddress?) throws -> NumberTraffic {
        try loading { try NumberTraffic(of: number, from: address) { try find(KeyedTraffic.self, $0)?.traffic } }
    }

    // MARK: - What commands leave

    /// Does what a client asks for, and counts it against the client's limits if it leaves anything. Beyond them it
    /// throws, and nothing of it is left.
    ///
    /// - Parameter load: finds what the work finds, so that an engine that loads at once loads the limits together with
    ///   it.
    func counted<Value>(
        _ limits: TakeLimits,
        loading load: () throws -> Void = {},
        _ work: () throws -> Value
    ) throws -> Value {
        try preload {
            try load()
            _ = try ledger(limits.rules)
        }
        let (changeCount, entryCount) = (changeCount, effects.auditEntries.count)
        return try isolated {
            let value = try work()
            guard self.changeCount > changeCount || effects.auditEntries.count > entryCount else { return value }
            try limits.run(in: self).get()
            return value
        }
    }

    public func keep(_ verification: Verification?, loaded: Verification?, at now: Timestamp) throws {
        guard let verification, verification != loaded else { return }
        let isNew = loaded?.id != verification.id
        try save(isNew ? nil : loaded, verification)
        try announce(Event(verification, was: isNew ? nil : loaded, at: now))
        try announce(Event(feedbackOn: verification, was: isNew ? nil : loaded, at: now))
    }

    /// Keeps a message of a verification, and counts it anew where it was sent and was not, or the other way round.
    ///
    /// - Parameters:
    ///   - verification: as it was loaded.
    ///   - limits: those in which it was counted.
    func keep(
        _ message: OutboxMessage?,
        loaded: OutboxMessage?,
        of verification: Verification?,
        _ limits: LimitPolicy,
        at now: Timestamp
    ) throws {
        guard let message, let loaded, message != loaded else { return }
        try save(loaded, message)
        try announce(Event(message, was: loaded, at: now))
        guard let verification, message.isCharged != loaded.isCharged, !verification.isGuessedUnsent(in: loaded)
        else { return }
        let number = verification.phoneNumber
        let before = try loading {
            (
                limits: try ledger(limits.messages(to: number)),
                traffic: try traffic(around: number, from: verification.begunFrom)
            )
        }
        var after = before
        message.count(in: &after.limits, &after.traffic, insteadOf: loaded, at: now)
        try keep(after.limits, loaded: before.limits)
        try keep(after.traffic, around: number, loaded: before.traffic, at: now)
    }

    /// Keeps what a command left of an account, or the account that it made. Where a number goes from one account to
    /// another, the one that loses it comes first.
    ///
    /// - Parameter isAnnounced: false for accounts that did not sign up here: a webhook for each of a million would be
    ///   of use to nobody.
    func keep(_ account: Account?, loaded: Account?, at now: Timestamp, isAnnounced: Bool = true) throws {
        guard let account, account != loaded else { return }
        let before = loaded?.id == account.id ? loaded : nil
        try save(before, account)
        if account.phoneNumber != before?.phoneNumber {
            for number in [before?.phoneNumber, account.phoneNumber].compactMap(\.self) {
                let holder = number == account.phoneNumber ? account.holder : nil
                try save(try find(NumberHolder.self, number.e164), holder)
            }
        }
        if let external = account.externalID, external != before?.externalID {
            try put(ExternalHolder(externalID: external.description, account: account.id))
        }
        guard isAnnounced else { return }
        try announce(before.map { Event(account, was: $0, at: now) } ?? Event(made: account, at: now))
    }

    /// Keeps what a command left of a session, or the session that it opened, for which others of the account may have
    /// to go (`replaced(by:of:at:)`). The account comes before it.
    func keep(_ session: Session?, loaded: Session?, of account: Account?, at now: Timestamp) throws {
        guard session != loaded else { return }
        if let session, loaded == nil, let account {
            for other in try sessions(of: account.id).replaced(by: session, of: account, at: now) {
                try save(other, nil)
            }
        }
        try save(loaded, session)
    }

    /// Keeps a record from which nothing follows; nil if it is no more.
    func keep<R: Record>(_ record: R?, loaded: R?) throws { if record != loaded { try save(loaded, record) } }

    func keep(_ changes: [NumberChange], loaded: [NumberChange]) throws {
        for (change, loaded) in zip(changes, loaded) { try keep(change, loaded: loaded) }
    }

    func keep(_ activity: NumberActivity, of number: PhoneNumber, loaded: NumberActivity) throws {
        guard activity != loaded else { return }
        func record(_ activity: NumberActivity) -> ActiveNumber? {
            activity == .none ? nil : ActiveNumber(e164: number.e164, activity: activity)
        }
        try save(record(loaded), record(activity))
    }

    func keep(_ ledger: LimitLedger, loaded: LimitLedger) throws {
        func record(_ key: LimitKey, _ meter: RateMeter?) -> MeterInUse? {
            meter.map { MeterInUse(key: key, meter: $0) }
        }
        try ledger.changes(since: loaded) { try save(record($0, $1), record($0, $2)) }
    }

    func keep(_ traffic: NumberTraffic, around number: PhoneNumber, loaded: NumberTraffic, at now: Timestamp) throws {
        try announce(Event(traffic.prefix, was: loaded.prefix, of: number.prefix, at: now))
        for (part, loaded) in zip(traffic.parts(of: number), loaded.parts(of: number)) where part != loaded {
            try save(loaded.traffic == .none ? nil : loaded, part)
        }
    }

    func edit(
        around verification: Verification,
        at now: Timestamp,
        _ change: (inout NumberTraffic) -> Void
    ) throws {
        let number = verification.phoneNumber
        let loaded = try traffic(around: number, from: verification.begunFrom)
        var traffic = loaded
        change(&traffic)
        try keep(traffic, around: number, loaded: loaded, at: now)
    }

    public func append(_ entry: AuditEntry?) { if let entry { effects.auditEntries.append(entry) } }

    func append(_ entries: [AuditEntry]) { effects.auditEntries += entries }

    /// Keeps an event if somebody subscribed to it. One with that ID that is there already stays as it is.
    private func announce(_ event: @autoclosure () -> Event?) throws {
        guard !kinds.isEmpty, let event = event(), kinds.contains(event.kind) else { return }
        try put(event.belonging(to: traceParent))
        effects.hasAnnounced = true
    }
}
