import PhoneDomain
import Synchronization
import Testing

@testable import PostgreSQLStore

@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct BatchTests {
    private let database: TestDatabase
    private let connection: Connection
    private let sent = Sent()

    init() async throws {
        database = try await TestDatabase()
        try PostgreSQLStore.migrate(url: database.url, timeout: .seconds(60))
        let options = ConnectionOptions(
            servers: try ServerAddresses(url: database.url),
            isDurable: false,
            timeout: .seconds(60),
            didSend: { [sent] in sent.append($0) }
        )
        connection = try Connection.open(options)
        sent.clear()
    }

    private func operation(
        _ keys: RowKeys = RowKeys(),
        _ work: @escaping @Sendable (inout Rows) throws -> Void
    ) -> BatchedOperation {
        BatchedOperation(
            keys: keys,
            work: { rows in
                try work(&rows)
                return {}
            },
            fail: { _ in }
        )
    }

    private func commit(_ operations: [BatchedOperation]) throws -> Int {
        try Batch(operations, on: connection, plans: .builtIn, announcing: []).commit().count
    }

    private static let meter = RateMeter(fullAt: 7)

    @Test func `a hundred operations are two ways to the server`() throws {
        let operations = (0..<100).map { index in
            var keys = RowKeys()
            keys.meters = ["m \(index)", "all"]
            return operation(keys) { rows in
                let all = try rows.meters.find("all")?.fullAt ?? 0
                rows.meters.keep(RateMeter(fullAt: all + 1), under: "all")
                rows.meters.keep(Self.meter, under: "m \(index)")
            }
        }
        #expect(try commit(operations) == 100)
        #expect(sent.firstWords == [["BEGIN", "SELECT"], ["INSERT", "SET", "COMMIT"]])
        #expect(try database.run("SELECT full_at FROM rate_meter WHERE key = 'all'") == ["100"])
        #expect(try database.run("SELECT count(*) FROM rate_meter") == ["101"])
    }

    @Test func `rows that come after all that are locked are loaded in the same transaction`() throws {
        var keys = RowKeys()
        keys.meters = ["a"]
        let count = try commit([
            operation(keys) { rows in
                _ = try rows.traffic(around: try PhoneNumber(e164: "+821012345678"))
                rows.meters.keep(Self.meter, under: "a")
            }
        ])
        #expect(count == 1)
        #expect(sent.firstWords == [["BEGIN", "SELECT"], ["SELECT"], ["INSERT", "SET", "COMMIT"]])
    }

    @Test func `rows that would be locked out of order are locked anew with all others, in order`() throws {
        var keys = RowKeys()
        keys.meters = ["a"]
        let count = try commit([
            operation(keys) { $0.meters.keep(Self.meter, under: "a") },
            operation(keys) { rows in
                _ = try rows.signups.find("sgn_1")
                rows.meters.keep(RateMeter(fullAt: (try rows.meters.find("a")?.fullAt ?? 0) * 2), under: "a")
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

    @Test func `an operation that throws leaves nothing, and those after it do not see it`() throws {
        struct Refused: Error {}
        var keys = RowKeys()
        keys.meters = ["a", "b"]
        keys.numbers = ["+821012345678"]
        let seen = Mutex<[Int64?]>([])
        let answers = try commit([
            operation(keys) { $0.meters.keep(Self.meter, under: "a") },
            operation(keys) { rows in
                rows.meters.keep(RateMeter(fullAt: 8), under: "a")
                rows.meters.keep(nil, under: "a")
                rows.meters.keep(RateMeter(fullAt: 9), under: "b")
                rows.append(
                    AuditEntry(
                        at: Scene.start,
                        action: .erase,
                        owner: nil,
                        address: nil,
                        verificationID: nil,
                        maskedNumber: nil,
                        numberDigest: nil,
                        prefixDigest: nil,
                        region: nil
                    )
                )
                throw Refused()
            },
            operation(keys) { rows in
                let found = [try rows.meters.find("a")?.fullAt, try rows.meters.find("b")?.fullAt]
                seen.withLock { $0 = found }
            },
        ])
        #expect(answers == 3)
        #expect(seen.withLock(\.self) == [7, nil])
        #expect(try database.run("SELECT key || ' ' || full_at FROM rate_meter") == ["a 7"])
        #expect(try database.run("SELECT 1 FROM audit_entry") == [])
    }

    @Test func `what somebody else inserted meanwhile is not overwritten`() throws {
        var keys = RowKeys()
        keys.meters = ["a"]
        let batch = Batch(
            [
                operation(keys) { [database] rows in
                    #expect(try rows.meters.find("a") == nil)
                    try database.run("INSERT INTO rate_meter VALUES ('a', 1)")
                    rows.meters.keep(Self.meter, under: "a")
                }
            ],
            on: connection,
            plans: .builtIn,
            announcing: []
        )
        #expect {
            _ = try batch.commit()
        } throws: { ($0 as? PostgreSQLStoreError)?.isWorthAnotherTry ?? false }
        #expect(try database.run("SELECT full_at FROM rate_meter") == ["1"])
        // The connection is as good as new.
        #expect(try commit([operation(keys) { $0.meters.keep(Self.meter, under: "a") }]) == 1)
        #expect(try database.run("SELECT full_at FROM rate_meter") == ["7"])
    }

    @Test func `what changes nothing keeps nothing`() throws {
        var keys = RowKeys()
        keys.meters = ["a"]
        #expect(try commit([operation(keys) { _ = try $0.meters.find("a") }]) == 1)
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
