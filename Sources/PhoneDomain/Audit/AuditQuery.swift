/// Which entries of the audit trail somebody wants to see. What is nil is not asked about.
public struct AuditQuery: Hashable, Sendable {
    /// Those of the number that has one of these digests (``NumberDigester/digests(of:)``).
    public var numberDigests: [NumberDigest]?
    /// Those of this verification.
    public var verificationID: Verification.ID?
    /// Those that this owner asked for.
    public var owner: Owner?
    /// Those of this kind.
    public var action: AuditEntry.Action?
    /// Those of this moment and later.
    public var since: Timestamp?
    /// Those before this moment.
    public var until: Timestamp?
    /// Those older than this place (``AuditPage/next``).
    public var before: AuditCursor?
    /// No more than so many; at least 1.
    public private(set) var limit: Int

    /// The newest entries of all.
    public init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The same query for so many entries.
    public func limited(to limit: Int) -> AuditQuery {
        var query = self
        query.limit = max(1, limit)
        return query
    }

    /// Whether an entry at this place is one of them.
    public func covers(_ entry: AuditEntry, at cursor: AuditCursor) -> Bool {
        numberDigests.map { digests in entry.numberDigest.map(digests.contains) ?? false } ?? true
            && verificationID.map { $0 == entry.verificationID } ?? true
            && owner.map { $0 == entry.owner } ?? true
            && action.map { $0 == entry.action } ?? true
            && since.map { $0 <= entry.at } ?? true
            && until.map { entry.at < $0 } ?? true
            && before.map { cursor < $0 } ?? true
    }
}
