import CoreMetrics
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Gateways that are polled for receipts", .hangLimit)
struct ReceiptPollerTests {
    /// Unlike any wait between two polls, so that the two are not confused.
    private static let timeout: Duration = .seconds(7)

    private static func delivered(_ names: String...) -> ScriptedGateway.ReceiptAnswer {
        .give(names.map { DeliveryReceipt(messageID: $0, outcome: .delivered) })
    }

    /// Polls for messages that were sent five seconds before, for as long as the work takes.
    private func run(
        _ world: World,
        _ source: ScriptedGateway,
        messages: Int,
        _ work: () async throws -> Void
    ) async throws {
        for last in 0..<messages {
            try await world.queue("010-1234-56\(last < 10 ? "0" : "")\(last)")
            try await world.dispatcher([source]).drain()
        }
        world.advance(by: .seconds(5))
        try await whileRunning(poller(world, source).run, work)
    }

    @Test("receipts are recorded, and final statuses are not polled again")
    func records() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        source.answerReceipts(
            .give([
                DeliveryReceipt(messageID: "a-1", outcome: .delivered),
                DeliveryReceipt(messageID: "a-2", outcome: .undelivered(code: 7)),
            ])
        )
        try await run(world, source, messages: 3) {
            try await source.questions(1)
            try await world.pass(5)
            try await source.questions(2)
            try await world.timer.sleeper(of: .seconds(5))
        }
        #expect(
            await world.outbox == [
                "delivered by a, attempt 1", "undelivered by a, attempt 1", "sent by a as a-3, attempt 1",
            ]
        )
        #expect(source.asked.map { $0.sorted() } == [["a-1", "a-2", "a-3"], ["a-3"]])
    }

    @Test("a gateway is asked by its own ID, whatever that is, which is kept no longer")
    func opaque() async throws {
        let (world, source) = (try World(), ScriptedGateway("a b", receiptsPerRequest: 10))
        source.answerReceipts(Self.delivered("a b-1"))
        try await run(world, source, messages: 2) {
            try await source.questions(1)
            try await world.timer.sleeper(of: .seconds(5))
        }
        #expect(source.asked.map { $0.sorted() } == [["a b-1", "a b-2"]])
        #expect(await world.store.outbox.map(\.status) == [.delivered, .sent])
        #expect(await world.store.outbox.map(\.pollingID) == [nil, "a b-2"])
    }

    @Test("a request has no more messages than allowed, and all are polled in the end")
    func pages() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 2))
        try await run(world, source, messages: 19) {
            try await source.questions(10)
            try await world.timer.sleeper(of: .seconds(5))
        }
        #expect(source.asked.map(\.count).sorted() == [1, 2, 2, 2, 2, 2, 2, 2, 2, 2])
        #expect(Set(source.asked.joined()) == Set((1...19).map { "a-\($0)" }))
    }

    @Test("a message that always fails keeps none from being asked for, and is asked for again")
    func poison() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 1))
        source.answerReceipts(.failFor("a-1", .failover("the gateway refused the message", code: 400)))
        try await run(world, source, messages: 17) {
            try await source.questions(17)
            try await world.pass(5)
            try await source.questions(34)
        }
        #expect(Set(source.asked.prefix(17).joined()) == Set((1...17).map { "a-\($0)" }))
        #expect(source.asked.count { $0 == ["a-1"] } == 2)
        #expect(world.log.lines.count { $0.contains("A gateway returns no receipts") } == 1)
    }

    @Test("receipts of other messages are ignored")
    func lies() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        for (number, wait) in [("010-1234-5601", 5), ("010-1234-5602", 0)] {
            try await world.queue(number)
            try await world.dispatcher([source]).drain()
            world.advance(by: .seconds(wait))
        }
        // Polled for the one that is old enough, it has receipts of the other, and of one that never was.
        source.answerReceipts(Self.delivered("a-2", "a-9"))
        try await whileRunning(poller(world, source).run) {
            try await source.questions(1)
            try await world.timer.onlySleeper(of: .seconds(5))
        }
        #expect(source.asked == [["a-1"]])
        #expect(await world.outbox == ["sent by a as a-1, attempt 1", "sent by a as a-2, attempt 1"])
    }

    @Test("one that fails is polled with backoff, and no receipt is lost")
    func backsOff() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        source.answerReceipts(.fail(.retry("the gateway is down", code: 503)))
        try await run(world, source, messages: 1) {
            for (count, wait) in [5, 10, 20, 40].enumerated() {
                try await source.questions(count + 1)
                try await world.pass(wait)
            }
            try await source.questions(5)
            source.answerReceipts(Self.delivered("a-1"))
            try await world.pass(80)
            try await world.log.logged("debug: A message was delivered")
            try await world.timer.sleeper(of: .seconds(5))
        }
        #expect(await world.outbox == ["delivered by a, attempt 1"])
        let reported = world.log.lines.filter { $0.contains("A gateway returns") }
        #expect(
            reported == [
                "warning: A gateway returns no receipts [failure.code=503 failure.reason=the gateway is down "
                    + "gateway.name=a]", "notice: A gateway returns receipts again [gateway.name=a]",
            ]
        )
    }

    @Test("its Retry-After is respected, up to a limit", arguments: [(60, 60), (86_400, 300), (1, 5)])
    func retryAfter(wanted: Int, granted: Int) async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        source.answerReceipts(.fail(.busy(after: .seconds(wanted), "the gateway is busy", code: 429)))
        try await run(world, source, messages: 1) {
            try await source.questions(1)
            try await world.pass(granted)
            try await source.questions(2)
        }
        #expect(source.asked.count == 2)
    }

    @Test("one that hangs is cancelled, and others are polled and send meanwhile")
    func hangs() async throws {
        let world = try World()
        let (a, b) = (ScriptedGateway("a", receiptsPerRequest: 10), ScriptedGateway("b", receiptsPerRequest: 10))
        a.answerReceipts(.hang)
        b.answerReceipts(Self.delivered("b-1"))
        for source in [a, b] {
            try await world.queue(source.name == "a" ? "010-1234-5671" : "010-1234-5672")
            try await world.dispatcher([source]).drain()
        }
        world.advance(by: .seconds(5))
        let dispatcher = world.dispatcher([a, b])
        try await whileRunning(dispatcher.run) {
            try await a.questions(1)
            try await world.log.logged("debug: A message was delivered")
            try await world.queue("010-1234-5673")
            dispatcher.messageQueued()
            try await world.log.logged("info: A message was sent", times: 3)
            world.advance(by: .seconds(10))
            try await world.log.logged("warning: A gateway returns no receipts")
        }
        #expect(
            await world.outbox == [
                "sent by a as a-1, attempt 1", "delivered by b, attempt 1", "sent by a as a-2, attempt 1",
            ]
        )
    }

    @Test("the end of the program waits for no answer")
    func ends() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        source.answerReceipts(.hang)
        try await run(world, source, messages: 1) { try await source.questions(1) }
        #expect(world.timer.sleeps == [])
        #expect(world.log.lines.filter { $0.contains("A gateway returns") } == [])
    }

    @Test("a store that is down is retried, and the gateway is not polled")
    func outage() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        source.answerReceipts(Self.delivered("a-1"))
        let dispatcher = world.dispatcher([source])
        try await world.queue()
        try await dispatcher.drain()
        world.advance(by: .seconds(5))
        world.store.fail(with: Outage())
        try await whileRunning(poller(world, source).run) {
            try await world.timer.sleeper(of: .seconds(5))
            #expect(source.asked == [])
            world.store.fail(with: nil)
            world.advance(by: .seconds(5))
            try await world.log.logged("debug: A message was delivered")
        }
        #expect(source.asked == [["a-1"]])
        #expect(world.log.lines.filter { $0.contains("cannot be reached") }.count == 1)
    }

    @Test("several processes on one store poll, and one receipt counts; one that restarts polls again")
    func several() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        try await world.queue()
        try await world.dispatcher([source]).drain()
        world.advance(by: .seconds(5))
        for count in 1...3 {
            try await whileRunning(poller(world, source).run) {
                try await source.questions(count)
                try await world.timer.sleeper(of: .seconds(5))
            }
        }
        #expect(source.asked == [["a-1"], ["a-1"], ["a-1"]])
        source.answerReceipts(Self.delivered("a-1"))
        let pollers = (1...4).map { _ in poller(world, source) }
        let running = Task {
            await withDiscardingTaskGroup { group in
                for poller in pollers { group.addTask { await poller.run() } }
            }
        }
        try await world.log.logged("debug: A message was delivered")
        running.cancel()
        await running.value
        #expect(world.log.lines.count { $0.contains("A message was delivered") } == 1)
    }

    @Test("what is too old is not polled")
    func tooOld() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        try await world.queue()
        try await world.dispatcher([source]).drain()
        world.advance(by: .seconds(86_400))
        try await whileRunning(poller(world, source).run) {
            try await world.timer.sleeper(of: .seconds(5))
        }
        #expect(source.asked == [])
    }

    @Test("without a schedule nothing is polled")
    func off() async throws {
        let (world, source) = (try World(), ScriptedGateway("a", receiptsPerRequest: 10))
        let configuration = DispatcherConfiguration(receiptSchedule: nil)
        let dispatcher = world.dispatcher([source], configuration: configuration)
        try await world.queue()
        try await dispatcher.drain()
        world.advance(by: .seconds(5))
        try await whileRunning(dispatcher.run) {
            try await world.timer.sleeper(of: DispatcherConfiguration.standard.pollInterval)
        }
        #expect(source.asked == [])
    }

    private func poller(_ world: World, _ source: ScriptedGateway) -> ReceiptPoller {
        ReceiptPoller(
            gateways: [source],
            schedule: .standard,
            timeout: Self.timeout,
            recorder: world.receiptRecorder
        )
    }
}
