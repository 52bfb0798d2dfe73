import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("What is not logged", .hangLimit)
struct SilenceTests {
    @Test("no log line has a code, a text or a number, whatever the results")
    func log() async throws {
        let world = try World()
        for last in 1...6 { try await world.queue("010-1234-567\(last)") }
        let gateway = ScriptedGateway(
            "a",
            script: [
                .take("SM1"), .fail(.retry(after: .seconds(1), "busy", code: 503)), .fail(.refused("bad", code: 21211)),
                .fail(.failover("no money", code: 402)), .fail(.ambiguous("no answer")),
            ]
        )
        let dispatcher = world.dispatcher([gateway])

        try await dispatcher.drain()
        world.advance(by: .seconds(1))
        try await dispatcher.drain()
        try await world.queue("010-1234-5670")
        world.advance(by: .seconds(600))
        try await dispatcher.drain()
        try await world.queue("010-1234-5679")
        try await world.dispatcher([gateway], vault: LockedVault()).drain()
        try await world.queue("010-1234-5678")
        try await world.dispatcher([gateway], renderer: QuotingRenderer()).drain()

        let lines = world.log.lines
        #expect(
            Dictionary(grouping: world.log.messages, by: \.self).mapValues(\.count) == [
                "info: A message was sent": 3,
                "info: A message will be retried": 1,
                "warning: A gateway did not accept a message": 4,
                "warning: A message failed": 4,
                "warning: A message may have been sent": 1,
                "debug: A message was dropped: its code has expired or is no longer needed": 1,
                "error: The code cannot be decrypted": 1,
                "error: The text cannot be rendered": 1,
            ]
        )
        #expect(lines.allSatisfy { $0.contains("phone_number.masked=+82 10-****-567") })
        for secret in ["482913", "valid for", "1012345", "10-1234", "1234-5", "12345"] {
            #expect(lines.filter { $0.contains(secret) } == [], "\(secret)")
        }
    }

    @Test("a log line has the message's ID, the verification's, and the result")
    func metadata() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.fail(.retry("busy", code: 503)), .take("SM1")])
        let dispatcher = world.dispatcher([gateway])

        try await dispatcher.drain()
        world.advance(by: .milliseconds(500))
        try await dispatcher.drain()

        let subject = """
            message.id=msg_00000000000000000000000000000002 %phone_number.masked=+82 10-****-5678 \
            verification.id=ver_00000000000000000000000000000001]
            """
        let due = subject.split(separator: "%").joined(separator: "message.next_attempt_at=2026-01-01T00:00:00.500Z ")
        let plain = subject.split(separator: "%").joined()
        #expect(
            world.log.lines == [
                """
                warning: A gateway did not accept a message [failure.code=503 failure.kind=retry failure.reason=busy \
                gateway.name=a message.attempt=1 \(plain)
                """,
                "info: A message will be retried [message.attempt=1 \(due)",
                "info: A message was sent [gateway.message_id=SM1 gateway.name=a message.attempt=2 \(plain)",
            ]
        )
    }

    @Test("a gateway's message shows neither its text nor the number")
    func message() throws {
        let message = try vendorMessage()
        #expect("\(message)" == "GatewayMessage(msg_1, to: +82 10-****-5678)")
        #expect(String(reflecting: message) == "GatewayMessage(msg_1, to: +82 10-****-5678)")
        for secret in ["482913", "12345678"] { #expect(!everythingShown(of: message).contains(secret)) }
    }
}
