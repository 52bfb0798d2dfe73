import HangLimit
import PhoneDomain
import PhoneTestSupport
import Records
import Testing

@testable import PhoneDelivery

@Suite("Channels", .hangLimit)
struct ChannelTests {
    private static let gateways = [Routes.Gateway("sms"), Routes.Gateway("voice", serves: [.call])]
    private static let takes = Routes(gateways, fallbackTime: .seconds(30))

    private static func queue(_ world: World, by channel: Channel? = nil) async throws -> Verification {
        try await world.useCase.requestCode(
            for: "010-1234-5678",
            VerificationOptions(channel: channel),
            context: RequestContext(owner: .local, region: .korea, language: .korean)
        )
    }

    private static func fallback(_ world: World) -> ChannelFallback {
        ChannelFallback(store: world.store, useCase: world.useCase, clock: world.wall, logger: world.log.logger)
    }

    @Test("a message that no gateway of its channel accepts goes on by the next one, with the same code and count")
    func movesOn() async throws {
        let world = try World(routes: Routes(Self.gateways))
        let verification = try await Self.queue(world)
        #expect((verification.channel, verification.fallbacks) == (.sms, [.call]))
        let sms = ScriptedGateway("sms", script: [.fail(.refused("no such number"))])
        let voice = ScriptedGateway("voice", channels: [.call])
        let dispatcher = world.dispatcher([sms, voice], routes: Routes(Self.gateways))

        try await dispatcher.drain()
        try await dispatcher.drain()

        #expect(voice.received.map(\.channel) == [.call])
        #expect(voice.received.first?.variables?.code == sms.received.first?.variables?.code)
        let first = try #require(sms.received.first)
        #expect(voice.received.first?.dedupeKey == "\(first.dedupeKey)_call")
        let after = try #require(try await world.store.verification(verification.id))
        #expect((after.channel, after.fallbacks, after.recordedStatus) == (.call, [], .pending))
        #expect(after.sendsLeft == verification.sendsLeft)
        #expect(await world.store.outbox.map(\.channel) == [.call])
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
        await Self.fallback(world).takeDue()

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

        world.advance(by: .seconds(29))
        await Self.fallback(world).takeDue()
        #expect(await world.store.outbox.count == 1)
        world.advance(by: .seconds(1))
        // Two processes at once, and again later.
        await Self.fallback(world).takeDue()
        await Self.fallback(world).takeDue()
        world.advance(by: .seconds(60))
        await Self.fallback(world).takeDue()
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
        await Self.fallback(world).takeDue()

        #expect(await world.store.outbox.count == 1)
    }

    @Test("a route decides who is asked, and in which order")
    func route() async throws {
        let routes = Routes(
            [Routes.Gateway("a"), Routes.Gateway("b"), Routes.Gateway("c")],
            rules: [.region(.korea): [.everything: ["c", "a"]]]
        )
        let world = try World(routes: routes)
        _ = try await Self.queue(world)
        let all = ["a", "b", "c"].map { ScriptedGateway($0, script: [.fail(.failover("no money"))]) }

        try await world.dispatcher(all, routes: routes).drain()

        #expect(all.map(\.received.count) == [1, 0, 1])
        #expect(await world.outbox == ["failed, attempt 1"])
    }

    @Test("a call says the digits one by one, twice, in the person's language")
    func words() {
        let variables = MessageVariables(code: "4829", service: "Ace", minutes: 10)
        let (korean, english) = (variables.spoken(in: .korean), variables.spoken(in: LanguageTag("de") ?? .english))
        #expect(korean.words.split(separator: "\n").filter { $0 == "4, 8, 2, 9." }.count == 2)
        #expect((korean.language, english.language) == (.korean, .english))
        #expect(english.words.hasPrefix("Hello. Your code for Ace is:\n4, 8, 2, 9.\n"))
    }
}
