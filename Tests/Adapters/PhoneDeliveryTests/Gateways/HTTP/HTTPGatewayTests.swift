import CoreEncodings
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to any vendor", .hangLimit)
struct HTTPGatewayTests {
    private static func refused(_ code: Int) -> GatewayFailure {
        .failover("the gateway refused the message", code: code)
    }

    private static func wrongNumber(_ code: Int) -> GatewayFailure {
        .refused("the gateway refused the number", code: code)
    }

    private static let unclear =
        GatewayFailure.ambiguous("the response does not say whether the message was accepted", code: 200)

    @Test("a vendor's own code is kept, and its sentences, which may quote the number, are not")
    func vendorCode() {
        let failure = GatewayFailure.refused("the gateway refused the number", code: 400)
        #expect(failure.text == "the gateway refused the number (400)")
        #expect(failure.detailed("bad_number").text == "the gateway refused the number (400, bad_number)")
        for word in [
            "400", "", "bad number", "+821012345678", "to:821012345678", "to_1234567", "<i>", "x\n", "번호",
            String(repeating: "x", count: 41),
        ] {
            #expect(failure.detailed(word) == failure, "\(word)")
        }
    }

    static let jsonAnswers: [VendorAnswer] = [
        .status(200, #"{"status":"rejected"}"#, refused(200)),
        .status(200, #"{"status":"no","error":{"code":"bad_number"}}"#, wrongNumber(200).detailed("bad_number")),
        .status(400, #"{"error":{"code":4001}}"#, wrongNumber(4001)),
        .status(
            403,
            #"{"error":{"code":"throttled"}}"#,
            headers: "Retry-After: 7",
            .busy(after: .seconds(7), "the gateway is busy", code: 403).detailed("throttled")
        ),
        .status(400, #"{"error":{"code":"whatever"}}"#, refused(400).detailed("whatever")),
        .status(
            500,
            #"{"error":{"code":"bad_number"}}"#,
            .retry("the gateway is down", code: 500).detailed("bad_number")
        ),
        // These statuses are configured.
        .status(423, "", .busy("the gateway is busy", code: 423)), .status(501, "", refused(501)),
        .status(422, "", wrongNumber(422)),
        .status(200, #"{"messages":[{"id":"m-1"}]}"#, unclear), .status(200, #"{"status":{"ok":true}}"#, unclear),
        .status(200, "7", unclear),
        .status(200, #"{"status":"ok","messages":[]}"#, VendorAnswer.unnamed(200)),
        .status(200, #"{"status":"ok","messages":[{"id":""}]}"#, VendorAnswer.unnamed(200)),
    ]

    static let formAnswers: [VendorAnswer] = [
        .status(200, #"{"result_code":-101,"message":"인증오류입니다."}"#, refused(-101)),
        .status(200, #"{"result_code":"-201"}"#, wrongNumber(-201)),
        .status(200, #"{"result_code":-901}"#, .busy("the gateway is busy", code: -901)),
    ]

    private static let taken = response(200, #"{"status":"ok","messages":[{"id":"m-1"}]}"#)

    @Test("a vendor of JSON has what it wants, and no value breaks out of its place")
    func json() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try HTTPGatewayExample.json(port: vendor.port)

            let receipt = try await gateway.send(try vendorMessage("482913\", \"to\": [\"+1\n\\인증{{to}}"))

            #expect(receipt == GatewayReceipt(messageID: "m-1"))
            let body =
                #"{"from": "Acme \"Inc\"", "to": ["+821012345678"], "text": "482913\", \"to\": [\"+1\n\\인증{{to}}", "#
                + #""lang": "en"}"#
            let lines = try #require(vendor.requests.first).split(separator: "\r\n").map(String.init)
            #expect(
                lines.sorted()
                    == [
                        "Accept: application/json",
                        "Authorization: Bearer s3cret",
                        "Content-Length: \(body.utf8.count)",
                        "Content-Type: application/json",
                        "Idempotency-Key: \"msg_1\"",
                        "PUT /v1/messages?account=7 HTTP/1.1",
                        "host: 127.0.0.1:\(vendor.port)",
                        body,
                    ].sorted()
            )
            #expect(vendor.requests.count == 1)
        }
    }

    @Test("a vendor of forms has what it wants")
    func form() async throws {
        try await FakeVendor.with(
            .answer(response(200, #"{"result_code":1,"message":"success","msg_id":123456789}"#))
        ) { vendor in
            let gateway = try HTTPGatewayExample.form(port: vendor.port)

            let receipt = try await gateway.send(try vendorMessage("482913&sender=1+%\n인증"))

            #expect(receipt == GatewayReceipt(messageID: "123456789"))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request["content-type"] == "application/x-www-form-urlencoded")
            #expect(
                request.body
                    == "key=k%2Be%3Dy%261&user_id=acme&sender=0212345678&receiver=01012345678&msg=%5BAcme%5D%20482913%26sender"
                    + "%3D1%2B%25%0A%EC%9D%B8%EC%A6%9D&msg_type=SMS"
            )
        }
    }

    @Test("a vendor of XML, and one of bare text, have what they want")
    func xmlAndText() async throws {
        func configuration(_ format: RequestFormat, _ body: String, _ port: Int) throws -> HTTPGatewayConfiguration {
            try HTTPGatewayConfiguration(
                endpoint: try #require(EndpointURL("http://127.0.0.1:\(port)/")),
                method: .post,
                format: format,
                headers: [
                    "Authorization: Basic {{secret_base64}}", "content-type: text/xml", "X-To: {{to_digits}}",
                ],
                body: body,
                sender: nil,
                secret: "user:pass",
                verdicts: try #require(HTTPGatewayVerdicts()),
                isIdempotent: false
            )
        }
        try await FakeVendor.with(.answer("HTTP/1.1 204 No Content\r\n\r\n")) { vendor in
            let message = try vendorMessage("<482913> & \"'\n\u{1}")
            let xml = try configuration(.xml, "<sms to='{{to}}'><text>{{body}}</text></sms>", vendor.port)
            let text = try configuration(.text, "{{to_national}}\n{{body}}", vendor.port)
            for configuration in [xml, text] {
                let gateway = HTTPGateway(configuration: configuration, connectTimeout: .seconds(5))
                // The vendor gives it no name.
                #expect(try await gateway.send(message) == GatewayReceipt(messageID: "msg_1"))
            }
            let requests = vendor.requests.map(HTTPRequestText.init)
            #expect(
                requests.map(\.body) == [
                    "<sms to='+821012345678'><text>&lt;482913&gt; &amp; &quot;&apos;&#10;\u{FFFD}</text></sms>",
                    "01012345678\n<482913> & \"'\n\u{1}",
                ]
            )
            for request in requests {
                // Of user:pass.
                #expect(request["authorization"] == "Basic dXNlcjpwYXNz")
                #expect(request.headers.filter { $0.name == "content-type" }.map(\.value) == ["text/xml"])
                #expect(request["x-to"] == "821012345678")
            }
        }
    }

    @Test("no value can make a second header")
    func headerInjection() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let message = GatewayMessage(
                dedupeKey: "msg_1\r\nX-Evil: 1\r\n\r\nPUT / HTTP/1.1",
                to: try PhoneNumber(e164: "+821012345678"),
                body: "482913",
                language: .english
            )
            _ = try await HTTPGatewayExample.json(port: vendor.port).send(message)
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request["idempotency-key"] == "\"msg_1X-Evil: 1PUT / HTTP/1.1\"")
            #expect(request["x-evil"] == nil)
            #expect(vendor.requests.count == 1)
        }
    }

    @Test("an ID is opaque, and half a character beside it costs nothing")
    func oddName() async throws {
        let odd = response(200, #"{"status":"queued","echo":"Kim \ud83d","messages":[{"id":"a b\n"}]}"#)
        try await FakeVendor.with(.answer(odd)) { vendor in
            let receipt = try await HTTPGatewayExample.json(port: vendor.port).send(try vendorMessage())
            #expect(receipt == GatewayReceipt(messageID: "a b\n"))
        }
    }

    @Test("a message that got no answer is sent again, byte for byte, where the vendor promises to send it once")
    func idempotent() async throws {
        try await FakeVendor.with(.answerAndClose("")) { vendor in
            let world = try World()
            try await world.queue()
            let gateway = try HTTPGatewayExample.json(port: vendor.port, isIdempotent: true)

            let configuration = DispatcherConfiguration(maxAttempts: 2)
            try await world.dispatcher([gateway], configuration: configuration, jitter: 0).drain()

            #expect(await world.outbox == ["unknown at http, attempt 2"])
            let requests = vendor.requests.map(HTTPRequestText.init)
            let key = "\"msg_00000000000000000000000000000002\""
            #expect(requests.map { $0["idempotency-key"] } == [key, key])
            #expect(Set(requests.map(\.body)).count == 1)
        }
    }
}
