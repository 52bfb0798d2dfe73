import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to WhatsApp", .hangLimit)
struct WhatsAppGatewayTests {
    private static let id = "wamid.HBgMODIxMDEyMzQ1Njc4FQIAERgSQTI="
    private static let taken = response(
        200,
        #"{"messaging_product":"whatsapp","contacts":[{"input":"+821012345678","wa_id":"821012345678"}],"#
            + #""messages":[{"id":"\#(id)","message_status":"accepted"}]}"#
    )

    static func gateway(port: Int) throws -> WhatsAppGateway {
        WhatsAppGateway(
            account: try #require(WhatsAppAccount(phoneNumberID: "106540352242922", accessToken: "t0ken")),
            template: try #require(WhatsAppTemplate(name: "login_code", languages: ["en_US", "ko"])),
            reportsDelivery: true,
            access: try vendorAccess(port: port, path: "/v23.0")
        )
    }

    @Test("the request is the template's, in a language that it has")
    func request() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let receipt = try await Self.gateway(port: vendor.port).send(vendorMessage(isNotice: false))

            #expect(receipt == GatewayReceipt(messageID: Self.id))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request.target == "/v23.0/106540352242922/messages")
            #expect(request["authorization"] == "Bearer t0ken")
            let body = try #require(JSON(parsing: request.body))
            #expect(body["to"]?.string == "+821012345678")
            #expect(body["template"]?["language"]?["code"]?.string == "en_US")
            let components = try #require(body["template"]?["components"]?.array)
            #expect(components.count == 2)
            for component in components {
                #expect(component["parameters"]?.array?.compactMap { $0["text"]?.string } == ["482913"])
            }
        }
    }

    static let answers: [VendorAnswer] = [
        .status(400, #"{"error":{"code":131026}}"#, .refused("the number is not on WhatsApp", code: 131_026)),
        .status(400, #"{"error":{"code":132001}}"#, .failover("the template was refused", code: 132_001)),
        .status(400, #"{"error":{"code":131056}}"#, .busy("the gateway is busy", code: 131_056)),
        .status(401, #"{"error":{"code":190}}"#, .failover("the account was refused", code: 190)),
        .status(500, #"{"error":{"code":131016}}"#, .retry("the gateway is down", code: 131_016)),
        .status(400, #"{"error":{"code":999}}"#, .failover("the gateway refused the message", code: 400)),
        .status(200, #"{"messages":[]}"#, VendorAnswer.unnamed(200)),
    ]

    private static func status(_ status: String) -> String {
        #"{"entry":[{"changes":[{"value":{"statuses":[{"id":"\#(id)","status":"\#(status)","errors":[{"code":131026}]}]}}]}]}"#
    }

    @Test("a status counts once its signature is that of the app's secret, and nothing that is near it")
    func receipts() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("whatsapp", script: [.take(Self.id)])
        let dispatcher = world.dispatcher([gateway])
        try await dispatcher.drain()
        let intake = WhatsAppReceipts(
            secret: "app-secret",
            verifyToken: "word",
            authenticator: OpenSSLRequestAuthenticator(),
            dispatcher: dispatcher
        )
        func report(_ body: String, key: String = "app-secret") throws -> GatewayReport {
            let digest = try OpenSSLRequestAuthenticator().hmacSHA256(of: Array(body.utf8), key: Array(key.utf8))
            return GatewayReport(body: Array(body.utf8), signature: "sha256=" + TextEncoding.hexadecimal.encode(digest))
        }

        #expect(try await !intake.take(report(Self.status("delivered"), key: "other")))
        #expect(try await intake.take(report(Self.status("sent"))))
        // By sha256sum(1): the ID has the number in base64.
        #expect(await world.outbox == ["sent by whatsapp as sha256:d0ba037eef1215eaa0558035f7c16a12, attempt 1"])
        for cut in [#"{"entry":[],}"#, #"{"entry":["#, ""] {
            await #expect(throws: UnreadableReport.self) { try await intake.take(report(cut)) }
        }
        #expect(
            try await intake.take(report(Self.status("failed").replacing(#""id""#, with: #""name":"\ud83d","id""#)))
        )
        // Late, and a contradiction.
        #expect(try await intake.take(report(Self.status("delivered"))))
        #expect(await world.outbox == ["undelivered by whatsapp, attempt 1"])

        func challenge(_ token: String, _ text: String = "1158201444") -> String? {
            let fields = [("hub.mode", "subscribe"), ("hub.verify_token", token), ("hub.challenge", text)]
            return intake.answer(
                to: GatewayReport(fields: fields.map { GatewayReport.Field(name: $0, value: $1) }, signature: "")
            )
        }
        #expect(challenge("word") == "1158201444")
        #expect(challenge("other") == nil)
        #expect(challenge("word", "<script>") == nil)
    }
}
