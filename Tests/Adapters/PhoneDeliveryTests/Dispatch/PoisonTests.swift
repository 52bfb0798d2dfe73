import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Messages that fail for good", .hangLimit)
struct PoisonTests {
    @Test("one that is claimed again and again, because it crashes the process, is in the end not sent")
    func poison() async throws {
        let world = try await World.withMessage()
        let configuration = DispatcherConfiguration(maxAttempts: 2)
        for _ in 1...2 {
            let now = world.wall.now()
            _ = try await world.store.claim(limit: 1, at: now, until: now + configuration.lease)
            world.advance(by: configuration.lease)
        }
        let gateway = ScriptedGateway("a")

        try await world.dispatcher([gateway], vault: LockedVault(), configuration: configuration).drain()

        #expect(await world.outbox == ["failed, attempt 3"])
        #expect(await world.store.outbox.map(\.failure) == ["too many attempts"])
        #expect(gateway.received.isEmpty)
        #expect(world.log.messages == ["warning: A message failed"])
        #expect(world.log.lines.allSatisfy { $0.contains("message.failure=too many attempts") })
    }

    @Test("when the last attempt fails, so does the message, and an operator may retry it")
    func lastAttempt() async throws {
        let world = try World()
        let verification = try await world.queue()
        let gateway = ScriptedGateway("a", script: Array(repeating: .fail(.retry("busy", code: 503)), count: 3))
        let configuration = DispatcherConfiguration(maxAttempts: 3)
        let dispatcher = world.dispatcher([gateway], configuration: configuration, jitter: 0)

        try await dispatcher.drain()
        #expect(await world.outbox == ["failed, attempt 3"])
        #expect(await world.store.outbox.map(\.failure) == ["a: busy (503)"])
        #expect(try await world.store.verification(verification.id)?.recordedStatus == .failed)

        let message = await world.store.outbox[0]
        let outcome = try await world.store.retry(RetryMessage(id: message.id, now: world.wall.now()))
        #expect(outcome == .success(await world.store.outbox[0]))
        try await dispatcher.drain()
        #expect(await world.outbox == ["sent by a as a-4, attempt 4"])
        #expect(await world.store.outbox.map(\.failure) == [nil])
    }

    static let reasons: [(failure: GatewayFailure, outcome: String, reason: String)] = [
        (.refused("no such number", code: 21211), "failed, attempt 1", "a: no such number (21211)"),
        (.failover("no money"), "failed, attempt 1", "a: no money"),
        (.retry(after: .seconds(600), "busy", code: 429), "failed, attempt 1", "a: busy (429)"),
        (.retry("busy", code: 503), "queued for +0.5 seconds, attempt 1", "a: busy (503)"),
    ]

    @Test("a message keeps why it failed, or waits for its next attempt", arguments: reasons)
    func reason(failure: GatewayFailure, outcome: String, reason: String) async throws {
        let world = try await World.withMessage()

        try await world.dispatcher([ScriptedGateway("a", script: [.fail(failure)])]).drain()

        #expect(await world.outbox == [outcome])
        #expect(await world.store.outbox.map(\.failure) == [reason])
    }

    @Test("so does one that reached no gateway")
    func reasonsOfOurOwn() async throws {
        let world = try World()
        for (index, dispatcher) in [
            world.dispatcher([]), world.dispatcher([ScriptedGateway("a")], vault: LockedVault()),
            world.dispatcher([ScriptedGateway("a")], renderer: QuotingRenderer()),
        ].enumerated() {
            try await world.queue("010-1234-567\(index)")
            try await dispatcher.drain()
        }

        #expect(
            await world.store.outbox.map(\.failure) == [
                "no gateway accepted it", "the code cannot be decrypted", "the text cannot be rendered",
            ]
        )
    }
}
