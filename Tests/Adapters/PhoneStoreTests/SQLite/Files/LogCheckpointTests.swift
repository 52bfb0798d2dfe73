import Dispatch
import Foundation
import PhoneDomain
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneStore

@Suite(.hangLimit) struct LogCheckpointTests {
    /// How a step flushes the database, as the test wants.
    private final class Disk: Sendable {
        private struct State {
            var flushes = 0
            var isSlow = false
            var isBroken = false
        }

        private let state = Mutex(State())
        private let isReady = DispatchSemaphore(value: 0)

        var flushes: Int { state.withLock(\.flushes) }

        func flush() throws(SQLiteStoreError) {
            let (isSlow, isBroken) = state.withLock { state in
                state.flushes += 1
                return (state.isSlow, state.isBroken)
            }
            if isSlow { isReady.wait() }
            if isBroken { throw .failed(resultCode: SQLiteConnection.flushFailure, reason: "disk I/O error") }
        }

        func slowDown() {
            state.withLock { $0.isSlow = true }
        }

        func breakDown() {
            state.withLock { $0.isBroken = true }
        }

        func endFlush() {
            isReady.signal()
        }
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isRaised: Bool { state.withLock { $0 } }

        func raise() {
            state.withLock { $0 = true }
        }
    }

    private static let step = 8
    private static let limit = 40

    private let folder: TemporaryFolder
    private let disk = Disk()
    private let connections: SQLiteStore.Connections
    private let checkpoint: LogCheckpoint
    private let store: SQLiteStore

    init() throws {
        let folder = try TemporaryFolder()
        let connections = try folder.connections()
        self.folder = folder
        self.connections = connections
        checkpoint = LogCheckpoint(
            connections.checkpointer,
            beside: connections.writer,
            step: Self.step,
            limit: Self.limit
        ) { [disk] _ throws(SQLiteStoreError) in try disk.flush() }
        store = SQLiteStore(writer: connections.writer, reader: connections.reader, checkpoint: checkpoint)
    }

    /// Inserts a signup, and waits until the writer is done with the batch: its caller is answered before that.
    private func insert(_ number: Int) async throws {
        try await store.insert(sampleSignup(number))
        store.writer.connection.sync { _ in }
    }

    /// Inserts signups one after the other, each when no step is under way any more.
    private func insert(_ numbers: ClosedRange<Int>) async throws {
        for number in numbers {
            try await insert(number)
            await steps()
        }
    }

    /// Waits until no step is under way.
    private func steps() async {
        while checkpoint.isCopying { await Task.yield() }
    }

    /// Inserts signups from this number on until a step is under way and waits for the slow disk.
    ///
    /// - Returns: the next number.
    private func beginStep(inserting first: Int) async throws -> Int {
        let flushes = disk.flushes
        var number = first
        while !checkpoint.isCopying {
            try await insert(number)
            number += 1
        }
        while disk.flushes == flushes { await Task.yield() }
        return number
    }

    /// How many pages the file of the log has room for.
    private func pagesOfLog() throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: folder.path("phone.db-wal"))[.size] as? Int
        return try #require(size) / 4096
    }

    /// How many signups the database holds without its log.
    private func countWithoutLog() throws -> Int {
        let copy = folder.path("copy.db")
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: folder.path("phone.db"), toPath: copy)
        return try count(in: SQLiteConnection(path: copy))
    }

    private func count(in connection: SQLiteConnection) throws -> Int {
        Int(try connection.integer("SELECT count(*) FROM signup") ?? 0)
    }

    @Test func `however much is written, the log begins anew, and all of it is there`() async throws {
        // Of the migrations, before this could copy anything.
        try await insert(1...1)
        let before = try pagesOfLog()
        try await insert(2...300)
        #expect(try pagesOfLog() <= max(before, Self.limit + 2 * Self.step))
        #expect(disk.flushes > 30)
        #expect(try await store.count(of: Signup.self) == 300)
        // But for those of the last step, a page or more each.
        #expect(try countWithoutLog() > 300 - Self.limit)
    }

    @Test func `batches go on while a step is under way, and no other step begins`() async throws {
        disk.slowDown()
        let next = try await beginStep(inserting: 1)
        let flushes = disk.flushes
        for number in next..<next + 50 { try await insert(number) }
        #expect(checkpoint.isCopying)
        #expect(try await store.count(of: Signup.self) == next + 49)
        (1...9).forEach { _ in disk.endFlush() }
        try await checkpoint.emptyLog()
        #expect(disk.flushes == flushes)
    }

    @Test func `when the log is long the writer copies what was written during a step`() async throws {
        disk.slowDown()
        let next = try await beginStep(inserting: 1)
        for number in next..<next + Self.limit { try await insert(number) }
        disk.endFlush()
        await steps()
        let flushes = disk.flushes
        try await insert(next + Self.limit)
        #expect(!checkpoint.isCopying)
        #expect(disk.flushes == flushes)
        #expect(try countWithoutLog() == next + Self.limit)
    }

    @Test func `a log that somebody reads is kept until it is read, and begins anew then`() async throws {
        try await insert(1...1)
        let other = try SQLiteConnection(path: folder.path("phone.db"))
        try other.execute("BEGIN")
        #expect(try count(in: other) == 1)
        let before = try pagesOfLog()
        try await insert(2...200)
        let grown = try pagesOfLog()
        #expect(grown > before + Self.limit)
        #expect(try count(in: other) == 1)
        try other.execute("COMMIT")
        try await insert(201...400)
        // What was written then fits into what there is, since that is written anew.
        #expect(try pagesOfLog() <= grown + Self.limit + 2 * Self.step)
        #expect(try countWithoutLog() > 400 - Self.limit)
    }

    @Test func `after a flush that failed nothing is changed any more, and reading goes on`() async throws {
        disk.slowDown()
        disk.breakDown()
        let next = try await beginStep(inserting: 1)
        // Enough for another step, which must not be.
        for number in next..<next + 20 { try await insert(number) }
        let flushes = disk.flushes
        (1...9).forEach { _ in disk.endFlush() }
        await steps()
        let failure = SQLiteStoreError.unflushed(path: folder.path("phone.db"), reason: "disk I/O error")
        for _ in 1...2 {
            await #expect(throws: failure) { try await store.insert(sampleSignup(1000)) }
        }
        #expect(try await store.count(of: Signup.self) == next + 19)
        await #expect(throws: failure) { try await checkpoint.emptyLog() }
        #expect(try pagesOfLog() > 0)
        #expect(disk.flushes == flushes)
    }

    @Test func `after a flush that failed the log is there when all is closed, and has everything`() async throws {
        disk.breakDown()
        let (path, old) = (folder.path("phone.db"), folder.path("old.db"))
        try FileManager.default.copyItem(atPath: path, toPath: old)
        try await insert(1...1)
        store.close()
        // As if the disk had lost what was copied.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: old, toPath: path)
        let opened = try SQLiteStore(path: path)
        #expect(try await opened.count(of: Signup.self) == 1)
    }

    /// Its caller is answered before the batch has ended, and may close the store.
    @Test func `a batch that ends when the connection of the steps is closed begins none`() async throws {
        checkpoint.connection.close()
        var number = 1
        while !checkpoint.isCopying {
            try await insert(number)
            number += 1
        }
        checkpoint.connection.sync { _ in }
        #expect(disk.flushes == 0)
        #expect(try await store.count(of: Signup.self) == number - 1)
    }

    @Test func `a log is emptied after the step that is under way`() async throws {
        disk.slowDown()
        let next = try await beginStep(inserting: 1)
        let isEmptied = Flag()
        let emptying = Task { [store] in
            try await store.removeTraces()
            isEmptied.raise()
        }
        // Behind the vacuum, which lengthens the log, nothing but the step is to be waited for.
        let before = try pagesOfLog()
        while try pagesOfLog() == before { await Task.yield() }
        for _ in 1...100 { store.writer.connection.sync { _ in } }
        #expect(!isEmptied.isRaised)
        disk.endFlush()
        try await emptying.value
        #expect(try pagesOfLog() == 0)
        #expect(try countWithoutLog() == next - 1)
    }
}

@Suite(.hangLimit) struct CheckpointedStoreTests {
    /// As it is opened for the service: pages are flushed by SQLite's own way to the file.
    @Test func `a store copies its log, and begins it anew`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("phone.db"), durability: .normal)
        let checkpoint = try #require(store.writer.checkpoint)
        let text = String(repeating: "1", count: 400_000)
        for number in 1...240 {
            try await store.insert(sampleSignup(number, phoneText: text))
            while checkpoint.isCopying { await Task.yield() }
        }
        let size = try FileManager.default.attributesOfItem(atPath: folder.path("phone.db-wal"))[.size] as? Int
        // 96 MB were written, and 8,192 pages are 34.
        #expect(try #require(size) < 60_000_000)
        #expect(try await store.count(of: Signup.self) == 240)
    }
}

extension LogCheckpoint {
    fileprivate var isCopying: Bool { state.withLock { $0.stage == .copying } }
}
