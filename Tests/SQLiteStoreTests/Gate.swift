import Dispatch

@testable import SQLiteStore

/// Keeps a connection busy until it is opened, so that a test decides which operations share a batch.
struct Gate {
    private let opened = DispatchSemaphore(value: 0)
    private let queue: BatchQueue

    init(before queue: BatchQueue) {
        self.queue = queue
        queue.connection.async { [opened] _ in opened.wait() }
    }

    /// Waits until so many operations wait.
    func waiting(_ count: Int) async {
        while queue.waitingCount < count { await Task.yield() }
    }

    /// Opens when so many operations wait.
    func open(whenWaiting count: Int) async {
        await waiting(count)
        opened.signal()
    }
}
