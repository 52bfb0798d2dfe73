import HangLimit
import PhoneDomain
import PhoneTestSupport
import Testing
import TextEncodings

@testable import PhoneDelivery

@Suite("The gateway to Twilio", .hangLimit)
struct TwilioGatewayTests {
    static func gateway(
        port: Int,
        scheme: String = "http",
        host: String = "127.0.0.1",
        from sender: String = "+15005550006"
    ) throws -> TwilioGateway {
        TwilioGateway(
            account: try #require(TwilioAccount(sid: "AC" + String(repeating: "a1", count: 16), authToken: "t0ken")),
            sender: try #require(TwilioSender(sender)),
            address: try #require(EndpointURL(base: "\(scheme)://\(host):\(port)/")),
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

    @Test("the request has the traceparent, if there is a trace")
    func trace() async throws {
        try await FakeVendor.with(.answer(VendorResponses.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            let message = try message()
            for place in [parent, nil] {
                try await TraceParent.$current.withValue(place) { _ = try await gateway.send(message) }
            }
            let field = "\r\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"
            #expect(vendor.requests.map { $0.contains(field) } == [true, false])
            #expect(vendor.requests.map { $0.contains("traceparent") } == [true, false])
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
        try await FakeVendor.with(.answer(VendorResponses.taken)) { vendor in
            let gateway = try Self.gateway(port: vendor.port, from: sender)

            let receipt = try await gateway.send(try message("인증번호 482913 & @a.b #c+d\n~"))

            #expect(receipt == GatewayReceipt(messageID: VendorResponses.sid))
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

    @Test(
        "a response determines what may be done next, and the message is sent once",
        arguments: VendorResponses.all
    )
    func answers(name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String) async throws {
        try await FakeVendor.with(behavior) { vendor in
            let gateway = try Self.gateway(port: vendor.port)

            await #expect(throws: failure, "\(name)") { try await gateway.send(try message()) }

            #expect(vendor.requests.count == 1)
            #expect(vendor.connections == 1)
        }
    }

    @Test("and the dispatcher does it", arguments: VendorResponses.all)
    func dispatch(name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String) async throws {
        try await FakeVendor.with(behavior) { vendor in
            let world = try World()
            try await world.queue()
            let b = ScriptedGateway("b")

            try await world.dispatcher([try Self.gateway(port: vendor.port), b]).drain()

            let words = ["failed": "failed, attempt 1", "b": "sent by b as b-1, attempt 1"]
            #expect(await world.outbox == [words[outcome] ?? "unknown at twilio, attempt 1"], "\(name)")
            #expect(vendor.requests.count == 1)
            #expect(b.received.count == (outcome == "b" ? 1 : 0))
            for secret in ["482913", "1012345", "t0ken", "dDBrZW4", "no\""] {
                #expect(world.log.lines.filter { $0.contains(secret) } == [], "\(secret)")
            }
        }
    }

    @Test("an accepted message is recorded with Twilio's ID")
    func taken() async throws {
        try await FakeVendor.with(.answer(VendorResponses.taken)) { vendor in
            let world = try World()
            try await world.queue()

            try await world.dispatcher([try Self.gateway(port: vendor.port)]).drain()

            #expect(await world.outbox == ["sent by twilio as \(VendorResponses.sid), attempt 1"])
        }
    }

    @Test("a redirect is not followed: the secret is for one address", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        try await FakeVendor.with(.answer(VendorResponses.taken)) { other in
            let location = "Location: http://127.0.0.1:\(other.port)/2010-04-01\r\n"
            try await FakeVendor.with(.answer(VendorResponses.json("\(status) Elsewhere", "", location))) { vendor in
                let gateway = try Self.gateway(port: vendor.port)

                await #expect(throws: GatewayFailure.failover("the gateway is elsewhere", code: status)) {
                    try await gateway.send(try message())
                }
                #expect(other.connections == 0)
            }
        }
    }

    @Test("without a listener, or without such a host, the message was not sent and is retried")
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

    @Test("a connection that is reset or speaks no TLS, before the request could go, loses nothing")
    func noSecureConnection() async throws {
        for behavior in [FakeVendor.Behavior.resetUnread, .answerUnread("HTTP/1.1 400 Bad Request\r\n\r\n")] {
            try await FakeVendor.with(behavior) { vendor in
                let gateway = try Self.gateway(port: vendor.port, scheme: "https")

                await #expect(throws: GatewayFailure.retry("the gateway cannot be reached")) {
                    try await gateway.send(try message())
                }
                #expect(vendor.connections == 1)
            }
        }
    }

    @Test("a gateway that hangs after it got the message is cancelled at the timeout, and the result is unknown")
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

            #expect(await world.outbox == ["unknown at twilio, attempt 1"])
            #expect(world.log.lines.first?.contains("failure.reason=no answer in time") == true)
            #expect(b.received.isEmpty)
        }
    }

    @Test("so is one that hangs within its answer")
    func hangInAnswer() async throws {
        try await FakeVendor.with(
            .answer("HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{\"sid\":\"\(VendorResponses.sid)\"")
        ) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            let sending = Task { try await gateway.send(try message()) }
            try await vendor.hasRead(1)
            sending.cancel()

            let failure = await #expect(throws: GatewayFailure.self) { try await sending.value }
            #expect(failure?.kind == .ambiguous)
        }
    }

    @Test("one that hangs before the request could be sent is retried")
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
        try await FakeVendor.with(.answer(VendorResponses.taken)) { vendor in
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
