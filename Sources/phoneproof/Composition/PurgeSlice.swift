/// How many rows of each table to delete in one transaction, learnt from how long the last one took: requests that
/// write wait for so long, and a million rows are to go in minutes and not in days.
struct PurgeSlice {
    /// How long a transaction should take: a tenth of what a person notices.
    static let aim: Duration = .milliseconds(20)
    static let limits = 50...5000

    private(set) var rows = 500

    /// Takes note of how long so many rows took.
    ///
    /// - Returns: how long to leave the database to others: as long as they were kept from it, at least.
    mutating func adapt(to took: Duration) -> Duration {
        // No more than twice as many at a time, since one quick transaction proves little.
        let factor = min(2, max(0.25, Self.aim / max(took, .microseconds(100))))
        rows = min(max(Int(Double(rows) * factor), Self.limits.lowerBound), Self.limits.upperBound)
        return max(took, .milliseconds(10))
    }
}
