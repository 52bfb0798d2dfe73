import CoreEncodings
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to Twilio", .hangLimit)
struct TwilioGatewayTests {
    private static let digits = String(repeating: "a1", count: 16)
    private static let sid = "SM0123456789abcdef0123456789abcdef"
    static let taken = response(
        201,
        #"{"sid":"\#(sid)","status":"queued","error_code":null,"error_message":null}"#
    )

    private static func refusal(_ status: Int, code: Int, _ failure: GatewayFailure) -> VendorAnswer {
        .status(status, #"{"code":\#(code),"message":"+821012345678: no","more_info":"x","status":400}"#, failure)
    }

    private static func message(_ state: String, _ failure: GatewayFailure) -> VendorAnswer {
        .status(201, #"{"sid":"\#(sid)",\#(state)}"#, failure)
    }

    static let answers: [VendorAnswer] = [
        refusal(400, code: 21211, .refused("no such number", code: 21211)),
        refusal(400, code: 21610, .refused("the recipient has opted out", code: 21610)),
        refusal(400, code: 21612, .failover("the sender cannot reach the number", code: 21612)),
        refusal(400, code: 21614, .refused("the number cannot receive text messages", code: 21614)),
        refusal(400, code: 21617, .refused("the text is too long", code: 21617)),
        refusal(400, code: 21408, .failover("the gateway does not serve the country", code: 21408)),
        refusal(400, code: 21606, .failover("the sender was refused", code: 21606)),
        refusal(401, code: 20003, .failover("the account was refused", code: 20003)),
        refusal(404, code: 20404, .failover("the account was refused", code: 20404)),
        refusal(400, code: 21611, .busy("the gateway is busy", code: 21611)),
        refusal(429, code: 20429, .busy("the gateway is busy", code: 20429)),
        refusal(400, code: 99999, .failover("the gateway refused the message", code: 99999)),
        .status(400, "[1]", .failover("the gateway refused the message", code: 400)),
        .status(
            503,
            "",
            headers: "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT",
            .retry("the gateway is down", code: 503)
        ),
        .status(
            503,
            "",
            headers: "Retry-After: 9999999999",
            .retry(after: .seconds(86_400), "the gateway is down", code: 503)
        ),
        .status(500, #"{"code":20500}"#, .retry("the gateway is down", code: 500)),
        .cut("HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\n{", .retry("the gateway is down", code: 500)),
        // A success with an error in it.
        message(#""status":"failed","error_code":21610"#, .refused("the recipient has opted out", code: 21610)),
        message(
            #""status":"undelivered","error_code":"30007""#,
            .failover("the gateway refused the message", code: 30007)
        ),
        message(#""status":"failed","error_code":null"#, .failover("the gateway refused the message")),
        message(#""error_code":21211"#, .refused("no such number", code: 21211)),
        message(#""status":"queued","error_code":30001"#, .ambiguous("the response contradicts itself", code: 30001)),
        message(#""status":"queued","error_code":{}"#, .ambiguous("the response contradicts itself")),
        .status(200, #"{"code":20003,"message":"no","status":401}"#, .failover("the account was refused", code: 20003)),
        .status(201, #"{"status":"queued"}"#, VendorAnswer.unnamed(201)),
        .status(201, #"{"sid":""}"#, VendorAnswer.unnamed(201)),
        .status(201, #"{"sid":7}"#, VendorAnswer.unnamed(201)),
        .status(201, "<html>", VendorAnswer.malformed(201)), .status(201, "[]", VendorAnswer.malformed(201)),
        .status(204, "", VendorAnswer.malformed(204)),
        message(#""x":"\#(String(repeating: "x", count: 10_000_000))""#, VendorAnswer.malformed(201)),
        .cut("HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{\"sid\":\"SM", VendorAnswer.malformed(201)),
        .cut("SSH-2.0-OpenSSH_9.2\r\n\r\n", VendorAnswer.closed),
    ]

    static func gateway(
        port: Int,
        scheme: String = "http",
        host: String = "127.0.0.1",
        from sender: String = "+15005550006",
        senders: [RatedSender<TwilioSender>] = [],
        contentSID: String? = nil,
        statusCallback: EndpointURL? = nil,
        reportsEntries: Bool = false
    ) throws -> TwilioGateway {
        TwilioGateway(
            account: try #require(TwilioAccount(sid: "AC" + digits, authToken: "t0ken")),
            sender: try #require(TwilioSender(sender)),
            senders: senders,
            channels: [.sms, .call, .whatsapp],
            contentSID: contentSID.flatMap(TwilioContentSID.init),
            address: try #require(EndpointURL(base: "\(scheme)://\(host):\(port)/")),
            statusCallback: statusCallback,
            reportsEntries: reportsEntries,
            connectTimeout: .seconds(5)
        )
    }

    @Test("a call is Twilio's Calls API with the words in TwiML, and WhatsApp an approved template with the code")
    func channels() async throws {
        let content = "HX" + String(repeating: "0f", count: 16)
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port, contentSID: content)
            var message = try vendorMessage("Your code <&>:\n4, 8.", isNotice: false)
            for channel in [Channel.call, .whatsapp, .rcs] {
                message.channel = channel
                _ = try await gateway.send(message)
            }
            let requests = vendor.requests.map(HTTPRequestText.init)
            let account = "/2010-04-01/Accounts/AC\(Self.digits)"
            let messages = "\(account)/Messages.json"
            #expect(requests.map(\.target) == ["\(account)/Calls.json", messages, messages])
            let twiml =
                "<Response><Say language=\"en-US\">Your code &lt;&amp;&gt;:</Say><Pause length=\"1\"/>"
                + "<Say language=\"en-US\">4, 8.</Say></Response>"
            #expect(requests[0].body == "To=%2B821012345678&From=%2B15005550006&Twiml=" + twiml.percentEncoded)
            #expect(
                requests[1].body
                    == "To=whatsapp%3A%2B821012345678&From=whatsapp%3A%2B15005550006&ContentSid=\(content)"
                    + "&ContentVariables=" + #"{"1":"482913"}"#.percentEncoded
            )
            // Twilio itself sends an SMS where there is no RCS, unless it is addressed to RCS alone.
            #expect(requests[2].body.hasPrefix("To=%2B821012345678&From=%2B15005550006&Body="))
        }
    }

    @Test("without a template there is no WhatsApp, and a number that is not on it is refused")
    func noWhatsApp() async throws {
        let refusal = response(400, #"{"code":63024,"message":"x","status":400}"#)
        try await FakeVendor.with(.answer(refusal)) { vendor in
            var message = try vendorMessage(isNotice: false)
            message.channel = .whatsapp
            let content = "HX" + String(repeating: "0f", count: 16)
            let (without, with) = (
                try Self.gateway(port: vendor.port), try Self.gateway(port: vendor.port, contentSID: content)
            )
            let asked = message
            await #expect(throws: GatewayFailure.failover("there is no template")) { try await without.send(asked) }
            await #expect(throws: GatewayFailure.refused("the number is not on WhatsApp", code: 63024)) {
                try await with.send(asked)
            }
        }
    }

    @Test(
        "the request is Twilio's, with the account's secret, the sender and the text",
        arguments: [
            ("+15005550006", "From=%2B15005550006"), ("Acme Inc", "From=Acme%20Inc"),
            ("MG" + String(repeating: "0f", count: 16), "MessagingServiceSid=MG" + String(repeating: "0f", count: 16)),
        ]
    )
    func request(sender: String, field: String) async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port, from: sender)

            let receipt = try await gateway.send(try vendorMessage("인증번호 482913 & @a.b #c+d\n~"))

            #expect(receipt == GatewayReceipt(messageID: Self.sid))
            let body =
                "To=%2B821012345678&\(field)&Body=%EC%9D%B8%EC%A6%9D%EB%B2%88%ED%98%B8%20482913%20%26%20%40a.b%20"
                + "%23c%2Bd%0A~"
            let lines = try #require(vendor.requests.first).split(separator: "\r\n").map(String.init)
            #expect(
                lines.sorted() == [
                    "Accept: application/json",
                    // Of AC and sixteen times a1, a colon and t0ken.
                    "Authorization: Basic QUNhMWExYTFhMWExYTFhMWExYTFhMWExYTFhMWExYTFhMTp0MGtlbg==",
                    "Content-Length: \(body.utf8.count)",
                    "Content-Type: application/x-www-form-urlencoded",
                    "POST /2010-04-01/Accounts/AC\(Self.digits)/Messages.json HTTP/1.1",
                    body,
                    "host: 127.0.0.1:\(vendor.port)",
                ]
            )
            #expect(vendor.requests.count == 1)
        }
    }

    @Test("a redirect is not followed: the secret is for one address", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        try await FakeVendor.with(.answer(Self.taken)) { other in
            let location = "Location: http://127.0.0.1:\(other.port)/2010-04-01"
            try await FakeVendor.with(.answer(response(status, "", location))) { vendor in
                let gateway = try Self.gateway(port: vendor.port)

                await #expect(throws: GatewayFailure.failover("the gateway redirected the request", code: status)) {
                    try await gateway.send(try vendorMessage())
                }
                #expect(other.connections == 0)
            }
        }
    }

    @Test("without a listener, or without such a host, the message was not sent and is retried")
    func unreachable() async throws {
        let port = try await FakeVendor.with(.hang) { $0.port }
        for (gateway, cause) in [
            (try Self.gateway(port: port), "connection refused, 127.0.0.1:\(port)"),
            (try Self.gateway(port: port, host: "gateway.invalid"), "its name is unknown, gateway.invalid:\(port)"),
        ] {
            let world = try await World.withMessage()

            try await world.dispatcher([gateway]).drain()

            #expect(await world.outbox == ["queued for +0.5 seconds, attempt 1"])
            #expect(
                await world.store.outbox.map(\.failure) == [
                    "twilio: the gateway cannot be reached (\(cause))"
                ]
            )
        }
    }

    @Test("a connection that is reset or speaks no TLS, before the request could go, loses nothing")
    func noSecureConnection() async throws {
        for behavior in [FakeVendor.Behavior.resetUnread, .answerUnread("HTTP/1.1 400 Bad Request\r\n\r\n")] {
            try await FakeVendor.with(behavior) { vendor in
                let gateway = try Self.gateway(port: vendor.port, scheme: "https")

                let failure = await #expect(throws: GatewayFailure.self) {
                    try await gateway.send(try vendorMessage())
                }
                #expect(failure?.kind == .retry)
                #expect(vendor.connections == 1)
            }
        }
    }

    @Test("of a gateway that hangs within its answer the result is unknown")
    func hangInAnswer() async throws {
        try await FakeVendor.with(
            .answer("HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{\"sid\":\"\(Self.sid)\"")
        ) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            let sending = Task { try await gateway.send(try vendorMessage()) }
            try await vendor.hasRead(1)
            sending.cancel()

            let failure = await #expect(throws: GatewayFailure.self) { try await sending.value }
            #expect(failure?.kind == .ambiguous)
        }
    }

    @Test("one that hangs before the request could be sent is retried")
    func hangInHandshake() async throws {
        try await FakeVendor.with(.hang) { vendor in
            let world = try await World.withMessage()
            let gateway = try Self.gateway(port: vendor.port, scheme: "https")
            async let drained: Void = world.dispatcher([gateway]).drain()

            try await vendor.hasAccepted(1)
            try await world.pass(10)
            try await drained

            #expect(await world.outbox == ["queued for +10.5 seconds, attempt 1"])
            #expect(
                await world.store.outbox.map(\.failure) == [
                    "twilio: the gateway was not reached in time (127.0.0.1:\(vendor.port))"
                ]
            )
        }
    }

    @Test("many messages go at once, each once")
    func manyAtOnce() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            try await atOnce(100) { index in _ = try await gateway.send(try vendorMessage("\(index)")) }
            let bodies = vendor.requests.map { $0.split(separator: "Body=").last.map(String.init) ?? "" }
            #expect(Set(bodies) == Set((0..<100).map(String.init)))
            #expect(bodies.count == 100)
        }
    }

    private static let accounts: [(sid: String, token: String, isOne: Bool)] = [
        ("AC\(digits)", "t0ken", true), ("AC\(digits)", "", false), ("AC\(digits)", "to ken", false),
        ("AC\(digits)", "tökén", false), ("AC\(digits)", String(repeating: "x", count: 128), true),
        ("AC\(digits)", String(repeating: "x", count: 129), false), ("SK\(digits)", "t0ken", false),
        ("AC\(digits.dropLast())F", "t0ken", true), ("AC\(digits.dropLast())", "t0ken", false),
        ("AC\(digits)0", "t0ken", false), ("AC\(digits.dropLast())g", "t0ken", false),
        ("AC\(digits.dropLast())/", "t0ken", false), ("", "t0ken", false),
    ]

    @Test("an account is AC, 32 hexadecimal digits and a token, which it does not show", arguments: accounts)
    func account(sid: String, token: String, isOne: Bool) {
        let account = TwilioAccount(sid: sid, authToken: token)
        #expect((account != nil) == isOne)
        guard let account else { return }
        #expect("\(account)" == sid)
        #expect(!everythingShown(of: account).contains(token))
    }

    private static let senders: [(text: String, isOne: Bool)] = [
        ("+15005550006", true), ("+1234567", true), ("+123456", false), ("+1234567890123456", false),
        ("+01234567", false), ("++1234567", false), ("12345", true), ("12", false), ("123456789", false),
        ("MG\(digits)", true), ("MG\(digits.dropLast())", false), ("Acme", true), ("Acme Inc 24", true),
        ("Acme Inc 245", false), (" Acme", false), ("Acme ", false), ("에이스", false), ("A-B", false), ("", false),
        ("A&To=", false),
    ]

    @Test("a sender is a number, a short code, a messaging service or a short name", arguments: senders)
    func sender(text: String, isOne: Bool) {
        #expect((TwilioSender(text)?.description == text) == isOne)
    }
}
