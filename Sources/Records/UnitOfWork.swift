public import PhoneDomain

/// From where a ``UnitOfWork`` has what it does not know yet. What it returns is as the engine has it, without what the unit of
/// work has changed.
public protocol RecordSource: AnyObject {
    /// Whether it has loaded all that its commands need, and each for the earliest of their times.
    var isPreloaded: Bool { get }
    /// Returns whether there is a row with this key.
    func load(_ key: Row, of table: Table, into row: inout Row) throws -> Bool
    /// The verifications of a number that were created since this moment; it may return more.
    func verifications(of e164: String, since moment: Timestamp) throws -> [Verification]
    /// The oldest; nearly always all that there are.
    func sessions(of account: Account.ID, limit: Int) throws -> [Session]
    func numberChanges(of account: Account.ID) throws -> [NumberChange]
    func message(gateway: String, gatewayMessageID: String) throws -> OutboxMessage.ID?
    /// The operator's rules of every beginning of the number.
    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule]
}

extension RecordSource {
    public var isPreloaded: Bool { false }
}

/// Where the changes of a ``UnitOfWork`` go.
public protocol RecordSink: AnyObject {
    func insert(_ row: Row, into table: Table) throws
    func update(_ loaded: Row, to current: Row, in table: Table) throws
    func delete(_ key: Row, from table: Table) throws
    func append(_ entries: [AuditEntry]) throws
}

private protocol Undoable: AnyObject {
    func undoLast()
}

/// What the maps of a unit of work share.
private final class Journal {
    let source: any RecordSource
    /// Which map was changed when, so that a command can be undone in all of them.
    var changes: [any Undoable] = []
    // Used again and again, so that no record costs memory of its own.
    var key = Row()
    var loaded = Row()
    var current = Row()
    /// How many keys are known, with and without a record.
    var keyCount = 0
    /// The number of the transaction.
    var transaction = 0

    init(_ source: any RecordSource) { self.source = source }
}

/// The records of one type in a unit of work: as the engine has them, and as the commands leave them (an identity map).
public final class RecordMap<R: Record>: Undoable {
    /// A record that is known, found by its key once for all that is done with it.
    fileprivate final class Slot {
        let key: R.Key
        var loaded: R?
        var current: R?
        /// Whether it was changed since it was loaded or saved.
        var isChanged = false
        /// Whether it was put without having been looked for, so that none may be there.
        var isNew = false
        /// The transaction in which it was looked for or changed last.
        var transaction: Int

        init(_ key: R.Key, _ record: R?, in transaction: Int) {
            (self.key, loaded, current, self.transaction) = (key, record, record, transaction)
        }
    }

    private var slots: [R.Key: Slot] = [:]
    /// What was changed, and what to put back if a command is to leave nothing behind.
    private var undo: [(slot: Slot, current: R?, isNew: Bool, transaction: Int)] = []
    private let journal: Journal

    fileprivate init(_ journal: Journal) { self.journal = journal }

    /// The record with this key, which is loaded once.
    public func find(_ key: R.Key) throws -> R? {
        if let slot = slots[key] { return find(slot) }
        journal.key.removeAll()
        key.write(to: &journal.key)
        let isThere = try journal.source.load(journal.key, of: R.table, into: &journal.loaded)
        return slot(key, isThere ? try R(journal.loaded) : nil).current
    }

    fileprivate func find(_ slot: Slot) -> R? {
        slot.transaction = journal.transaction
        return slot.current
    }

    /// The record as the commands have left it so far; nil also where nobody has looked for it (``isKnown(_:)``).
    public func known(_ key: R.Key) -> R? { slots[key]?.current }

    public func isKnown(_ key: R.Key) -> Bool { slots[key] != nil }

    /// Records that the engine has, and keys that it has nothing under.
    public func load(_ records: [R], absent keys: [R.Key] = []) {
        for record in records { _ = slot(record.key, record) }
        for key in keys { _ = slot(key, nil) }
    }

    fileprivate func slot(_ key: R.Key, _ loaded: R?) -> Slot {
        if let slot = slots[key] { return slot }
        let slot = Slot(key, loaded, in: journal.transaction)
        slots[key] = slot
        journal.keyCount += 1
        return slot
    }

    /// Inserts or updates. Where a record was not looked for in this transaction it is a new one.
    public func put(_ record: R) {
        let slot = slot(record.key, nil)
        set(slot, record.isBlank ? nil : record, isNew: slot.isNew || slot.transaction != journal.transaction)
    }

    public func remove(_ key: R.Key) { set(slot(key, nil), nil, isNew: false) }

    private func set(_ slot: Slot, _ record: R?, isNew: Bool) {
        undo.append((slot, slot.current, slot.isNew, slot.transaction))
        journal.changes.append(self)
        slot.current = record
        (slot.isChanged, slot.isNew, slot.transaction) = (true, isNew, journal.transaction)
    }

    /// The record that a command has changed last, of those that this is true of.
    func lastChanged(where isWanted: (R) -> Bool) -> R? {
        undo.reversed().lazy.compactMap(\.slot.current).first(where: isWanted)
    }

    var hasChanges: Bool { !undo.isEmpty }

    fileprivate func undoLast() {
        guard let last = undo.popLast() else { return }
        (last.slot.current, last.slot.isNew, last.slot.transaction) = (last.current, last.isNew, last.transaction)
    }

    /// Saves what has changed, and takes it for loaded then.
    fileprivate func save(to sink: any RecordSink) throws {
        guard hasChanges else { return }
        for (slot, _, _, _) in undo where slot.isChanged {
            let isNew = slot.isNew
            (slot.isChanged, slot.isNew) = (false, false)
            // In place: to copy a record takes longer than to write it.
            journal.loaded.removeAll()
            journal.current.removeAll()
            if !isNew { slot.loaded?.write(to: &journal.loaded) }
            slot.current?.write(to: &journal.current)
            switch (journal.loaded.columns.isEmpty, journal.current.columns.isEmpty) {
            case (true, false): try sink.insert(journal.current, into: R.table)
            case (false, true): try sink.delete(slot.key.row, from: R.table)
            case _ where journal.loaded == journal.current: continue
            default: try sink.update(journal.loaded, to: journal.current, in: R.table)
            }
            slot.loaded = slot.current
            // The engine may have another one.
            if isNew, R.table.keepsFirst { slots[slot.key] = nil }
        }
        undo.removeAll(keepingCapacity: true)
    }

    fileprivate func forget() {
        if !slots.isEmpty { slots.removeAll(keepingCapacity: true) }
        if hasChanges { undo.removeAll(keepingCapacity: true) }
    }
}

/// Records of a map by something else than their key.
public final class RecordIndex<R: Record, Value: Hashable> {
    private final class Group {
        /// Whether all that the engine has with this value are among them.
        var isComplete = false
        var slots: [R.Key: RecordMap<R>.Slot] = [:]
    }

    private var groups: [Value: Group] = [:]
    private let map: RecordMap<R>
    private let value: (R) -> Value

    init(_ map: RecordMap<R>, by value: @escaping (R) -> Value) { (self.map, self.value) = (map, value) }

    private func group(_ value: Value) -> Group {
        if let group = groups[value] { return group }
        let group = Group()
        groups[value] = group
        return group
    }

    func all(_ value: Value, load: () throws -> [R]) rethrows -> [R] {
        let group = group(value)
        if !group.isComplete { know(try load(), in: group) }
        return group.slots.values.compactMap(map.find).filter { self.value($0) == value }
    }

    /// All that the engine has with this value.
    public func know(_ value: Value, _ records: [R]) { know(records, in: group(value)) }

    private func know(_ records: [R], in group: Group) {
        group.isComplete = true
        for record in records { add(record, to: group) }
    }

    func add(_ record: R) { add(record, to: group(value(record))) }

    private func add(_ record: R, to group: Group) {
        let key = record.key
        if group.slots[key] == nil { group.slots[key] = map.slot(key, record) }
    }

    fileprivate func forget() { if !groups.isEmpty { groups.removeAll(keepingCapacity: true) } }
}

/// The records that the commands of one transaction work on. Each command sees what those before it left; what a command did
/// that failed in the middle is undone by itself.
public final class UnitOfWork {
    public let activities: RecordMap<ActiveNumber>
    public let messages: RecordMap<OutboxMessage>
    public let verifications: RecordMap<Verification>
    public let accounts: RecordMap<Account>
    public let holders: RecordMap<NumberHolder>
    public let sessions: RecordMap<Session>
    public let numberChanges: RecordMap<NumberChange>
    public let events: RecordMap<Event>
    public let signups: RecordMap<Signup>
    public let requests: RecordMap<IdempotentRequest>
    public let tenants: RecordMap<Tenant>
    public let safeNumbers: RecordMap<SafeNumber>
    public let apiKeys: RecordMap<APIKey>
    public let clients: RecordMap<OAuthClient>
    public let authorizationCodes: RecordMap<AuthorizationCode>
    public let meters: RecordMap<MeterInUse>
    public let traffic: RecordMap<KeyedTraffic>
    public let guardRules: RecordMap<GuardRule>
    public let verificationsByNumber: RecordIndex<Verification, String>
    public let sessionsByAccount: RecordIndex<Session, Account.ID>
    public let changesByAccount: RecordIndex<NumberChange, Account.ID>
    public let source: any RecordSource

    private let journal: Journal
    private let kinds: Set<Event.Kind>
    private var traceParent: TraceParent?
    /// How many events were announced, those among them that were undone.
    private var announcedCount = 0
    /// What has been written to the audit log since ``save(to:)``.
    private var auditEntries: [AuditEntry] = []
    /// The latest moment since which verifications of a number have been looked for.
    private var latestSince: Timestamp?

    /// - Parameter kinds: which events are kept when something changes.
    public init(_ source: any RecordSource, announcing kinds: Set<Event.Kind>) {
        (self.source, self.kinds, journal) = (source, kinds, Journal(source))
        (activities, messages, verifications) = (RecordMap(journal), RecordMap(journal), RecordMap(journal))
        (accounts, holders, sessions) = (RecordMap(journal), RecordMap(journal), RecordMap(journal))
        (numberChanges, events, signups) = (RecordMap(journal), RecordMap(journal), RecordMap(journal))
        (requests, tenants, safeNumbers) = (RecordMap(journal), RecordMap(journal), RecordMap(journal))
        (apiKeys, meters, traffic) = (RecordMap(journal), RecordMap(journal), RecordMap(journal))
        (clients, authorizationCodes, guardRules) = (RecordMap(journal), RecordMap(journal), RecordMap(journal))
        verificationsByNumber = RecordIndex(verifications) { $0.phoneNumber.e164 }
        sessionsByAccount = RecordIndex(sessions) { $0.accountID }
        changesByAccount = RecordIndex(numberChanges) { $0.accountID }
    }

    // MARK: - One command of many

    /// Does a command. If it throws, nothing of it is left.
    public func attempt<Value>(_ work: (UnitOfWork) throws -> Value) throws -> Value {
        let (changeCount, entryCount) = (journal.changes.count, auditEntries.count)
        do {
            return try work(self)
        } catch {
            while journal.changes.count > changeCount { journal.changes.removeLast().undoLast() }
            auditEntries.removeSubrange(entryCount...)
            throw error
        }
    }

    /// - Parameter trace: the trace that the command belongs to.
    /// - Returns: what observers are notified of after the commit.
    func withEffects<Value>(
        in trace: TraceParent?,
        _ work: (UnitOfWork) throws -> Value
    ) throws -> (Value, StoreEffects) {
        traceParent = trace
        let (entryCount, before) = (auditEntries.count, announcedCount)
        let value = try work(self)
        let entries = Array(auditEntries[entryCount...])
        return (value, StoreEffects(auditEntries: entries, hasAnnounced: announcedCount > before))
    }

    /// Saves all changes, in the order in which engines lock tables: what all requests share comes last.
    public func save(to sink: any RecordSink) throws {
        // Each by its type: through a list of maps the compiler could not specialize what is done for every record.
        try activities.save(to: sink)
        try messages.save(to: sink)
        try verifications.save(to: sink)
        try accounts.save(to: sink)
        try holders.save(to: sink)
        try sessions.save(to: sink)
        try numberChanges.save(to: sink)
        try events.save(to: sink)
        try signups.save(to: sink)
        try requests.save(to: sink)
        try tenants.save(to: sink)
        try safeNumbers.save(to: sink)
        try apiKeys.save(to: sink)
        try clients.save(to: sink)
        try authorizationCodes.save(to: sink)
        try meters.save(to: sink)
        try traffic.save(to: sink)
        try guardRules.save(to: sink)
        journal.changes.removeAll(keepingCapacity: true)
        if !auditEntries.isEmpty {
            try sink.append(auditEntries)
            auditEntries.removeAll(keepingCapacity: true)
        }
    }

    /// How many keys are known, with and without a record.
    public var keyCount: Int { journal.keyCount }

    /// Call before the commands of another transaction, of which all is known that those before it have left.
    public func beginTransaction() { journal.transaction += 1 }

    /// Makes it as good as new, for another transaction, and keeps its memory. What was not saved is lost.
    public func forget() {
        // Each by its type, as in ``save(to:)``.
        activities.forget()
        messages.forget()
        verifications.forget()
        accounts.forget()
        holders.forget()
        sessions.forget()
        numberChanges.forget()
        events.forget()
        signups.forget()
        requests.forget()
        tenants.forget()
        safeNumbers.forget()
        apiKeys.forget()
        clients.forget()
        authorizationCodes.forget()
        meters.forget()
        traffic.forget()
        guardRules.forget()
        verificationsByNumber.forget()
        sessionsByAccount.forget()
        changesByAccount.forget()
        (journal.keyCount, latestSince) = (0, nil)
        journal.changes.removeAll(keepingCapacity: true)
        auditEntries.removeAll(keepingCapacity: true)
    }

    // MARK: - What commands ask for

    /// The verification of this number and owner that is live at this moment. A clock that was set back can make two of
    /// them live; it is the one that lives longer then.
    func live(_ number: PhoneNumber, owner: Owner, at now: Timestamp) throws -> Verification? {
        let since = now - Verification.longestLife
        // A clock that was set back asks for older ones than are known. Requests that are applied out of the order of their
        // times do, too, but not by more than the margin.
        if !source.isPreloaded, let latestSince, since < latestSince - Self.margin {
            verificationsByNumber.forget()
            self.latestSince = since
        }
        latestSince = latestSince.map { max($0, since) } ?? since
        return
            try verificationsByNumber
            .all(number.e164) { try source.verifications(of: number.e164, since: since - Self.margin) }
            .filter { $0.owner == owner && $0.isLive(at: now) }
            .max { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
    }

    private static let margin: Duration = .seconds(60)

    func account(holding number: PhoneNumber) throws -> Account? {
        guard let holder = try holders.find(number.e164) else { return nil }
        return try accounts.find(holder.account)
    }

    func signedIn(_ id: Session.ID) throws -> SignedIn? {
        guard let session = try sessions.find(id), let account = try accounts.find(session.accountID) else {
            return nil
        }
        return SignedIn(session: session, account: account)
    }

    /// The oldest first.
    func numberChanges(of id: Account.ID) throws -> [NumberChange] {
        try changesByAccount.all(id) { try source.numberChanges(of: id) }
            .sorted { ($0.changedAt, $0.id.description) < ($1.changedAt, $1.id.description) }
    }

    /// The message that a gateway calls so, also where a command before this one has given it that name. For engines that load
    /// on demand.
    public func message(gateway: String, gatewayMessageID: String) throws -> OutboxMessage.ID? {
        let named = messages.lastChanged { $0.gateway == gateway && $0.gatewayMessageID == gatewayMessageID }
        return try named?.id ?? source.message(gateway: gateway, gatewayMessageID: gatewayMessageID)
    }

    func activity(of number: PhoneNumber) throws -> NumberActivity {
        try activities.find(number.e164)?.activity ?? .none
    }

    func ledger(_ rules: [LimitRule]) throws -> LimitLedger {
        try LimitLedger(rules) { try meters.find($0)?.meter }
    }

    /// The operator's rules that may fit the number, those among them that commands before this one have set.
    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule] {
        let stored = try source.guardRules(fitting: number)
        guard guardRules.hasChanges else { return stored }
        let byPrefix = Dictionary(uniqueKeysWithValues: stored.map { ($0.prefix, $0) })
        return GuardRule.prefixes(of: number).compactMap { prefix in
            guardRules.isKnown(prefix) ? guardRules.known(prefix) : byPrefix[prefix]
        }
    }

    func traffic(around number: PhoneNumber) throws -> NumberTraffic {
        try NumberTraffic(of: number) { try traffic.find($0)?.traffic }
    }

    // MARK: - What commands leave

    /// Does what a client asks for, and counts it against the client's limits if it leaves anything. Beyond them it
    /// throws, and nothing of it is left.
    func counted<Value>(_ limits: TakeLimits, _ work: (UnitOfWork) throws -> Value) throws -> Value {
        let (changeCount, entryCount) = (journal.changes.count, auditEntries.count)
        let value = try work(self)
        guard journal.changes.count > changeCount || auditEntries.count > entryCount else { return value }
        if let refusal = try take(limits) { throw refusal }
        return value
    }

    /// Changes one record and keeps it if it differs.
    func edit<R, Value>(_ map: RecordMap<R>, _ key: R.Key, _ change: (inout R?) throws -> Value) throws -> Value {
        let loaded = try map.find(key)
        var record = loaded
        let value = try change(&record)
        if let record { if record != loaded { map.put(record) } } else if loaded != nil { map.remove(key) }
        return value
    }

    func change<R: Record>(_ map: RecordMap<R>, _ key: R.Key, _ change: (inout R) -> Void) throws -> R? {
        try edit(map, key) { record in
            if var changed = record {
                change(&changed)
                record = changed
            }
            return record
        }
    }

    /// - Parameter entry: what the audit log gets if it was there.
    /// - Returns: the record that was removed, if it was there.
    func remove<R>(_ map: RecordMap<R>, _ key: R.Key, audit entry: AuditEntry? = nil) throws -> R? {
        let record = try map.find(key)
        if record != nil {
            map.remove(key)
            append(entry)
        }
        return record
    }

    public func keep(_ verification: Verification?, loaded: Verification?, at now: Timestamp) {
        guard let verification, verification != loaded else { return }
        let before = loaded?.id == verification.id ? loaded : nil
        verifications.put(verification)
        if before == nil { verificationsByNumber.add(verification) }
        announce(Event(verification, was: before, at: now))
    }

    func keep(_ message: OutboxMessage, loaded: OutboxMessage, at now: Timestamp) {
        guard message != loaded else { return }
        messages.put(message)
        announce(Event(message, was: loaded, at: now))
    }

    /// Keeps what a command left of an account, or the account that it made. Where a number goes from one account to another,
    /// the one that loses it comes first.
    func keep(_ account: Account?, loaded: Account?, at now: Timestamp) throws {
        guard let account, account != loaded else { return }
        let before = loaded?.id == account.id ? loaded : nil
        accounts.put(account)
        if before == nil { sessionsByAccount.know(account.id, []) }
        if account.phoneNumber != before?.phoneNumber {
            // What is replaced is looked for first, or it would be taken for new.
            for number in [before?.phoneNumber, account.phoneNumber].compactMap(\.self) {
                _ = try holders.find(number.e164)
            }
            if let old = before?.phoneNumber { holders.remove(old.e164) }
            if let holder = account.holder { holders.put(holder) }
        }
        announce(before.map { Event(account, was: $0, at: now) } ?? Event(made: account, at: now))
    }

    /// Keeps what a command left of a session, or the session that it opened, for which others of the account may have
    /// to go (`replaced(by:of:at:)`). The account comes before it.
    func keep(_ session: Session?, loaded: Session?, of account: Account?, at now: Timestamp) throws {
        guard session != loaded else { return }
        guard let session else {
            if let loaded { sessions.remove(loaded.id) }
            return
        }
        if loaded == nil, let account {
            let others = try sessionsByAccount.all(account.id) {
                try source.sessions(of: account.id, limit: Self.mostSessions)
            }
            for other in others.replaced(by: session, of: account, at: now) { sessions.remove(other.id) }
        }
        sessions.put(session)
        sessionsByAccount.add(session)
    }

    /// Twice as many as an account has live ones at most: those that it has ended by its generation may still be there.
    public static let mostSessions = 2 * SessionPolicy.most

    func keep(_ changes: [NumberChange], loaded: [NumberChange]) {
        for (change, loaded) in zip(changes, loaded) where change != loaded { numberChanges.put(change) }
    }

    func keep(_ activity: NumberActivity, of number: PhoneNumber, loaded: NumberActivity) {
        guard activity != loaded else { return }
        activities.put(ActiveNumber(e164: number.e164, activity: activity))
    }

    func keep(_ ledger: LimitLedger, loaded: LimitLedger) {
        for (key, meter) in ledger.meters where loaded.meters[key] != meter {
            meters.put(MeterInUse(key: key, meter: meter))
        }
    }

    func keep(_ traffic: NumberTraffic, around number: PhoneNumber, loaded: NumberTraffic, at now: Timestamp) {
        announce(Event(traffic.prefix, was: loaded.prefix, of: number.prefix, at: now))
        if traffic.prefix != loaded.prefix { keep(traffic.prefix, of: .prefix(number.prefix)) }
        if traffic.country != loaded.country { keep(traffic.country, of: .country(number.region)) }
        if traffic.service != loaded.service { keep(traffic.service, of: .service) }
    }

    private func keep(_ traffic: Traffic, of key: TrafficKey) {
        self.traffic.put(KeyedTraffic(key: key, traffic: traffic))
    }

    /// Counts the result of a message in the traffic around its number.
    func follow(_ message: OutboxMessage, loaded: OutboxMessage, of number: PhoneNumber, at now: Timestamp) throws {
        guard message.countsAsSent != loaded.countsAsSent else { return }
        let before = try traffic(around: number)
        var after = before
        after.follow(message, from: loaded)
        keep(after, around: number, loaded: before, at: now)
    }

    func append(_ entry: AuditEntry?) { if let entry { auditEntries.append(entry) } }

    func append(_ entries: [AuditEntry]) { auditEntries += entries }

    /// Keeps an event if somebody subscribed to it. One with that ID that is there already stays as it is.
    private func announce(_ event: @autoclosure () -> Event?) {
        guard !kinds.isEmpty, let event = event(), kinds.contains(event.kind), events.known(event.id) == nil else {
            return
        }
        events.put(event.belonging(to: traceParent))
        announcedCount += 1
    }
}
