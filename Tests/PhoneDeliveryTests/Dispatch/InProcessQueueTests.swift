import HangLimit
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The in-process queue", .hangLimit)
struct InProcessQueueTests {
    @Test("what is queued while the outbox is empty is sent at once, without a claim")
    func sends() async throws {
        let world = try World()
        let store = FaultyStore(world.store)
        let gateway = ScriptedGateway("a")
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

    @Test("before it runs and after, there is no place: the message waits in the outbox")
    func notRunning() async throws {
        let world = try World()
        let dispatcher = world.dispatcher([ScriptedGateway("a")])
        #expect(dispatcher.reserveMessage() == nil)
        try await running(dispatcher, world) {}
        #expect(dispatcher.reserveMessage() == nil)
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
            #expect(dispatcher.reserveMessage() == nil)
            try await gateway.release(.success(GatewayReceipt(messageID: "1")))
            try await world.log.logged("info: A message was sent", times: 2)
            while dispatcher.reserveMessage().map({ $0.fill(nil) }) == nil { await Task.yield() }
        }
    }

    @Test("no more are sent at once than allowed; the others wait, and no more of them than their lease allows")
    func full() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a", script: [.hold, .hold])
        let configuration = DispatcherConfiguration(maxConcurrentSends: 1, lease: .seconds(30))
        let dispatcher = world.dispatcher([gateway], configuration: configuration)
        try await running(dispatcher, world) {
            try await world.queue("010-1234-0000", through: dispatcher)
            try await gateway.receives(1)
            // Beside the one under way, two can each wait for ten seconds and have ten seconds left.
            for number in 1...3 { try await world.queue("010-1234-000\(number)", through: dispatcher) }
            #expect(
                await world.outbox.sorted() == [
                    "queued for +0.0 seconds, attempt 0", "queued for +30.0 seconds, attempt 1",
                    "queued for +30.0 seconds, attempt 1", "queued for +30.0 seconds, attempt 1",
                ]
            )
            #expect(gateway.received.count == 1)
            try await gateway.release(.success(GatewayReceipt(messageID: "1")))
            try await gateway.receives(2)
            try await gateway.release(.success(GatewayReceipt(messageID: "2")))
            try await world.log.logged("info: A message was sent", times: 4)
        }
        #expect(gateway.received.map(\.to.e164).prefix(3) == ["+821012340000", "+821012340001", "+821012340002"])
        #expect(await world.outbox.allSatisfy { $0.hasPrefix("sent by a") && $0.hasSuffix("attempt 1") })
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
        try await dispatcher.drain()
        #expect(await world.outbox == ["queued for +60.0 seconds, attempt 1"])
        world.advance(by: .seconds(60))
        try await dispatcher.drain()
        #expect(await world.outbox == ["sent by a as a-1, attempt 2"])
    }

    @Test("a place that is not used is free again")
    func empty() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a")
        let configuration = DispatcherConfiguration(maxConcurrentSends: 1, lease: .seconds(20))
        let dispatcher = world.dispatcher([gateway], configuration: configuration)
        try await running(dispatcher, world) {
            let place = try #require(dispatcher.reserveMessage())
            #expect(place.lease == .seconds(20))
            #expect(dispatcher.reserveMessage() == nil)
            place.fill(nil)
            try await world.queue(through: dispatcher)
            try await world.log.logged("info: A message was sent")
        }
    }

    @Test("where the lease leaves no time to wait, there are no places")
    func shortLease() async throws {
        let world = try World()
        let configuration = DispatcherConfiguration(sendTimeout: .seconds(10), lease: .seconds(19))
        let dispatcher = world.dispatcher([ScriptedGateway("a")], configuration: configuration)
        let running = Task { await dispatcher.run() }
        try await world.timer.sleeper(of: .seconds(5))
        #expect(dispatcher.reserveMessage() == nil)
        running.cancel()
        await running.value
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

    /// Waits until the dispatcher has places.
    private func open(_ dispatcher: OutboxDispatcher) async throws {
        while true {
            if let place = dispatcher.reserveMessage() { return place.fill(nil) }
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
