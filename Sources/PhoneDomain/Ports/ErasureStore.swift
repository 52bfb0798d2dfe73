/// Forgets people. Every method throws if the store cannot be reached or cannot write.
public protocol ErasureStore: Sendable {
    /// Deletes and unlinks what the command covers, in one atomic operation.
    ///
    /// - Returns: how much it was; if it was anything, the audit trail has the command's entry too.
    func erase(_ command: EraseNumber) async throws -> Erasure

    /// Takes what was deleted out of the store's files too, where it may linger though no query finds it. It may take a
    /// while, in which others can read and not write.
    ///
    /// - Throws: if somebody else stands in the way, which may be otherwise a moment later. What was erased stays erased.
    func removeTraces() async throws
}
