import PhoneDomain
import Synchronization

/// What a store said that it did.
final class CommitLog: StoreObserver {
    private let log = Mutex<(batches: [StoreBatch], entries: [AuditEntry], rows: [UnreadableRow])>(([], [], []))

    /// How many operations each commit of changes was for.
    var commits: [Int] { batches(.write).filter { !$0.isFailed }.map(\.operations) }

    var failures: Int { log.withLock { $0.batches }.count { $0.isFailed } }
    var entries: [AuditEntry] { log.withLock { $0.entries } }
    var rows: [UnreadableRow] { log.withLock { $0.rows } }

    func batches(_ kind: StoreBatch.Kind) -> [StoreBatch] {
        log.withLock { $0.batches }.filter { $0.kind == kind }
    }

    func observe(_ batch: StoreBatch) {
        log.withLock { $0.batches.append(batch) }
    }

    func observe(_ row: UnreadableRow) {
        log.withLock { $0.rows.append(row) }
    }

    func observe(_ entry: AuditEntry) {
        log.withLock { $0.entries.append(entry) }
    }
}
