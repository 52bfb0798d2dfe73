/// What a store did in one go: a transaction with all the operations in it.
public struct StoreBatch: Hashable, Sendable {
    /// What a batch does to the store.
    public enum Kind: String, Sendable, CaseIterable {
        case read
        case write
    }

    /// Whether it could change anything.
    public let kind: Kind
    /// How many operations were in it, at least one.
    public let operations: Int
    /// How long it took, from its first word to the database until the last answer; the wait for its turn is not counted.
    public let duration: Duration
    /// Whether it was lost, with all that was in it. A single operation that was refused, or failed and was undone, is no
    /// failure of the batch.
    public let isFailed: Bool

    /// A batch of these parts.
    public init(kind: Kind, operations: Int, duration: Duration, isFailed: Bool) {
        self.kind = kind
        self.operations = operations
        self.duration = duration
        self.isFailed = isFailed
    }
}
