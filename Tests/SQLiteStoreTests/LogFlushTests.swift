import Dispatch
import PhoneDomain
import Records
import Synchronization
import Testing

@testable import SQLiteStore

@Suite struct LogFlushTests {
    /// A disk that takes as long as the test wants.
    private final class Disk: Sendable {
        private let state = Mutex<(flushes: Int, isBroken: Bool)>((0, false))
        private let isReady = DispatchSemaphore(value: 0)

        var flushes: Int { state.withLock(\.flushes) }

        func flush() throws(SQLiteStoreError) {
            state.withLock { $0.flushes += 1 }
            isReady.wait()
            if state.withLock(\.isBroken) { throw .unflushed(path: "log", reason: "Input/output error") }
        }

        func end(flushes count: Int) {
            for _ in 0..<count { isReady.signal() }
        }

        func breakDown() {
            state.withLock { $0.isBroken = true }
        }

        func waitForFlush(_ count: Int) async {
            while flushes < count { await Task.yield() }
        }
    }

    private let folder: TemporaryFolder
    private let disk = Disk()
    private let commits = CommitLog()
    private let store: SQLiteStore

    init() throws {
        let folder = try TemporaryFolder()
        let connections = try folder.connections()
        self.folder = folder
        let log = LogFlush { [disk] () throws(SQLiteStoreError) in try disk.flush() }
        store = SQLiteStore(writer: connections.writer, reader: connections.reader, log: log, observer: commits)
    }

    /// What came of operations, in the order in which their callers heard of it.
    private final class Order: Sendable {
        private let events = Mutex<[String]>([])

        var all: [String] { events.withLock(\.self) }

        func append(_ event: String) {
            events.withLock { $0.append(event) }
        }
    }

    @Test func `a caller is told when its commit is on the disk, and not before`() async throws {
        let order = Order()
        let inserting = Task { [store] in
            try await store.insert(sampleSignup(1))
            order.append("told")
        }
        await disk.waitForFlush(1)
        let other = try SQLiteConnection(path: folder.path("phone.db"))
        #expect(try other.integer("SELECT count(*) FROM signup") == 1)
        order.append("flushed")
        disk.end(flushes: 1)
        try await inserting.value
        #expect(order.all == ["flushed", "told"])
        #expect(disk.flushes == 1)
    }

    @Test func `what is read of a commit is told when that is on the disk; a key is found at once`() async throws {
        let order = Order()
        let inserting = Task { [store] in try await store.insert(sampleSignup(1)) }
        await disk.waitForFlush(1)
        let reading = Task { [store] in
            let signup = try await store.signup(Signup.ID(bits: 0, 1))
            order.append("read")
            return signup
        }
        while commits.batches(.read).isEmpty { await Task.yield() }
        let key = try await store.apiKey(APIKey.ID(bits: 0, 1))
        #expect(key == nil)
        order.append("key")
        disk.end(flushes: 2)
        try await inserting.value
        #expect(try await reading.value == sampleSignup(1))
        #expect(order.all == ["key", "read"])
    }

    @Test func `where all is on the disk, reading waits for nothing`() async throws {
        disk.end(flushes: 1)
        try await store.insert(sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(disk.flushes == 1)
    }

    @Test func `while one batch is flushed another is done, and the others gather for a third`() async throws {
        var inserting: [Task<Void, any Error>] = []
        func insert(_ number: Int) {
            inserting.append(Task { [store] in try await store.insert(sampleSignup(number)) })
        }
        insert(1)
        await disk.waitForFlush(1)
        insert(2)
        while commits.commits.count < 2 { await Task.yield() }
        (3...5).forEach(insert)
        while store.commands.waitingCount < 3 { await Task.yield() }
        #expect(commits.commits == [1, 1])
        disk.end(flushes: 3)
        for task in inserting { try await task.value }
        #expect(commits.commits == [1, 1, 3])
        #expect(disk.flushes == 3)
    }

    @Test func `after a flush that failed nothing is changed any more, and reading goes on`() async throws {
        disk.end(flushes: 1)
        try await store.insert(sampleSignup(1))
        disk.breakDown()
        let failure = SQLiteStoreError.unflushed(path: "log", reason: "Input/output error")
        disk.end(flushes: 9)
        await #expect(throws: failure) { try await store.insert(sampleSignup(2)) }
        await #expect(throws: failure) { try await store.insert(sampleSignup(3)) }
        await #expect(throws: failure) { try await store.ping() }
        #expect(commits.commits == [1, 1])
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 3)) == nil)
        #expect(
            "\(failure)" == "log could not be flushed to the disk: Input/output error; check the disk, then restart"
        )
    }
}
