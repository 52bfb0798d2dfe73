import PhoneNumbers
public import PhoneSignup

/// The limits that one operation is subject to, and how far each has been used: what a store loads before the operation
/// and saves after it, in the operation's own transaction.
public struct LimitLedger: Hashable, Sendable {
    /// A limit, and how far it has been used; nil where it never was.
    struct Use: Hashable, Sendable {
        let rule: LimitRule
        var meter: RateMeter?
    }

    /// An operation is subject to a handful at most, so that none is looked up by its key.
    private var uses: [Use]

    public init(_ rules: [LimitRule], meters: (LimitKey) throws -> RateMeter?) rethrows {
        uses = try rules.map { Use(rule: $0, meter: try meters($0.key)) }
    }

    /// Calls the body for each meter that has changed since this ledger was as `loaded`, which has the same rules.
    package func changes(
        since loaded: LimitLedger,
        _ body: (_ key: LimitKey, _ before: RateMeter?, _ after: RateMeter?) throws -> Void
    ) rethrows {
        for (use, before) in zip(uses, loaded.uses) where use.meter != before.meter {
            try body(use.rule.key, before.meter, use.meter)
        }
    }

    /// Repairs what a clock that ran ahead left. It must be saved even if the operation is refused, or the next would
    /// find the same.
    mutating func prune(at now: Timestamp) {
        for place in uses.indices {
            let rule = uses[place].rule
            uses[place].meter?.prune(rule.limit, now: now, isShared: rule.kind != .requests)
        }
    }

    /// Why the operation is not allowed now, naming every exceeded limit, if it is not.
    ///
    /// - Parameter weight: how many the operation's message counts as (``LimitRule/Kind/messages``).
    func refusal(at now: Timestamp, weight: Int = 1) -> PhoneFailure? {
        var (violated, last): ([QuotaPolicy], Timestamp) = ([], now)
        for use in uses {
            let count = use.rule.kind == .messages ? weight : 1
            let next = (use.meter ?? .unused).nextAt(use.rule.limit, now: now, count: count)
            guard next > now else { continue }
            violated.append(use.rule.policy)
            last = max(last, next)
        }
        return violated.isEmpty ? nil : .rateLimited(policies: violated, retryAt: last)
    }

    /// Takes one of each, or says why not. The ledger must be saved in either case.
    package mutating func tryTake(at now: Timestamp) -> PhoneFailure? {
        prune(at: now)
        if let refusal = refusal(at: now) { return refusal }
        for kind in LimitRule.Kind.allCases { take(kind, at: now) }
        return nil
    }

    /// Takes `count` of each limit of a kind; a negative count gives as many back.
    mutating func take(_ kind: LimitRule.Kind, at now: Timestamp, count: Int = 1) {
        for place in uses.indices where uses[place].rule.kind == kind {
            var meter = uses[place].meter ?? .unused
            meter.take(uses[place].rule.limit, now: now, count: count)
            uses[place].meter = meter
        }
    }

    /// The meters of all limits that were ever used.
    package var meters: [LimitKey: RateMeter] {
        uses.reduce(into: [:]) { $0[$1.rule.key] = $1.meter }
    }
}

public struct LimitRule: Hashable, Sendable {
    public let key: LimitKey
    public let limit: RateLimit
    let kind: Kind
    public var policy: QuotaPolicy { QuotaPolicy(name: key.policyName, quota: limit.quota, window: limit.window) }

    /// What a rule counts.
    enum Kind: CaseIterable {
        /// A client's requests, whether or not a message goes out: each leaves something, such as an audit entry.
        case requests
        /// What a client got, at the expense of others. A refused request takes none of it, unless its number proof was
        /// sent to a mobile network, which costs money.
        case grants
        /// The same of messages, by their weight, until it turns out that one was not sent (``OutboxMessage/isCharged``).
        case messages
    }

    /// A rule of the policy `<scope>-<window>` for the requests of one client.
    public init(_ scope: String, _ limit: RateLimit, of subject: String) {
        self.init(scope, limit, of: subject, .requests)
    }

    init(_ scope: String, _ limit: RateLimit, of subject: String, _ kind: Kind) {
        key = LimitKey(policy: "\(scope)-\(limit.windowText)", subject: subject)
        (self.limit, self.kind) = (limit, kind)
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

    /// What lists show to people: a number is masked.
    package var masked: String {
        guard !isOfPrefix, let number = try? PhoneNumber(e164: String(subject)) else { return description }
        return "\(policyName) \(number.masked)"
    }

    /// Whether the subject is a prefix of numbers rather than one number.
    package var isOfPrefix: Bool { description.hasPrefix("prefix-") }
}

/// Takes one of several limits for an operation that has none of its own, such as reading a verification.
public struct TakeLimits: Command {
    /// All of them apply.
    public let rules: [LimitRule]
    let now: Timestamp
    private var givesBack = false

    public init(rules: [LimitRule], now: Timestamp) { (self.rules, self.now) = (rules, now) }

    /// What gives back what this has taken, for an operation that counts only if it fails.
    public var returned: TakeLimits {
        var limits = self
        limits.givesBack = true
        return limits
    }

    public static let none = TakeLimits(rules: [], now: Timestamp(milliseconds: 0))

    /// Takes one of each, or none.
    public func apply(to limits: inout LimitLedger) -> Result<Void, PhoneFailure> {
        guard givesBack else { return limits.tryTake(at: now).map { .failure($0) } ?? .success(()) }
        for kind in LimitRule.Kind.allCases { limits.take(kind, at: now, count: -1) }
        return .success(())
    }
}
