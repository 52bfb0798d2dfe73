public import PhoneDomain
public import PhoneSignup

/// How far limits are used, the nearest to exhaustion first, and which numbers are locked.
public struct LimitsListing: Sendable {
    public struct Row: Sendable {
        public let key: LimitKey
        /// Nil if the limit is no longer set.
        public let use: (used: Int, quota: Int)?
        /// When the whole quota is there again.
        public let fullAt: Timestamp
        /// Which part of the quota is used, to the microsecond of its coming back; next to nothing without ``use``.
        fileprivate let rank: Double
    }

    public typealias LockedNumber = (e164: String, closure: NumberActivity.Closure)
    public private(set) var sorted: [Row] = []
    /// Whether there are more behind them.
    public private(set) var hasMore = false
    public internal(set) var lockedNumbers: [LockedNumber] = []
    /// The messages of the last day.
    public internal(set) var sent = 0
    /// The most messages in any 24 hours; nil for no budget.
    public var budget: Int? { limits.dailyBudget }
    private let limits: LimitPolicy
    private let now: Timestamp
    /// The limit of each policy: it is the same whatever is counted by it.
    private var known: [String: RateLimit?] = [:]
    private var last: (rank: Double, key: LimitKey)?

    init(limits: LimitPolicy, now: Timestamp) { (self.limits, self.now) = (limits, now) }

    // MARK: - Making it of the meters of each policy

    mutating func begin(after meter: MeterInUse) {
        let row = row(of: meter)
        last = (row.rank, row.key)
    }

    /// Where the list goes on among the meters of a key's policy, those first that are full last; nil for its beginning.
    func place(amongThoseOf key: LimitKey) -> MeterInUse? {
        last.map { last in
            let elapsed = Int64((last.rank * Self.length(of: limits.limit(of: key))).rounded())
            return MeterInUse(key: last.key, meter: RateMeter(fullAt: RateMeter.fullAt(now) + elapsed))
        }
    }

    mutating func add(_ meters: [MeterInUse]) { for meter in meters { sorted.append(row(of: meter)) } }

    mutating func finish(limit: Int) {
        sorted.sort { $0.rank != $1.rank ? $0.rank > $1.rank : $0.key.description < $1.key.description }
        hasMore = sorted.count > limit
        sorted = Array(sorted.prefix(limit))
    }

    private mutating func row(of meter: MeterInUse) -> Row {
        let policy = meter.key.policyName
        let limit: RateLimit?
        if let found = known[policy] {
            limit = found
        } else {
            limit = limits.limit(of: meter.key)
            known[policy] = .some(limit)
        }
        return Row(
            key: meter.key,
            use: limit.map { (used: $0.quota - meter.meter.remaining($0, now: now), quota: $0.quota) },
            fullAt: Timestamp(milliseconds: meter.meter.fullAt / 1000),
            rank: Double(meter.meter.fullAt - RateMeter.fullAt(now)) / Self.length(of: limit)
        )
    }

    /// In microseconds; so long for an unknown limit that it comes last.
    private static func length(of limit: RateLimit?) -> Double { limit.map { Double($0.length) } ?? 1e18 }
}
