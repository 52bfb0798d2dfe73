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
    public var before: AuditCursor?
    /// How many entries, at least 1.
    public var limit: Int { didSet { limit = max(1, limit) } }
    public init(limit: Int) { self.limit = max(1, limit) }
}

/// A place in the audit log, at which a page ends and the next one begins.
public struct AuditCursor: Hashable, Sendable {
    public let at: Timestamp
    /// Distinguishes entries of one moment: the later one has the higher number.
    public let serial: Int64
    public init(at: Timestamp, serial: Int64) { (self.at, self.serial) = (at, serial) }
}

public struct AuditPage: Hashable, Sendable {
    public let entries: [AuditEntry]
    public let next: AuditCursor?

    /// A page of what a store found: newest first, and one more than `limit` if there are more.
    public init(_ found: [(cursor: AuditCursor, entry: AuditEntry)], limit: Int) {
        entries = found.prefix(limit).map(\.entry)
        next = found.count > limit ? found.prefix(limit).last?.cursor : nil
    }
}
