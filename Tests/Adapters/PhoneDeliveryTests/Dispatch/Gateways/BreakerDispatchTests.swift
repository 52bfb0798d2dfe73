import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Leaving a gateway alone", .hangLimit)
struct BreakerDispatchTests {
    private let quick = { DispatcherConfiguration(breakerFailures: 2, breakerOpenTime: .seconds(30)) }

    @Test("after failures in a row the next gateway has the messages, until a probe succeeds")
    func passesOver() async throws {
        let world = try World()
        let a = ScriptedGateway("a", script: [.fail(.retry("busy")), .fail(.retry("busy")), .fail(.retry("busy"))])
        let b = ScriptedGateway("b")
        let dispatcher = world.dispatcher([a, b], configuration: quick())

        for (last, wait) in [0, 0, 29, 1, 59, 1, 0].enumerated() {
            world.advance(by: .seconds(wait))
            try await world.queue("010-1234-567\(last)")
            try await dispatcher.drain()
        }

        #expect(
            await world.outbox == [
                "sent by b as b-1, attempt 1", "sent by b as b-2, attempt 1", "sent by b as b-3, attempt 1",
                "sent by b as b-4, attempt 1", "sent by b as b-5, attempt 1", "sent by a as a-4, attempt 1",
                "sent by a as a-5, attempt 1",
            ]
        )
        #expect(
            world.log.lines.filter { !$0.contains("message.id") } == [
                "warning: A gateway's circuit breaker opened [gateway.name=a gateway.open_for=30.0 seconds]",
                "notice: A gateway is probed with one message [gateway.name=a]",
                "warning: A gateway's circuit breaker opened [gateway.name=a gateway.open_for=60.0 seconds]",
                "notice: A gateway is probed with one message [gateway.name=a]",
                "notice: A gateway's circuit breaker closed [gateway.name=a]",
            ]
        )
    }

    static let answers: [(answer: ScriptedGateway.Answer, opens: Bool)] = [
        (.fail(.retry("busy")), true), (.fail(.ambiguous("no answer")), true), (.fail(.refused("bad number")), false),
        (.fail(.failover("no money")), false), (.fail(.busy("too many")), false), (.take("1"), false),
    ]

    @Test("only what is the gateway's fault counts", arguments: answers)
    func faults(answer: ScriptedGateway.Answer, opens: Bool) async throws {
        let world = try World()
        let a = ScriptedGateway("a", script: [.fail(.retry("busy")), answer])
        let dispatcher = world.dispatcher([a, ScriptedGateway("b")], configuration: quick())

        for last in 0...2 {
            try await world.queue("010-1234-567\(last)")
            try await dispatcher.drain()
        }

        #expect(a.received.count == (opens ? 2 : 3))
    }

    @Test("with every circuit breaker open a message waits for the first probe, and loses no attempt")
    func waits() async throws {
        let world = try await World.withMessage()
        let a = ScriptedGateway("a", script: Array(repeating: .fail(.retry("busy")), count: 2))
        let configuration = DispatcherConfiguration(
            maxAttempts: 3,
            breakerFailures: 2,
            breakerOpenTime: .seconds(30)
        )
        let dispatcher = world.dispatcher([a], configuration: configuration, jitter: 1)

        var history = [String]()
        for wait in [0, 1, 2, 27, 1, 0] {
            world.advance(by: .seconds(wait))
            try await dispatcher.drain()
            history += await world.outbox
        }

        #expect(
            history == [
                "queued for +1.0 seconds, attempt 1", "queued for +3.0 seconds, attempt 2",
                "queued for +31.0 seconds, attempt 3", "queued for +31.0 seconds, attempt 3",
                "sent by a as a-3, attempt 4", "sent by a as a-3, attempt 4",
            ]
        )
    }

    @Test("while one message is the probe the others wait a moment, and go once it succeeded")
    func oneProbe() async throws {
        let world = try World()
        let a = ScriptedGateway("a", script: [.fail(.retry("busy")), .fail(.retry("busy")), .hold])
        let dispatcher = world.dispatcher([a], configuration: quick(), jitter: 1)
        try await world.queue("010-1111-1111")
        try await world.queue("010-2222-2222")
        try await dispatcher.drain()
        world.advance(by: .seconds(30))
        async let drained: Void = dispatcher.drain()

        try await a.receives(3)
        try await world.log.logged("debug: A message waits for a gateway")
        try await a.release(.success(GatewayReceipt(messageID: "probe")))
        try await drained
        #expect(a.received.count == 3)
        #expect(
            await world.outbox.sorted() == ["queued for +31.0 seconds, attempt 2", "sent by a as probe, attempt 2"]
        )
        world.advance(by: .seconds(1))
        try await dispatcher.drain()
        #expect(await world.outbox.sorted() == ["sent by a as a-4, attempt 3", "sent by a as probe, attempt 2"])
    }

    @Test("a message fails when its code expires before the first probe")
    func expiry() async throws {
        let world = try World()
        let configuration = DispatcherConfiguration(
            breakerFailures: 1,
            breakerOpenTime: .seconds(600),
            longestBreakerOpenTime: .seconds(600)
        )
        let a = ScriptedGateway("a", script: [.fail(.retry("busy"))])
        let dispatcher = world.dispatcher([a], configuration: configuration, jitter: 1)
        try await world.queue("010-1111-1111")
        try await dispatcher.drain()
        let late = try await world.queue("010-2222-2222")
        try await dispatcher.drain()

        #expect(await world.outbox.last == "failed, attempt 1")
        #expect(await world.store.outbox.last?.failure == "a: not asked, since it is down, busy")
        #expect(try await world.store.verification(late.id)?.recordedStatus == .failed)
    }
}
