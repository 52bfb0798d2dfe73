import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

/// Messages that the store hands out again though they are in flight: the clock was put forward beyond their lease, or
/// their result could not be recorded for longer than that.
@Suite("A lease that expires too early", .hangLimit)
struct SteppingClockTests {
    /// The gateway has time, so that only the loop ever sleeps for five seconds.
    private static let patient = DispatcherConfiguration(sendTimeout: .seconds(50), lease: .seconds(60))

    @Test("a message that is being sent when the clock is put forward is sent once, and that is recorded")
    func forward() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: Self.patient)
        try await whileRunning(dispatcher.run) {
            try await gateway.receives(1)
            try await world.timer.sleeper(of: .seconds(5))

            // Five seconds pass; the clock advances two minutes.
            world.wall.advance(by: .seconds(115))
            world.advance(by: .seconds(5))
            try await world.timer.sleeper(of: .seconds(5))
            #expect(await world.outbox == ["queued for +180.0 seconds, attempt 2"])
            #expect(gateway.received.count == 1)
            try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))
            try await world.log.logged("info: A message was sent")
        }
        #expect(gateway.received.count == 1)
        #expect(await world.outbox == ["sent by a as SM1, attempt 2"])
    }

    @Test("and back again: it is sent once")
    func forwardAndBack() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway], configuration: Self.patient)
        try await whileRunning(dispatcher.run) {
            try await gateway.receives(1)

            for step in [Duration.seconds(86_400), .seconds(-90_000), .seconds(3600)] {
                try await world.timer.sleeper(of: .seconds(5))
                world.wall.advance(by: step)
                world.timer.advance(by: .seconds(5))
            }
            try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))
            try await world.log.logged("info: A message was sent")
        }
        #expect(gateway.received.count == 1)
        #expect(await world.outbox == ["sent by a as SM1, attempt 2"])
    }

    @Test("a result is remembered until the store records it, though its lease has expired by then")
    func longOutage() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a")
        // Six records fit into the lease, with a wait of 1, 2, 4, 8, 16 and 30 seconds after each.
        let store = FaultyOutbox(world.store, lostSettles: 6)
        let dispatcher = world.dispatcher([gateway], store: store)
        try await whileRunning(dispatcher.run) {
            try await world.pass(1, 2, 4, 8, 16)
            try await world.log.logged("error: The result of a message could not be recorded")
            try await world.timer.sleeper(of: .seconds(5))
            world.advance(by: .seconds(29))
            try await world.log.logged("info: A message was sent")
        }
        #expect(gateway.received.count == 1)
        #expect(await world.outbox == ["sent by a as a-1, attempt 2"])
    }
}
