import CoreMetrics
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Feedback to gateways", .hangLimit)
struct FeedbackReporterTests {
    private let world: World
    private let gateway = ScriptedGateway("a", channels: [.sms, .call], feedbackOn: [.sms])
    private let signal = WakeSignal()

    init() throws {
        world = try World(
            routes: Routes([Routes.Gateway("a", serves: [.sms, .call])]),
            announcing: EventSubscription(to: [.messageFeedback]) { [signal] in signal.wake() }
        )
    }

    private var context: RequestContext { RequestContext(owner: .local, region: .korea, language: .korean) }

    private var reporter: FeedbackReporter {
        FeedbackReporter(
            store: world.store,
            gateways: [gateway, ScriptedGateway("b")],
            vault: world.vault,
            signal: signal,
            environment: DeliveryEnvironment(
                wallClock: world.wall,
                clock: world.timer,
                jitter: { 1 },
                logger: world.log.logger
            )
        )
    }

    /// Sends a code by a gateway and enters it.
    private func prove(by gateway: (any MessageGateway)? = nil) async throws {
        let begun = try await world.queue()
        try await world.dispatcher([gateway ?? self.gateway]).drain()
        _ = try await world.useCase.check("482913", for: .id(begun.id), context: context)
    }

    private func next() async throws -> Duration? {
        try await world.store.nextEvent(for: .gateways).map { $0 - world.wall.now() }
    }

    @Test("a gateway is notified once, of its last message")
    func once() async throws {
        let begun = try await world.queue()
        try await world.dispatcher([gateway]).drain()
        world.advance(by: .seconds(30))
        try await world.queue()
        try await world.dispatcher([gateway]).drain()
        world.advance(by: .seconds(1))
        _ = try await world.useCase.check("482913", for: .id(begun.id), context: context)
        let entered = world.wall.now()
        world.advance(by: .seconds(9))
        for _ in 0..<2 { #expect(try await reporter.reportDue() == nil) }
        #expect(gateway.entries == [ScriptedGateway.Entry(messageID: "a-2", moment: entered)])
        #expect(await world.store.outbox.map(\.feedback) == [nil, "accepted"])
    }

    @Test("it is notified when the code is entered, without a wait")
    func woken() async throws {
        try await whileRunning(reporter.run) {
            try await world.timer.sleeper(of: .seconds(2))
            try await prove()
            try await gateway.reported(1)
        }
        #expect(gateway.entries.map(\.messageID) == ["a-1"])
    }

    @Test("a gateway that does not want to know is not notified, nor by another channel")
    func unasked() async throws {
        try await prove(by: ScriptedGateway("b"))
        #expect(try await next() == .zero)
        #expect(try await reporter.reportDue() == nil)
        let call = ScriptedGateway("a", channels: [.call], feedbackOn: [.call])
        let begun = try await world.useCase.begin(
            "010-8765-4321",
            VerificationOptions(channel: .call),
            context: context
        )
        try await world.dispatcher([call]).drain()
        _ = try await world.useCase.check("482913", for: .id(begun.verification.id), context: context)
        #expect(try await reporter.reportDue() == nil)
        #expect(gateway.entries == [])
        #expect(try await next() == nil)
    }

    @Test("what fails is reported again, by waits that double")
    func retries() async throws {
        gateway.answerFeedback([
            .ambiguous("no response in time"), .retry(after: .seconds(60), "the gateway is down", code: 503),
        ])
        try await prove()
        _ = try await reporter.reportDue()
        #expect(await world.store.outbox.map(\.feedback) == ["no response in time"])
        #expect(try await next() == .seconds(5))
        world.advance(by: .seconds(5))
        _ = try await reporter.reportDue()
        #expect(try await next() == .seconds(60))
        world.advance(by: .seconds(59))
        _ = try await reporter.reportDue()
        #expect(gateway.entries.count == 2)
        world.advance(by: .seconds(1))
        #expect(try await reporter.reportDue() == nil)
        #expect(gateway.entries.count == 3)
        // The moment of the entry, whenever it is reported.
        #expect(Set(gateway.entries).count == 1)
        #expect(!world.log.contains("warning"))
    }

    @Test("one that does not respond is left alone for half a minute, so that others need not wait for it")
    func silence() async throws {
        let reporter = reporter
        try await prove()
        gateway.hangFeedback()
        async let asked: Timestamp? = reporter.reportDue()
        try await world.pass(10)
        _ = try await asked
        while gateway.entries.count == 1, let wait = try await next() {
            world.advance(by: wait)
            _ = try await reporter.reportDue()
        }
        #expect(gateway.entries.count == 2)
        #expect(world.wall.now() - gateway.entries[0].moment >= .seconds(40))
    }

    @Test("so is one that cannot be reached, which takes as long to find out")
    func unreachable() async throws {
        let reporter = reporter
        gateway.answerFeedback([.retry("the gateway was not reached in time")])
        try await prove()
        _ = try await reporter.reportDue()
        for _ in 0..<29 {
            world.advance(by: .seconds(1))
            _ = try await reporter.reportDue()
        }
        #expect(gateway.entries.count == 1)
        while gateway.entries.count == 1, let wait = try await next() {
            world.advance(by: wait)
            _ = try await reporter.reportDue()
        }
        #expect(gateway.entries.count == 2)
    }

    @Test("what a gateway refuses is given up, with a warning")
    func refused() async throws {
        gateway.answerFeedback([.failover("the gateway refused the message", code: 402)])
        try await prove()
        #expect(try await reporter.reportDue() == nil)
        #expect(gateway.entries.count == 1)
        #expect(await world.store.outbox.map(\.feedback) == ["the gateway refused the message (402)"])
        #expect(world.log.contains("A gateway was not notified that a code was entered"))
        #expect(world.log.contains("the gateway refused the message (402)"))
        #expect(!world.log.contains("482913"))
    }

    @Test("after six hours nothing is reported any more")
    func late() async throws {
        let down = GatewayFailure.retry("the gateway is down", code: 503)
        gateway.answerFeedback(Array(repeating: down, count: 99))
        try await prove()
        let entered = world.wall.now()
        while let wait = try await next() {
            world.advance(by: wait)
            _ = try await reporter.reportDue()
        }
        #expect(gateway.entries.count == 15)
        #expect(world.wall.now() - entered > .seconds(4 * 3600))
        #expect(world.wall.now() - entered < .seconds(6 * 3600))
        // Of a service that was down meanwhile.
        let other = try await world.queue("010-8765-4321")
        try await world.dispatcher([gateway]).drain()
        _ = try await world.useCase.check("482913", for: .id(other.id), context: context)
        world.advance(by: .seconds(6 * 3600))
        #expect(try await reporter.reportDue() == nil)
        #expect(gateway.entries.count == 15)
    }

    @Test("a code that arrives before the gateway's response is reported after it")
    func early() async throws {
        let slow = ScriptedGateway("a", feedbackOn: [.sms], script: [.hold])
        let begun = try await world.queue()
        let dispatcher = world.dispatcher([slow])
        async let sent: Void = dispatcher.drain()
        try await slow.receives(1)
        _ = try await world.useCase.check("482913", for: .id(begun.id), context: context)
        #expect(try await reporter.reportDue() != nil)
        #expect(gateway.entries == [])
        try await slow.release(.success(GatewayReceipt(messageID: "a-77")))
        try await sent
        world.advance(by: .seconds(5))
        #expect(try await reporter.reportDue() == nil)
        #expect(gateway.entries.map(\.messageID) == ["a-77"])
    }

    @Test("an ID that is kept as a digest alone is not reported")
    func digest() async throws {
        let odd = ScriptedGateway("a", feedbackOn: [.sms], script: [.take("821012345678 of today")])
        try await prove(by: odd)
        #expect(try await reporter.reportDue() == nil)
        #expect(gateway.entries == [])
    }
}
