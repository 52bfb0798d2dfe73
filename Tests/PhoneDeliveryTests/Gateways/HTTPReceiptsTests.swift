import HangLimit
import OpenSSLCrypto
import PhoneDomain
import PhoneTestSupport
import Testing
import TextEncodings

@testable import PhoneDelivery

@Suite("Reports of any vendor", .hangLimit)
struct HTTPReceiptsTests {
    private static func format() throws -> HTTPReportFormat {
        let (id, state) = (try #require(JSONPointer("/id")), try #require(JSONPointer("/state")))
        return try #require(
            HTTPReportFormat(
                idPointer: id,
                statusPointer: state,
                codePointer: JSONPointer("/error"),
                delivered: ["1", "DELIVRD"],
                undelivered: ["2", "UNDELIV"]
            )
        )
    }

    private static func intake(_ kind: HTTPReportProof.Kind, _ dispatcher: OutboxDispatcher) throws -> HTTPReceipts {
        let proof = HTTPReportProof(
            kind,
            header: "X-Token",
            secret: "0123456789abcdef",
            authenticator: OpenSSLRequestAuthenticator()
        )
        return HTTPReceipts(of: "kannel", try format(), proof: proof, dispatcher: dispatcher)
    }

    private static let right = "0123456789abcdef"

    @Test("a report proves itself by the token, in the header or the query, and by nothing else")
    func token() async throws {
        let world = try await World.withMessage()
        let dispatcher = world.dispatcher([ScriptedGateway("kannel")])
        try await dispatcher.drain()
        let intake = try Self.intake(.token, dispatcher)
        func report(_ state: String, token: String? = nil, signature: String = "") -> GatewayReport {
            let fields = [("id", "kannel-1"), ("state", state)] + (token.map { [("token", $0)] } ?? [])
            return GatewayReport(fields: fields.map { GatewayReport.Field(name: $0, value: $1) }, signature: signature)
        }
        for forged in [
            report("1"), report("1", token: "0123456789abcdeF"), report("1", signature: "Bearer "),
            // What is in the header counts, whatever the query has.
            report("1", token: Self.right, signature: "Bearer x"),
        ] {
            #expect(try await !intake.take(forged))
        }
        #expect(try await intake.take(report("8", token: Self.right)))
        #expect(await world.outbox == ["sent by kannel as kannel-1, attempt 1"])
        #expect(try await intake.take(report("2", signature: "Bearer \(Self.right)")))
        #expect(try await intake.take(report("1", token: Self.right)))
        #expect(await world.outbox == ["undelivered by kannel, attempt 1"])
    }

    @Test("or by the HMAC of its body, in hexadecimal or base64")
    func hmac() async throws {
        let world = try await World.withMessage()
        let dispatcher = world.dispatcher([ScriptedGateway("kannel")])
        try await dispatcher.drain()
        let intake = try Self.intake(.hmac, dispatcher)
        let body = Array(#"{"id":"kannel-1","state":"DELIVRD"}"#.utf8)
        let digest = try OpenSSLRequestAuthenticator().hmacSHA256(of: body, key: Array(Self.right.utf8))
        let (hexadecimal, base64) = (TextEncoding.hexadecimal.encode(digest), digest.base64)

        #expect(try await !intake.take(GatewayReport(body: body, signature: Self.right)))
        #expect(try await !intake.take(GatewayReport(body: body + [0x20], signature: hexadecimal)))
        #expect(await world.outbox == ["sent by kannel as kannel-1, attempt 1"])
        for signature in [hexadecimal, "sha256=\(hexadecimal)", base64] {
            #expect(try await intake.take(GatewayReport(body: body, signature: signature)))
        }
        #expect(await world.outbox == ["delivered by kannel, attempt 1"])
    }

    @Test("a vendor that is asked answers for one message, and one that it does not know is asked for again")
    func polled() async throws {
        let answer = response(200, #"{"state":"UNDELIV","error":7}"#)
        try await FakeVendor.with(.answer(answer)) { vendor in
            let configuration = try HTTPGatewayConfiguration(
                endpoint: try #require(EndpointURL("http://127.0.0.1:\(vendor.port)/send")),
                method: .post,
                format: .json,
                headers: ["Authorization: Bearer {{secret}}", "X-Id: {{id}}"],
                body: #"{"to":"{{to}}","text":"{{body}}"}"#,
                sender: nil,
                secret: "s3cret",
                verdicts: try #require(HTTPGatewayVerdicts()),
                isIdempotent: false
            )
            let gateway = PolledHTTPGateway(
                HTTPGateway(configuration: configuration, connectTimeout: .seconds(5)),
                try Self.format(),
                url: "http://127.0.0.1:\(vendor.port)/messages/{{message_id}}"
            )
            let receipts = try await gateway.receipts(for: ["m 1"])
            #expect(receipts == [])
            let named = try await gateway.receipts(for: ["m1"])
            #expect(named == [DeliveryReceipt(messageID: "m1", outcome: .undelivered(code: 7))])
            let request = HTTPRequestText(try #require(vendor.requests.last))
            #expect(request.target == "/messages/m1")
            #expect(request["authorization"] == "Bearer s3cret")
            #expect(request["x-id"] == nil)
        }
    }
}
