import Dispatch
import Synchronization

/// Flushes the write-ahead log of a database to the disk, and resumes callers after that and not before.
///
/// SQLite can do so itself at each commit (`synchronous=FULL`), but then nothing else is done meanwhile. Here the next
/// batch is, and a flush is for all that was committed until it began. The promise is the same: SQLite flushes the log
/// before it copies it (`synchronous=NORMAL`), so that a loss of power leaves a state that there was
/// (https://www.sqlite.org/wal.html, "Performance Considerations"), and what has been acknowledged is in the flushed
/// log.
///
/// After a failed flush it is unknown what the disk holds: the system has forgotten which pages it could not
/// write, and would report success next time. So no further change is made until the database is opened anew.
final class LogFlush: Sendable {
    /// A batch whose callers wait for a flush.
    struct Waiter: Sendable {
        let resume: @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Waiter] = []
        /// Whether a flush is under way or about to be.
        var isServed = false
        /// Commits that have begun and have no callers waiting for their flush yet.
        var commits = 0
        /// Whether a commit waits for the flush before it to end.
        var hasCommitWaiting = false
        /// Whether the writer waits for that flush to begin.
        var isAwaited = false
        var failure: SQLiteStoreError?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "log flush")
    private let isFree = DispatchSemaphore(value: 0)
    private let flush: @Sendable () throws(SQLiteStoreError) -> Void

    /// - Parameter flush: waits until whatever was written to the log before is on the disk.
    init(_ flush: @escaping @Sendable () throws(SQLiteStoreError) -> Void) { self.flush = flush }

    /// Flushes the log of the database at this path, which is open.
    convenience init(ofDatabaseAt path: String) throws(SQLiteStoreError) {
        let log = try LogFile(path: path + "-wal")
        self.init { () throws(SQLiteStoreError) in try log.flush() }
    }

    /// - Throws: what made an earlier flush fail.
    func requireSound() throws(SQLiteStoreError) { if let failure = state.withLock(\.failure) { throw failure } }

    /// Waits until the last commit is being flushed, on the writer's thread: while one batch is flushed another is
    /// done, but no third one, so that on a slow disk the batches grow and not the number of those who wait for it.
    func waitUntilFree() {
        let mustWait = state.withLock { state in
            state.isAwaited = state.hasCommitWaiting
            return state.isAwaited
        }
        if mustWait { isFree.wait() }
    }

    /// Call before a commit, which what reads may see from then on.
    func commitBegins() { state.withLock { $0.commits += 1 } }

    /// Call after a commit that failed.
    func commitFailed() { state.withLock { $0.commits -= 1 } }

    /// Call after a commit, with the callers that wait for it.
    func commitEnded(_ waiter: Waiter) {
        enqueue(waiter) { state in
            state.commits -= 1
            state.hasCommitWaiting = true
            return true
        }
    }

    /// Resumes the callers when all that was committed is on the disk: at once if it is.
    func afterCommits(_ waiter: Waiter) { enqueue(waiter) { $0.commits > 0 || $0.isServed } }

    private func enqueue(_ waiter: Waiter, _ mustWait: (inout State) -> Bool) {
        let (waits, isFirst) = state.withLock { state in
            guard mustWait(&state) else { return (false, false) }
            state.waiting.append(waiter)
            defer { state.isServed = true }
            return (true, !state.isServed)
        }
        if !waits { waiter.resume() }
        if isFirst { queue.async { self.serve() } }
    }

    private func serve() {
        while true {
            let (waiters, isAwaited) = state.withLock { state in
                defer { (state.waiting, state.isAwaited) = ([], false) }
                state.isServed = !state.waiting.isEmpty
                state.hasCommitWaiting = false
                return (state.waiting, state.isAwaited)
            }
            if isAwaited { isFree.signal() }
            if waiters.isEmpty { return }
            do throws(SQLiteStoreError) {
                try requireSound()
                try flush()
                for waiter in waiters { waiter.resume() }
            } catch {
                state.withLock { $0.failure = error }
                for waiter in waiters { waiter.fail(error) }
            }
        }
    }
}
