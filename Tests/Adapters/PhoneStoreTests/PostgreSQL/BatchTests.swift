import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Synchronization
import Testing

@testable import PhoneStore

@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct BatchTests {
    private let database: TestDatabase
    private let options: ConnectionOptions
    private let connection: Connection
    private let sent = Sent()

    init() async throws {
        database = try await TestDatabase()
        try PostgreSQLStore.migrate(url: database.url, timeout: .seconds(60))
        options = ConnectionOptions(
            servers: try ServerAddresses(url: database.url),
            isDurable: false,
            timeout: .seconds(60),
            didSend: { [sent] in sent.append($0) }
        )
        connection = try Connection.open(options)
        sent.clear()
    }

    /// - Parameter keys: of the meters that are its state.
    private func operation(
        _ keys: String...,
        work: @escaping @Sendable (CommandSession) throws -> Void
    ) -> CommandOperation {
        CommandOperation(.write, then: { (_: Result<Void, any Error>) in }) { records in
            try records.loading { for key in keys { _ = try Self.find(key, in: records) } }
            try work(records)
        }
    }

    private func commit(_ operations: [CommandOperation]) throws -> Int {
        try Batch(operations, on: connection, records: .core, announcing: []).commit().count - 1
    }

    private static func meter(_ key: String, _ fullAt: Int64 = 7) -> MeterInUse {
        MeterInUse(key: LimitKey(rawValue: key), meter: RateMeter(fullAt: fullAt))
    }

    private static func find(_ key: String, in records: CommandSession) throws -> Int64? {
        try records.find(MeterInUse.self, LimitKey(rawValue: key))?.meter.fullAt
    }

    @Test func `a hundred operations are two ways to the server`() throws {
        let operations = (0..<100).map { index in
            operation("m \(index)", "all") { records in
                let all = try Self.find("all", in: records) ?? 0
                try records.put(Self.meter("all", all + 1))
                try records.put(Self.meter("m \(index)"))
            }
        }
        #expect(try commit(operations) == 100)
        #expect(sent.firstWords == [["BEGIN", "SELECT"], ["INSERT", "SET", "COMMIT"]])
        #expect(try database.run("SELECT full_at FROM rate_meter WHERE key = 'all'") == ["100"])
        #expect(try database.run("SELECT count(*) FROM rate_meter") == ["101"])
    }

    @Test func `a batch waits for that of another instance, and takes what arrives meanwhile`() async throws {
        let instance = PostgreSQLThread(options, label: "test")
        let batches = Mutex<[Int]>([])
        let queue = ConnectionQueue<CommandOperation, PostgreSQLThread>(
            [instance],
            observer: nil,
            prepare: { try $0.awaitTurn() },
            commit: { operations, thread in
                batches.withLock { $0.append(operations.count) }
                return try thread.perform { try Batch(operations, on: $0, records: .core, announcing: []).commit() }
            }
        )
        _ = try connection.exchange([.begin, .requestLock])
        let waiting = """
            SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE datname = current_database() AND NOT granted
            """
        let (answers, continuation) = AsyncStream.makeStream(of: Bool.self)
        for index in 0..<3 {
            // The first one is waiting already when the others come. The thread is kept: with a yield the other tests
            // would run first, for longer than a transaction may be idle.
            while index == 1, batches.withLock(\.isEmpty), try database.run(waiting).isEmpty {}
            queue.submit(
                CommandOperation(
                    .write,
                    then: { (result: Result<Void, any Error>) in
                        continuation.yield((try? result.get()) != nil)
                    }
                ) { records in
                    _ = try Self.find("m \(index)", in: records)
                    try records.put(Self.meter("m \(index)"))
                }
            )
        }
        connection.rollBack()
        #expect(await answers.prefix(3).allSatisfy(\.self))
        #expect(batches.withLock(\.self) == [3])
        queue.close()
    }

    @Test func `rows that come after all that are locked are loaded in the same transaction`() throws {
        let count = try commit([
            operation("a") { records in
                _ = try records.find(KeyedTraffic.self, .service)
                try records.put(Self.meter("a"))
            }
        ])
        #expect(count == 1)
        #expect(sent.firstWords == [["BEGIN", "SELECT"], ["SELECT"], ["INSERT", "SET", "COMMIT"]])
    }

    @Test func `rows that would be locked out of order are locked anew with all others, in order`() throws {
        let count = try commit([
            operation("a") { try $0.put(Self.meter("a")) },
            operation("a") { records in
                _ = try records.find(Signup.self, Signup.ID(bits: 0, 1))
                try records.put(Self.meter("a", (try Self.find("a", in: records) ?? 0) * 2))
            },
        ])
        #expect(count == 2)
        #expect(
            sent.firstWords == [
                ["BEGIN", "SELECT"], ["ROLLBACK", "BEGIN", "SELECT", "SELECT"], ["INSERT", "SET", "COMMIT"],
            ]
        )
        #expect(sent.last(2).map { $0.contains("FROM signup") } == [true, false])
        #expect(try database.run("SELECT full_at FROM rate_meter") == ["14"])
    }

    /// Of a clock that was ahead and is set back in between.
    @Test func `two requests whose times are minutes apart begin in one batch`() throws {
        let numbers = try ["+821011111111", "+821022222222"].map { try PhoneNumber(e164: $0) }
        let times = [ServerScene.start + .seconds(900), ServerScene.start]
        let operations = zip(numbers, times).map { number, now in
            operation { records in
                let live = try records.loading {
                    _ = try Self.find(number.e164, in: records)
                    return try records.live(number, owner: .local, at: now)
                }
                #expect(live == nil)
                try records.put(Self.meter(number.e164))
            }
        }
        #expect(try commit(operations) == 2)
        #expect(sent.firstWords.count == 2)
        #expect(try database.run("SELECT count(*) FROM rate_meter") == ["2"])
    }

    @Test func `an operation that throws leaves nothing, and those after it do not see it`() throws {
        struct Refused: Error {}
        let seen = Mutex<[Int64?]>([])
        let answers = try commit([
            operation("a", "b") { try $0.put(Self.meter("a")) },
            operation("a", "b") { records in
                try records.put(Self.meter("a", 8))
                try records.remove(MeterInUse.self, LimitKey(rawValue: "a"))
                try records.put(Self.meter("b", 9))
                records.append(AuditEntry(at: ServerScene.start, action: .erase, owner: nil))
                throw Refused()
            },
            operation("a", "b") { records in
                let found = [
                    try Self.find("a", in: records), try Self.find("b", in: records),
                ]
                seen.withLock { $0 = found }
            },
        ])
        #expect(answers == 3)
        #expect(seen.withLock(\.self) == [7, nil])
        #expect(try database.run("SELECT key || ' ' || full_at FROM rate_meter") == ["a 7"])
        #expect(try database.run("SELECT 1 FROM audit_entry") == [])
    }

    @Test func `what somebody else inserted meanwhile is not overwritten`() throws {
        let batch = Batch(
            [
                operation("a") { [database] records in
                    #expect(try Self.find("a", in: records) == nil)
                    try database.run("INSERT INTO rate_meter VALUES ('a', 1)")
                    try records.put(Self.meter("a"))
                }
            ],
            on: connection,
            records: .core,
            announcing: []
        )
        #expect {
            _ = try batch.commit()
        } throws: { ($0 as? PostgreSQLStoreError)?.isRetryable ?? false }
        #expect(try database.run("SELECT full_at FROM rate_meter") == ["1"])
        // The connection is as good as new.
        #expect(try commit([operation("a") { try $0.put(Self.meter("a")) }]) == 1)
        #expect(try database.run("SELECT full_at FROM rate_meter") == ["7"])
    }

    @Test func `what changes nothing keeps nothing`() throws {
        #expect(try commit([operation("a") { _ in }]) == 1)
        #expect(sent.firstWords == [["BEGIN", "SELECT"], ["ROLLBACK"]])
    }

    /// What was sent on each way to the server.
    private final class Sent: Sendable {
        private let ways = Mutex<[[String]]>([])

        func append(_ parts: [[Query]]) {
            ways.withLock { $0.append(parts.joined().map(\.sql)) }
        }

        func clear() {
            ways.withLock { $0 = [] }
        }

        var firstWords: [[String]] {
            ways.withLock { $0.map { $0.map { $0.split(separator: " ").first.map(String.init) ?? "" } } }
        }

        /// The last statements but the way that commits.
        func last(_ count: Int) -> [String] {
            Array(ways.withLock { $0.dropLast().last ?? [] }.suffix(count))
        }
    }
}
