import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneNumbers
import PhoneSignup
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
        .status(200, #"{"status":"rejected"}"#, refused(200).detailed("rejected")),
        .status(200, #"{"error":{"code":"bad_number"}}"#, wrongNumber(200).detailed("bad_number")),
        .status(200, #"{"error":{"code":"whatever"}}"#, refused(200).detailed("whatever")),
        .status(200, #"{"status":"4001"}"#, wrongNumber(4001)),
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
                url: try #require(RequestURL("http://127.0.0.1:\(port)/")),
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
                let gateway = HTTPGateway(configuration: configuration, access: try HTTPGatewayExample.access())
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

    @Test("a vendor with templates has the code and its template, and no text; a notice is never sent to it")
    func templates() async throws {
        try await FakeVendor.with(.answer(response(200, #"{"error":{"code":482913}}"#))) { vendor in
            let entries = ["*=T1", "en=T2"].compactMap(VendorTemplates.Entry.init)
            let gateway = HTTPGateway(
                configuration: try HTTPGatewayConfiguration(
                    url: try #require(
                        RequestURL(
                            "http://127.0.0.1:\(vendor.port)/{{to_digits}}/?q={{service}}%20{{code}}&at={{date}}"
                        )
                    ),
                    method: .post,
                    format: .form,
                    headers: ["X-Template: {{template}}", "X-Time: {{unix_time}} {{iso_time}}", "X-Nonce: {{nonce}}"],
                    body: "code={{code}}&minutes={{minutes}}&service={{service}}",
                    sender: nil,
                    secret: nil,
                    templates: VendorTemplates(entries),
                    verdicts: try #require(
                        HTTPGatewayVerdicts(
                            successPointer: JSONPointer("/ok"),
                            successValues: ["true"],
                            codes: .init(pointer: JSONPointer("/error/code"), refuse: ["482913"])
                        )
                    ),
                    isIdempotent: false
                ),
                access: try HTTPGatewayExample.access()
            )
            let message = GatewayMessage(
                dedupeKey: "msg_1",
                to: try PhoneNumber(e164: "+821012345678"),
                body: "Never this",
                language: .english,
                variables: MessageVariables(code: "482913", service: "A&B/é", minutes: 3)
            )
            await #expect(throws: Self.wrongNumber(482_913).concealing("482913")) { try await gateway.send(message) }
            await #expect(throws: GatewayFailure.failover("the gateway takes messages with a code alone")) {
                try await gateway.send(try vendorMessage())
            }
            #expect(vendor.requests.count == 1)
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request.target == "/821012345678/?q=A%26B%2F%C3%A9%20482913&at=2023-10-26")
            #expect(request.body == "code=482913&minutes=3&service=A%26B%2F%C3%A9")
            #expect(request["x-template"] == "T2")
            #expect(request["x-time"] == "1698315752 2023-10-26T10:22:32Z")
            #expect(request["x-nonce"] == "00000000000000000000000000000001")
        }
    }

    @Test("a vendor that answers with the code is not quoted")
    func quotes() async throws {
        let answer = response(200, #"{"status":"no","error":{"code":"bad:482913"}}"#)
        let number = response(400, #"{"error":{"code":482913}}"#)
        for (answer, status) in [(answer, 200), (number, 400)] {
            try await FakeVendor.with(.answer(answer)) { vendor in
                let gateway = try HTTPGatewayExample.json(port: vendor.port)
                var failure: GatewayFailure?
                do throws(GatewayFailure) { _ = try await gateway.send(try! vendorMessage(isNotice: false)) } catch {
                    failure = error
                }
                #expect(failure?.text == "the gateway refused the message", "\(status)")
            }
        }
    }

    private static func signed(
        _ lines: [String],
        url: String,
        host: String,
        body: String = "",
        secret: String,
        at seconds: Int64
    ) throws -> SignedRequest {
        let values = RequestValues(
            message: try vendorMessage(isNotice: false),
            sender: "",
            secret: secret,
            template: "",
            moment: Timestamp(seconds: seconds),
            nonce: "3156853299f313e23d1673dc12e1703d"
        )
        return try SignedRequest(
            values,
            url: url,
            host: host,
            body: body,
            try RequestDigest.all(lines),
            OpenSSLRequestAuthenticator()
        )
    }

    @Test("Aliyun's example is signed as its documentation says")
    func aliyun() throws {
        let names = "host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version"
        let request = try Self.signed(
            [
                "content sha256: {{request_body}}",
                """
                request sha256:
                POST
                /
                {{request_query}}
                host:{{request_host}}
                x-acs-action:RunInstances
                x-acs-content-sha256:{{content}}
                x-acs-date:{{iso_time}}
                x-acs-signature-nonce:{{nonce}}
                x-acs-version:2014-05-26

                \(names)
                {{content}}
                """,
                "signature hmac_sha256 {{secret}}: ACS3-HMAC-SHA256\n{{request}}",
            ],
            url: "https://ecs.cn-shanghai.aliyuncs.com/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd"
                + "&RegionId=cn-shanghai",
            host: "ecs.cn-shanghai.aliyuncs.com",
            secret: "YourAccessKeySecret",
            at: 1_698_315_752
        )
        // https://www.alibabacloud.com/help/en/sdk/product-overview/v3-request-structure-and-signature
        #expect(
            request[.digest("signature", isBase64: false)]
                == "06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
        )
    }

    @Test("Tencent's example is signed as its documentation says, with a key derived for the day")
    func tencent() throws {
        let request = try Self.signed(
            [
                "content sha256: {{request_body}}",
                """
                request sha256: POST
                /

                content-type:application/json; charset=utf-8
                host:{{request_host}}

                content-type;host
                {{content}}
                """,
                "day hmac_sha256 TC3{{secret}}: {{date}}", "service_key hmac_sha256 {{day}}: cvm",
                "key hmac_sha256 {{service_key}}: tc3_request",
                "signature hmac_sha256 {{key}}: TC3-HMAC-SHA256\n{{unix_time}}\n{{date}}/cvm/tc3_request\n{{request}}",
            ],
            url: "https://cvm.tencentcloudapi.com/",
            host: "cvm.tencentcloudapi.com",
            body: #"{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}"#,
            secret: "Gu5t9xGARNpq86cd98joQYCN3*******",
            at: 1_551_113_065
        )
        // https://cloud.tencent.com/document/api/213/30654
        #expect(
            request[.digest("signature", isBase64: false)]
                == "2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c"
        )
    }

    @Test("a signature may be of SHA-1 and in base64")
    func base64() throws {
        // RFC 2202, test case 2.
        let request = try Self.signed(
            ["mac hmac_sha1 {{secret}}: what do ya want for nothing?"],
            url: "https://sms.example.com",
            host: "sms.example.com",
            secret: "Jefe",
            at: 0
        )
        #expect(request[.digest("mac", isBase64: false)] == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
        #expect(request[.digest("mac", isBase64: true)] == "7/zfauXrL6LSdBbV8YTfnCWafHk=")
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
            let world = try await World.withMessage()
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
