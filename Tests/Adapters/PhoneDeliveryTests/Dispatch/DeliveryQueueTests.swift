import PhoneDomain
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The queue of a dispatcher", .hangLimit)
struct DeliveryQueueTests {
    @Test("what is queued while the outbox is empty is sent at once, without a claim", arguments: [false, true])
    func sends(isImmediate: Bool) async throws {
        let world = try World()
        let store = FaultyOutbox(world.store)
        let gateway = ScriptedGateway("a", isImmediate: isImmediate)
        let dispatcher = world.dispatcher([gateway], store: store)
        try await running(dispatcher, world) {
            let looks = await store.claimCount
            for number in 1...3 { try await world.queue("010-1234-000\(number)", through: dispatcher) }
            try await world.log.logged("info: A message was sent", times: 3)
            #expect(await store.claimCount == looks)
        }
        #expect(
            Set(await world.outbox) == [
                "sent by a as a-1, attempt 1", "sent by a as a-2, attempt 1", "sent by a as a-3, attempt 1",
            ]
        )
        #expect(world.elapsed == .zero)
    }

    @Test(
        "results of a batch are recorded in one transaction, and by themselves if that fails",
        arguments: [(0, [3]), (1, [3, 1, 1, 1]), (2, [3, 1, 1, 1, 1])]
    )
    func batch(lostSettles: Int, transactions: [Int]) async throws {
        let world = try World()
        for number in 1...3 { try await world.queue("010-1234-000\(number)") }
        let store = FaultyOutbox(world.store, lostSettles: lostSettles)
        async let drained: Void = world.dispatcher([ScriptedGateway("a", isImmediate: true)], store: store).drain()
        for seconds in [1, 2].prefix(lostSettles) {
            try await world.timer.sleeper(of: .seconds(seconds))
            try await world.timer.sleepers(seconds == 1 ? 3 : 1)
            world.advance(by: .seconds(seconds))
        }
        try await drained
        #expect(await store.settled == transactions)
        #expect(await world.outbox == (1...3).map { "sent by a as a-\($0), attempt 1" })
    }

    @Test("a message that is claimed again between its record and the end of its attempt is sent again")
    func renewed() async throws {
        let world = try await World.withMessage()
        let queue = DeliveryQueue(slots: 1, limit: 1, isOpen: true)
        let now = world.wall.now()
        let claims = try await world.store.claim(limit: 1, at: now, until: now)
        queue.add(claims, isOpen: true)
        let batch = queue.take()
        #expect(batch.count == 1 && queue.room == 0)
        #expect(!queue.release([(claims[0], .postponed(until: now))]))
        queue.add(try await world.store.claim(limit: 1, at: now, until: now), isOpen: true)
        #expect(queue.take().isEmpty)
        #expect(queue.newest(claims).map(\.message.attempts) == [2])
        queue.remove(claims)
        let again = queue.take()
        #expect(again.map(\.claim.message.attempts) == [2])
        #expect(again.allSatisfy { $0.result == nil })
    }

    @Test("a withheld message takes the same path")
    func withheld() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a")
        let dispatcher = world.dispatcher([gateway])
        try await running(dispatcher, world) {
            try await world.queue(isWithheld: true, through: dispatcher)
            try await world.log.logged("info: A message was withheld")
        }
        #expect(await world.outbox == ["withheld, attempt 1"])
        #expect(gateway.received.isEmpty)
    }

    @Test("before it runs and after, it claims nothing: the message waits in the outbox")
    func notRunning() async throws {
        let world = try World()
        let dispatcher = world.dispatcher([ScriptedGateway("a")])
        #expect(dispatcher.leaseOfNewMessage() == nil)
        try await running(dispatcher, world) {}
        #expect(dispatcher.leaseOfNewMessage() == nil)
        try await world.queue(through: dispatcher)
        #expect(await world.outbox == ["queued for +0.0 seconds, attempt 0"])
    }

    @Test("while older messages wait in the outbox, what is new waits there as well")
    func older() async throws {
        let world = try World()
        try await world.queue("010-1111-1111")
        try await world.queue("010-2222-2222")
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: DispatcherConfiguration(maxConcurrentSends: 1))
        try await whileRunning(dispatcher.run) {
            try await gateway.receives(1)
            try await world.timer.sleeper(of: .seconds(5))
            #expect(dispatcher.leaseOfNewMessage() == nil)
            try await gateway.release(.success(GatewayReceipt(messageID: "1")))
            try await world.log.logged("info: A message was sent", times: 2)
            try await open(dispatcher)
        }
    }

    @Test(
        "no more are sent at once than there are slots; the others wait in memory, and beyond its limit in the outbox"
    )
    func full() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a", script: [.hold, .hold])
        let configuration = DispatcherConfiguration(maxConcurrentSends: 1, maxMessagesInMemory: 2)
        let dispatcher = world.dispatcher([gateway], configuration: configuration)
        try await running(dispatcher, world) {
            try await world.queue("010-1234-0000", through: dispatcher)
            try await gateway.receives(1)
            for number in 1...4 { try await world.queue("010-1234-000\(number)", through: dispatcher) }
            #expect(
                await world.outbox.sorted() == [
                    "queued for +0.0 seconds, attempt 0", "queued for +0.0 seconds, attempt 0",
                    "queued for +60.0 seconds, attempt 1", "queued for +60.0 seconds, attempt 1",
                    "queued for +60.0 seconds, attempt 1",
                ]
            )
            #expect(gateway.received.count == 1)
            try await gateway.release(.success(GatewayReceipt(messageID: "1")))
            try await gateway.receives(2)
            try await gateway.release(.success(GatewayReceipt(messageID: "2")))
            try await world.log.logged("info: A message was sent", times: 5)
            try await open(dispatcher)
        }
        #expect(gateway.received.map(\.to.e164) == (0...4).map { "+82101234000\($0)" })
        #expect(await world.outbox.allSatisfy { $0.hasPrefix("sent by a") && $0.hasSuffix("attempt 1") })
    }

    @Test("a message whose lease runs out in memory is sent by the instance that claims it next, and by no other")
    func leaseRunsOut() async throws {
        let world = try World()
        // It ignores the timeout of the first.
        let (a, b) = (ScriptedGateway("a", script: [.hold]), ScriptedGateway("b"))
        let dispatcher = world.dispatcher([a], configuration: DispatcherConfiguration(maxConcurrentSends: 1))
        try await running(dispatcher, world) {
            for number in 1...2 { try await world.queue("010-1234-000\(number)", through: dispatcher) }
            try await a.receives(1)
            world.wall.advance(by: .milliseconds(59_999))
            try await world.dispatcher([b]).drain()
            #expect(b.received.isEmpty)
            world.wall.advance(by: .milliseconds(1))
            try await world.dispatcher([b]).drain()
            try await a.release(.success(GatewayReceipt(messageID: "1")))
            try await world.log.logged("warning: A message was claimed again before its attempt ended", times: 2)
        }
        #expect(a.received.map(\.to.e164) == ["+821012340001"])
        #expect(Set(await world.outbox) == ["sent by b as b-1, attempt 2", "sent by b as b-2, attempt 2"])
    }

    @Test("one that waited until its lease leaves no time to send it is claimed anew, and loses no attempt")
    func leaseLeavesNoTime() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: DispatcherConfiguration(maxConcurrentSends: 1))
        try await running(dispatcher, world) {
            for number in 1...2 { try await world.queue("010-1234-000\(number)", through: dispatcher) }
            try await gateway.receives(1)
            world.wall.advance(by: .milliseconds(50_001))
            try await gateway.release(.success(GatewayReceipt(messageID: "1")))
            try await world.log.logged("info: A message was sent", times: 2)
        }
        #expect(await world.outbox == ["sent by a as 1, attempt 1", "sent by a as a-2, attempt 2"])
        #expect(await world.store.outbox.map(\.countedAttempts) == [1, 1])
    }

    @Test("messages that wait at the shutdown are given back, due at once, and lose no attempt")
    func givesBack() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a", script: [.hold])
        let configuration = DispatcherConfiguration(maxConcurrentSends: 1)
        let dispatcher = world.dispatcher([gateway], configuration: configuration)
        let running = Task { await dispatcher.run() }
        try await open(dispatcher)
        for number in 1...3 { try await world.queue("010-1234-000\(number)", through: dispatcher) }
        try await gateway.receives(1)

        running.cancel()
        try await gateway.release(.success(GatewayReceipt(messageID: "1")))
        await running.value

        #expect(
            await world.outbox == [
                "sent by a as 1, attempt 1", "queued for +0.0 seconds, attempt 1", "queued for +0.0 seconds, attempt 1",
            ]
        )
        #expect(await world.store.outbox.map(\.countedAttempts) == [1, 0, 0])
        #expect(gateway.received.count == 1)
        try await world.dispatcher([gateway]).drain()
        #expect(gateway.received.count == 3)
    }

    @Test("one that comes after the shutdown is claimed when its lease expires")
    func tooLate() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a")
        let dispatcher = world.dispatcher([gateway])
        let running = Task { await dispatcher.run() }
        try await open(dispatcher)
        try await world.queue(through: dispatcher) {
            running.cancel()
            await running.value
        }
        let next = world.dispatcher([gateway])
        try await next.drain()
        #expect(await world.outbox == ["queued for +60.0 seconds, attempt 1"])
        world.advance(by: .seconds(60))
        try await next.drain()
        #expect(await world.outbox == ["sent by a as a-1, attempt 2"])
    }

    /// Does this while a dispatcher runs that has looked and found nothing.
    private func running(
        _ dispatcher: OutboxDispatcher,
        _ world: World,
        _ work: () async throws -> Void
    ) async throws {
        try await whileRunning(dispatcher.run) {
            try await open(dispatcher)
            try await work()
        }
    }

    /// Waits until the dispatcher's queue is open.
    private func open(_ dispatcher: OutboxDispatcher) async throws {
        while dispatcher.leaseOfNewMessage() == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
