import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneStore
@testable import StoreSuite

/// What the operations of a batch share, and what they leave in the tables.
@Suite struct CommandSessionTests {
    private let store: SQLiteStore
    private let useCase: VerificationUseCase
    private let log = CommitLog()
    private let context = RequestContext(
        owner: .local,
        region: .korea,
        language: .korean,
        address: ClientAddress("203.0.113.7")
    )

    private struct HalfWay: Error {}

    init() throws {
        store = try .inMemory(announcing: EventSubscription(to: [.accountCreated]), observer: log)
        useCase = try VerificationUseCase.plain(over: store)
    }

    private func begin(_ number: String) -> Task<Verification, any Error> {
        Task { [useCase, context] in try await useCase.requestCode(for: number, context: context) }
    }

    /// Does this between two requests for codes, which are in one batch unless it keeps them apart.
    private func betweenRequests<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Result<Value, any Error> {
        let gate = Gate(writing: store)
        let first = begin("010-1234-5678")
        await gate.waiting(1)
        let done = Task { try await work() }
        await gate.waiting(2)
        let last = begin("010-2000-0000")
        await gate.open(whenWaiting: 3)
        _ = try await (first.value, last.value)
        return await done.result
    }

    private func sent(_ key: TrafficKey) async throws -> Int {
        try await store.traffic(of: key).hours.map(\.sent).reduce(0, +)
    }

    @Test func `operations of a batch count on from each other`() async throws {
        let gate = Gate(writing: store)
        let beginnings = ["010-1234-5678", "010-1234-9999", "010-2000-0000"].map(begin)
        await gate.open(whenWaiting: 3)
        for beginning in beginnings { _ = try await beginning.value }
        #expect(log.commits == [3])
        #expect(try await sent(.service) == 3)
        #expect(try await sent(.country(.korea)) == 3)
        // Of the address of all three, each of whom takes one.
        let meters = try await store.metersInUse(at: ManualClock().now(), limit: 9)
        #expect(meters.filter { $0.key.description.hasPrefix("address-sends") }.isEmpty == false)
        _ = try await begin("010-1234-7777").value
        #expect(try await sent(.service) == 4)
    }

    @Test func `what one that fails has changed is not counted by the others`() async throws {
        let failure = try await betweenRequests { [store] in
            try await store.change { records in
                _ = try records.find(KeyedTraffic.self, .service)
                let hour = Traffic.Hour(number: 1, sent: 70, approved: 0, suppressed: 0)
                let traffic = Traffic(hours: [hour])
                try records.put(KeyedTraffic(key: .service, traffic: traffic))
                records.append(sampleEntry(at: Timestamp(seconds: 1)))
                throw HalfWay()
            }
        }
        #expect(throws: HalfWay.self) { try failure.get() }
        // One by one, since the transaction of all was undone with it.
        #expect(log.commits == [1, 1])
        #expect(try await sent(.service) == 2)
        #expect(log.entries.count == 2)
        #expect(try store.column("SELECT id FROM audit_entry").count == 2)
    }

    @Test func `statements find what commands before them have changed`() async throws {
        let gate = Gate(writing: store)
        let first = begin("010-1234-5678")
        await gate.waiting(1)
        let counting = Task { [store] in
            try await store.transact { session in
                var count = 0
                try session.forEach("SELECT key FROM traffic") { _ in count += 1 }
                return count
            }
        }
        await gate.open(whenWaiting: 2)
        _ = try await first.value
        // Of the number's prefix, its country, the service and the client's address.
        #expect(try await counting.value == 4)
        #expect(log.commits == [1, 1])
    }

    @Test func `what statements have changed is found by commands behind them`() async throws {
        _ = try await begin("010-1234-5678").value
        #expect(try await store.change { try $0.find(KeyedTraffic.self, .service) != nil })
        try await store.transact { _ = try $0.run("DELETE FROM traffic") }
        _ = try await begin("010-2000-0000").value
        #expect(try await sent(.service) == 1)
    }

    private static let number = "+821012345678"

    private static func active(failures: Int) -> ActiveNumber {
        let activity = NumberActivity(
            recentSends: [Timestamp(seconds: 1)],
            sendsInRun: 1,
            consecutiveFailures: failures,
            lastFailureAt: Timestamp(seconds: 1)
        )
        return ActiveNumber(e164: number, activity: activity)
    }

    private var failures: Int? {
        get async throws {
            try await store.change { try $0.find(ActiveNumber.self, Self.number)?.activity.consecutiveFailures }
        }
    }

    @Test func `what is known of a record is what its row has, whoever changed that, and whatever was undone`()
        async throws
    {
        try await store.change { try $0.put(Self.active(failures: 1)) }
        #expect(try await failures == 1)
        try await store.change { try $0.edit(ActiveNumber.self, Self.number) { $0 = Self.active(failures: 2) } }
        #expect(try await failures == 2)
        try await store.transact { _ = try $0.run("UPDATE number_activity SET consecutive_failures = 3") }
        #expect(try await failures == 3)
        try await store.transact { try $0.save(Self.active(failures: 3), Self.active(failures: 4)) }
        #expect(try await failures == 4)
        await #expect(throws: HalfWay.self) {
            try await store.change { records in
                try records.edit(ActiveNumber.self, Self.number) { $0 = Self.active(failures: 5) }
                throw HalfWay()
            }
        }
        #expect(try await failures == 4)
        await #expect(throws: HalfWay.self) {
            try await store.transact { session in
                try session.save(Self.active(failures: 4), Self.active(failures: 6))
                throw HalfWay()
            }
        }
        #expect(try await failures == 4)
        try await store.change { try $0.remove(ActiveNumber.self, Self.number) }
        #expect(try await failures == nil)
        try await store.change { try $0.put(Self.active(failures: 7)) }
        try await store.transact { session in
            try session.overwriteDeleted()
            _ = try session.run("DELETE FROM number_activity")
        }
        #expect(try await failures == nil)
    }

    @Test func `of recent records the oldest make room one by one`() {
        let recent = RecentRecords<Signup>()
        for number in 1...5000 { recent.keep(sampleSignup(number), in: 1) }
        recent.keep(sampleSignup(5000, phoneText: "1"), in: 1)
        #expect(recent.find(Signup.ID(bits: 0, 5000), in: 1) == sampleSignup(5000, phoneText: "1"))
        #expect(recent.find(Signup.ID(bits: 0, 5000), in: 2) == nil)
        let found = (1...5000).filter { recent.find(Signup.ID(bits: 0, UInt64($0)), in: 1) != nil }
        #expect(found == Array(2953...5000))
        recent.forget(Signup.ID(bits: 0, 4000))
        #expect(recent.find(Signup.ID(bits: 0, 4000), in: 1) == nil)
    }

    @Test func `statements that fail are undone alone`() async throws {
        let failure = try await betweenRequests { [store] in
            try await store.transact { session in
                try session.overwriteDeleted()
                _ = try session.run("DELETE FROM traffic")
                session.effects.auditEntries = [sampleEntry(at: Timestamp(seconds: 1))]
                throw HalfWay()
            }
        }
        #expect(throws: HalfWay.self) { try failure.get() }
        #expect(log.commits == [2])
        #expect(log.entries.map(\.action) == [.begin, .begin])
        #expect(try await sent(.service) == 2)
    }

    @Test func `a rule that comes between two numbers of a batch holds for the second`() async throws {
        let gate = Gate(writing: store)
        let first = begin("010-1234-5678")
        await gate.waiting(1)
        let rule = try #require(
            GuardRule(prefix: "+8210", action: .block, until: nil, createdAt: ManualClock().now())
        )
        let blocking = Task { [store] in try await store.set(rule) }
        await gate.waiting(2)
        let second = begin("010-2000-0000")
        await gate.open(whenWaiting: 3)
        _ = try await first.value
        try await blocking.value
        await #expect(throws: PhoneFailure.self) { try await second.value }
    }

    @Test func `a command that cannot be saved is undone alone, with what it wrote to the log and announced`()
        async throws
    {
        try await store.insert(sampleSignup(1))
        let gate = Gate(writing: store)
        let first = begin("010-1234-5678")
        await gate.waiting(1)
        let failing = Task { [store] in
            try await store.change { records in
                records.append(sampleEntry(at: Timestamp(seconds: 1)))
                try records.put(sampleSignup(1, phoneText: "1"))
            }
        }
        await gate.open(whenWaiting: 2)
        let begun = try await first.value
        let failure = await failing.result
        #expect(throws: SQLiteStoreError.self) { try failure.get() }
        #expect(log.entries.map(\.verificationID) == [begun.id])
        #expect(try store.column("SELECT verification_id FROM audit_entry") == [begun.id.value])
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
    }

    @Test func `an update writes what has changed and no other column`() async throws {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try? await useCase.check("654321", for: .id(begun.id), context: context)
        let updates = store.writer.connection.sync { $0.compiledTexts }.filter { $0.hasPrefix("UPDATE verification") }
        #expect(
            updates == [
                """
                UPDATE verification SET checks_left = ?1
                WHERE id = ?2 AND sends_left IS ?3 AND checks_left IS ?4 AND status IS ?5 AND consumed_by IS ?6
                """
            ]
        )
        // A column that no record has, and one that a newer program may have written meanwhile.
        try store.execute("UPDATE verification SET language = 'en'")
        _ = try? await useCase.check("654321", for: .id(begun.id), context: context)
        #expect(try store.column("SELECT language FROM verification") == [.text("en")])
        #expect(try store.column("SELECT checks_left FROM verification") == [.integer(3)])
    }

    @Test func `what is left as it was is not written`() async throws {
        try await store.insert(sampleSignup(1))
        try store.execute(
            "CREATE TRIGGER still BEFORE UPDATE ON signup BEGIN SELECT RAISE(ABORT, 'written'); END"
        )
        try await store.change { records in
            try records.edit(Signup.self, Signup.ID(bits: 0, 1)) { $0?.phoneText = sampleSignup(1).phoneText }
        }
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
    }

    @Test func `what throws before it has changed anything fails alone, with what it wrote to the log`() async throws {
        let failure = try await betweenRequests { [store] in
            try await store.change { records in
                records.append(sampleEntry(at: Timestamp(seconds: 1)))
                throw HalfWay()
            }
        }
        #expect(throws: HalfWay.self) { try failure.get() }
        #expect(log.commits == [3])
        #expect(log.entries.map(\.action) == [.begin, .begin])
    }

    @Test func `what goes beyond its limits leaves nothing, and the others of its batch stay`() async throws {
        let limit = try #require(RateLimit(quota: 1, window: .seconds(60)))
        let rules = [LimitRule("sample", limit, of: "1")]
        let limits = TakeLimits(rules: rules, now: Timestamp(seconds: 1))
        let gate = Gate(writing: store)
        let insertions = (1...3).map { number in
            Task { [store] in
                try await store.change { records in
                    try records.counted(limits) { try records.put(sampleSignup(number)) }
                }
            }
        }
        await gate.open(whenWaiting: 3)
        var refusals = 0
        for insertion in insertions { if case .failure = await insertion.result { refusals += 1 } }
        #expect(refusals == 2)
        #expect(log.commits == [3])
        #expect(try store.column("SELECT count(*) FROM signup") == [.integer(1)])
    }

    @Test func `what is added and removed within a batch is not kept`() async throws {
        try await store.change { records in
            try records.put(sampleSignup(1))
            try records.remove(Signup.self, Signup.ID(bits: 0, 1))
        }
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == nil)
    }

    @Test func `a number goes from one account to another in one transaction`() async throws {
        let number = try PhoneNumber(e164: "+821012345678")
        func account(_ serial: UInt64, _ number: PhoneNumber?) -> Account {
            Account(
                id: Account.ID(bits: 0, serial),
                phoneNumber: number,
                phoneNumberSince: Timestamp(seconds: 0),
                createdAt: Timestamp(seconds: 0),
                createdBy: Verification.ID(bits: 0, serial),
                lastActiveAt: Timestamp(seconds: 0),
                metadata: AccountMetadata(json: "{}"),
                deletionDueAt: nil
            )
        }
        let (old, unlinked, new) = (account(1, number), account(1, nil), account(2, number))
        try await store.change { try $0.keep(old, loaded: nil, at: Timestamp(seconds: 0)) }
        try await store.change { records in
            try records.keep(unlinked, loaded: try records.find(Account.self, old.id), at: Timestamp(seconds: 1))
            try records.keep(new, loaded: nil, at: Timestamp(seconds: 1))
        }
        #expect(try await store.account(old.id)?.phoneNumber == nil)
        #expect(try await store.account(new.id) == new)
        #expect(try store.column("SELECT account_id FROM account_number") == [new.id.value])
        // The event of an account that is announced once more stays as it was.
        try await store.change { records in
            try records.put(
                Event(
                    .accountCreated,
                    of: .account(old.id),
                    occurredAt: Timestamp(seconds: 9),
                    at: Timestamp(seconds: 9)
                )
            )
        }
        let moments = try await store.events(status: nil, limit: 9).map(\.occurredAt)
        #expect(moments == [Timestamp(seconds: 0), Timestamp(seconds: 0)])
    }
}
