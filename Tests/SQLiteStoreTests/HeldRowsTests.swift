import PhoneDomain
import PhoneTestSupport
import Testing

@testable import SQLiteStore

/// What the operations of a batch hold in common.
@Suite struct HeldRowsTests {
    private let store: SQLiteStore
    private let useCase: LivePhoneUseCase
    private let log = CommitLog()
    private let context = RequestContext(
        owner: .local,
        region: .korea,
        language: .korean,
        address: ClientAddress("203.0.113.7")
    )

    init() throws {
        store = try .inMemory(observer: log)
        useCase = LivePhoneUseCase(
            store: store,
            vault: FixedCodeVault(code: try #require(VerificationCode("123456"))),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(),
            clock: ManualClock()
        )
    }

    private func begin(_ number: String) -> Task<Verification, any Error> {
        Task { [useCase, context] in try await useCase.requestCode(for: number, context: context) }
    }

    private func sent(_ key: TrafficKey) async throws -> Int {
        try await store.traffic(of: key).hours.map(\.sent).reduce(0, +)
    }

    @Test func `operations of a batch count on from each other`() async throws {
        let gate = Gate(before: store.writer)
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
        struct HalfWay: Error {}
        let gate = Gate(before: store.writer)
        let first = begin("010-1234-5678")
        while store.writer.waitingCount < 1 { await Task.yield() }
        let failing = Task { [store] in
            try await store.write(holdsRows: true) { tables in
                let loaded = try tables.traffic.find(.service) ?? .none
                let hour = Traffic.Hour(number: 1, sent: 70, approved: 0, heldBack: 0)
                let traffic = Traffic(hours: [hour], blockedUntil: nil, refusedInBlock: 0)
                tables.traffic.save(traffic, key: .service, loaded: loaded)
                throw HalfWay()
            }
        }
        while store.writer.waitingCount < 2 { await Task.yield() }
        let last = begin("010-2000-0000")
        await gate.open(whenWaiting: 3)
        _ = try await first.value
        _ = try await last.value
        let failure = await failing.result
        #expect(throws: HalfWay.self) { try failure.get() }
        #expect(try await sent(.service) == 2)
    }

    @Test func `an operation that looks at the tables finds what the batch holds`() async throws {
        let gate = Gate(before: store.writer)
        let first = begin("010-1234-5678")
        while store.writer.waitingCount < 1 { await Task.yield() }
        let counting = Task { [store] in
            try await store.write { tables in
                try tables.db.first("SELECT count(*) FROM traffic", of: "traffic") { try $0.next(as: Int.self) }
            }
        }
        while store.writer.waitingCount < 2 { await Task.yield() }
        let last = begin("010-2000-0000")
        await gate.open(whenWaiting: 3)
        _ = try await first.value
        #expect(try await counting.value == 3)
        _ = try await last.value
        #expect(try await sent(.service) == 2)
    }

    @Test func `what an operation has changed in the tables is found by those behind it`() async throws {
        _ = try await begin("010-1234-5678").value
        let gate = Gate(before: store.writer)
        let deleting = Task { [store] in
            try await store.write { tables in
                _ = try tables.traffic.find(.service)
                _ = try tables.db.run("DELETE FROM traffic")
            }
        }
        while store.writer.waitingCount < 1 { await Task.yield() }
        let last = begin("010-2000-0000")
        await gate.open(whenWaiting: 2)
        try await deleting.value
        _ = try await last.value
        #expect(try await sent(.service) == 1)
    }

    @Test func `a rule that comes between two numbers of a batch holds for the second`() async throws {
        let gate = Gate(before: store.writer)
        let first = begin("010-1234-5678")
        while store.writer.waitingCount < 1 { await Task.yield() }
        let rule = try #require(
            GuardRule(prefix: "+8210", action: .block, until: nil, createdAt: ManualClock().now())
        )
        let blocking = Task { [store] in try await store.write { try $0.guardRules.save(rule) } }
        while store.writer.waitingCount < 2 { await Task.yield() }
        let second = begin("010-2000-0000")
        await gate.open(whenWaiting: 3)
        _ = try await first.value
        try await blocking.value
        await #expect(throws: PhoneFailure.self) { try await second.value }
    }
}
