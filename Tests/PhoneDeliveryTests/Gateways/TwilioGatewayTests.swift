import PhoneDelivery
import PhoneDomain
import PhoneTestSupport
import Testing

@Suite("The gateway to Twilio", .timeLimit(.minutes(1)))
struct TwilioGatewayTests {
    static let sid = "SM0123456789abcdef0123456789abcdef"
    static let taken = json(
        "201 Created",
        #"{"sid":"\#(sid)","status":"queued","error_code":null,"error_message":null}"#
    )

    /// A whole answer.
    static func json(_ status: String, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    static func gateway(
        port: Int,
        scheme: String = "http",
        host: String = "127.0.0.1",
        from sender: String = "+15005550006"
    ) throws -> TwilioGateway {
        TwilioGateway(
            account: try #require(TwilioAccount(sid: "AC" + String(repeating: "a1", count: 16), authToken: "t0ken")),
            sender: try #require(TwilioSender(sender)),
            address: try #require(GatewayAddress("\(scheme)://\(host):\(port)/")),
            connectTimeout: .seconds(5)
        )
    }

    private func message(_ body: String = "482913 is your code") throws -> GatewayMessage {
        GatewayMessage(
            dedupeKey: "msg_1",
            to: try PhoneNumber(e164: "+821012345678"),
            body: body,
            language: .english
        )
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

            let receipt = try await gateway.send(try message("인증번호 482913 & @a.b #c+d\n~"))

            #expect(receipt == GatewayReceipt(messageID: Self.sid))
            let account = "AC" + String(repeating: "a1", count: 16)
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
                    "POST /2010-04-01/Accounts/\(account)/Messages.json HTTP/1.1",
                    body,
                    "host: 127.0.0.1:\(vendor.port)",
                ]
            )
            #expect(vendor.requests.count == 1)
        }
    }

    typealias Case = (name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String)

    private static func refusal(_ status: String, code: Int) -> FakeVendor.Behavior {
        .answer(json(status, #"{"code":\#(code),"message":"+821012345678: no","more_info":"x","status":400}"#))
    }

    private static let refusals: [Case] = [
        ("21211", refusal("400 Bad Request", code: 21211), .refused("no such number", code: 21211), "failed"),
        (
            "21610", refusal("400 Bad Request", code: 21610), .refused("the recipient wants no messages", code: 21610),
            "failed"
        ),
        (
            "21612", refusal("400 Bad Request", code: 21612), .refused("the number cannot be reached", code: 21612),
            "failed"
        ),
        (
            "21614", refusal("400 Bad Request", code: 21614),
            .refused("the number cannot receive text messages", code: 21614), "failed"
        ),
        ("21617", refusal("400 Bad Request", code: 21617), .refused("the text is too long", code: 21617), "failed"),
        ("21408", refusal("400 Bad Request", code: 21408), .failover("the country is not served", code: 21408), "b"),
        ("21606", refusal("400 Bad Request", code: 21606), .failover("the sender was refused", code: 21606), "b"),
        ("20003", refusal("401 Unauthorized", code: 20003), .failover("the account was refused", code: 20003), "b"),
        ("20404", refusal("404 Not Found", code: 20404), .failover("the account was refused", code: 20404), "b"),
        ("21611", refusal("400 Bad Request", code: 21611), .retry("the gateway is busy", code: 21611), "b"),
        ("20429", refusal("429 Too Many Requests", code: 20429), .retry("the gateway is busy", code: 20429), "b"),
        (
            "99999", refusal("400 Bad Request", code: 99999), .failover("the gateway refused the message", code: 99999),
            "b"
        ),
    ]

    private static let statuses: [Case] = [
        ("401", .answer(json("401 Unauthorized", "")), .failover("the account was refused", code: 401), "b"),
        (
            "400 without a code", .answer(json("400 Bad Request", "[1]")),
            .failover("the gateway refused the message", code: 400), "b"
        ),
        ("408", .answer(json("408 Request Timeout", "")), .retry("the gateway is busy", code: 408), "b"),
        (
            "429 with Retry-After", .answer(json("429 Too Many Requests", "", "Retry-After: 7\r\n")),
            .retry(after: .seconds(7), "the gateway is busy", code: 429), "b"
        ),
        (
            "503 with Retry-After", .answer(json("503 Service Unavailable", "{}", "Retry-After: 7\r\n")),
            .retry(after: .seconds(7), "the gateway is down", code: 503), "b"
        ),
        (
            "503 with a date",
            .answer(json("503 Service Unavailable", "", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n")),
            .retry("the gateway is down", code: 503), "b"
        ),
        (
            "503 with a long wait", .answer(json("503 Service Unavailable", "", "Retry-After: 9999999999\r\n")),
            .retry(after: .seconds(86_400), "the gateway is down", code: 503), "b"
        ),
        ("500", .answer(json("500 Oops", #"{"code":20500}"#)), .retry("the gateway is down", code: 500), "b"),
        (
            "500 that breaks off", .answerAndClose("HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\n{"),
            .retry("the gateway is down", code: 500), "b"
        ),
    ]

    private static let errorsInside: [Case] = [
        (
            "201, failed", .answer(json("201 Created", #"{"sid":"\#(sid)","status":"failed","error_code":21610}"#)),
            .refused("the recipient wants no messages", code: 21610), "failed"
        ),
        (
            "201, undelivered with a code as text",
            .answer(json("201 Created", #"{"sid":"\#(sid)","status":"undelivered","error_code":"30007"}"#)),
            .failover("the gateway refused the message", code: 30007), "b"
        ),
        (
            "200, failed without a code",
            .answer(json("200 OK", #"{"sid":"\#(sid)","status":"failed","error_code":null}"#)),
            .failover("the gateway refused the message"), "b"
        ),
        (
            "200, an error code and no status", .answer(json("200 OK", #"{"sid":"\#(sid)","error_code":21211}"#)),
            .refused("no such number", code: 21211), "failed"
        ),
        (
            "200, an error in place of a message",
            .answer(json("200 OK", #"{"code":20003,"message":"no","status":401}"#)),
            .failover("the account was refused", code: 20003), "b"
        ),
        (
            "200, queued with an error code",
            .answer(json("200 OK", #"{"sid":"\#(sid)","status":"queued","error_code":30001}"#)),
            .ambiguous("the answer contradicts itself", code: 30001), "unconfirmed"
        ),
        (
            "200, queued with an error of no kind",
            .answer(json("200 OK", #"{"sid":"\#(sid)","status":"queued","error_code":{}}"#)),
            .ambiguous("the answer contradicts itself"), "unconfirmed"
        ),
    ]

    private static let unreadable: [Case] = [
        (
            "201 without a sid", .answer(json("201 Created", #"{"status":"queued"}"#)),
            .ambiguous("the answer names no message", code: 201), "unconfirmed"
        ),
        (
            "201 with a sid that is none", .answer(json("201 Created", #"{"sid":"a b\n"}"#)),
            .ambiguous("the answer names no message", code: 201), "unconfirmed"
        ),
        (
            "201 with a number for a sid", .answer(json("201 Created", #"{"sid":7}"#)),
            .ambiguous("the answer names no message", code: 201), "unconfirmed"
        ),
        (
            "201 with no JSON", .answer(json("201 Created", "<html>")),
            .ambiguous("the answer cannot be read", code: 201), "unconfirmed"
        ),
        (
            "201 with another JSON", .answer(json("201 Created", "[]")),
            .ambiguous("the answer cannot be read", code: 201), "unconfirmed"
        ),
        (
            "204", .answer("HTTP/1.1 204 No Content\r\n\r\n"), .ambiguous("the answer cannot be read", code: 204),
            "unconfirmed"
        ),
        (
            "201 of 10 MB",
            .answer(
                json("201 Created", #"{"sid":"\#(sid)","x":""# + String(repeating: "x", count: 10_000_000) + "\"}")
            ),
            .ambiguous("the answer cannot be read", code: 201), "unconfirmed"
        ),
        (
            "201 that breaks off", .answerAndClose("HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{\"sid\":\"SM"),
            .ambiguous("the answer cannot be read", code: 201), "unconfirmed"
        ),
        (
            "half a head", .answerAndClose("HTTP/1.1 201 Cre"), .ambiguous("the connection ended before the answer"),
            "unconfirmed"
        ),
        (
            "garbage", .answer("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .ambiguous("the connection ended before the answer"),
            "unconfirmed"
        ),
        ("nothing", .answerAndClose(""), .ambiguous("the connection ended before the answer"), "unconfirmed"),
        ("a reset", .reset, .ambiguous("the connection ended before the answer"), "unconfirmed"),
    ]

    @Test(
        "an answer says what may be done next, and the message is sent once",
        arguments: refusals + statuses + errorsInside + unreadable
    )
    func answers(name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String) async throws {
        try await FakeVendor.with(behavior) { vendor in
            let gateway = try Self.gateway(port: vendor.port)

            await #expect(throws: failure, "\(name)") { try await gateway.send(try message()) }

            #expect(vendor.requests.count == 1)
            #expect(vendor.connections == 1)
        }
    }

    @Test("and the dispatcher does it", arguments: refusals + statuses + errorsInside + unreadable)
    func dispatch(name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String) async throws {
        try await FakeVendor.with(behavior) { vendor in
            let world = try World()
            try await world.queue()
            let b = ScriptedGateway("b")

            try await world.dispatcher([try Self.gateway(port: vendor.port), b]).drain()

            let words = ["failed": "failed, attempt 1", "b": "sent by b as b-1, attempt 1"]
            #expect(await world.outbox == [words[outcome] ?? "sent by twilio as unconfirmed, attempt 1"], "\(name)")
            #expect(vendor.requests.count == 1)
            #expect(b.handed.count == (outcome == "b" ? 1 : 0))
            for secret in ["482913", "1012345", "t0ken", "dDBrZW4", "no\""] {
                #expect(world.log.lines.filter { $0.contains(secret) } == [], "\(secret)")
            }
        }
    }

    @Test("a message that is taken is recorded under Twilio's name for it")
    func taken() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let world = try World()
            try await world.queue()

            try await world.dispatcher([try Self.gateway(port: vendor.port)]).drain()

            #expect(await world.outbox == ["sent by twilio as \(Self.sid), attempt 1"])
        }
    }

    @Test("a redirect is not followed: the secret is for one address", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        try await FakeVendor.with(.answer(Self.taken)) { other in
            let location = "Location: http://127.0.0.1:\(other.port)/2010-04-01\r\n"
            try await FakeVendor.with(.answer(Self.json("\(status) Elsewhere", "", location))) { vendor in
                let gateway = try Self.gateway(port: vendor.port)

                await #expect(throws: GatewayFailure.failover("the gateway is elsewhere", code: status)) {
                    try await gateway.send(try message())
                }
                #expect(other.connections == 0)
            }
        }
    }

    @Test("when nobody listens, or there is no such host, the message was not sent and is tried again")
    func unreachable() async throws {
        let port = try await FakeVendor.with(.hang) { $0.port }
        for gateway in [try Self.gateway(port: port), try Self.gateway(port: port, host: "gateway.invalid")] {
            let world = try World()
            try await world.queue()

            try await world.dispatcher([gateway]).drain()

            #expect(await world.outbox == ["queued for +0.5 seconds, attempt 1"])
            #expect(await world.store.outbox.map(\.failure) == ["the gateway cannot be reached"])
        }
    }

    @Test("a connection that is reset or speaks no TLS before the request could go loses nothing")
    func noSecureConnection() async throws {
        for behavior in [FakeVendor.Behavior.resetUnread, .answerAndClose("HTTP/1.1 400 Bad Request\r\n\r\n")] {
            try await FakeVendor.with(behavior) { vendor in
                let gateway = try Self.gateway(port: vendor.port, scheme: "https")

                // The greeting of TLS has no length that the vendor knows, so that its second behaviour says nothing.
                let sending = Task { try await gateway.send(try message()) }
                try await vendor.hasAccepted(1)
                if case .answerAndClose = behavior { sending.cancel() }

                let failure = await #expect(throws: GatewayFailure.self) { try await sending.value }
                #expect(failure?.kind == .retry(after: nil))
                #expect(vendor.requests == [])
            }
        }
    }

    @Test("a gateway that hangs after it was handed the message is given up when its time is over, and nobody knows")
    func hang() async throws {
        try await FakeVendor.with(.hang) { vendor in
            let world = try World()
            try await world.queue()
            let b = ScriptedGateway("b")
            async let drained: Void = world.dispatcher([try Self.gateway(port: vendor.port), b]).drain()

            try await vendor.hasRead(1)
            try await world.timer.sleeper(of: .seconds(10))
            world.advance(by: .seconds(10))
            try await drained

            #expect(await world.outbox == ["sent by twilio as unconfirmed, attempt 1"])
            #expect(world.log.lines.first?.contains("failure.reason=no answer in time") == true)
            #expect(b.handed.isEmpty)
        }
    }

    @Test("so is one that hangs within its answer")
    func hangInAnswer() async throws {
        try await FakeVendor.with(.answer("HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{\"sid\":\"\(Self.sid)\""))
        { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            let sending = Task { try await gateway.send(try message()) }
            try await vendor.hasRead(1)
            sending.cancel()

            let failure = await #expect(throws: GatewayFailure.self) { try await sending.value }
            #expect(failure?.kind == .ambiguous)
        }
    }

    @Test("one that hangs before the request could go is asked again later")
    func hangInHandshake() async throws {
        try await FakeVendor.with(.hang) { vendor in
            let world = try World()
            try await world.queue()
            let gateway = try Self.gateway(port: vendor.port, scheme: "https")
            async let drained: Void = world.dispatcher([gateway]).drain()

            try await vendor.hasAccepted(1)
            try await world.timer.sleeper(of: .seconds(10))
            world.advance(by: .seconds(10))
            try await drained

            #expect(await world.outbox == ["queued for +10.5 seconds, attempt 1"])
            #expect(await world.store.outbox.map(\.failure) == ["the gateway was not reached in time"])
        }
    }

    @Test("many messages go at once, each once")
    func manyAtOnce() async throws {
        try await FakeVendor.with(.answer(Self.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<100 {
                    group.addTask { _ = try await gateway.send(try message("\(index)")) }
                }
                try await group.waitForAll()
            }
            let bodies = vendor.requests.map { $0.split(separator: "Body=").last.map(String.init) ?? "" }
            #expect(Set(bodies) == Set((0..<100).map(String.init)))
            #expect(bodies.count == 100)
        }
    }
}
