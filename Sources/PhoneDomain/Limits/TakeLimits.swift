/// Takes one of several limits for something that is not a command of its own: a look at a verification.
public struct TakeLimits: Sendable {
    /// All of them have to be kept.
    public let rules: [LimitRule]
    /// The moment.
    public let now: Timestamp

    /// A take of these parts.
    public init(rules: [LimitRule], now: Timestamp) {
        self.rules = rules
        self.now = now
    }

    /// Takes one of each, or says why not. What it leaves must be kept in either case.
    public func apply(to limits: inout LimitLedger) -> PhoneFailure? {
        limits.prune(at: now)
        if let refusal = limits.refusal(at: now) { return refusal }
        limits.take(at: now)
        return nil
    }
}
