public import PhoneDomain

/// Which records a command needs, announced before it runs, for an engine that loads and locks everything at once.
public struct RecordKeys: Sendable {
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// Numbers whose activity is needed, and every verification that may be live since ``RecordKeys/liveSince``.
        case begunNumber
        case number
        /// Messages, with the verification of each.
        case message
        case verification
        /// Verifications for which the activity of the number is needed as well.
        case checkedVerification
        /// Verifications for which the account of the number is needed as well, and its sessions
        /// (``RecordSource/sessions(of:limit:)``).
        case provenVerification
        /// Numbers whose account is needed.
        case holder
        case account, accountWithSessions, accountWithChanges
        /// Sessions, with the account of each.
        case session
        /// Sessions, with the account of each and the other sessions of it.
        case sessionWithOthers
        case numberChange, event, signup, request, tenant, safeNumber, apiKey, client, authorizationCode, meter, traffic
        case guardRule
        /// API keys that are only read.
        case shownKey
    }

    private var values: [Kind: Set<SQLValue>] = [:]
    /// From the earliest to the latest of the moments before which no verification that ended is of interest.
    public private(set) var liveSince: ClosedRange<Timestamp>?

    public init() {}

    public init(_ kind: Kind, _ value: SQLValue) { need(kind, value) }

    /// The keys of one kind, all of one type.
    public subscript(_ kind: Kind) -> Set<SQLValue> { values[kind] ?? [] }

    public mutating func need(_ kind: Kind, _ value: SQLValue?) {
        if let value { values[kind, default: []].insert(value) }
    }

    public mutating func needLive(of number: PhoneNumber, since moment: Timestamp) {
        need(.begunNumber, .text(number.e164))
        widen(moment...moment)
    }

    private mutating func widen(_ moments: ClosedRange<Timestamp>) {
        guard let since = liveSince else { return liveSince = moments }
        liveSince = min(since.lowerBound, moments.lowerBound)...max(since.upperBound, moments.upperBound)
    }

    public mutating func need(_ rules: [LimitRule]) {
        for rule in rules { need(.meter, .text(rule.key.description)) }
    }

    public mutating func needTraffic(around number: PhoneNumber) {
        for key in [TrafficKey.prefix(number.prefix), .country(number.region), .service] {
            need(.traffic, .text(key.description))
        }
    }

    public mutating func formUnion(_ other: RecordKeys) {
        values.merge(other.values) { $0.union($1) }
        if let moments = other.liveSince { widen(moments) }
    }
}
