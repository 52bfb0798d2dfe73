import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneDelivery

@Suite("Channels", .hangLimit)
struct ChannelTests {
    private static let gateways = [Routes.Gateway("sms"), Routes.Gateway("voice", serves: [.call])]
    private static let takes = Routes(gateways, fallbackTime: .seconds(10))

    private static func queue(_ world: World, by channel: Channel? = nil) async throws -> Verification {
        try await world.useCase.requestCode(
            for: "010-1234-5678",
            VerificationOptions(channel: channel),
            context: RequestContext(owner: .local, region: .korea, language: .korean)
        )
    }

    private static func takeFallbacks(_ world: World) async {
        let fallback = ChannelFallback(
            store: world.store,
            useCase: { [useCase = world.useCase] in useCase },
            clock: world.wall,
            logger: world.log.logger
        )
        await withDiscardingTaskGroup { await fallback.takeDue(in: &$0) }
    }

    @Test("a message that no gateway of its channel accepts is followed at once by one of the next, where that is set")
    func refused() async throws {
        for (routes, isTaken) in [(Self.takes, true), (Routes(Self.gateways), false)] {
            let world = try World(routes: routes)
            let verification = try await Self.queue(world)
            #expect((verification.channel, verification.fallbacks) == (.sms, [.call]))
            let sms = ScriptedGateway("sms", script: [.fail(.refused("no such number"))])
            let voice = ScriptedGateway("voice", channels: [.call])
            let dispatcher = world.dispatcher([sms, voice], routes: routes)

            try await dispatcher.drain()
            await Self.takeFallbacks(world)
            try await dispatcher.drain()

            #expect(voice.received.map(\.channel) == (isTaken ? [.call] : []))
            let after = try #require(try await world.store.verification(verification.id))
            #expect(after.recordedStatus == .pending)
            #expect((after.channel, after.fallbacks) == (isTaken ? (.call, []) : (.sms, [.call])))
            #expect(after.sendsLeft == verification.sendsLeft - (isTaken ? 1 : 0))
            if isTaken { #expect(voice.received[0].variables?.code == sms.received[0].variables?.code) }
            #expect(await world.outbox.first == "failed, attempt 1")
        }
    }

    @Test("a message of the next channel passes what any message passes: hook, limits and budget, by its weight")
    func policies() async throws {
        let price: (Int) -> [Routes.Destination: [Routes.Purpose: Int]] = { [.everywhere: [.everything: $0]] }
        let routes = Routes(
            Self.gateways,
            fallbackTime: .seconds(30),
            prices: PriceList(currency: "EUR", prices: ["sms": price(40_000), "voice": price(400_000)])
        )
        var limits = LimitPolicy.none
        for (budget, denied, reason) in [(10, .sms, nil), (9, .sms, "rate_limited"), (99, .call, "send_denied")]
            as [(Int, Channel, String?)]
        {
            limits.dailyBudget = budget
            let hook = DenyingHook()
            let world = try World(
                routes: routes,
                abusePolicy: AbusePolicy(limits: limits, trafficGuard: .off, testNumbers: .none),
                sendHook: hook
            )
            _ = try await Self.queue(world)
            hook.denies(denied)
            let sms = ScriptedGateway("sms", script: [.fail(.refused("no such number"))])
            let voice = ScriptedGateway("voice", channels: [.call])
            let dispatcher = world.dispatcher([sms, voice], routes: routes)
            try await dispatcher.drain()
            #expect(try await world.store.traffic(of: .service).lastDay(at: world.wall.now()).sent == 0)
            await Self.takeFallbacks(world)
            try await dispatcher.drain()

            #expect(voice.received.count == (reason == nil ? 1 : 0))
            #expect(hook.asked == (reason == "rate_limited" ? [.sms] : [.sms, .call]))
            let sent = try await world.store.traffic(of: .service).lastDay(at: world.wall.now()).sent
            #expect(sent == (reason == nil ? 10 : 0))
        }
    }

    /// Denies what goes by one channel.
    private final class DenyingHook: SendHook {
        private let state = Mutex<(denied: Channel?, asked: [Channel])>((nil, []))

        var asked: [Channel] { state.withLock { $0.asked } }
        func denies(_ channel: Channel) { state.withLock { $0.denied = channel } }

        func decide(_ question: SendQuestion) async -> SendDecision {
            state.withLock { state in
                state.asked.append(question.channel)
                return question.channel == state.denied ? .deny : .allow
            }
        }
    }

    @Test("a channel that was asked for never changes by itself, and fails where it fails")
    func explicit() async throws {
        let world = try World(routes: Self.takes)
        let verification = try await Self.queue(world, by: .call)
        let (sms, voice) = (
            ScriptedGateway("sms"), ScriptedGateway("voice", channels: [.call], script: [.fail(.refused("no"))])
        )

        try await world.dispatcher([sms, voice], routes: Self.takes).drain()
        world.advance(by: .seconds(60))
        await Self.takeFallbacks(world)

        #expect(await world.outbox == ["failed, attempt 1"])
        #expect(sms.received.isEmpty)
        #expect(try await world.store.verification(verification.id)?.recordedStatus == .failed)
    }

    @Test("a channel that reaches nobody is refused, with those that do")
    func unavailable() async throws {
        let world = try World(routes: Self.takes)
        await #expect(throws: PhoneFailure.channelUnavailable(.whatsapp, offered: [.sms, .call])) {
            try await Self.queue(world, by: .whatsapp)
        }
        #expect(await world.outbox == [])
    }

    @Test(
        "without a report in time the code is sent once more by the next channel, where that is set",
        arguments: [(nil, 2), (.delivered, 1), (.undelivered(code: 30_003), 2)] as [(RecordReceipt.Outcome?, Int)]
    )
    func timeout(outcome: RecordReceipt.Outcome?, messages: Int) async throws {
        let world = try World(routes: Self.takes)
        let verification = try await Self.queue(world)
        let (sms, voice) = (ScriptedGateway("sms"), ScriptedGateway("voice", channels: [.call]))
        let dispatcher = world.dispatcher([sms, voice], routes: Self.takes)
        try await dispatcher.drain()
        if let outcome { try await dispatcher.record(DeliveryReceipt(messageID: "sms-1", outcome: outcome), of: "sms") }

        // What is reported as undelivered is not waited for, whatever the cooldown.
        let isLost = outcome == .undelivered(code: 30_003)
        world.advance(by: .seconds(9))
        await Self.takeFallbacks(world)
        #expect(await world.store.outbox.count == (isLost ? 2 : 1))
        world.advance(by: .seconds(1))
        // Two processes at once, and again later.
        await Self.takeFallbacks(world)
        await Self.takeFallbacks(world)
        world.advance(by: .seconds(60))
        await Self.takeFallbacks(world)
        try await dispatcher.drain()

        #expect(await world.store.outbox.count == messages)
        #expect(voice.received.count == messages - 1)
        let after = try #require(try await world.store.verification(verification.id))
        #expect(after.sendsLeft == verification.sendsLeft - (messages - 1))
        // The first message may arrive late: its code is right.
        #expect(
            try await world.useCase.check("482913", for: .id(after.id), context: Self.context).recordedStatus
                == .approved
        )
    }

    private static let context = RequestContext(owner: .local, region: .korea, language: .korean)

    @Test("a person who has the code by then, or asked for another message, gets none by itself")
    func approved() async throws {
        let world = try World(routes: Self.takes)
        let verification = try await Self.queue(world)
        try await world.dispatcher([ScriptedGateway("sms")], routes: Self.takes).drain()
        _ = try await world.useCase.check("482913", for: .id(verification.id), context: Self.context)

        world.advance(by: .seconds(30))
        await Self.takeFallbacks(world)
        // The same if it was under way by then, such as to the operator's hook.
        var options = VerificationOptions()
        options.failedMessage = await world.store.outbox.first
        await #expect(throws: PhoneFailure.verificationNotFound) {
            try await world.useCase.begin(verification.phoneNumber, options, context: Self.context)
        }

        #expect(await world.store.outbox.count == 1)
    }

    @Test("a call says the digits one by one, twice, in the person's language")
    func words() {
        let variables = MessageVariables(code: "4829", service: "Ace", minutes: 10)
        let (korean, english) = (variables.spoken(in: .korean), variables.spoken(in: LanguageTag("sv") ?? .english))
        #expect(korean.words.split(separator: "\n").filter { $0 == "4, 8, 2, 9." }.count == 2)
        #expect((korean.language, english.language) == (.korean, .english))
        #expect(english.words.hasPrefix("Hello. Your code for Ace is:\n4, 8, 2, 9.\n"))
    }
}
