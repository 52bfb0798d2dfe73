import CoreEncodings
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("Senders with a rate each", .hangLimit)
struct SenderQueueTests {
    private static let start = Timestamp(seconds: 1_767_225_600)
    private static let numbers = (0..<40).compactMap { try? PhoneNumber(e164: "+8210123456\($0 + 10)") }

    private func id(_ bits: UInt64) -> OutboxMessage.ID { OutboxMessage.ID(bits: 0, bits) }

    /// The turn in words: `now 1`, `+2.0 seconds`, `never`.
    private func turn(
        _ queue: inout SenderQueue,
        _ bits: UInt64,
        to number: PhoneNumber = numbers[0],
        isKept: Bool = false,
        at time: Duration = .zero,
        within life: Duration = .seconds(600)
    ) -> String {
        let (now, end) = (Self.start + time, Self.start + life)
        return switch queue.turn(of: id(bits), to: number, isKept: isKept, at: now, before: end) {
        case .now(let sender): "now \(sender)"
        case .later(let turn): "+\(turn - Self.start)"
        case .never: "never"
        }
    }

    @Test("a number keeps its sender as long as that is free, in every process")
    func kept() {
        var senders: [String] = []
        for number in Self.numbers {
            var turns: Set<String> = []
            for _ in 0..<2 {
                var queue = SenderQueue(perSecond: [1, 1, 1])
                turns.formUnion((0..<3).map { turn(&queue, UInt64($0), to: number, at: .seconds($0)) })
            }
            #expect(turns.count == 1)
            senders += turns
        }
        #expect(Set(senders) == ["now 0", "now 1", "now 2"])
    }

    @Test("a message goes by another sender that is free, and else waits for the first that is, in order")
    func turns() {
        var queue = SenderQueue(perSecond: [1, 0.5])
        #expect(Set([turn(&queue, 1), turn(&queue, 2)]) == ["now 0", "now 1"])
        let turns = (3..<9).map { turn(&queue, $0) }
        #expect(turns[0] == "+1.0 seconds")
        #expect(
            turns.sorted() == [
                "+1.0 seconds", "+2.0 seconds", "+2.0 seconds", "+3.0 seconds", "+4.0 seconds", "+4.0 seconds",
            ]
        )
        // Who asks too soon has the same turn, and who comes in time goes, even beside the other sender's.
        #expect(turn(&queue, 3, at: .milliseconds(999)) == "+1.0 seconds")
        #expect(turn(&queue, 3, at: .seconds(1)) == "now 0")
        #expect(turn(&queue, 9, at: .seconds(1)) == "+5.0 seconds")
    }

    @Test("who comes late for a turn gets a new one, so that the rate is kept")
    func late() {
        var queue = SenderQueue(perSecond: [1])
        #expect((0..<4).map { turn(&queue, $0) } == ["now 0", "+1.0 seconds", "+2.0 seconds", "+3.0 seconds"])
        #expect((1..<4).map { turn(&queue, $0, at: .seconds(60)) } == ["now 0", "+61.0 seconds", "+62.0 seconds"])
    }

    @Test("a sender may use up a second's messages at once")
    func burst() {
        var queue = SenderQueue(perSecond: [4])
        let turns = (0..<6).map { turn(&queue, $0) }
        #expect(turns == Array(repeating: "now 0", count: 4) + ["+0.25 seconds", "+0.5 seconds"])
    }

    @Test("a turn that would come after the end is none, and takes nobody's")
    func end() {
        var queue = SenderQueue(perSecond: [0.1])
        #expect(turn(&queue, 0) == "now 0")
        #expect(turn(&queue, 1, within: .seconds(10)) == "never")
        #expect(turn(&queue, 2, within: .seconds(11)) == "+10.0 seconds")
    }

    @Test("a message that the vendor may know goes by its number's own sender")
    func own() {
        var queue = SenderQueue(perSecond: [1, 1])
        let first = turn(&queue, 0, isKept: true)
        #expect(turn(&queue, 1, isKept: true) == "+1.0 seconds")
        #expect(turn(&queue, 1, isKept: true, at: .seconds(1)) == first)
    }

    @Test("a rate is a number from 0.1 to 1000 behind the sender")
    func parsing() {
        #expect(RatedSender<TwilioSender>("+15005550006=2.5")?.description == "+15005550006=2.5")
        #expect(RatedSender<String>("a=b=1")?.sender == "a=b")
        for text in [
            "+15005550006", "+15005550006=", "=1", "+15005550006=0", "+15005550006=1001", "+1=1", "+15005550006=x",
        ] {
            #expect(RatedSender<TwilioSender>(text) == nil, "\(text)")
        }
    }

    @Test("a message waits for its turn in the outbox, loses no attempt, and holds up no other gateway's")
    func waits() async throws {
        let world = try World()
        let slow = ScriptedGateway("slow", messagesPerSecond: [1, 1])
        let quick = ScriptedGateway("quick")
        let routes = Routes(
            [Routes.Gateway("slow"), Routes.Gateway("quick")],
            rules: [.everywhere: [.everything: ["slow"]], .prefix("+8210999"): [.everything: ["quick"]]]
        )
        let dispatcher = world.dispatcher([slow, quick], routes: routes)
        for index in 0..<5 { try await world.queue("010-1234-567\(index)") }
        try await world.queue("010-9999-9999")
        try await dispatcher.drain()
        // Of many at once any may be first.
        #expect(
            await world.outbox.sorted() == [
                "queued for +1.0 seconds, attempt 1", "queued for +1.0 seconds, attempt 1",
                "queued for +2.0 seconds, attempt 1", "sent by quick as quick-1, attempt 1",
                "sent by slow as slow-1, attempt 1", "sent by slow as slow-2, attempt 1",
            ]
        )
        #expect(await world.store.outbox.map(\.countedAttempts).sorted() == [0, 0, 0, 1, 1, 1])
        #expect(Set(slow.received.map(\.sender)) == [0, 1])
        // What comes meanwhile does not overtake.
        try await world.queue("010-1234-5679")
        try await dispatcher.drain()
        #expect(await world.outbox.last == "queued for +2.0 seconds, attempt 1")
        for _ in 0..<2 {
            world.advance(by: .seconds(1))
            try await dispatcher.drain()
        }
        #expect(slow.received.count == 6)
        #expect(await world.store.outbox.allSatisfy { $0.status == .sent })
        #expect(Dictionary(grouping: slow.received, by: \.sender).mapValues(\.count) == [0: 3, 1: 3])
    }

    @Test(
        "where it would wait for more than 30 s the next gateway has it, and else it waits as long as its code is good for"
    )
    func fallsBack() async throws {
        let world = try World()
        let slow = ScriptedGateway("slow", messagesPerSecond: [0.1])
        let slowest = ScriptedGateway("slowest", messagesPerSecond: [0.1])
        let dispatcher = world.dispatcher([slow, slowest])
        for index in 0..<6 { try await world.queue("010-1234-567\(index)") }
        try await dispatcher.drain()
        #expect(
            await world.outbox == [
                "sent by slow as slow-1, attempt 1", "queued for +10.0 seconds, attempt 1",
                "queued for +20.0 seconds, attempt 1", "sent by slowest as slowest-1, attempt 1",
                "queued for +10.0 seconds, attempt 1", "queued for +20.0 seconds, attempt 1",
            ]
        )
    }

    @Test("a message whose turn would come after its code ends fails, as one does that no gateway takes")
    func fails() async throws {
        let world = try World()
        let slow = ScriptedGateway("slow", messagesPerSecond: [0.1])
        let dispatcher = world.dispatcher([slow])
        for index in 0..<62 { try await world.queue("010-1234-56\(index + 10)") }
        try await dispatcher.drain()
        // The last turn before the end is taken; the last two have none, and are looked at again.
        #expect(await world.outbox[59] == "queued for +590.0 seconds, attempt 1")
        #expect(
            await world.outbox[60...] == ["queued for +30.0 seconds, attempt 1", "queued for +30.0 seconds, attempt 1"]
        )
        for _ in 0..<58 {
            world.advance(by: .seconds(10))
            try await dispatcher.drain()
        }
        #expect(slow.received.count == 59)
        #expect(await world.outbox[60...].allSatisfy { $0.hasPrefix("failed") })
        #expect(await world.store.outbox[60].failure == "slow: its senders are busy for too long")
    }

    @Test("while the gateway is down nothing takes a turn but a message that tries it")
    func down() async throws {
        let world = try World()
        let fault = ScriptedGateway.Answer.fail(.retry("down"))
        let slow = ScriptedGateway("slow", messagesPerSecond: [10], script: Array(repeating: fault, count: 5))
        var configuration = DispatcherConfiguration.standard
        configuration.maxConcurrentSends = 1
        let dispatcher = world.dispatcher([slow], configuration: configuration)
        for index in 0..<20 { try await world.queue("010-1234-56\(index + 10)") }
        try await dispatcher.drain()
        #expect(slow.received.count == 5)
        let waiting = await world.store.outbox.compactMap(\.failure)
        #expect(
            waiting == Array(repeating: "slow: down", count: 5)
                + Array(repeating: "slow: not asked, since it is down, down", count: 15)
        )
    }

    @Test("vendors get the sender that a message was given")
    func vendors() async throws {
        let answer = response(201, #"{"sid":"SM1","status":"queued"}"#)
        try await FakeVendor.with(.answer(answer)) { vendor in
            let gateway = TwilioGateway(
                account: try #require(
                    TwilioAccount(sid: "AC" + String(repeating: "0f", count: 16), authToken: "t0ken")
                ),
                sender: try #require(TwilioSender("+15005550006")),
                senders: ["+15005550006=1", "+15005550007=1"].compactMap(RatedSender<TwilioSender>.init),
                address: try #require(EndpointURL(base: "http://127.0.0.1:\(vendor.port)")),
                connectTimeout: .seconds(5)
            )
            #expect(gateway.messagesPerSecond == [1, 1])
            var message = try vendorMessage()
            message.sender = 1
            _ = try await gateway.send(message)
            #expect(vendor.requests.count { $0.contains("From=%2B15005550007") } == 1)
        }
        let accepted = response(200, #"{"message-count":"1","messages":[{"message-id":"1","status":"0"}]}"#)
        try await FakeVendor.with(.answer(accepted)) { vendor in
            let gateway = VonageGateway(
                account: try #require(VonageAccount(apiKey: "abcd1234", apiSecret: "s3cret-of-it")),
                sender: try #require(VonageSender("Acme")),
                senders: ["Acme=1", "Ace=20"].compactMap(RatedSender<VonageSender>.init),
                address: try #require(EndpointURL(base: "http://127.0.0.1:\(vendor.port)")),
                connectTimeout: .seconds(5)
            )
            #expect(gateway.messagesPerSecond == [1, 20])
            var message = try vendorMessage()
            message.sender = 1
            _ = try await gateway.send(message)
            #expect(vendor.requests.count { $0.contains("from=Ace&") } == 1)
        }
    }
}
