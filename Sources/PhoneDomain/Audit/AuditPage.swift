/// Entries of the audit trail, newest first, and where the next ones are.
public struct AuditPage: Hashable, Sendable {
    /// No more than were asked for.
    public let entries: [AuditEntry]
    /// Where to go on (``AuditQuery/before``), or nil if there is nothing more.
    public let next: AuditCursor?

    /// A page of what a store found.
    ///
    /// - Parameters:
    ///   - found: newest first, and one more than ``AuditQuery/limit`` if there are so many.
    ///   - limit: of the query.
    public init(_ found: [(cursor: AuditCursor, entry: AuditEntry)], limit: Int) {
        entries = found.prefix(limit).map(\.entry)
        next = found.count > limit ? found.prefix(limit).last?.cursor : nil
    }
}
