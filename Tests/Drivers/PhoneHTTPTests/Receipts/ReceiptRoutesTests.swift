import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

@Suite struct ReceiptRoutesTests {
    private static let path = "/v1/receipts/twilio"
    private static let form = "application/x-www-form-urlencoded"

    private static func report(
        to server: TestServer,
        _ body: String = "MessageSid=SM1",
        type: String? = form,
        signature: String? = PlainReportIntake.rightSignature
    ) async throws -> Answer {
        let headers = signature.map { ["X-Twilio-Signature": $0] } ?? [:]
        return try await server.send("POST", path, body, type: type, headers: headers)
    }

    @Test func whatIsGenuineIsTakenFieldByField() async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            let answer = try await Self.report(
                to: server,
                "MessageSid=SM1&MessageStatus=delivered&To=%2B821012345678&Body=a+b%26c&X=2&X=1&Y",
                type: Self.form + "; charset=utf-8"
            )
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            let fields = server.receipts.reports.map { report in report.map { "\($0.name)=\($0.value)" } }
            #expect(
                fields == [
                    [
                        "MessageSid=SM1", "MessageStatus=delivered", "To=+821012345678", "Body=a b&c", "X=2", "X=1",
                        "Y=",
                    ]
                ]
            )
        }
    }

    @Test func whatIsNotSignedIsNotRead() async throws {
        try await TestServer.run { server in
            for signature in [nil, ""] {
                let answer = try await Self.report(to: server, signature: signature)
                answer.expect(403, code: "signature_invalid")
            }
            #expect(server.receipts.reports.isEmpty)
        }
    }

    @Test func whatIsSignedOtherwiseIsRefused() async throws {
        try await TestServer.run { server in
            let answer = try await Self.report(to: server, signature: "d3Jvbmc=")
            answer.expect(403, code: "signature_invalid")
            #expect(server.receipts.reports.count == 1)
        }
    }

    @Test func onlyAFormOfSomeLengthIsRead() async throws {
        var limits = ConnectionLimits.patient
        limits.maxBodyBytes = 1024
        try await TestServer.run(limits: limits) { server in
            let text = try await Self.report(to: server, "{}", type: "text/html")
            #expect(text.status == 415)
            let bare = try await Self.report(to: server, "a=b", type: nil)
            #expect(bare.status == 415)
            let long = "a=" + String(repeating: "b", count: 1023)
            let tooLong = try await Self.report(to: server, long)
            #expect(tooLong.status == 413)
            // More fields than Twilio sends are not even verified.
            let many = (0...100).map { "a=\($0)" }.joined(separator: "&")
            let tooMany = try await Self.report(to: server, many)
            #expect(tooMany.status == 422)
            #expect(server.receipts.reports.isEmpty)
        }
    }

    @Test func whatCannotBeRecordedMayBeReportedAgain() async throws {
        try await TestServer.run { server in
            server.receipts.fail()
            let answer = try await Self.report(to: server)
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "5")
        }
    }

    @Test func whatCannotBeReadIsNoSuccess() async throws {
        try await TestServer.run { server in
            server.receipts.fail(with: UnreadableReport("it is no well-formed JSON"))
            let answer = try await Self.report(to: server, "{", type: "application/json")
            answer.expect(400, code: "invalid_request")
            #expect(
                server.log.lines.contains {
                    $0.hasPrefix("warning: what a gateway sent cannot be read")
                        && $0.contains("error=it is no well-formed JSON") && $0.contains("gateway.name=twilio")
                }
            )
        }
    }

    @Test func withoutAnAddressThereIsNothing() async throws {
        try await TestServer.run(hasReceipts: false) { server in
            let answer = try await Self.report(to: server)
            #expect(answer.status == 404)
        }
    }
}
