import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneDelivery

@Suite("The dispatcher's loop", .hangLimit)
struct RunTests {
    @Test("it sleeps until it is woken, and then sends")
    func wake() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a")
        let dispatcher = world.dispatcher([gateway])
        try await whileRunning(dispatcher.run) {
            try await world.timer.sleeper(of: .seconds(5))

            try await world.queue()
            dispatcher.messageQueued()
            try await world.log.logged("info: A message was sent")
        }
        #expect(await world.outbox == ["sent by a as a-1, attempt 1"])
        #expect(world.elapsed == .zero)
    }

    @Test("a message that is queued while it looks, and finds nothing, is sent at once")
    func wakeWhileLooking() async throws {
        let world = try World()
        let waking = Mutex<OutboxDispatcher?>(nil)
        let store = FaultyOutbox(world.store) { claims in
            let first = waking.withLock { waking in
                defer { waking = nil }
                return waking
            }
            guard claims.isEmpty, let first else { return }
            try await world.queue()
            first.messageQueued()
        }
        let dispatcher = world.dispatcher([ScriptedGateway("a")], store: store)
        waking.withLock { $0 = dispatcher }
        try await whileRunning(dispatcher.run) {
            try await world.log.logged("info: A message was sent")
        }
        #expect(world.elapsed == .zero)
        #expect(await world.outbox == ["sent by a as a-1, attempt 1"])
    }

    @Test("a message without a wake-up is found at the next poll")
    func poll() async throws {
        let world = try World()
        let dispatcher = world.dispatcher([ScriptedGateway("a")])
        try await whileRunning(dispatcher.run) {
            try await world.timer.sleeper(of: .seconds(5))

            try await world.queue()
            world.advance(by: .seconds(5))
            try await world.log.logged("info: A message was sent")
        }
        #expect(await world.outbox == ["sent by a as a-1, attempt 1"])
    }

    @Test("it sleeps until the next attempt is due, and not longer, nor beyond the poll interval")
    func sleepsUntilDue() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway(
            "a",
            script: [
                .fail(.retry("busy")), .fail(.retry(after: .seconds(3), "busy")),
                .fail(.retry(after: .seconds(45), "busy")),
            ]
        )
        let dispatcher = world.dispatcher([gateway])
        try await whileRunning(dispatcher.run) {
            try await world.timer.sleeper(of: .milliseconds(500))
            #expect(gateway.received.count == 1)
            world.advance(by: .milliseconds(500))
            try await world.timer.sleeper(of: .seconds(3))
            #expect(gateway.received.count == 2)
            world.advance(by: .seconds(3))
            try await gateway.receives(3)
            try await world.timer.onlySleeper(of: .seconds(5))
            #expect(gateway.received.count == 3)
            world.advance(by: .seconds(45))
            try await world.log.logged("info: A message was sent")
        }
        #expect(await world.outbox == ["sent by a as a-4, attempt 4"])
    }

    @Test("one hanging gateway delays no other message")
    func silence() async throws {
        let world = try World()
        try await world.queue("010-1111-1111")
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: DispatcherConfiguration(maxConcurrentSends: 2))
        let running = Task { await dispatcher.run() }
        try await gateway.receives(1)

        for number in ["010-2222-2222", "010-3333-3333", "010-4444-4444"] { try await world.queue(number) }
        dispatcher.messageQueued()
        try await world.log.logged("info: A message was sent", times: 3)

        running.cancel()
        try await gateway.release(.success(GatewayReceipt(messageID: "late")))
        await running.value
        #expect(
            await world.outbox == [
                "sent by a as late, attempt 1", "sent by a as a-2, attempt 1", "sent by a as a-3, attempt 1",
                "sent by a as a-4, attempt 1",
            ]
        )
        #expect(world.elapsed == .zero)
    }

    @Test("a result that is not yet recorded delays no other message")
    func slowRecord() async throws {
        let world = try World()
        try await world.queue("010-1111-1111")
        try await world.queue("010-2222-2222")
        let store = FaultyOutbox(world.store, lostSettles: 1)
        let gateway = ScriptedGateway("a", script: [])
        let configuration = DispatcherConfiguration(maxConcurrentSends: 1)
        let dispatcher = world.dispatcher([gateway], store: store, configuration: configuration)
        try await whileRunning(dispatcher.run) {
            try await gateway.receives(2)
            try await world.pass(1)
            try await world.log.logged("info: A message was sent", times: 2)
        }
        #expect(await world.outbox == ["sent by a as a-1, attempt 1", "sent by a as a-2, attempt 1"])
    }

    @Test("when it is cancelled it waits for the gateway, records the result, and claims nothing more")
    func stop() async throws {
        let world = try World()
        try await world.queue("010-1111-1111")
        try await world.queue("010-2222-2222")
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: DispatcherConfiguration(maxConcurrentSends: 1))
        let running = Task { await dispatcher.run() }
        try await gateway.receives(1)

        running.cancel()
        world.store.fail(with: Outage())
        try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))
        try await world.timer.sleeper(of: .seconds(1))
        world.store.fail(with: nil)
        world.advance(by: .seconds(1))
        await running.value

        #expect(await world.outbox == ["sent by a as SM1, attempt 1", "queued for +0.0 seconds, attempt 0"])
        #expect(world.timer.sleeps == [])
    }

    @Test("when it is cancelled it cancels the gateway only at the timeout")
    func stopWithinTimeLimit() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.hang])
        let dispatcher = world.dispatcher([gateway])
        let running = Task { await dispatcher.run() }
        try await gateway.receives(1)

        running.cancel()
        try await world.timer.sleeper(of: .seconds(10))
        #expect(await world.outbox == ["queued for +60.0 seconds, attempt 1"])
        world.advance(by: .seconds(10))
        await running.value

        #expect(await world.outbox == ["unknown at a, attempt 1"])
    }

    @Test("when it was cancelled before it began it claims nothing")
    func cancelledBefore() async throws {
        let world = try await World.withMessage()
        let store = FaultyOutbox(world.store)
        let dispatcher = world.dispatcher([ScriptedGateway("a")], store: store)
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await dispatcher.run()
        }
        await running.value

        #expect(await world.outbox == ["queued for +0.0 seconds, attempt 0"])
        #expect(await store.claimCount == 0)
    }

    @Test("it may run again after it ended")
    func runsAgain() async throws {
        let world = try World()
        let dispatcher = world.dispatcher([ScriptedGateway("a")])
        for round in 1...2 {
            try await whileRunning(dispatcher.run) {
                try await world.timer.sleeper(of: .seconds(5))
                try await world.queue("010-1234-000\(round)")
                dispatcher.messageQueued()
                try await world.log.logged("info: A message was sent", times: round)
            }
        }

        #expect(await world.outbox == ["sent by a as a-1, attempt 1", "sent by a as a-2, attempt 1"])
    }

    @Test("an outage of the store slows it down, ends it never, and is logged when it begins and when it ends")
    func outage() async throws {
        let world = try await World.withMessage()
        world.store.fail(with: Outage())
        let dispatcher = world.dispatcher([ScriptedGateway("a")])
        let running = Task { await dispatcher.run() }

        try await world.pass(1, 2, 4, 8, 16, 30, 30)
        try await world.timer.sleeper(of: .seconds(30))
        world.store.fail(with: nil)
        world.advance(by: .seconds(30))
        try await world.log.logged("info: A message was sent")

        running.cancel()
        await running.value
        #expect(
            world.log.lines.filter { $0.contains("outbox") } == [
                "error: The outbox cannot be reached [error=Outage()]", "notice: The outbox can be reached again []",
            ]
        )
        #expect(await world.outbox == ["sent by a as a-1, attempt 1"])
    }

    @Test("a store that has due messages but does not hand them out is not queried without pause")
    func stingyStore() async throws {
        let world = try await World.withMessage()
        let dispatcher = world.dispatcher([ScriptedGateway("a")], store: FaultyOutbox(world.store, claimsNothing: true))
        try await whileRunning(dispatcher.run) {
            for _ in 1...3 {
                try await world.timer.sleeper(of: .milliseconds(10))
                world.advance(by: .milliseconds(10))
            }
        }
    }

    @Test("a thousand messages through four dispatchers are sent once each")
    func crowd() async throws {
        let world = try World()
        let gateways = (1...4).map { ScriptedGateway("g\($0)") }
        let configuration = DispatcherConfiguration(maxConcurrentSends: 100)
        let dispatchers = gateways.map { world.dispatcher([$0], configuration: configuration) }
        let running = dispatchers.map { dispatcher in Task { await dispatcher.run() } }

        await withTaskGroup { group in
            for number in 0..<1000 {
                group.addTask {
                    let digits = String(10_000_000 + number * 7919)
                    _ = try? await world.queue("010\(digits)")
                    dispatchers[number % 4].messageQueued()
                }
            }
        }
        try await world.log.logged("info: A message was sent", times: 1000)

        for task in running { task.cancel() }
        for task in running { await task.value }
        let received = gateways.flatMap(\.received)
        #expect(received.count == 1000)
        #expect(Set(received.map(\.dedupeKey)).count == 1000)
        #expect(Set(received.map(\.to)).count == 1000)
        #expect(await world.store.outbox.allSatisfy { $0.status == .sent && $0.attempts == 1 })
    }
}
