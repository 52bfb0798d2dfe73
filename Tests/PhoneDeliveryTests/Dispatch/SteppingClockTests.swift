import HangLimit
import PhoneDelivery
import PhoneDomain
import PhoneTestSupport
import Testing

/// Messages that the store hands out again though they are in hand: the clock was put forward beyond their lease, or
/// what came of them could not be recorded for longer than that.
@Suite("A lease that only seems to be over", .hangLimit)
struct SteppingClockTests {
    /// The gateway has time, so that only the loop ever sleeps for five seconds.
    private static var patient: DispatcherConfiguration {
        get throws { try DispatcherConfiguration(sendTimeout: .seconds(50), lease: .seconds(60)) }
    }

    @Test("a message that waits for its gateway when the clock is put forward is sent once, and that is recorded")
    func forward() async throws {
        let world = try World()
        try await world.queue()
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: try Self.patient)
        let running = Task { await dispatcher.run() }
        try await gateway.handOvers(1)
        try await world.timer.sleeper(of: .seconds(5))

        // The time that passes is five seconds; the clock says two minutes.
        world.wall.advance(by: .seconds(115))
        world.advance(by: .seconds(5))
        try await world.timer.sleeper(of: .seconds(5))
        #expect(await world.outbox == ["queued for +180.0 seconds, attempt 2"])
        #expect(gateway.handed.count == 1)
        try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))
        try await world.log.logged("info: A message was sent")

        running.cancel()
        await running.value
        #expect(gateway.handed.count == 1)
        #expect(await world.outbox == ["sent by a as SM1, attempt 2"])
    }

    @Test("and back again: it is sent once")
    func forwardAndBack() async throws {
        let world = try World()
        try await world.queue()
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: try Self.patient)
        let running = Task { await dispatcher.run() }
        try await gateway.handOvers(1)

        for step in [Duration.seconds(86_400), .seconds(-90_000), .seconds(3600)] {
            try await world.timer.sleeper(of: .seconds(5))
            world.wall.advance(by: step)
            world.timer.advance(by: .seconds(5))
        }
        try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))
        try await world.log.logged("info: A message was sent")
        running.cancel()
        await running.value
        #expect(gateway.handed.count == 1)
        #expect(await world.outbox == ["sent by a as SM1, attempt 2"])
    }

    @Test("what came of a message is remembered until the store takes it, though its lease is over by then")
    func longOutage() async throws {
        let world = try World()
        try await world.queue()
        let gateway = ScriptedGateway("a")
        // Six records fit into the lease, with a wait of 1, 2, 4, 8, 16 and 30 seconds after each.
        let store = FaultyStore(world.store, lostSettles: 6)
        let dispatcher = world.dispatcher([gateway], store: store)
        let running = Task { await dispatcher.run() }
        for seconds in [1, 2, 4, 8, 16] {
            try await world.timer.sleeper(of: .seconds(seconds))
            world.advance(by: .seconds(seconds))
        }
        try await world.log.logged("error: What came of a message could not be recorded")
        world.advance(by: .seconds(29))
        try await world.log.logged("info: A message was sent")

        running.cancel()
        await running.value
        #expect(gateway.handed.count == 1)
        #expect(await world.outbox == ["sent by a as a-1, attempt 2"])
    }
}
