import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Draining the outbox", .hangLimit)
struct OutboxDispatcherTests {
    @Test("a queued message reaches the gateway once, with its number, text, language and key")
    func sends() async throws {
        let world = try await World.withMessage()
        world.advance(by: .seconds(3))
        let gateway = ScriptedGateway("a", script: [.take("SM1")])
        let dispatcher = world.dispatcher([gateway])

        try await dispatcher.drain()
        try await dispatcher.drain()

        #expect(await world.outbox == ["sent by a as SM1, attempt 1"])
        let message = try #require(gateway.received.first)
        #expect(gateway.received.count == 1)
        #expect(message.dedupeKey == "msg_00000000000000000000000000000002")
        #expect(message.to.e164 == "+821012345678")
        #expect(message.body == "482913 in ko, valid for 600.0 seconds")
        #expect(message.language == .korean)
    }

    @Test("a name that a gateway makes of the number is not kept", arguments: ["821012345678", "m-821012345678-1"])
    func nameOfNumber(name: String) async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.take(name, .delivered)])

        try await world.dispatcher([gateway]).drain()

        #expect(await world.outbox == ["delivered by a, attempt 1"])
        #expect(await world.store.outbox.first?.gatewayMessageID?.hasPrefix("sha256:") == true)
        #expect(!world.log.lines.contains { $0.contains("1012345678") })
    }

    static let answers: [(a: [ScriptedGateway.Answer], b: [ScriptedGateway.Answer], outcome: String, asked: [Int])] = [
        ([.take("1")], [], "sent by a as 1, attempt 1", [1, 0]),
        ([.fail(.failover("no money"))], [.take("2")], "sent by b as 2, attempt 1", [1, 1]),
        ([.fail(.retry("busy"))], [.take("2")], "sent by b as 2, attempt 1", [1, 1]),
        ([.fail(.refused("bad number"))], [.take("2")], "failed, attempt 1", [1, 0]),
        ([.fail(.ambiguous("no answer"))], [.take("2")], "unknown at a, attempt 1", [1, 0]),
        ([.fail(.failover("x"))], [.fail(.ambiguous("y"))], "unknown at b, attempt 1", [1, 1]),
        ([.fail(.failover("x"))], [.fail(.failover("y"))], "failed, attempt 1", [1, 1]),
        ([.fail(.failover("x"))], [.fail(.retry("y"))], "queued for +0.5 seconds, attempt 1", [1, 1]),
        ([.fail(.retry("x"))], [.fail(.failover("y"))], "queued for +0.5 seconds, attempt 1", [1, 1]),
        ([.fail(.retry("x"))], [.fail(.refused("y"))], "failed, attempt 1", [1, 1]),
    ]

    @Test("gateways are asked in order, by the response of the one before", arguments: answers)
    func failover(
        a: [ScriptedGateway.Answer],
        b: [ScriptedGateway.Answer],
        outcome: String,
        asked: [Int]
    ) async throws {
        let world = try await World.withMessage()
        let gateways = [ScriptedGateway("a", script: a), ScriptedGateway("b", script: b)]

        try await world.dispatcher(gateways).drain()

        #expect(await world.outbox == [outcome])
        #expect(gateways.map(\.received.count) == asked)
    }

    static let repeats: [(second: ScriptedGateway.Answer, outcome: String)] = [
        (.take("1"), "sent by a as 1, attempt 2"),
        (.fail(.ambiguous("no answer")), "queued for +1.5 seconds, attempt 2"),
        (.fail(.retry("busy")), "queued for +1.5 seconds, attempt 2"),
        (.fail(.failover("no money")), "queued for +1.5 seconds, attempt 2"),
        (.fail(.refused("bad number")), "failed, attempt 2"),
        // It has had the message under this key.
        (.fail(.refused("in progress", code: 409)), "queued for +1.5 seconds, attempt 2"),
        (.fail(.failover("another content", code: 422)), "unknown at a, attempt 2"),
    ]

    @Test("an idempotent gateway that gave no answer, and no other, is sent the same again", arguments: repeats)
    func ambiguity(second: ScriptedGateway.Answer, outcome: String) async throws {
        let world = try await World.withMessage()
        let a = ScriptedGateway("a", isIdempotent: true, script: [.fail(.ambiguous("no answer")), second])
        let b = ScriptedGateway("b")
        let dispatcher = world.dispatcher([a, b])

        try await dispatcher.drain()
        #expect(await world.outbox == ["queued for +0.5 seconds, attempt 1"])
        world.advance(by: .milliseconds(500))
        try await dispatcher.drain()

        #expect(await world.outbox == [outcome])
        #expect(a.received.count == 2)
        #expect(Set(a.received).count == 1)
        #expect(b.received.isEmpty)
    }

    @Test("a message that is sent again after a crash has the same bytes, whatever time it is")
    func bytesAfterCrash() async throws {
        let world = try await World.withMessage()
        let a = ScriptedGateway("a", isIdempotent: true)
        // Nothing is recorded of the first, which is the end of its process.
        let store = FaultyOutbox(world.store, lostSettles: .max)
        let crashed = Task { try? await world.dispatcher([a], store: store).drain() }
        try await world.pass(1, 2, 4, 8, 16)
        await crashed.value
        world.advance(by: .seconds(60))
        try await world.dispatcher([a]).drain()

        #expect(await world.outbox == ["sent by a as a-2, attempt 2"])
        #expect(a.received.count == 2)
        #expect(Set(a.received).count == 1)
    }

    @Test(
        "a vendor that has had a message under its key does not end the verification, not even with another text",
        arguments: [
            (409, "queued for +61.0 seconds, attempt 2"), (422, "unknown at a, attempt 2"), (400, "failed, attempt 2"),
        ]
    )
    func knownKey(code: Int, outcome: String) async throws {
        let world = try World()
        let verification = try await world.queue()
        let now = world.wall.now()
        _ = try await world.store.claim(limit: 1, at: now, until: now + .seconds(60))
        world.advance(by: .seconds(60))
        let a = ScriptedGateway("a", isIdempotent: true, script: [.fail(.failover("no", code: code))])

        try await world.dispatcher([a]).drain()

        #expect(await world.outbox == [outcome])
        let status = try await world.store.verification(verification.id)?.recordedStatus
        #expect(status == (code == 400 ? .failed : .pending))
    }

    @Test("a message whose code was replaced since is not sent with the new one")
    func replacedCode() async throws {
        let world = try World()
        try await world.queue(code: "111111")
        world.advance(by: .seconds(60))
        try await world.queue(code: "222222")
        let a = ScriptedGateway("a")

        try await world.dispatcher([a]).drain()

        #expect(await world.outbox == ["dropped, attempt 1", "sent by a as a-1, attempt 1"])
        #expect(a.received.map(\.dedupeKey) == [await world.store.outbox[1].id.description])
    }

    @Test("a message whose verification was canceled is neither sent nor opened")
    func canceled() async throws {
        let world = try World()
        let verification = try await world.queue()
        _ = try await world.useCase.cancel(verification.id, owner: .local)
        let gateway = ScriptedGateway("a")

        try await world.dispatcher([gateway], vault: LockedVault()).drain()

        #expect(await world.outbox == ["dropped, attempt 1"])
        #expect(gateway.received.isEmpty)
        #expect(world.log.messages == ["debug: A message was dropped: its code has expired or is no longer needed"])
    }

    @Test(
        "a message is sent until its code expires and not then",
        arguments: [(599_999, "sent by a as a-1, attempt 1"), (600_000, "dropped, attempt 1")]
    )
    func expired(milliseconds: Int, outcome: String) async throws {
        let world = try await World.withMessage()
        world.advance(by: .milliseconds(milliseconds))

        try await world.dispatcher([ScriptedGateway("a")]).drain()

        #expect(await world.outbox == [outcome])
    }

    @Test("a code that expires during a request goes to no other gateway")
    func expiredMeanwhile() async throws {
        let world = try await World.withMessage()
        world.advance(by: .seconds(595))
        let (a, b) = (ScriptedGateway("a", script: [.hold]), ScriptedGateway("b"))
        async let drained: Void = world.dispatcher([a, b]).drain()

        try await a.receives(1)
        world.advance(by: .seconds(5))
        try await a.release(.failure(.failover("no money")))
        try await drained

        #expect(await world.outbox == ["dropped, attempt 1"])
        #expect(b.received.isEmpty)
    }

    @Test("a code that cannot be opened fails, and the log has its key ID")
    func unknownKey() async throws {
        let world = try World()
        let verification = try await world.queue()
        let gateway = ScriptedGateway("a")

        try await world.dispatcher([gateway], vault: LockedVault()).drain()

        #expect(await world.outbox == ["failed, attempt 1"])
        #expect(try await world.store.verification(verification.id)?.recordedStatus == .failed)
        #expect(gateway.received.isEmpty)
        #expect(
            world.log.lines.first == """
                error: The code cannot be decrypted [code.key_id=test error=NoSuchKey() message.attempt=1 \
                message.id=msg_00000000000000000000000000000002 phone_number.masked=+82 10-****-5678 \
                verification.id=ver_00000000000000000000000000000001]
                """
        )
    }

    @Test("an outage of the store is thrown, and costs nothing")
    func outage() async throws {
        let world = try await World.withMessage()
        world.store.fail(with: Outage())
        let dispatcher = world.dispatcher([ScriptedGateway("a")])

        await #expect(throws: Outage.self) { try await dispatcher.drain() }
        world.store.fail(with: nil)
        try await dispatcher.drain()

        #expect(await world.outbox == ["sent by a as a-1, attempt 1"])
    }

    @Test("what was sent is recorded after a short outage of the store, and not sent twice")
    func outageAfterSending() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.hold])
        async let drained: Void = world.dispatcher([gateway]).drain()
        try await gateway.receives(1)
        world.store.fail(with: Outage())
        try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))

        try await world.pass(1)
        try await world.timer.sleeper(of: .seconds(2))
        world.store.fail(with: nil)
        world.advance(by: .seconds(2))
        try await drained

        #expect(await world.outbox == ["sent by a as SM1, attempt 1"])
        #expect(gateway.received.count == 1)
        #expect(
            world.log.messages == [
                "error: The outbox cannot be reached", "notice: The outbox can be reached again",
                "info: A message was sent",
            ]
        )
    }

    @Test("one lost record does not cut off the other messages")
    func lostRecord() async throws {
        let world = try World()
        try await world.queue("010-1111-1111")
        try await world.queue("010-2222-2222")
        let gateway = ScriptedGateway("a", script: [.take("1"), .hold])
        let store = FaultyOutbox(world.store, lostSettles: .max)
        let running = Task { try await world.dispatcher([gateway], store: store).drain() }

        try await world.pass(1, 2, 4, 8, 16)
        try await world.log.logged("error: The result of a message could not be recorded")
        try await gateway.release(.success(GatewayReceipt(messageID: "2")))

        try await running.value
        #expect(await world.outbox.sorted() == ["queued for +60.0 seconds, attempt 1", "sent by a as 2, attempt 1"])
    }

    @Test("the claim is for the lease, on no more than can be sent at once")
    func claims() async throws {
        let world = try World()
        for number in ["010-1111-1111", "010-2222-2222", "010-3333-3333"] { try await world.queue(number) }
        let gateway = ScriptedGateway("a", script: [.hold, .hold])
        let configuration = DispatcherConfiguration(maxConcurrentSends: 2, lease: .seconds(40))
        async let drained: Void = world.dispatcher([gateway], configuration: configuration).drain()

        try await gateway.receives(2)
        #expect(
            await world.outbox == [
                "queued for +40.0 seconds, attempt 1", "queued for +40.0 seconds, attempt 1",
                "queued for +0.0 seconds, attempt 0",
            ]
        )
        try await gateway.release(.success(GatewayReceipt(messageID: "1")))
        try await gateway.release(.success(GatewayReceipt(messageID: "2")))
        try await drained
        #expect(await world.outbox.allSatisfy { $0.hasPrefix("sent by a") })
    }
}
