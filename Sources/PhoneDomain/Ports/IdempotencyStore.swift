/// The requests that callers have given keys. Every method throws if the store cannot be reached or cannot write.
public protocol IdempotencyStore: Sendable {
    /// Takes a request up, in one atomic operation.
    func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome

    /// Records what came of it, in one atomic operation.
    func end(_ command: EndRequest) async throws

    /// Deletes requests that were forgotten before `moment`, at most `limit` of them.
    ///
    /// - Returns: how many were deleted; 0 when there is nothing left to do.
    func purgeRequests(before moment: Timestamp, limit: Int) async throws -> Int
}
