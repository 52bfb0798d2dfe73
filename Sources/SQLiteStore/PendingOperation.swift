/// An operation that waits for its turn on a connection, and the caller who waits for its outcome.
struct PendingOperation: Sendable {
    /// Does the operation, and returns how to tell the caller of its success: that may be told only after the commit.
    let work: @Sendable (Batch) throws -> @Sendable () -> Void
    /// Tells the caller that nothing of the operation was kept.
    let fail: @Sendable (any Error) -> Void
    /// Whether what it reads must be on the disk before it is told.
    let awaitsFlush: Bool
}
