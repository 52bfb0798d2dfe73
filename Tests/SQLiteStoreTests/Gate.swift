import Dispatch
import GRDB

@testable import SQLiteStore

/// Keeps a connection busy until it is opened, so that a test decides which operations share a batch.
struct Gate {
    private let opened = DispatchSemaphore(value: 0)
    private let connection: BatchedConnection

    init(before connection: BatchedConnection) {
        self.connection = connection
        connection.connection.asyncWriteWithoutTransaction { [opened] _ in opened.wait() }
    }

    /// Opens when so many operations wait.
    func open(whenWaiting count: Int) async {
        while connection.waitingCount < count { await Task.yield() }
        opened.signal()
    }
}
