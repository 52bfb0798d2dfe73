import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Telemetry
import Testing

@testable import PhoneDelivery

@Suite("Trying again", .hangLimit)
struct RetryTests {
    @Test("attempts follow in doubling waits, until one would come after the code has expired")
    func schedule() async throws {
        let world = try World()
        let verification = try await world.queue()
        let gateway = ScriptedGateway("a", script: Array(repeating: .fail(.retry("busy")), count: 100))
        let configuration = DispatcherConfiguration(maxAttempts: 100, breakerFailures: 100)
        let dispatcher = world.dispatcher([gateway], configuration: configuration, jitter: 1)
        var attempts: [Duration] = []

        while let next = try await world.store.nextAttempt() {
            world.advance(by: next - world.wall.now())
            attempts.append(world.elapsed)
            try await dispatcher.drain()
        }

        let seconds = [
            0, 1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211, 241, 271, 301, 331, 361, 391, 421, 451, 481, 511, 541, 571,
        ]
        #expect(attempts == seconds.map { .seconds($0) })
        #expect(gateway.received.count == 24)
        #expect(await world.outbox == ["failed, attempt 24"])
        #expect(try await world.store.verification(verification.id)?.recordedStatus == .failed)
    }

    @Test(
        "a wait is the part that the jitter says, and never outside of its bounds",
        arguments: [
            (0.25, "queued for +0.25 seconds, attempt 1"), (1, "queued for +1.0 seconds, attempt 1"),
            (7, "queued for +1.0 seconds, attempt 1"), (0, "sent by a as a-2, attempt 2"),
            (-7, "sent by a as a-2, attempt 2"),
        ]
    )
    func jitter(jitter: Double, outcome: String) async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.fail(.retry("busy"))])

        try await world.dispatcher([gateway], jitter: jitter).drain()

        #expect(await world.outbox == [outcome])
    }

    static let wishes: [(a: Duration?, b: GatewayFailure, outcome: String)] = [
        (.seconds(45), .failover("no money"), "queued for +45.0 seconds, attempt 1"),
        (.seconds(45), .retry(after: .seconds(20), "busy"), "queued for +20.0 seconds, attempt 1"),
        (.seconds(45), .retry("busy"), "queued for +0.5 seconds, attempt 1"),
        (.milliseconds(1), .failover("no money"), "queued for +0.5 seconds, attempt 1"),
        (.seconds(-45), .failover("no money"), "queued for +0.5 seconds, attempt 1"),
        (.milliseconds(599_999), .failover("no money"), "queued for +599.999 seconds, attempt 1"),
        (.seconds(600), .failover("no money"), "failed, attempt 1"),
        (.seconds(Int64.max), .failover("no money"), "failed, attempt 1"),
    ]

    @Test("no retry is before the time that a gateway asked for, nor after the code has expired", arguments: wishes)
    func wish(a: Duration?, b: GatewayFailure, outcome: String) async throws {
        let world = try await World.withMessage()
        let gateways = [
            ScriptedGateway("a", script: [.fail(.retry(after: a, "busy"))]), ScriptedGateway("b", script: [.fail(b)]),
        ]

        try await world.dispatcher(gateways).drain()

        #expect(await world.outbox == [outcome])
    }

    @Test("a gateway that does not respond is cancelled at the timeout, and the result is unknown")
    func timeLimit() async throws {
        let world = try await World.withMessage()
        let (a, b) = (ScriptedGateway("a", script: [.hang]), ScriptedGateway("b"))
        let metrics = PrometheusRegistry(MetricFamily.all)
        async let drained: Void = world.dispatcher([a, b], metrics: metrics).drain()

        try await world.pass(10)
        try await drained

        #expect(await world.outbox == ["unknown at a, attempt 1"])
        #expect(b.received.isEmpty)
        #expect(metrics.text().contains("phoneproof_gateway_request_duration_seconds_sum{gateway=\"a\"} 10\n"))
        #expect(world.timer.sleeps == [])
        #expect(
            world.log.messages == [
                "warning: A gateway did not accept a message", "warning: A message may have been sent",
            ]
        )
    }

    @Test("a response after the timeout counts")
    func lateAnswer() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.hold])
        async let drained: Void = world.dispatcher([gateway]).drain()

        try await world.pass(10)
        try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))
        try await drained

        #expect(await world.outbox == ["sent by a as SM1, attempt 1"])
    }

    @Test(
        "no further gateway is asked whose time limit would outlast the lease",
        arguments: [(20, "sent by b as b-1, attempt 1"), (19, "queued for +10.5 seconds, attempt 1")]
    )
    func lease(seconds: Int, outcome: String) async throws {
        let world = try await World.withMessage()
        let (a, b) = (ScriptedGateway("a", script: [.hold]), ScriptedGateway("b"))
        let configuration = DispatcherConfiguration(lease: .seconds(seconds))
        async let drained: Void = world.dispatcher([a, b], configuration: configuration).drain()

        try await world.pass(10)
        try await a.release(.failure(.failover("no money")))
        try await drained

        #expect(await world.outbox == [outcome])
    }

    @Test("an idempotent gateway that hangs is retried until the code expires, or up to the limit of attempts")
    func hangingGateway() async throws {
        for (maxAttempts, attempts) in [(1000, 10), (3, 3)] {
            let world = try World()
            let verification = try await world.queue()
            let gateway = ScriptedGateway(
                "a",
                isIdempotent: true,
                script: Array(repeating: .fail(.ambiguous("no response in time")), count: 1000)
            )
            let configuration = DispatcherConfiguration(
                firstRetry: .seconds(60),
                longestRetry: .seconds(60),
                maxAttempts: maxAttempts,
                breakerFailures: 1000
            )
            let dispatcher = world.dispatcher([gateway], configuration: configuration, jitter: 1)
            while let next = try await world.store.nextAttempt() {
                world.advance(by: next - world.wall.now())
                try await dispatcher.drain()
            }

            #expect(await world.outbox == ["unknown at a, attempt \(attempts)"])
            #expect(gateway.received.count == attempts)
            #expect(Set(gateway.received).count == 1)
            #expect(await world.store.outbox.map(\.failure) == ["no response in time"])
            // The person may have the code, which stays valid until its end.
            #expect(try await world.store.verification(verification.id)?.recordedStatus == .pending)
            #expect(world.log.messages.last == "warning: A message may have been sent")
        }
    }

    @Test("an operator may retry an unknown message, by any gateway")
    func retryOfUnknown() async throws {
        let world = try await World.withMessage()
        let a = ScriptedGateway("a", script: [.fail(.ambiguous("no answer"))])
        try await world.dispatcher([a]).drain()
        #expect(await world.outbox == ["unknown at a, attempt 1"])

        let outcome = try await world.store.retry(
            RetryMessage(id: await world.store.outbox[0].id, now: world.wall.now())
        )
        #expect(outcome == .success(await world.store.outbox[0]))
        let b = ScriptedGateway("b")
        try await world.dispatcher([b]).drain()

        #expect(await world.outbox == ["sent by b as b-1, attempt 2"])
        #expect(a.received == b.received)
    }

    @Test("a message that may be at a gateway that is no more is not sent by another")
    func goneGateway() async throws {
        let world = try await World.withMessage()
        let a = ScriptedGateway("a", isIdempotent: true, script: [.fail(.ambiguous("no answer"))])
        try await world.dispatcher([a]).drain()
        world.advance(by: .seconds(1))
        let b = ScriptedGateway("b")
        try await world.dispatcher([b]).drain()

        #expect(await world.outbox == ["unknown at a, attempt 2"])
        #expect(b.received.isEmpty)
    }

    @Test("when a lease has expired another dispatcher sends, and the first one's late result does not count")
    func lateSettle() async throws {
        let world = try await World.withMessage()
        let (a, b) = (ScriptedGateway("a", script: [.hold]), ScriptedGateway("b"))
        async let first: Void = world.dispatcher([a]).drain()
        try await a.receives(1)

        world.advance(by: .milliseconds(59_999))
        try await world.dispatcher([b]).drain()
        #expect(b.received.isEmpty)
        world.advance(by: .milliseconds(1))
        try await world.dispatcher([b]).drain()
        try await a.release(.failure(.refused("bad number")))
        try await first

        #expect(await world.outbox == ["sent by b as b-1, attempt 2"])
        #expect(a.received == b.received)
        #expect(world.log.messages.last == "warning: A message was claimed again before its attempt ended")
    }

    @Test("waits double up to the longest, whatever the count")
    func backoff() {
        let backoff = Backoff(first: .milliseconds(500), longest: .seconds(3))

        #expect(
            [Int.min, 0, 1, 2, 3, 4, 100, Int.max].map { backoff.wait(after: $0) } == [
                .milliseconds(500), .milliseconds(500), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3),
                .seconds(3), .seconds(3),
            ]
        )
    }
}
