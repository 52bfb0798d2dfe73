import PhoneAccounts
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneAdministration
@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("A paused gateway", .hangLimit)
struct PauseTests {
    private let store = MemoryStore()
    private let overrides = OverridesInForce()

    private func pause(_ names: String...) async throws {
        let entry = Operator().entry(.pauseGateway, at: Timestamp(seconds: 0))
        for override in try await store.overrides() { _ = try await store.removeOverride(override.name, audit: entry) }
        for name in names {
            let pause = Override(Override.gateway + name, "paused", since: Timestamp(seconds: 0))
            _ = try await store.insert(pause, audit: entry)
        }
        try await overrides.read(from: store)
    }

    @Test("gets no message: the next gateway does, or it waits and loses no attempt")
    func skips() async throws {
        let world = try World()
        let (a, b) = (ScriptedGateway("a"), ScriptedGateway("b"))
        let dispatcher = world.dispatcher([a, b], overrides: overrides)
        try await pause("a")
        try await world.queue("010-1234-5670")
        try await dispatcher.drain()
        try await pause("a", "b")
        try await world.queue("010-1234-5671")
        try await dispatcher.drain()
        #expect(await world.outbox == ["sent by b as b-1, attempt 1", "queued for +5.0 seconds, attempt 1"])
        try await pause()
        world.advance(by: .seconds(5))
        try await dispatcher.drain()
        #expect(await world.outbox == ["sent by b as b-1, attempt 1", "sent by a as a-1, attempt 2"])
        #expect(dispatcher.health["a"] == GatewayHealth(breaker: .closed, requests: 1, accepted: 1))
    }

    @Test("can be tested, with a code that proves nothing")
    func test() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a", script: [.take("SM1"), .fail(.refused("bad number", code: 7))])
        let dispatcher = world.dispatcher([gateway], overrides: overrides)
        try await pause("a")
        let number = try PhoneNumber(e164: "+821012345678")
        #expect(
            await dispatcher.sendTest(to: number, by: "a", .english, key: "k") == .accepted(id: "SM1", after: .zero)
        )
        #expect(gateway.received.map(\.dedupeKey) == ["k"])
        #expect(gateway.received[0].body.contains("000000"))
        #expect(
            await dispatcher.sendTest(to: number, by: "a", .english, key: "k") == .rejected("bad number (7)")
        )
        #expect(
            await dispatcher.sendTest(to: number, by: "b", .english, key: "k")
                == .rejected("what the gateway needs is not configured")
        )
    }
}
