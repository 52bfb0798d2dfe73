import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Reports of any vendor", .hangLimit)
struct HTTPReceiptsTests {
    private static func format(list: String? = nil) throws -> HTTPReportFormat {
        let (id, state) = (try #require(JSONPointer("/id")), try #require(JSONPointer("/state")))
        return try #require(
            HTTPReportFormat(
                listPointer: list.flatMap { JSONPointer($0) },
                idPointer: id,
                statusPointer: state,
                codePointer: JSONPointer("/error"),
                delivered: ["1", "DELIVRD"],
                undelivered: ["2", "UNDELIV"]
            )
        )
    }

    private static func intake(
        _ kind: HTTPReportProof.Kind,
        _ dispatcher: OutboxDispatcher,
        list: String? = nil
    ) throws -> HTTPReceipts {
        let proof = HTTPReportProof(
            kind,
            header: "X-Token",
            secret: "0123456789abcdef",
            authenticator: OpenSSLRequestAuthenticator()
        )
        return HTTPReceipts(of: "kannel", try format(list: list), proof: proof, dispatcher: dispatcher)
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

    private static func report(_ json: JSON) -> GatewayReport { report(json.text) }

    private static func report(_ json: String) -> GatewayReport {
        GatewayReport(body: Array(json.utf8), signature: right)
    }

    @Test(
        "a report finds its message, whatever its ID is, which no log shows unless it is fit for it",
        arguments: [
            "0195-abc:1", "20261128.77", "wamid.HBgMODIxMA==", "<0195@gw>", " a b ", "\"'\\\n", "é😀", "a\u{0}b",
            String(repeating: "m", count: 65), String(repeating: "가", count: 1024), "821012345678", "+82 10-1234-5678",
        ]
    )
    func opaque(id: String) async throws {
        let world = try await World.withMessage()
        let dispatcher = world.dispatcher([ScriptedGateway("kannel", script: [.take(id)])])
        try await dispatcher.drain()
        #expect(try await Self.intake(.token, dispatcher).take(Self.report(["id": .string(id), "state": "2"])))
        #expect(await world.outbox == ["undelivered by kannel, attempt 1"])
        #expect(await world.store.outbox.allSatisfy { $0.gatewayMessageID?.hasPrefix("sha256:") == true })
        #expect(!world.log.lines.contains { $0.contains(id) })
    }

    @Test(
        "all reports of a request count, in a list or without it",
        arguments: [
            ("/results", #"{"results":[{"id":"1","state":"1"},7,{"id":"2","state":"2"},{"id":"1","state":"2"}]}"#),
            ("", #"[{"id":"1","state":"1"},{"state":"2"},{"id":"2","state":"2"},{"id":"3","state":"1"}]"#),
        ]
    )
    func list(pointer: String, body: String) async throws {
        let world = try World()
        for last in 1...3 { try await world.queue("010-1234-567\(last)") }
        let gateway = ScriptedGateway("kannel", script: [.take("1"), .take("2"), .take("4")])
        let dispatcher = world.dispatcher([gateway], configuration: DispatcherConfiguration(maxConcurrentSends: 1))
        try await dispatcher.drain()
        let intake = try Self.intake(.token, dispatcher, list: pointer)
        #expect(try await intake.take(Self.report(body)))
        let both = ["delivered by kannel, attempt 1", "undelivered by kannel, attempt 1"]
        #expect(await world.outbox == both + ["sent by kannel as 4, attempt 1"])
        let one = #"{"id":"4","state":"1","to":"\ud83d"}"#
        #expect(try await intake.take(Self.report(pointer.isEmpty ? one : #"{"results":\#(one)}"#)))
        #expect(await world.outbox == both + ["delivered by kannel, attempt 1"])
    }

    @Test("what cannot be read is no success, and what is no report is logged")
    func unreadable() async throws {
        let world = try World()
        let intake = try Self.intake(.token, world.dispatcher([]), list: "/results")
        let many = JSON.array(Array(repeating: ["id": "1", "state": "1"], count: 1001))
        for body in [#"{"results":[],}"#, #"{"results":["#, "id=1&state=1", (["results": many] as JSON).text, ""] {
            await #expect(throws: UnreadableReport.self) { try await intake.take(Self.report(body)) }
        }
        for body in [#"{"id":"1","state":"1"}"#, #"{"results":[{"id":"","state":"1"}]}"#, "[]", "null"] {
            #expect(try await intake.take(Self.report(body)))
            #expect(
                world.log.lines.last
                    == "notice: What a gateway sent has no message's ID and state [gateway.name=kannel]"
            )
        }
    }

    @Test("a vendor that is asked answers for one message, and one that it does not know is asked for again")
    func polled() async throws {
        let answer = response(200, #"{"state":"UNDELIV","error":7}"#)
        try await FakeVendor.with(.answer(answer)) { vendor in
            let configuration = try HTTPGatewayConfiguration(
                url: try #require(RequestURL("http://127.0.0.1:\(vendor.port)/send")),
                method: .post,
                format: .json,
                headers: ["Authorization: Bearer {{secret}}", "X-Id: {{id}}"],
                body: #"{"to":"{{to}}","text":"{{body}}"}"#,
                sender: nil,
                secret: "s3cret",
                verdicts: try #require(HTTPGatewayVerdicts()),
                isIdempotent: false
            )
            let gateway = HTTPGateway(
                configuration: configuration,
                query: HTTPReceiptQuery(
                    try Self.format(),
                    url: "http://127.0.0.1:\(vendor.port)/messages/{{message_id}}"
                ),
                access: try HTTPGatewayExample.access()
            )
            #expect(gateway.reportsDelivery)
            let named = try await gateway.receipts(for: ["m 1"])
            #expect(named == [DeliveryReceipt(messageID: "m 1", outcome: .undelivered(code: 7))])
            let request = HTTPRequestText(try #require(vendor.requests.last))
            #expect(request.target == "/messages/m%201")
            #expect(request["authorization"] == "Bearer s3cret")
            #expect(request["x-id"] == nil)
        }
    }
}
