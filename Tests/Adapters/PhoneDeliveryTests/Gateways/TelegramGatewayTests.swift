import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to Telegram", .hangLimit)
struct TelegramGatewayTests {
    private static let token = "AAEAAAA-t0ken_of_the_account"

    private static func taken(_ id: String, _ status: String? = nil) -> String {
        let delivery = status.map { #","delivery_status":{"status":"\#($0)","updated_at":1767225600}"# } ?? ""
        return
            #"{"ok":true,"result":{"request_id":"\#(id)","phone_number":"821012345678","request_cost":1\#(delivery)}}"#
    }

    static func gateway(port: Int, checksFirst: Bool = false) throws -> TelegramGateway {
        TelegramGateway(
            account: try #require(TelegramAccount(accessToken: token)),
            ttl: .seconds(60),
            callback: EndpointURL("https://phone.example.com/v1/receipts/telegram"),
            checksFirst: checksFirst,
            access: try vendorAccess(port: port)
        )
    }

    private static let sent: JSON = [
        "phone_number": "+821012345678", "code": "482913", "ttl": 60,
        "callback_url": "https://phone.example.com/v1/receipts/telegram",
    ]

    @Test("the request has our code, and is told when to take the message back")
    func request() async throws {
        try await FakeVendor.with(.answer(response(200, Self.taken("104321")))) { vendor in
            let receipt = try await Self.gateway(port: vendor.port).send(vendorMessage(isNotice: false))

            #expect(receipt == GatewayReceipt(messageID: "104321"))
            #expect(vendor.requests.count == 1)
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request.target == "/sendVerificationMessage")
            #expect(request["authorization"] == "Bearer \(Self.token)")
            #expect(JSON(parsing: request.body) == Self.sent)
        }
    }

    @Test("a check, which costs as much as the message, is made only where it is wanted, and the message is sent by it")
    func check() async throws {
        try await FakeVendor.with(.answer(response(200, Self.taken("55")))) { vendor in
            let gateway = try Self.gateway(port: vendor.port, checksFirst: true)
            _ = try await gateway.send(vendorMessage(isNotice: false))

            let requests = vendor.requests.map(HTTPRequestText.init)
            #expect(requests.map(\.target) == ["/checkSendAbility", "/sendVerificationMessage"])
            #expect(JSON(parsing: requests[0].body) == ["phone_number": "+821012345678"])
            #expect(JSON(parsing: requests[1].body)?["request_id"]?.string == "55")
        }
        // What became of a check is unknown, and not what became of a message.
        try await FakeVendor.with(.answer(response(200, "<html>"))) { vendor in
            let (gateway, message) = (
                try Self.gateway(port: vendor.port, checksFirst: true), try vendorMessage(isNotice: false)
            )
            await #expect(
                throws: GatewayFailure.failover("it is unknown whether the number is on Telegram", isFault: true)
            ) {
                try await gateway.send(message)
            }
            #expect(vendor.requests.count == 1)
        }
        // Another attempt would be paid for once more.
        for (status, body) in [(503, "{}"), (200, Self.refused("FLOOD_WAIT_5"))] {
            let judge = FakeVendor.Behavior.judge { request in
                request.contains("/checkSendAbility") ? response(200, Self.taken("55")) : response(status, body)
            }
            try await FakeVendor.with(judge) { vendor in
                let gateway = try Self.gateway(port: vendor.port, checksFirst: true)
                let message = try vendorMessage(isNotice: false)
                let failure = GatewayFailure.failover(
                    "the number was checked, and the message not taken",
                    isFault: status == 503
                )
                await #expect(throws: failure) { try await gateway.send(message) }
            }
        }
    }

    @Test("that a code was entered counts with the code, which goes nowhere else")
    func entry() async throws {
        let code = VerificationCode("482913")
        try await FakeVendor.with(.answer(response(200, Self.taken("7")))) { vendor in
            let gateway = try Self.gateway(port: vendor.port)
            try await gateway.report(codeEntry(of: "7"))
            #expect(vendor.requests.isEmpty)
            try await gateway.report(codeEntry(of: "7", code: code))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request.target == "/checkVerificationStatus")
            #expect(JSON(parsing: request.body) == ["request_id": "7", "code": "482913"])
        }
    }

    private static func refused(_ word: String) -> String { #"{"ok":false,"error":"\#(word)"}"# }

    private static func refusal(_ status: Int, _ word: String, _ failure: GatewayFailure) -> VendorAnswer {
        .status(status, refused(word), failure.detailed(word))
    }

    static let answers: [VendorAnswer] = [
        refusal(200, "PHONE_NUMBER_NOT_AVAILABLE", .refused("the number is not on Telegram")),
        refusal(200, "FLOOD_WAIT_5", .busy("the gateway is busy")),
        refusal(401, "ACCESS_TOKEN_INVALID", .failover("the account was refused")),
        refusal(200, "BALANCE_NOT_ENOUGH", .failover("the account was refused")),
        refusal(400, "CODE_INVALID", .failover("the gateway refused the message")),
        // The code itself is not quoted.
        .status(400, refused("BAD-482913"), .failover("the gateway refused the message")),
        .status(503, refused("X"), .retry("the gateway is down", code: 503)),
        .status(200, #"{"ok":true,"result":{}}"#, VendorAnswer.unnamed(200)),
        .status(200, #"{"result":{"request_id":"5"}}"#, VendorAnswer.malformed(200)),
    ]

    @Test("Telegram is asked what became of a message, and a notice is not sent at all")
    func asked() async throws {
        for (status, outcome) in [
            ("sent", nil), ("delivered", .delivered), ("read", .delivered), ("expired", .undelivered(code: nil)),
            ("revoked", .undelivered(code: nil)),
        ] as [(String, DeliveryReceipt.Outcome?)] {
            try await FakeVendor.with(.answer(response(200, Self.taken("7", status)))) { vendor in
                let receipts = try await Self.gateway(port: vendor.port).receipts(for: ["7"])
                #expect(receipts == outcome.map { [DeliveryReceipt(messageID: "7", outcome: $0)] } ?? [], "\(status)")
                let request = HTTPRequestText(try #require(vendor.requests.first))
                #expect(request.target == "/checkVerificationStatus")
                #expect(JSON(parsing: request.body) == ["request_id": "7"])
                let notice = GatewayFailure.failover("the gateway takes messages with a code of 4 to 8 digits alone")
                await #expect(throws: notice) { try await Self.gateway(port: vendor.port).send(vendorMessage()) }
                #expect(vendor.requests.count == 1)
            }
        }
    }

    @Test("a report counts once its signature is that of its time and the token's digest")
    func receipts() async throws {
        let world = try await World.withMessage()
        let dispatcher = world.dispatcher([ScriptedGateway("telegram", script: [.take("104321")])])
        try await dispatcher.drain()
        let authenticator = OpenSSLRequestAuthenticator()
        let intake = TelegramReceipts(
            account: try #require(TelegramAccount(accessToken: Self.token)),
            authenticator: authenticator,
            dispatcher: dispatcher
        )
        let now = dispatcher.now.milliseconds / 1000
        func report(_ status: String, at time: String, signedAt: String? = nil, key: String = Self.token) throws
            -> GatewayReport
        {
            let body = #"{"request_id":"104321","delivery_status":{"status":"\#(status)"}}"#
            let digest = try authenticator.hmacSHA256(
                of: Array("\(signedAt ?? time)\n\(body)".utf8),
                key: authenticator.sha256(of: Array(key.utf8))
            )
            let signature = TextEncoding.hexadecimal.encode(digest)
            return GatewayReport(body: Array(body.utf8), signature: signature, timestamp: time)
        }

        let forged = [
            try report("expired", at: "\(now)", key: "other"),
            try report("expired", at: "\(now)", signedAt: "\(now - 1)"),
            try report("expired", at: "\(now - 3601)"), try report("expired", at: "\(now + 3601)"),
            try report("expired", at: "\(Int64.min)"), try report("expired", at: "\(Int64.max)0"),
            try report("expired", at: ""),
        ]
        for report in forged { #expect(try await !intake.take(report)) }
        #expect(try await intake.take(report("sent", at: "\(now)")))
        #expect(await world.outbox == ["sent by telegram as 104321, attempt 1"])
        #expect(try await intake.take(report("expired", at: "\(now - 3600)")))
        // Late, and a contradiction.
        #expect(try await intake.take(report("delivered", at: "\(now)")))
        #expect(await world.outbox == ["undelivered by telegram, attempt 1"])
    }
}
