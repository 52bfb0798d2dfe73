/// An operation that waits to be done together with others, and the caller who waits for its outcome.
struct BatchedOperation: Sendable {
    /// The rows that it needs, as far as that is known beforehand.
    let keys: RowKeys
    /// Does the operation on the rows, and returns how to tell the caller of its success: that may be told only after the
    /// commit. It may be called again, on other rows, if nothing came of it.
    let work: @Sendable (inout Rows) throws -> @Sendable () -> Void
    /// Tells the caller that nothing of the operation was kept, or that nobody knows.
    let fail: @Sendable (any Error) -> Void
}
