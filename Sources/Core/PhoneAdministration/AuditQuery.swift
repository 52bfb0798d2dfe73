public import PhoneDomain

/// A query for entries of the audit log. A nil field matches any entry.
public struct AuditQuery: Hashable, Sendable {
    /// Those of the number with one of these digests (``NumberDigester/digests(of:)``).
    public var numberDigests: [NumberDigest]?
    public var verificationID: Verification.ID?
    public var owner: Owner?
    public var action: AuditEntry.Action?
    /// Inclusive.
    public var since: Timestamp?
    /// Exclusive.
    public var until: Timestamp?
    /// Those older than this place (``AuditPage/next``).
    public var before: Int64?
    /// How many entries, at least 1.
    public var limit: Int { didSet { limit = max(1, limit) } }
    public init(limit: Int) { self.limit = max(1, limit) }
}

public struct AuditPage: Hashable, Sendable {
    public let entries: [AuditEntry]
    /// Where the next page begins; nil after the last one.
    public let next: Int64?

    /// A page of what a store found: newest first, and one more than `limit` if there are more.
    public init(_ found: [(serial: Int64, entry: AuditEntry)], limit: Int) {
        entries = found.prefix(limit).map(\.entry)
        next = found.count > limit ? found.prefix(limit).last?.serial : nil
    }
}
