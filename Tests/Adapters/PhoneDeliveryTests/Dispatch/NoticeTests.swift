import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Notices to the old number", .hangLimit)
struct NoticeTests {
    @Test("a notice reaches the old number once, in the language of the change, with the secret that undoes it")
    func sends() async throws {
        let world = try World()
        let change = try await world.queueNotice(in: .english)
        // Long after the code of the new number has expired.
        world.advance(by: .seconds(3600))
        let gateway = ScriptedGateway("a", script: [.take("SM1")])
        let dispatcher = world.dispatcher([gateway], vault: LockedVault())

        try await dispatcher.drain()
        try await dispatcher.drain()

        let token = try #require(try World.undoTokens.token(of: change)).text
        #expect(await world.outbox == ["sent by a as SM1, attempt 1"])
        #expect(gateway.received.count == 1)
        let message = try #require(gateway.received.first)
        #expect(message.dedupeKey == "msg_0000000000000000000000000000000d")
        #expect(message.to.e164 == "+821012345678")
        #expect(message.body == "changed; undo by \(token) in en")
        #expect(message.language == .english)
        #expect(
            world.log.lines == [
                """
                info: A message was sent [gateway.message_id=SM1 gateway.name=a message.attempt=1 \
                message.id=msg_0000000000000000000000000000000d \
                number_change.id=chg_0000000000000000000000000000000c phone_number.masked=+82 10-****-5678 \
                verification.id=ver_00000000000000000000000000000001]
                """
            ]
        )
    }

    @Test("its text is that of the templates")
    func text() async throws {
        let world = try World()
        let change = try await world.queueNotice()
        let context = MessageContext(
            service: try #require(ServiceName("Acme")),
            webHost: WebHost("example.com"),
            undoAddress: UndoAddress("https://app.example/undo/")
        )
        let gateway = ScriptedGateway("a")

        try await world.dispatcher(
            [gateway],
            renderer: TemplateRenderer(templates: try MessageTemplates(context: context), context: context)
        ).drain()

        let token = try #require(try World.undoTokens.token(of: change)).text
        #expect(gateway.received.map(\.body) == ["[Acme] 번호 변경됨. 취소: https://app.example/undo/\(token)"])
    }

    @Test(
        "it is sent as long as the change can be undone and not then",
        arguments: [(86_399_999, "sent by a as a-1, attempt 1"), (86_400_000, "dropped, attempt 1")]
    )
    func end(milliseconds: Int, outcome: String) async throws {
        let world = try World()
        try await world.queueNotice()
        world.advance(by: .milliseconds(milliseconds))

        try await world.dispatcher([ScriptedGateway("a")]).drain()

        #expect(await world.outbox == [outcome])
    }

    @Test("there is no notice of a change that was undone, or deleted", arguments: [true, false])
    func gone(isKept: Bool) async throws {
        let world = try World()
        try await world.queueNotice(isKept: isKept, closedAt: world.wall.now())
        let gateway = ScriptedGateway("a")

        try await world.dispatcher([gateway]).drain()

        #expect(await world.outbox == ["dropped, attempt 1"])
        #expect(gateway.received.isEmpty)
    }

    @Test(
        "nothing is sent to an old number that is a test number, whatever the new one is",
        arguments: [
            ("+821012345678", 3600, "dropped, attempt 1"), ("+821012345678", 0, "sent by a as a-1, attempt 1"),
            ("+821087654321", 3600, "sent by a as a-1, attempt 1"),
        ]
    )
    func testNumbers(number: String, seconds: Int, outcome: String) async throws {
        let world = try World()
        try await world.queueNotice()
        let testNumbers = TestNumbers(
            [try PhoneNumber(e164: number): try #require(VerificationCode("000000"))],
            until: world.wall.now() + .seconds(seconds)
        )

        let configuration = DispatcherConfiguration(testNumbers: testNumbers)
        try await world.dispatcher([ScriptedGateway("a")], configuration: configuration).drain()

        #expect(await world.outbox == [outcome])
    }

    @Test("a link whose key is gone fails, and the log has the reason")
    func unknownKey() async throws {
        let world = try World()
        try await world.queueNotice()
        let gateway = ScriptedGateway("a")
        let others = UndoTokens(deriver: PlainSecretDeriver(keys: ["another"]), vault: PlainTokenVault())

        try await world.dispatcher([gateway], undoTokens: others).drain()

        #expect(gateway.received.isEmpty)
        #expect(await world.store.outbox.map(\.status) == [.failed])
        #expect(await world.store.outbox.map(\.failure) == ["the link cannot be created"])
        #expect(
            world.log.lines.first == """
                error: The link cannot be created [error=the key that its secret was derived from is missing message.attempt=1 \
                message.id=msg_0000000000000000000000000000000d \
                number_change.id=chg_0000000000000000000000000000000c phone_number.masked=+82 10-****-5678 \
                verification.id=ver_00000000000000000000000000000001]
                """
        )
    }

    @Test("its result does not change the verification", arguments: [true, false])
    func verification(fails: Bool) async throws {
        let world = try World()
        let change = try await world.queueNotice()
        let before = try await world.store.verification(change.verificationID)
        let gateway = ScriptedGateway("a", script: [fails ? .fail(.refused("bad number")) : .take("SM1")])

        try await world.dispatcher([gateway]).drain()

        #expect(await world.outbox == [fails ? "failed, attempt 1" : "sent by a as SM1, attempt 1"])
        #expect(try await world.store.verification(change.verificationID) == before)
    }

    @Test("attempts follow in longer waits than those of a code, as many as there may be")
    func schedule() async throws {
        let world = try World()
        try await world.queueNotice()
        let gateway = ScriptedGateway("a", script: Array(repeating: .fail(.retry("busy")), count: 100))
        let dispatcher = world.dispatcher([gateway], jitter: 1)
        var attempts: [Duration] = []

        while let next = try await world.store.nextAttempt() {
            world.advance(by: next - world.wall.now())
            attempts.append(world.elapsed)
            try await dispatcher.drain()
        }

        #expect(attempts == [0, 16, 48, 112, 240, 496, 1008, 2032, 4080, 7680].map { .seconds($0) })
        #expect(await world.outbox == ["failed, attempt 10"])
        #expect(await world.store.outbox.map(\.failure) == ["a: busy"])
    }

    @Test(
        "no attempt is made after the change cannot be undone any more",
        arguments: [(86_399, "queued for +3600.0 seconds, attempt 1"), (86_400, "failed, attempt 1")]
    )
    func wish(seconds: Int, outcome: String) async throws {
        let world = try World()
        try await world.queueNotice()
        let gateway = ScriptedGateway("a", script: [.fail(.retry(after: .seconds(seconds), "busy"))])

        try await world.dispatcher([gateway]).drain()

        #expect(await world.outbox == [outcome])
    }

    @Test("what was sent is not sent again because the store did not keep it, long after the code has expired")
    func lostRecord() async throws {
        let world = try World()
        try await world.queueNotice()
        world.advance(by: .seconds(3600))
        let gateway = ScriptedGateway("a")
        let store = FaultyOutbox(world.store, lostSettles: 1)
        let configuration = DispatcherConfiguration(
            lease: .seconds(11),
            firstRetry: .seconds(30),
            longestRetry: .seconds(30)
        )
        let dispatcher = world.dispatcher([gateway], store: store, configuration: configuration)
        try await dispatcher.drain()

        world.advance(by: .seconds(11))
        try await dispatcher.drain()

        #expect(gateway.received.count == 1)
        #expect(await world.outbox == ["sent by a as a-1, attempt 2"])
    }

    @Test("no log line has a secret, a text or a number, whatever the result")
    func silence() async throws {
        var lines: [String] = []
        var secrets: Set<String> = ["changed; undo", "1012345", "1234-5", "12345", "8765", "4321"]
        let scripts: [[ScriptedGateway.Answer]] = [
            [.take("SM1")], [.fail(.retry("busy"))], [.fail(.refused("bad"))], [.fail(.failover("no money"))],
            [.fail(.ambiguous("no answer"))],
        ]
        for script in scripts {
            let world = try World()
            let change = try await world.queueNotice()
            secrets.insert(try #require(try World.undoTokens.token(of: change)).text)
            try await world.dispatcher([ScriptedGateway("a", script: script)]).drain()
            lines += world.log.lines
        }
        let world = try World()
        try await world.queueNotice()
        try await world.dispatcher([ScriptedGateway("a")], renderer: QuotingRenderer()).drain()
        lines += world.log.lines

        #expect(lines.count == 11)
        #expect(lines.contains { $0.hasPrefix("error: The text cannot be rendered [error.type=Refusal") })
        #expect(lines.allSatisfy { $0.contains("phone_number.masked=+82 10-****-5678") })
        for secret in secrets { #expect(lines.filter { $0.contains(secret) } == [], "\(secret)") }
    }
}
