import Synchronization

/// How many operations each commit was for.
final class CommitLog: Sendable {
    private let log = Mutex<[Int]>([])

    var commits: [Int] { log.withLock { $0 } }

    func append(_ operations: Int) {
        log.withLock { $0.append(operations) }
    }
}
