public import PhoneDomain

/// How far limits are used, the nearest to exhaustion first, and which numbers are locked.
public struct LimitsListing: Sendable {
    public struct Row: Sendable {
        public let key: LimitKey
        /// Nil if the limit is no longer set.
        public let use: (used: Int, quota: Int)?
        /// When the whole quota is there again.
        public let fullAt: Timestamp

        /// How much of the quota is used, in percent.
        public var share: Int { use.map { $0.used * 100 / $0.quota } ?? 0 }
    }

    public typealias LockedNumber = (e164: String, closure: NumberActivity.Closure)
    public let sorted: [Row]
    public let lockedNumbers: [LockedNumber]
    /// The messages of the last day.
    public let sent: Int
    /// The most messages in any 24 hours; nil for no budget.
    public let budget: Int?

    /// - Parameters:
    ///   - meters: every meter in use.
    ///   - lockedNumbers: in E.164.
    ///   - sent: the messages of the last day.
    public init(
        _ meters: [MeterInUse],
        lockedNumbers: [(e164: String, closure: NumberActivity.Closure)],
        sent: Int,
        limits: LimitPolicy,
        now: Timestamp
    ) {
        sorted = meters.map { meter in
            Row(
                key: meter.key,
                use: limits.limit(of: meter.key)
                    .map { (used: $0.quota - meter.meter.remaining($0, now: now), quota: $0.quota) },
                fullAt: Timestamp(milliseconds: meter.meter.fullAt / 1000)
            )
        }
        .sorted { $0.share != $1.share ? $0.share > $1.share : $0.key.description < $1.key.description }
        (self.lockedNumbers, self.sent, budget) = (lockedNumbers, sent, limits.dailyBudget)
    }

    /// The limits in use, without those of which less than half is used unless `all`.
    public func rows(all: Bool) -> [Row] { sorted.filter { all || $0.share >= 50 } }
}
