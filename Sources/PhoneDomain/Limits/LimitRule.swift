/// A limit that one operation is subject to.
public struct LimitRule: Hashable, Sendable {
    /// What counts together.
    public let key: LimitKey
    /// How much of it there may be.
    public let limit: RateLimit
    /// What whoever is refused by it is told.
    public let policy: QuotaPolicy
    /// Whether the key stands for the one who asks, and not for a prefix, a country or the whole service.
    let isOfCaller: Bool

    /// A rule of the policy `<scope>-<what>-<window>` for one subject.
    init(_ scope: String, _ limit: RateLimit, of subject: String, isOfCaller: Bool = true) {
        policy = QuotaPolicy(name: "\(scope)-\(limit.windowText)", quota: limit.quota, window: limit.window)
        key = LimitKey(policy: policy.name, subject: subject)
        self.limit = limit
        self.isOfCaller = isOfCaller
    }
}
