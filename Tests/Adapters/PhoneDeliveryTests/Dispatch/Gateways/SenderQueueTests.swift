import PhoneAdministration
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("Senders with a rate each", .hangLimit)
struct SenderQueueTests {
    @Test("a rate is a number from 0.1 to 1000 behind the sender")
    func parsing() {
        #expect(RatedSender<TwilioSender>("+15005550006=2.5")?.description == "+15005550006=2.5")
        #expect(RatedSender<String>("a=b=1")?.sender == "a=b")
        for text in [
            "+15005550006", "+15005550006=", "=1", "+15005550006=0", "+15005550006=1001", "+1=1", "+15005550006=x",
            "+15005550006=1e2", "+15005550006=0x1p3", "+15005550006=+1", "+15005550006= 1", "+15005550006=inf",
        ] {
            #expect(RatedSender<TwilioSender>(text) == nil, "\(text)")
        }
        for text in ["=1", " =1", "a=1e2", "a =1", "a\u{200b}=1", "a\nb=1"] {
            #expect(RatedSender<String>(text) == nil, "\(text)")
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
        // One after the other: of many at once any may be first.
        for index in 0..<6 {
            try await world.queue("010-1234-567\(index)")
            try await dispatcher.drain()
        }
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
        for index in 0..<62 {
            try await world.queue("010-1234-56\(index + 10)")
            try await dispatcher.drain()
        }
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

    @Test("two dispatchers over one store keep the rate, use it, and send everything once")
    func together() async throws {
        let world = try World()
        let gateways = (0..<2).map { _ in ScriptedGateway("slow", messagesPerSecond: [4, 1]) }
        let dispatchers = gateways.map { world.dispatcher([$0]) }
        for index in 0..<60 { try await world.queue("010-1234-56\(index + 10)") }
        var sent: [Int] = []
        for _ in 0..<250 {
            await withTaskGroup { group in
                for dispatcher in dispatchers { group.addTask { try? await dispatcher.drain() } }
            }
            sent.append(gateways.reduce(0) { $0 + $1.received.count })
            world.advance(by: .milliseconds(50))
        }
        #expect(sent.last == 60)
        #expect(await world.store.outbox.allSatisfy { $0.status == .sent })
        // In no second more than a second's messages and what had been saved up, 5; and 5 a second from the first on.
        for (index, count) in sent.enumerated() {
            #expect(count <= 5 + index / 4, "\(index)")
            #expect(count >= min(60, (5 + index / 4) * 9 / 10), "\(index)")
        }
    }

    @Test("a code that is asked for again while the first waits is sent once, in its place, and counted once")
    func again() async throws {
        let world = try World()
        let slow = ScriptedGateway("slow", messagesPerSecond: [0.1])
        let dispatcher = world.dispatcher([slow])
        for index in 0..<6 {
            try await world.queue("010-1234-567\(index)")
            try await dispatcher.drain()
        }
        for _ in 0..<31 {
            world.advance(by: .seconds(1))
            try await dispatcher.drain()
        }
        let again = try await world.queue("010-1234-5674")
        try await dispatcher.drain()
        #expect(
            await world.outbox.suffix(2) == [
                "queued for +50.0 seconds, attempt 1", "queued for +40.0 seconds, attempt 1",
            ]
        )
        for _ in 0..<20 {
            world.advance(by: .seconds(1))
            try await dispatcher.drain()
        }
        #expect(slow.received.map(\.to.e164).filter { $0 == again.phoneNumber.e164 }.count == 1)
        #expect(slow.received.count == 6)
        let dropped = await world.store.outbox.filter { $0.status == .dropped }
        #expect(dropped.map(\.verificationID) == [again.id])
        #expect(dropped.allSatisfy { !$0.isCharged })
    }

    @Test("who waited for its turn is offered to that gateway first, however long one before it takes to refuse")
    func refusedBefore() async throws {
        let world = try World()
        let refusing = ScriptedGateway("refusing", script: Array(repeating: .fail(.failover("no route")), count: 9))
        let slow = ScriptedGateway("slow", messagesPerSecond: [1])
        let dispatcher = world.dispatcher([refusing, slow])
        for index in 0..<3 { try await world.queue("010-1234-567\(index)") }
        try await dispatcher.drain()
        #expect(refusing.received.count == 3)
        #expect(slow.received.count == 1)
        for _ in 0..<2 {
            world.advance(by: .seconds(1))
            try await dispatcher.drain()
        }
        #expect(refusing.received.count == 3)
        #expect(slow.received.count == 3)
    }

    @Test("what is withheld waits for as long as another would, and takes no turn")
    func withheld() async throws {
        let world = try World()
        let slow = ScriptedGateway("slow", messagesPerSecond: [1])
        let dispatcher = world.dispatcher([slow])
        for index in 0..<2 { try await world.queue("010-1234-567\(index)") }
        try await dispatcher.drain()
        try await world.queue("010-1234-5679", isWithheld: true, through: dispatcher)
        try await dispatcher.drain()
        #expect(await world.outbox.last == "queued for +2.0 seconds, attempt 1")
        _ = try await world.store.removeGuardRule(prefix: "+8210")
        try await world.queue("010-1234-5672")
        try await dispatcher.drain()
        #expect(await world.outbox.last == "queued for +2.0 seconds, attempt 1")
        for _ in 0..<2 {
            world.advance(by: .seconds(1))
            try await dispatcher.drain()
        }
        #expect(slow.received.count == 3)
        #expect(await world.outbox.contains("withheld, attempt 2"))
    }

    @Test("an operator's test takes a turn, or says when there is one; without the store nothing is sent")
    func test() async throws {
        let world = try World()
        let slow = ScriptedGateway("slow", messagesPerSecond: [0.5])
        let dispatcher = world.dispatcher([slow])
        let number = try PhoneNumber(e164: "+821012345678")
        #expect(
            await dispatcher.sendTest(to: number, by: "slow", .english, key: "k")
                == .accepted(id: "slow-1", after: .zero)
        )
        #expect(
            await dispatcher.sendTest(to: number, by: "slow", .english, key: "k")
                == .rejected("its senders are busy; try again in 2 s")
        )
        try await world.queue()
        try await dispatcher.drain()
        #expect(await world.outbox == ["queued for +2.0 seconds, attempt 1"])
        world.store.fail(with: Outage())
        #expect(
            await dispatcher.sendTest(to: number, by: "slow", .english, key: "k") == .rejected("the store gave no turn")
        )
        #expect(slow.received.count == 1)
    }

    @Test("vendors get the sender that a message was given")
    func vendors() async throws {
        let answer = response(201, #"{"sid":"SM1","status":"queued"}"#)
        try await FakeVendor.with(.answer(answer)) { vendor in
            let senders = ["+15005550006=1", "+15005550007=1"].compactMap(RatedSender<TwilioSender>.init)
            let gateway = try TwilioGatewayTests.gateway(port: vendor.port, senders: senders)
            #expect(gateway.messagesPerSecond == [1, 1])
            var message = try vendorMessage()
            message.sender = 1
            _ = try await gateway.send(message)
            #expect(vendor.requests.count { $0.contains("From=%2B15005550007") } == 1)
        }
        let accepted = response(200, #"{"message-count":"1","messages":[{"message-id":"1","status":"0"}]}"#)
        try await FakeVendor.with(.answer(accepted)) { vendor in
            let senders = ["Acme=1", "Ace=20"].compactMap(RatedSender<VonageSender>.init)
            let gateway = try VonageGatewayTests.gateway(port: vendor.port, senders: senders)
            #expect(gateway.messagesPerSecond == [1, 20])
            var message = try vendorMessage()
            message.sender = 1
            _ = try await gateway.send(message)
            #expect(vendor.requests.count { $0.contains("from=Ace&") } == 1)
        }
    }
}
