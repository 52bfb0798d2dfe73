import PhoneDomain
import PhoneSignup

/// The records that operations have asked for and that are not loaded yet.
struct RecordKeys {
    /// What the keys are of: the records with them, or what is related to these.
    enum Kind: Hashable {
        /// Rows of the table with this number.
        case row(Int)
        /// Rows that are not locked.
        case shared(Int)
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
        // In place: a batch has many of them.
        for (kind, keys) in other.values { values[kind, default: []].formUnion(keys) }
        if let moments = other.liveSince { widen(moments) }
    }

    /// The tables of which rows are locked, as positions in ``RecordTypes``: a batch that waits for a row has locked
    /// only rows that come before it.
    func locks(in types: RecordTypes) -> ClosedRange<Int>? {
        let locked = values.keys.flatMap(Self.locked)
        let positions = types.tables.indices.filter { locked.contains(types.tables[$0].number) }
        guard let first = positions.first, let last = positions.last else { return nil }
        return first...last
    }

    /// The numbers of the tables.
    private static func locked(_ kind: Kind) -> [Int] {
        let tables: [Table]
        switch kind {
        case .row(NumberHolder.table.number): tables = [Account.table]
        case .row(OutboxMessage.table.number): tables = [OutboxMessage.table, Verification.table]
        case .row(Session.table.number), .sessions, .related(.othersOfSession): tables = [Account.table, Session.table]
        case .row(let number): return [number]
        case .shared, .guardRules: tables = []
        case .liveVerifications: tables = [Verification.table]
        case .changes: tables = [Account.table, NumberChange.table]
        case .related(.activityOfVerification): tables = [ActiveNumber.table, Verification.table]
        case .related(.accountOfVerification): tables = [Verification.table, Account.table, Session.table]
        }
        return tables.map(\.number)
    }
}

/// An operation has asked for records that were not loaded. It is undone, and runs again once they are.
struct NotLoaded: Error {
    let keys: RecordKeys
}

/// What a command needs of a record beside itself. To say so saves a trip to the server: without it, what is related is
/// loaded once the record is known.
enum Relation: Hashable, Sendable {
    /// The activity of a verification's number.
    case activityOfVerification
    /// The account that has a verification's number, and its sessions (``CommandSession/mostSessions``).
    case accountOfVerification
    /// The sessions of a session's account.
    case othersOfSession
}

/// Collects what the commands of a batch ask for and is not loaded.
final class BatchNeeds {
    /// The number of the command that is at work.
    var command = 0
    private var isLoading = false
    private var missing = RecordKeys()

    /// Finds the state of a command.
    ///
    /// - Throws: ``NotLoaded`` at the end, if anything is still to be loaded.
    func loading<Value>(_ work: () throws -> Value) throws -> Value {
        if isLoading { return try work() }
        isLoading = true
        defer { (isLoading, missing) = (false, RecordKeys()) }
        let value = try work()
        if !missing.isEmpty { throw NotLoaded(keys: missing) }
        return value
    }

    /// Reports what is not loaded: at once, or at the end of ``loading(_:)``.
    func require(_ need: (inout RecordKeys) -> Void) throws {
        need(&missing)
        if !isLoading {
            defer { missing = RecordKeys() }
            throw NotLoaded(keys: missing)
        }
    }

    func need(_ relation: Relation, _ key: SQLValue) { missing.need(.related(relation), key) }
}
