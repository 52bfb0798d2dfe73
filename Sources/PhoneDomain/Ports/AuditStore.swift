/// The audit trail. Other operations add to it, each in its own transaction; nothing in it is changed but what
/// ``AuditEntry/unlinked`` takes away. Every method throws if the store cannot be reached or cannot write.
public protocol AuditStore: Sendable {
    /// The entries that were asked for, newest first: by their moment, and of one moment the one that was written last.
    func entries(_ query: AuditQuery) async throws -> AuditPage

    /// Deletes entries of before `moment`, the oldest first, at most `limit` of them.
    ///
    /// - Returns: how many were deleted; 0 when there is nothing left to do.
    func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int
}
