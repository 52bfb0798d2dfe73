import PhoneDomain

/// The records that operations have asked for and that are not loaded yet.
struct RecordKeys {
    /// What the keys are of: the records with them, or what is related to these.
    enum Kind: Hashable {
        case row(String)
        /// Rows that are not locked.
        case shared(String)
        /// Numbers of which every verification is needed that may be live since ``RecordKeys/liveSince``.
        case liveVerifications
        /// The numbers whose guard rules a batch needs.
        case guardRules
        /// Accounts, with their sessions or their changes of number.
        case sessions, changes
        case related(Relation)
    }

    private var values: [Kind: Set<SQLValue>] = [:]
    /// The range from the earliest to the latest of the moments before which no verification that ended is of interest.
    private(set) var liveSince: ClosedRange<Timestamp>?

    var isEmpty: Bool { values.isEmpty }

    /// The keys of one kind, all of one type.
    subscript(_ kind: Kind) -> Set<SQLValue> { values[kind] ?? [] }

    func all(_ kinds: Kind...) -> Set<SQLValue> { kinds.reduce(into: []) { $0.formUnion(self[$1]) } }

    mutating func need(_ kind: Kind, _ key: SQLValue) { values[kind, default: []].insert(key) }

    mutating func needLiveVerifications(of e164: String, since moment: Timestamp) {
        need(.liveVerifications, .text(e164))
        widen(moment...moment)
    }

    private mutating func widen(_ moments: ClosedRange<Timestamp>) {
        guard let since = liveSince else { return liveSince = moments }
        liveSince = min(since.lowerBound, moments.lowerBound)...max(since.upperBound, moments.upperBound)
    }

    mutating func formUnion(_ other: RecordKeys) {
        values.merge(other.values) { $0.union($1) }
        if let moments = other.liveSince { widen(moments) }
    }

    /// The tables of which rows are locked, as positions in ``RecordTypes``: a batch that waits for a row has locked
    /// only rows that come before it.
    func locks(in types: RecordTypes) -> ClosedRange<Int>? {
        let names = values.keys.flatMap(Self.locked)
        let positions = types.tables.indices.filter { names.contains(types.tables[$0].name) }
        guard let first = positions.first, let last = positions.last else { return nil }
        return first...last
    }

    private static func locked(_ kind: Kind) -> [String] {
        switch kind {
        case .row(NumberHolder.table.name): [Account.table.name]
        case .row(OutboxMessage.table.name): [OutboxMessage.table.name, Verification.table.name]
        case .row(Session.table.name), .sessions, .related(.othersOfSession): [Account.table.name, Session.table.name]
        case .row(let name): [name]
        case .shared, .guardRules: []
        case .liveVerifications: [Verification.table.name]
        case .changes: [Account.table.name, NumberChange.table.name]
        case .related(.activityOfVerification): [ActiveNumber.table.name, Verification.table.name]
        case .related(.accountOfVerification): [Verification.table.name, Account.table.name, Session.table.name]
        }
    }
}

/// An operation has asked for records that were not loaded. It is undone, and runs again once they are.
struct NotLoaded: Error {
    let keys: RecordKeys
}

/// Has only what was loaded beforehand (``RowLoader``), and reports what to load next.
final class PreloadedSource: RecordSource {
    let loadsAtOnce = true
    private var isLoading = false
    private var missing = RecordKeys()
    /// The guard's rules that fit the numbers of which they have been loaded.
    var rulesByNumber: [String: [GuardRule]] = [:]

    func loading<Value>(_ work: () throws -> Value) throws -> Value {
        if isLoading { return try work() }
        isLoading = true
        defer { (isLoading, missing) = (false, RecordKeys()) }
        let value = try work()
        if !missing.isEmpty { throw NotLoaded(keys: missing) }
        return value
    }

    /// Reports what is not loaded: at once, or at the end of ``loading(_:)``.
    private func require(_ need: (inout RecordKeys) -> Void) throws {
        need(&missing)
        if !isLoading {
            defer { missing = RecordKeys() }
            throw NotLoaded(keys: missing)
        }
    }

    func need(_ relation: Relation, _ key: SQLValue) { missing.need(.related(relation), key) }

    func load(_ key: Row, of table: Table, isShared: Bool, into row: inout Row) throws -> Bool? {
        try require { $0.need(isShared ? .shared(table.name) : .row(table.name), key[0]) }
        return nil
    }

    func verifications(of e164: String, since moment: Timestamp) throws -> [Verification]? {
        try require { $0.needLiveVerifications(of: e164, since: moment) }
        return nil
    }

    func sessions(of account: Account.ID, limit: Int) throws -> [Session]? {
        try require { $0.need(.sessions, account.value) }
        return nil
    }

    func numberChanges(of account: Account.ID) throws -> [NumberChange]? {
        try require { $0.need(.changes, account.value) }
        return nil
    }

    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule] {
        if let rules = rulesByNumber[number.e164] { return rules }
        try require { $0.need(.guardRules, .text(number.e164)) }
        return []
    }
}
