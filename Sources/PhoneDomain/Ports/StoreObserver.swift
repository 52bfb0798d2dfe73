/// Is told what a store does, to measure it. It is called on the store's own threads, many at a time, and must not keep
/// them: it takes note and returns.
public protocol StoreObserver: Sendable {
    /// A batch has ended.
    func observe(_ batch: StoreBatch)

    /// An entry of the audit trail was kept: told after the commit, once, however often the store had to try. Where nobody
    /// knows whether a commit came about, nothing is told.
    func observe(_ entry: AuditEntry)
}
