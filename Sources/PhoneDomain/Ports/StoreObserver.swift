/// Is told what a store does, to measure it. It is called on the store's own threads, many at a time, and must not keep
/// them: it takes note and returns.
public protocol StoreObserver: Sendable {
    /// A batch has ended.
    func observe(_ batch: StoreBatch)

    /// An entry of the audit trail was kept: told after the commit, once, however often the store had to try. Where nobody
    /// knows whether a commit came about, nothing is told.
    func observe(_ entry: AuditEntry)

    /// A row was passed over.
    func observe(_ row: UnreadableRow)
}

/// A row that does not hold what it should, so that an operation on many has passed it over: it must not block the others.
public struct UnreadableRow: Hashable, Sendable {
    /// Its table.
    public let table: String
    /// What is in its first column: an ID, or the number of an audit entry.
    public let key: String

    /// A row of this table.
    public init(table: String, key: String) {
        self.table = table
        self.key = key
    }
}
