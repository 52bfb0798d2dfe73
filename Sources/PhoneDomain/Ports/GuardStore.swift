/// What operators see of the guard against toll fraud and decide for it. Every method throws if the store cannot be
/// reached or cannot write.
public protocol GuardStore: Sendable {
    /// The traffic of every key in the order of ``KeyedTraffic/ranked(_:at:)``, at most `limit` of them.
    func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic]

    /// The traffic of one key, ``Traffic/none`` if nothing is known of it.
    func traffic(of key: TrafficKey) async throws -> Traffic

    /// Every rule, in order of the prefixes, also those whose time is over.
    func guardRules() async throws -> [GuardRule]

    /// Keeps a rule, in place of that of the same prefix if there is one.
    func set(_ rule: GuardRule) async throws

    /// Removes the rule of exactly this prefix.
    ///
    /// - Returns: the rule, or nil if there was none.
    func removeGuardRule(prefix: String) async throws -> GuardRule?

    /// Ends the blocks on prefixes that begin like this, and forgets what led to them (``Traffic/unblock()``).
    ///
    /// - Parameter beginning: `+` and one or more digits.
    /// - Returns: the prefixes that were blocked, in order.
    func unblock(beginning: String) async throws -> [String]

    /// The last lines of the audit trail in which the guard spoke of a prefix, the newest first.
    ///
    /// - Parameter prefix: its digests under every key (``NumberDigester/digests(of:)``).
    func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry]
}
