public import PhoneDomain

/// The source from which a ``UnitOfWork`` has what it does not know yet. What it returns is as the engine has it,
/// without what the unit of work has changed.
protocol RecordSource: AnyObject {
    /// Whether it loads and locks what all commands of a transaction need at once. What has not been loaded is nil in
    /// ``loading(_:)``, and is then loaded before the command runs again.
    var loadsAtOnce: Bool { get }
    /// Finds the state of a command. Throws, where this ``loadsAtOnce``, if anything is still to be loaded.
    func loading<Value>(_ work: () throws -> Value) throws -> Value
    /// Loads also what is related to a record that is not known yet, in ``loading(_:)`` where this ``loadsAtOnce``.
    func need(_ relation: Relation, _ key: SQLValue)
    /// Whether there is a row with this key; nil where it is not loaded yet.
    ///
    /// - Parameter isShared: whether others may change it until the end of the transaction.
    func load(_ key: Row, of table: Table, isShared: Bool, into row: inout Row) throws -> Bool?
    /// The verifications of a number that were created since this moment; it may return more.
    func verifications(of e164: String, since moment: Timestamp) throws -> [Verification]?
    /// The oldest; nearly always all that there are.
    func sessions(of account: Account.ID, limit: Int) throws -> [Session]?
    func numberChanges(of account: Account.ID) throws -> [NumberChange]?
    /// The operator's rules of every beginning of the number.
    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule]
}

extension RecordSource {
    var loadsAtOnce: Bool { false }
    func loading<Value>(_ work: () throws -> Value) throws -> Value { try work() }
    func need(_ relation: Relation, _ key: SQLValue) {}
}

/// What a command needs of a record beside itself. To say so saves a trip to an engine that loads at once: without it,
/// what is related is loaded once the record is known.
enum Relation: Hashable, Sendable {
    /// The activity of a verification's number.
    case activityOfVerification
    /// The account that has a verification's number, and its sessions (``RecordSource/sessions(of:limit:)``).
    case accountOfVerification
    /// The sessions of a session's account.
    case othersOfSession
}

/// Where the changes of a ``UnitOfWork`` go.
public protocol RecordSink: AnyObject {
    func insert(_ row: Row, into table: Table) throws
    func update(_ loaded: Row, to current: Row, in table: Table) throws
    func delete(_ key: Row, from table: Table) throws
    func append(_ entries: [AuditEntry]) throws
}

/// The records that the commands of one transaction work on. Each command sees what those before it left; what a
/// command did that failed in the middle is undone by itself.
///
/// A command finds records, puts them and removes them; `edit` finds one and puts it as it was changed. `keep` puts
/// what a command has left of its state, with what follows from it, such as events and indexes.
public final class UnitOfWork {
    let verificationsByNumber: RecordIndex<Verification, String>
    let sessionsByAccount: RecordIndex<Session, Account.ID>
    let changesByAccount: RecordIndex<NumberChange, Account.ID>
    let source: any RecordSource

    /// The records of one type, whatever it is.
    private struct Map {
        let records: AnyObject
        let undo: () -> Void
        let save: (any RecordSink) throws -> Void
    }

    private let journal: Journal
    /// Each lies at the number of its table.
    private var maps: [Map?] = []
    private let types: RecordTypes
    private let kinds: Set<Event.Kind>
    /// What is announced belongs to it.
    var traceParent: TraceParent?
    /// What the commands since ``save(to:)`` have written to the audit log and announced.
    private var effects = StoreEffects()
    /// What there was of ``effects`` before the operation that is at work.
    private var before = (entryCount: 0, hasAnnounced: false)
    /// The latest moment since which verifications of a number have been looked for.
    private var latestSince: Timestamp?

    /// - Parameter kinds: which events are kept when something changes.
    init(_ source: any RecordSource, of types: RecordTypes, announcing kinds: Set<Event.Kind>) {
        (self.source, self.types, self.kinds, journal) = (source, types, kinds, Journal(source))
        let (verifications, sessions) = (RecordMap<Verification>(journal), RecordMap<Session>(journal))
        let changes = RecordMap<NumberChange>(journal)
        verificationsByNumber = RecordIndex(verifications) { $0.phoneNumber.e164 }
        sessionsByAccount = RecordIndex(sessions) { $0.accountID }
        changesByAccount = RecordIndex(changes) { $0.accountID }
        add(verifications)
        add(sessions)
        add(changes)
    }

    // MARK: - Records

    /// The records of one type.
    func records<R: Record>(_ type: R.Type) -> RecordMap<R> {
        let number = R.table.number
        // A table is of one type.
        if number < maps.count, let map = maps[number] { return unsafeDowncast(map.records, to: RecordMap<R>.self) }
        let map = RecordMap<R>(journal)
        add(map)
        return map
    }

    private func add<R: Record>(_ map: RecordMap<R>) {
        while maps.count <= R.table.number { maps.append(nil) }
        maps[R.table.number] = Map(records: map, undo: map.undo, save: map.save)
    }

    public func find<R: Record>(_ type: R.Type, _ key: R.Key, isShared: Bool = false) throws -> R? {
        try records(type).find(key, isShared: isShared)
    }

    public func put<R: Record>(_ record: R) { records(R.self).put(record) }

    public func remove<R: Record>(_ type: R.Type, _ key: R.Key) { records(type).remove(key) }

    /// Loads also what hangs on a record that is not known yet.
    func need<R: Record>(_ relation: Relation, of type: R.Type, _ key: R.Key) {
        if !records(type).isKnown(key) { source.need(relation, key.value) }
    }

    // MARK: - One command of many

    /// Call before an operation is done with this. If it throws, ``undo()`` leaves nothing of it.
    func begin(_ operation: CommandOperation) {
        journal.command += 1
        traceParent = operation.trace
        before = (effects.auditEntries.count, effects.hasAnnounced)
    }

    func undo() {
        for map in maps { map?.undo() }
        effects.auditEntries.removeSubrange(before.entryCount...)
        effects.hasAnnounced = before.hasAnnounced
    }

    /// Saves all changes, in the order in which engines lock tables: what all requests share comes last.
    ///
    /// - Returns: what observers are to be notified of.
    func save(to sink: any RecordSink) throws -> StoreEffects {
        for table in types.tables where table.number < maps.count { try maps[table.number]?.save(sink) }
        if !effects.auditEntries.isEmpty { try sink.append(effects.auditEntries) }
        defer { effects = StoreEffects() }
        return effects
    }

    /// How many keys are known, with and without a record.
    var keyCount: Int { journal.keyCount }

    /// Call before the commands of another transaction, of which all is known that those before it have left.
    func beginTransaction() { journal.transaction += 1 }

    // MARK: - What commands ask for

    func live(_ number: PhoneNumber, owner: Owner, at now: Timestamp) throws -> Verification? {
        try recent(number, at: now).live(of: owner, at: now)
    }

    /// Every verification of a number that may still be live.
    func recent(_ number: PhoneNumber, at now: Timestamp) throws -> [Verification] {
        let since = now - Verification.longestLife
        // A clock that was set back asks for older ones than are known. Requests that are applied out of the order of
        // their times do, too, but not by more than the margin.
        if !source.loadsAtOnce, let latestSince, since < latestSince - Self.margin {
            verificationsByNumber.forget()
            self.latestSince = since
        }
        latestSince = latestSince.map { max($0, since) } ?? since
        return try verificationsByNumber.all(number.e164) {
            try source.verifications(of: number.e164, since: since - Self.margin)
        }
    }

    private static let margin: Duration = .seconds(60)

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

    /// The oldest first.
    func numberChanges(of id: Account.ID) throws -> [NumberChange] {
        try changesByAccount.all(id) { try source.numberChanges(of: id) }
            .sorted { ($0.changedAt, $0.id.description) < ($1.changedAt, $1.id.description) }
    }

    func activity(of number: PhoneNumber) throws -> NumberActivity {
        try find(ActiveNumber.self, number.e164)?.activity ?? .none
    }

    func ledger(_ rules: [LimitRule]) throws -> LimitLedger {
        try source.loading { try LimitLedger(rules) { try find(MeterInUse.self, $0)?.meter } }
    }

    /// The operator's rules that may fit the number, those among them that commands before this one have set.
    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule] {
        let stored = try source.guardRules(fitting: number)
        let rules = records(GuardRule.self)
        guard !rules.isEmpty else { return stored }
        let byPrefix = Dictionary(uniqueKeysWithValues: stored.map { ($0.prefix, $0) })
        return GuardRule.prefixes(of: number.e164).compactMap { prefix in
            rules.isKnown(prefix) ? rules.known(prefix) : byPrefix[prefix]
        }
    }

    func traffic(around number: PhoneNumber, from address: ClientAddress?) throws -> NumberTraffic {
        try source.loading {
            try NumberTraffic(of: number, from: address) { try find(KeyedTraffic.self, $0)?.traffic }
        }
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
        try source.loading {
            try load()
            _ = try ledger(limits.rules)
        }
        let (changeCount, entryCount) = (journal.changeCount, effects.auditEntries.count)
        let value = try work()
        guard journal.changeCount > changeCount || effects.auditEntries.count > entryCount else { return value }
        try limits.run(in: self).get()
        return value
    }

    /// Changes one record, and keeps it if it differs; nil removes it.
    public func edit<R: Record, Value>(
        _ type: R.Type,
        _ key: R.Key,
        _ change: (inout R?) throws -> Value
    ) throws -> Value {
        let loaded = try find(type, key)
        var record = loaded
        let value = try change(&record)
        if let record { if record != loaded { put(record) } } else if loaded != nil { remove(type, key) }
        return value
    }

    /// - Parameter entry: what the audit log gets if it was there.
    /// - Returns: the record that was removed, if it was there.
    public func remove<R: Record>(_ type: R.Type, _ key: R.Key, audit entry: AuditEntry?) throws -> R? {
        let record = try find(type, key)
        if record != nil {
            remove(type, key)
            append(entry)
        }
        return record
    }

    public func keep(_ verification: Verification?, loaded: Verification?, at now: Timestamp) {
        guard let verification, verification != loaded else { return }
        let before = loaded?.id == verification.id ? loaded : nil
        put(verification)
        if before == nil { verificationsByNumber.add(verification) }
        announce(Event(verification, was: before, at: now))
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
        put(message)
        announce(Event(message, was: loaded, at: now))
        guard let verification, message.isCharged != loaded.isCharged, !verification.isGuessedUnsent else { return }
        let number = verification.phoneNumber
        let before = try source.loading {
            (
                limits: try ledger(limits.messages(to: number)),
                traffic: try traffic(around: number, from: verification.begunFrom)
            )
        }
        var after = before
        message.count(in: &after.limits, &after.traffic, insteadOf: loaded, at: now)
        keep(after.limits, loaded: before.limits)
        keep(after.traffic, around: number, loaded: before.traffic, at: now)
    }

    /// Keeps what a command left of an account, or the account that it made. Where a number goes from one account to
    /// another, the one that loses it comes first.
    ///
    /// - Parameter isAnnounced: false for accounts that did not sign up here: a webhook for each of a million would be
    ///   of use to nobody.
    func keep(_ account: Account?, loaded: Account?, at now: Timestamp, isAnnounced: Bool = true) throws {
        guard let account, account != loaded else { return }
        let before = loaded?.id == account.id ? loaded : nil
        put(account)
        if before == nil { sessionsByAccount.know(account.id, []) }
        if account.phoneNumber != before?.phoneNumber {
            // What is replaced is looked for first, or it would be taken for new.
            for number in [before?.phoneNumber, account.phoneNumber].compactMap(\.self) {
                _ = try find(NumberHolder.self, number.e164)
            }
            if let old = before?.phoneNumber { remove(NumberHolder.self, old.e164) }
            if let holder = account.holder { put(holder) }
        }
        if let external = account.externalID, external != before?.externalID {
            put(ExternalHolder(externalID: external.description, account: account.id))
        }
        guard isAnnounced else { return }
        announce(before.map { Event(account, was: $0, at: now) } ?? Event(made: account, at: now))
    }

    /// Keeps what a command left of a session, or the session that it opened, for which others of the account may have
    /// to go (`replaced(by:of:at:)`). The account comes before it.
    func keep(_ session: Session?, loaded: Session?, of account: Account?, at now: Timestamp) throws {
        guard session != loaded else { return }
        guard let session else {
            if let loaded { remove(Session.self, loaded.id) }
            return
        }
        if loaded == nil, let account {
            let others = try sessionsByAccount.all(account.id) {
                try source.sessions(of: account.id, limit: Self.mostSessions)
            }
            for other in others.replaced(by: session, of: account, at: now) { remove(Session.self, other.id) }
        }
        put(session)
        sessionsByAccount.add(session)
    }

    /// Twice as many as an account has live ones at most: those that it has ended by its generation may still be there.
    static let mostSessions = 2 * SessionPolicy.most

    func keep(_ changes: [NumberChange], loaded: [NumberChange]) {
        for (change, loaded) in zip(changes, loaded) where change != loaded { put(change) }
    }

    func keep(_ change: NumberChange) {
        put(change)
        changesByAccount.add(change)
    }

    func keep(_ activity: NumberActivity, of number: PhoneNumber, loaded: NumberActivity) {
        guard activity != loaded else { return }
        put(ActiveNumber(e164: number.e164, activity: activity))
    }

    func keep(_ ledger: LimitLedger, loaded: LimitLedger) {
        for (key, meter) in ledger.meters where loaded.meters[key] != meter {
            put(MeterInUse(key: key, meter: meter))
        }
    }

    func keep(_ traffic: NumberTraffic, around number: PhoneNumber, loaded: NumberTraffic, at now: Timestamp) {
        announce(Event(traffic.prefix, was: loaded.prefix, of: number.prefix, at: now))
        for (part, loaded) in zip(traffic.parts(of: number), loaded.parts(of: number)) where part != loaded {
            put(part)
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
        keep(traffic, around: number, loaded: loaded, at: now)
    }

    public func append(_ entry: AuditEntry?) { if let entry { effects.auditEntries.append(entry) } }

    func append(_ entries: [AuditEntry]) { effects.auditEntries += entries }

    /// Keeps an event if somebody subscribed to it. One with that ID that is there already stays as it is.
    private func announce(_ event: @autoclosure () -> Event?) {
        guard !kinds.isEmpty, let event = event(), kinds.contains(event.kind),
            records(Event.self).known(event.id) == nil
        else { return }
        put(event.belonging(to: traceParent))
        effects.hasAnnounced = true
    }
}
