import Dispatch
import Synchronization

@testable import PhoneStore

extension ConnectionQueue {
    var waitingCount: Int { state.withLock { $0.waiting.count } }
}

/// Keeps a connection busy until it is opened, so that a test decides which operations share a batch.
struct Gate {
    private let opened = DispatchSemaphore(value: 0)
    private let waitingCount: () -> Int

    init(writing store: SQLiteStore) {
        waitingCount = { store.commands.waitingCount + store.transactions.waitingCount }
        store.writer.connection.queue.async { [opened] in opened.wait() }
    }

    init(reading store: SQLiteStore) {
        waitingCount = { store.reads.waitingCount }
        store.reader.queue.async { [opened] in opened.wait() }
    }

    /// Waits until N operations wait.
    func waiting(_ count: Int) async {
        while waitingCount() < count { await Task.yield() }
    }

    /// Opens when N operations wait.
    func open(whenWaiting count: Int) async {
        await waiting(count)
        opened.signal()
    }
}
