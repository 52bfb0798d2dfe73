/// How many messages there were, and how many of them led to an approval.
public struct AttemptSummary: Hashable, Sendable {
    /// All.
    public let total: Int
    /// Those that led to an approval.
    public let converted: Int

    /// A summary of these numbers.
    public init(total: Int, converted: Int) {
        self.total = total
        self.converted = converted
    }
}
