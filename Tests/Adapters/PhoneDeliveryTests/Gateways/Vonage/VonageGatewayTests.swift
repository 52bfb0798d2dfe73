import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to Vonage", .hangLimit)
struct VonageGatewayTests {
    private static let messageID = "0A0000000123ABCD1"

    /// An answer for these statuses, one SMS each.
    private static func answer(_ statuses: String..., count: Int? = nil) -> String {
        response(200, body(statuses, count: count))
    }

    private static func body(_ statuses: [String], count: Int? = nil) -> String {
        let messages = statuses.enumerated().map { index, status in
            status == "0"
                ? #"{"to":"821012345678","message-id":"\#(messageID)\#(index)","status":"0","remaining-balance":"3.14"}"#
                : #"{"to":"821012345678","status":"\#(status)","error-text":"no +821012345678"}"#
        }
        return #"{"message-count":"\#(count ?? statuses.count)","messages":[\#(messages.joined(separator: ","))]}"#
    }

    @Test("a call is Vonage's Voice API with a token of a minute, and a sentence after the other")
    func call() async throws {
        let answer = response(201, #"{"uuid":"63f61863-4a51-4f6b-86e1-46edebcf9356","status":"started"}"#)
        try await FakeVendor.with(.answer(answer)) { vendor in
            let access = try vendorAccess(port: vendor.port)
            let id = "78d335fa-323d-0114-9c3d-d6f0d48968cf"
            let sign: @Sendable (JSON) -> String = { "signed.\($0.text)" }
            let voice = try #require(VonageVoice(applicationID: id, access: access, sign: sign))
            let gateway = try Self.gateway(port: vendor.port, channels: [.sms, .call], voice: voice)
            var message = try vendorMessage("Your code:\n4, 8.", isNotice: false)
            message.channel = .call

            let receipt = try await gateway.send(message)

            #expect(receipt == GatewayReceipt(messageID: "63f61863-4a51-4f6b-86e1-46edebcf9356"))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request.target == "/v1/calls")
            let jti = "00000000000000000000000000000001"
            let claims = #"{"application_id":"\#(id)","iat":1767225600,"exp":1767225660,"jti":"\#(jti)"}"#
            #expect(request["authorization"] == "Bearer signed.\(claims)")
            let body = try #require(JSON(parsing: request.body))
            #expect(body["to"]?.array?.first?["number"]?.string == "821012345678")
            #expect(body["from"]?["number"]?.string == "15005550006")
            #expect(body["ncco"]?.array?.compactMap { $0["text"]?.string } == ["Your code:", "4, 8."])
            #expect(body["ncco"]?.array?.first?["language"]?.string == "en-US")
        }
        let nowhere = try vendorAccess(port: 9)
        #expect(VonageVoice(applicationID: "not-a-uuid", access: nowhere, sign: { _ in "" }) == nil)
    }

    private static func parts(_ statuses: String..., count: Int? = nil, means failure: GatewayFailure) -> VendorAnswer {
        .status(200, body(statuses, count: count), failure)
    }

    static let answers: [VendorAnswer] = [
        parts("1", means: .busy("the gateway is busy", code: 1)),
        parts("2", means: .failover("the gateway refused the message", code: 2)),
        parts("3", means: .failover("the gateway refused the message", code: 3)),
        parts("4", means: .failover("the account was refused", code: 4)),
        parts("5", means: .retry("the gateway is down", code: 5)),
        parts("6", means: .failover("the gateway does not serve the number", code: 6)),
        parts("7", means: .refused("the number is barred", code: 7)),
        parts("8", means: .failover("the account was refused", code: 8)),
        parts("9", means: .failover("the account has insufficient funds", code: 9)),
        parts("10", means: .busy("the gateway is busy", code: 10)),
        parts("11", means: .failover("the account was refused", code: 11)),
        parts("12", means: .refused("the text is too long", code: 12)),
        parts("14", means: .failover("the account was refused", code: 14)),
        parts("15", means: .failover("the sender was refused", code: 15)),
        parts("22", means: .failover("the gateway refused the message", code: 22)),
        parts("29", means: .failover("the account may not send to this number", code: 29)),
        parts("32", means: .failover("the account was refused", code: 32)),
        parts("33", means: .refused("the number is no longer in service", code: 33)),
        parts("39", means: .failover("the sender was refused", code: 39)),
        parts("99", means: .failover("the gateway refused the message", code: 99)),
        .status(200, #"{"messages":[{"status":9}]}"#, .failover("the account has insufficient funds", code: 9)),
        parts("9", "1", means: .failover("the account has insufficient funds", code: 9)),
        parts("0", "1", means: .ambiguous("only part of the message was accepted", code: 1)),
        parts("9", "0", means: .ambiguous("only part of the message was accepted", code: 9)),
        parts("0", count: 2, means: .ambiguous("the response contradicts itself", code: 200)),
        .status(200, #"{"message-count":"0","messages":[]}"#, VendorAnswer.malformed(200)),
        .status(200, "[]", VendorAnswer.malformed(200)),
        .status(200, #"{"messages":[{"message-id":"a"}]}"#, VendorAnswer.malformed(200)),
        .status(200, #"{"messages":[{"status":"9"},{"status":"?"}]}"#, VendorAnswer.malformed(200)),
        .status(200, #"{"messages":[{"status":"0"}]}"#, VendorAnswer.unnamed(200)),
        .status(200, #"{"messages":[{"status":"0","message-id":""}]}"#, VendorAnswer.unnamed(200)),
    ]

    static func gateway(
        port: Int,
        from sender: String = "+15005550006",
        senders: [RatedSender<VonageSender>] = [],
        channels: Set<Channel> = [.sms],
        voice: VonageVoice? = nil,
        conversions: EndpointURL? = nil
    ) throws -> VonageGateway {
        VonageGateway(
            account: try #require(VonageAccount(apiKey: "abcd1234", apiSecret: "s3cret-of-it")),
            sender: try #require(VonageSender(sender)),
            senders: senders,
            channels: channels,
            voice: voice,
            address: try #require(EndpointURL(base: "http://127.0.0.1:\(port)/")),
            conversions: conversions,
            connectTimeout: .seconds(5)
        )
    }

    @Test(
        "the request is Vonage's, and says whether the text needs Unicode",
        arguments: [
            (
                "+15005550006", "15005550006", "482913 is your code, [Acme] €",
                "482913%20is%20your%20code%2C%20%5BAcme%5D%20%E2%82%AC", "text"
            ),
            ("Acme", "Acme", "인증 482913", "%EC%9D%B8%EC%A6%9D%20482913", "unicode"),
            ("12345", "12345", "482913’", "482913%E2%80%99", "unicode"),
        ]
    )
    func request(sender: String, from: String, text: String, encoded: String, type: String) async throws {
        try await FakeVendor.with(.answer(Self.answer("0"))) { vendor in
            let receipt = try await Self.gateway(port: vendor.port, from: sender).send(try vendorMessage(text))

            #expect(receipt == GatewayReceipt(messageID: Self.messageID + "0"))
            let body = "from=\(from)&to=821012345678&text=\(encoded)&type=\(type)&client-ref=msg_1"
            let lines = try #require(vendor.requests.first).split(separator: "\r\n").map(String.init)
            #expect(
                lines.sorted() == [
                    "Accept: application/json",
                    // Of abcd1234, a colon and s3cret-of-it.
                    "Authorization: Basic YWJjZDEyMzQ6czNjcmV0LW9mLWl0",
                    "Content-Length: \(body.utf8.count)",
                    "Content-Type: application/x-www-form-urlencoded",
                    "POST /sms/json HTTP/1.1",
                    body,
                    "host: 127.0.0.1:\(vendor.port)",
                ]
            )
            #expect(vendor.requests.count == 1)
        }
    }

    @Test("a text of several SMS is known by the first of them")
    func parts() async throws {
        try await FakeVendor.with(.answer(Self.answer("0", "0"))) { vendor in
            let receipt = try await Self.gateway(port: vendor.port).send(try vendorMessage())
            #expect(receipt == GatewayReceipt(messageID: Self.messageID + "0"))
        }
    }

    private static let accounts: [(key: String, secret: String, isOne: Bool)] = [
        ("abcd1234", "s3cret", true), ("abcd123", "s3cret", false), ("abcd12345", "s3cret", false),
        ("abcd-123", "s3cret", false), ("abcd1234", "s3cre", false), ("abcd1234", "s3 cret", false),
        ("abcd1234", String(repeating: "x", count: 129), false),
    ]

    @Test("an account is 8 letters and digits, and a secret, which it does not show", arguments: accounts)
    func account(key: String, secret: String, isOne: Bool) {
        let account = VonageAccount(apiKey: key, apiSecret: secret)
        #expect((account != nil) == isOne)
        guard let account else { return }
        #expect("\(account)" == key)
        #expect(!everythingShown(of: account).contains(secret))
    }

    @Test(
        "a sender is a number or a short name",
        arguments: [
            ("+15005550006", "15005550006"), ("15005550006", "15005550006"), ("123", "123"), ("12", nil),
            ("+123456", nil),
            ("+05005550006", nil), ("++15005550006", nil), ("Acme", "Acme"), ("+Acme", nil), ("Acme Inc", nil),
            ("A2345678901", "A2345678901"), ("A23456789012", nil), ("1234567890123456", nil), ("에이스", nil), ("", nil),
            ("+", nil),
        ]
    )
    func sender(text: String, sender: String?) {
        #expect(VonageSender(text)?.description == sender)
    }
}
