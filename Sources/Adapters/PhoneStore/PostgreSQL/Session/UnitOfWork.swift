import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// PostgreSQL's side of a ``CommandSession``: the records that the commands of one batch work on, which are loaded and
/// locked at once, read once, and written once. What a command did that failed in the middle is undone by itself.
final class UnitOfWork {
    /// The records of one type, whatever it is.
    private struct Map {
        let records: AnyObject
        let undo: () -> Void
        let save: (ChangeCollector) -> Void
    }

    let verificationsByNumber: RecordIndex<Verification, String>
    let sessionsByAccount: RecordIndex<Session, Account.ID>
    let changesByAccount: RecordIndex<NumberChange, Account.ID>
    /// The guard's rules that fit the numbers of which they have been loaded.
    var rulesByNumber: [String: [GuardRule]] = [:]
    private let needs = BatchNeeds()
    /// Each lies at the number of its table.
    private var maps: [Map?] = []
    private let types: RecordTypes

    init(of types: RecordTypes) {
        self.types = types
        let (verifications, sessions) = (RecordMap<Verification>(needs), RecordMap<Session>(needs))
        let changes = RecordMap<NumberChange>(needs)
        verificationsByNumber = RecordIndex(verifications) { $0.phoneNumber.e164 }
        sessionsByAccount = RecordIndex(sessions) { $0.accountID }
        changesByAccount = RecordIndex(changes) { $0.accountID }
        add(verifications)
        add(sessions)
        add(changes)
    }

    func records<R: Record>(_ type: R.Type) -> RecordMap<R> {
        let number = R.table.number
        // A table is of one type.
        if number < maps.count, let map = maps[number] { return unsafeDowncast(map.records, to: RecordMap<R>.self) }
        let map = RecordMap<R>(needs)
        add(map)
        return map
    }

    private func add<R: Record>(_ map: RecordMap<R>) {
        while maps.count <= R.table.number { maps.append(nil) }
        maps[R.table.number] = Map(records: map, undo: map.undo, save: map.save)
    }

    /// Call before a command is done with this.
    func begin() { needs.command += 1 }

    func undo() { for map in maps { map?.undo() } }

    /// Saves all changes, in the order in which tables are locked: what all requests share comes last.
    func save(to changes: ChangeCollector) {
        for table in types.tables where table.number < maps.count { maps[table.number]?.save(changes) }
    }

    func loading<Value>(_ work: () throws -> Value) throws -> Value { try needs.loading(work) }

    func need<R: Record>(_ relation: Relation, of type: R.Type, _ key: R.Key) {
        if !records(type).isKnown(key) { needs.need(relation, key.value) }
    }

    func save<R: Record>(_ loaded: R?, _ current: R?) {
        guard let key = (current ?? loaded)?.key else { return }
        let records = records(R.self)
        if R.table.keepsFirst, loaded == nil, records.known(key) != nil { return }
        let record = current.flatMap { $0.isBlank ? nil : $0 }
        records.save(key, record)
        // A new account has no sessions yet.
        if loaded == nil, let account = record as? Account { sessionsByAccount.know(account.id, []) }
    }

    // MARK: - Queries

    /// May return more than those that were created since this moment.
    func verifications(of e164: String, since moment: Timestamp) throws -> [Verification] {
        try verificationsByNumber.all(e164) {
            try needs.require { $0.needLiveVerifications(of: e164, since: moment - Self.margin) }
        }
    }

    /// Requests that are applied out of the order of their times look for older ones, but not by more than this.
    private static let margin: Duration = .seconds(60)

    func sessions(of account: Account.ID) throws -> [Session] {
        try sessionsByAccount.all(account) { try needs.require { $0.need(.sessions, account.value) } }
    }

    func numberChanges(of account: Account.ID) throws -> [NumberChange] {
        try changesByAccount.all(account) { try needs.require { $0.need(.changes, account.value) } }
    }

    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule] {
        guard let stored = rulesByNumber[number.e164] else {
            try needs.require { $0.need(.guardRules, .text(number.e164)) }
            return []
        }
        let rules = records(GuardRule.self)
        guard !rules.isEmpty else { return stored }
        let byPrefix = Dictionary(uniqueKeysWithValues: stored.map { ($0.prefix, $0) })
        return GuardRule.prefixes(of: number.e164).compactMap { prefix in
            rules.isKnown(prefix) ? rules.known(prefix) : byPrefix[prefix]
        }
    }
}
