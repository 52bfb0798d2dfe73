/// The limits that one operation is subject to, and how far each has been used: what a store loads before the operation
/// and saves after it, in the operation's own transaction.
public struct LimitLedger: Hashable, Sendable {
    public let rules: [LimitRule]
    public private(set) var meters: [LimitKey: RateMeter]

    public init(_ rules: [LimitRule], meters: (LimitKey) throws -> RateMeter?) rethrows {
        self.rules = rules
        self.meters = try rules.reduce(into: [:]) { $0[$1.key] = try meters($1.key) }
    }

    /// Repairs what a clock that ran ahead left. It must be saved even if the operation is refused, or the next would
    /// find the same.
    mutating func prune(at now: Timestamp) {
        for rule in rules { meters[rule.key]?.prune(rule.limit, now: now, isPerClient: rule.isPerClient) }
    }

    /// Why the operation is not allowed now, naming every exceeded limit, if it is not.
    func refusal(at now: Timestamp) -> PhoneFailure? {
        guard !rules.isEmpty else { return nil }
        let violated = rules.map { (policy: $0.policy, next: meter($0).nextAt($0.limit, now: now)) }
            .filter { $0.next > now }
        guard let last = violated.map(\.next).max() else { return nil }
        return .rateLimited(policies: violated.map(\.policy), retryAt: last)
    }

    /// - Parameter weight: how many a message counts as, but for the client's own limits, which are of requests.
    mutating func take(at now: Timestamp, weight: Int = 1) { take(rules, at: now, weight: weight) }

    /// Takes one of each, or says why not. The ledger must be saved in either case.
    package mutating func tryTake(at now: Timestamp) -> PhoneFailure? {
        prune(at: now)
        if let refusal = refusal(at: now) { return refusal }
        take(at: now)
        return nil
    }

    /// Takes one of the client's own limits alone. A message that the guard refuses must not use up what the prefix,
    /// the country and the service have for others: a client that gets no message could shut out those that are vouched
    /// for. But requests for it must be limited, since each leaves an audit entry.
    mutating func takeForClient(at now: Timestamp) { take(rules.filter(\.isPerClient), at: now) }

    private mutating func take(_ rules: [LimitRule], at now: Timestamp, weight: Int = 1) {
        for rule in rules {
            var meter = meter(rule)
            meter.take(rule.limit, now: now, count: rule.isPerClient ? 1 : weight)
            meters[rule.key] = meter
        }
    }

    private func meter(_ rule: LimitRule) -> RateMeter { meters[rule.key] ?? .unused }
}

public struct LimitRule: Hashable, Sendable {
    public let key: LimitKey
    public let limit: RateLimit
    public let policy: QuotaPolicy
    /// Whether the key stands for the client, and not for a prefix, a country or the whole service.
    let isPerClient: Bool

    /// A rule of the policy `<scope>-<window>` for one subject.
    public init(_ scope: String, _ limit: RateLimit, of subject: String, isPerClient: Bool = true) {
        policy = QuotaPolicy(name: "\(scope)-\(limit.windowText)", quota: limit.quota, window: limit.window)
        key = LimitKey(policy: policy.name, subject: subject)
        (self.limit, self.isPerClient) = (limit, isPerClient)
    }
}

/// What a limit counts by: the name of a policy and its subject, `address-sends-1h 203.0.113.7`.
public struct LimitKey: Hashable, Sendable, CustomStringConvertible {
    /// The text form, as it is stored and operators write it.
    public let description: String

    /// The subject contains no white space; empty for the whole service.
    public init(policy: String, subject: String) { description = subject.isEmpty ? policy : "\(policy) \(subject)" }
    public init(rawValue: String) { description = rawValue }

    package var policyName: String { String(description.prefix { $0 != " " }) }
    package var subject: Substring { description.firstIndex(of: " ").map { description[$0...].dropFirst() } ?? "" }

    /// Whether the subject is a prefix of numbers rather than one number.
    package var isOfPrefix: Bool { description.hasPrefix(LimitPolicy.prefixScope) }
}

/// Takes one of several limits for an operation that has none of its own, such as reading a verification.
public struct TakeLimits: Command {
    /// All of them apply.
    public let rules: [LimitRule]
    let now: Timestamp

    public init(rules: [LimitRule], now: Timestamp) { (self.rules, self.now) = (rules, now) }

    public static let none = TakeLimits(rules: [], now: Timestamp(milliseconds: 0))

    /// Takes one of each, or none.
    public func apply(to limits: inout LimitLedger) -> Result<Void, PhoneFailure> {
        limits.tryTake(at: now).map { .failure($0) } ?? .success(())
    }
}
