/// The limits that one operation is subject to, and how far each has been used: what a store loads before the operation
/// and keeps after it, in the operation's own transaction.
public struct LimitLedger: Hashable, Sendable {
    /// All of them have to be kept.
    public let rules: [LimitRule]
    /// By the key of the rule.
    public private(set) var meters: [LimitKey: RateMeter]

    /// A ledger with what a store knows of these rules.
    public init(_ rules: [LimitRule], meters: (LimitKey) throws -> RateMeter?) rethrows {
        self.rules = rules
        self.meters = try rules.reduce(into: [:]) { $0[$1.key] = try meters($1.key) }
    }

    /// A ledger of no limits.
    public static let none = LimitLedger([]) { _ in nil }

    /// Mends what a clock that was ahead left behind. It must be kept even if the operation is refused, or the next
    /// would find the same.
    mutating func prune(at now: Timestamp) {
        for rule in rules { meters[rule.key]?.prune(rule.limit, now: now) }
    }

    /// Why the operation may not happen now, naming every limit in its way, or nil if it may.
    func refusal(at now: Timestamp) -> PhoneFailure? {
        let violated = rules.map { (policy: $0.policy, next: meter($0).nextAt($0.limit, now: now)) }
            .filter { $0.next > now }
        guard let last = violated.map(\.next).max() else { return nil }
        return .rateLimited(policies: violated.map(\.policy), retryAt: last)
    }

    /// Takes one of each.
    mutating func take(at now: Timestamp) {
        take(rules, at: now)
    }

    /// Takes one of those of the caller alone. A message that the guard refuses must not use up what the prefix, the country
    /// and the service have for others: who gets no message could shut out those who are vouched for. But it must not be
    /// asked for without end either, since each time leaves an audit entry.
    mutating func takeOfCaller(at now: Timestamp) {
        take(rules.filter(\.isOfCaller), at: now)
    }

    private mutating func take(_ rules: [LimitRule], at now: Timestamp) {
        for rule in rules {
            var meter = meter(rule)
            meter.take(rule.limit, now: now)
            meters[rule.key] = meter
        }
    }

    private func meter(_ rule: LimitRule) -> RateMeter {
        meters[rule.key] ?? .unused
    }
}
