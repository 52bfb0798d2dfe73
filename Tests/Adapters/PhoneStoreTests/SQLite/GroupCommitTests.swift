import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneStore
@testable import StoreSuite

@Suite struct GroupCommitTests {
    private let folder: TemporaryFolder
    private let connections: SQLiteStore.Connections
    private let log = CommitLog()
    private let store: SQLiteStore

    init() throws {
        let folder = try TemporaryFolder()
        connections = try folder.connections()
        self.folder = folder
        store = SQLiteStore(writer: connections.writer, reader: connections.reader, observer: log)
    }

    /// Inserts these signups in one go.
    ///
    /// - Returns: the errors, by the signups' numbers.
    private func insert(_ signups: [Signup]) async -> [Signup.ID: any Error] {
        let gate = Gate(writing: store)
        return await withTaskGroup(of: (Signup.ID, (any Error)?).self) { group in
            for signup in signups {
                group.addTask { [store] in
                    do {
                        try await store.insert(signup)
                        return (signup.id, nil)
                    } catch {
                        return (signup.id, error)
                    }
                }
            }
            await gate.open(whenWaiting: signups.count)
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test func `operations that arrive together share a transaction, up to 256 of them`() async throws {
        let errors = await insert((1...300).map { sampleSignup($0) })
        #expect(errors.isEmpty)
        #expect(log.commits == [256, 44])
        for number in 1...300 {
            #expect(try await store.signup(Signup.ID(bits: 0, UInt64(number))) == sampleSignup(number))
        }
    }

    @Test func `an operation alone has a transaction of its own`() async throws {
        for number in 1...3 { try await store.insert(sampleSignup(number)) }
        #expect(log.commits == [1, 1, 1])
    }

    @Test func `one that fails undoes itself and no other`() async throws {
        try await store.insert(sampleSignup(1))
        let gate = Gate(writing: store)
        let good = Task { [store] in try await store.insert(sampleSignup(2)) }
        let duplicate = Task { [store] in try await store.insert(sampleSignup(1, phoneText: "1")) }
        let halfDone = Task { [store] in
            try await store.change { records in
                try records.put(sampleSignup(3))
                throw HalfWay()
            }
        }
        let alsoGood = Task { [store] in try await store.insert(sampleSignup(4)) }
        await gate.open(whenWaiting: 4)

        try await good.value
        try await alsoGood.value
        await #expect(throws: HalfWay()) { try await halfDone.value }
        await #expect(
            throws: SQLiteStoreError.failed(resultCode: 1555, reason: "UNIQUE constraint failed: signup.id")
        ) {
            try await duplicate.value
        }
        // One by one, since none of them could be kept with the others.
        #expect(log.commits == [1, 1, 1, 1])
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 2)) == sampleSignup(2))
        #expect(try await store.signup(Signup.ID(bits: 0, 3)) == nil)
        #expect(try await store.signup(Signup.ID(bits: 0, 4)) == sampleSignup(4))
    }

    @Test func `a full disk fails the whole batch, and nothing of it is kept`() async throws {
        try await store.insert(sampleSignup(1))
        try limitPages(by: 40)
        let long = String(repeating: "1", count: 20_000)
        let errors = await insert((2...50).map { sampleSignup($0, phoneText: long) })
        #expect(errors.count == 49)
        let full = SQLiteStoreError.failed(resultCode: 13, reason: "database or disk is full")
        #expect(errors.values.allSatisfy { $0 as? SQLiteStoreError == full })
        for number in 2...50 {
            #expect(try await store.signup(Signup.ID(bits: 0, UInt64(number))) == nil)
        }

        try limitPages(by: 4000)
        #expect(store.writer.diskFailure.withLock { $0 } == full)
        try await store.ping()
        #expect(store.writer.diskFailure.withLock { $0 } == nil)
        #expect(await insert((2...50).map { sampleSignup($0, phoneText: long) }).isEmpty)
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 50)) == sampleSignup(50, phoneText: long))
        #expect(log.commits.suffix(1) == [49])
    }

    private func limitPages(by count: Int64) throws {
        try store.writer.connection.sync { db in
            let pages = try db.integer("PRAGMA page_count") ?? 0
            try db.execute("PRAGMA max_page_count = \(pages + count)")
        }
    }

    @Test func `a canceled caller still gets the result of the operation`() async throws {
        let gate = Gate(writing: store)
        let caller = Task { [store] in try await store.insert(sampleSignup(1)) }
        while store.commands.waitingCount < 1 { await Task.yield() }
        caller.cancel()
        await gate.open(whenWaiting: 1)
        try await caller.value
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
    }

    @Test func `while somebody else writes, writing fails after the busy timeout, and reading goes on`() async throws {
        try await store.insert(sampleSignup(1))
        let other = try SQLiteConnection(path: folder.path("phone.db"))
        try other.execute("BEGIN EXCLUSIVE")
        let locked = SQLiteStoreError.failed(resultCode: 5, reason: "database is locked")
        await #expect(throws: locked) { try await store.insert(sampleSignup(2)) }
        await #expect(throws: locked) { try await store.ping() }
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))

        try other.execute("ROLLBACK")
        try await store.insert(sampleSignup(2))
        try await store.ping()
        #expect(log.commits == [1, 1, 1])
    }

    @Test func `what another process has changed is found`() async throws {
        let number = "+821012345678"
        let activity = NumberActivity(
            recentSends: [Timestamp(seconds: 1)],
            sendsInRun: 1,
            consecutiveFailures: 0,
            lastFailureAt: nil
        )
        try await store.change { try $0.put(ActiveNumber(e164: number, activity: activity)) }
        try SQLiteConnection(path: folder.path("phone.db"))
            .execute("UPDATE number_activity SET consecutive_failures = 7")
        let found = try await store.change { try $0.find(ActiveNumber.self, number)?.activity.consecutiveFailures }
        #expect(found == 7)
    }

    @Test func `what waited behind a lock fails with the first, not each batch after a wait of its own`() async throws {
        let other = try SQLiteConnection(path: folder.path("phone.db"))
        try other.execute("BEGIN EXCLUSIVE")
        let errors = await insert((1...600).map { sampleSignup($0) })
        let locked = SQLiteStoreError.failed(resultCode: 5, reason: "database is locked")
        #expect(errors.count == 600)
        #expect(errors.values.allSatisfy { $0 as? SQLiteStoreError == locked })
        #expect(log.batches(.write).map(\.operations) == [256])

        try other.execute("ROLLBACK")
        #expect(await insert((1...600).map { sampleSignup($0) }).isEmpty)
    }

    @Test func `beyond the limit of waiting operations, the next is refused at once`() async throws {
        let store = SQLiteStore(writer: connections.writer, reader: connections.reader, waitingLimit: 3)
        let gate = Gate(writing: store)
        let taken = (1...3).map { _ in Task { try await store.change { _ in } } }
        while store.commands.waitingCount < 3 { await Task.yield() }
        await #expect(throws: SQLiteStoreError.overloaded(waiting: 3)) { try await store.change { _ in } }
        await gate.open(whenWaiting: 3)
        for task in taken { try await task.value }
        try await store.change { _ in }
        #expect("\(SQLiteStoreError.overloaded(waiting: 3))" == "3 operations are already waiting for the database")
    }

    private struct HalfWay: Error, Equatable {}
}
