import HangLimit
import OpenSSLCrypto
import PhoneDomain
import PhoneTestSupport
import Testing
import TextEncodings

@testable import PhoneDelivery

@Suite("The gateway to Amazon SNS", .hangLimit)
struct SNSGatewayTests {
    static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    static func gateway(
        port: Int,
        path: String = "",
        secret: String = SNSGatewayTests.secret,
        token: String? = nil,
        sender: SNSSender = SNSSender(),
        clock: ManualClock = ManualClock()
    ) throws -> SNSGateway {
        SNSGateway(
            credentials: try #require(
                AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: secret, sessionToken: token)
            ),
            region: try #require(AWSRegion("ap-northeast-2")),
            sender: sender,
            address: try #require(EndpointURL(base: "http://127.0.0.1:\(port)\(path)")),
            authenticator: OpenSSLRequestAuthenticator(),
            clock: clock,
            connectTimeout: .seconds(5)
        )
    }

    /// Amazon, where it is 2026-01-01T00:00:00Z.
    static let amazon = FakeVendor.Behavior.judge { request in
        let judge = SignatureV4Judge(accessKeyID: "AKIDEXAMPLE", secret: secret, now: "20260101T000000Z")
        do {
            guard let objection = try judge.objection(to: request) else { return SNSResponses.taken }
            return SNSResponses.error("403 Forbidden", objection.code, objection.message)
        } catch {
            return VendorResponses.json("500 Oops", "")
        }
    }

    @Test("the request is what SNS wants of a text message, and is signed")
    func request() async throws {
        try await FakeVendor.with(Self.amazon) { vendor in
            let gateway = try Self.gateway(port: vendor.port)

            let receipt = try await gateway.send(try GatewayTrial.message("인증번호 482913 & @a.b #c+d\n~"))

            #expect(receipt == GatewayReceipt(messageID: SNSResponses.messageID))
            let body =
                "Action=Publish&Version=2010-03-31&PhoneNumber=%2B821012345678&Message=%EC%9D%B8%EC%A6%9D%EB%B2%88%ED%98%B8"
                + "%20482913%20%26%20%40a.b%20%23c%2Bd%0A~&MessageAttributes.entry.1.Name=AWS.SNS.SMS.SMSType&"
                + "MessageAttributes.entry.1.Value.DataType=String&MessageAttributes.entry.1.Value.StringValue=Transactional"
            let lines = try #require(vendor.requests.first).split(separator: "\r\n").map(String.init)
            #expect(
                lines.filter { !$0.hasPrefix("Authorization: ") }.sorted()
                    == [
                        "Accept: text/xml",
                        "Content-Length: \(body.utf8.count)",
                        "Content-Type: application/x-www-form-urlencoded",
                        "Host: 127.0.0.1:\(vendor.port)",
                        "POST / HTTP/1.1",
                        "X-Amz-Date: 20260101T000000Z",
                        body,
                    ].sorted()
            )
            let authorization = try #require(lines.first { $0.hasPrefix("Authorization: ") })
            #expect(
                authorization.hasPrefix(
                    "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/ap-northeast-2/sns/aws4_request, "
                        + "SignedHeaders=content-type;host;x-amz-date, Signature="
                )
            )
            #expect(vendor.requests.count == 1)
        }
    }

    @Test("a sender is named, by a name, a number or both")
    func sender() async throws {
        try await FakeVendor.with(Self.amazon) { vendor in
            let (id, number) = (SNSSenderID("Acme"), SNSOriginationNumber("+15005550006"))
            for sender in [SNSSender(id: id), SNSSender(number: number), SNSSender(id: id, number: number)] {
                _ = try await Self.gateway(port: vendor.port, sender: sender).send(try GatewayTrial.message())
            }
            let attributes = vendor.requests.map { request in
                HTTPRequestText(request).body.split(separator: "&").map(String.init)
                    .filter { $0.hasPrefix("MessageAttributes.entry.") && !$0.contains(".entry.1.") }
            }
            func entry(_ index: Int, _ name: String, _ value: String) -> [String] {
                let prefix = "MessageAttributes.entry.\(index)"
                return [
                    "\(prefix).Name=\(name)", "\(prefix).Value.DataType=String", "\(prefix).Value.StringValue=\(value)",
                ]
            }
            #expect(
                attributes == [
                    entry(2, "AWS.SNS.SMS.SenderID", "Acme"),
                    entry(2, "AWS.MM.SMS.OriginationNumber", "%2B15005550006"),
                    entry(2, "AWS.SNS.SMS.SenderID", "Acme")
                        + entry(3, "AWS.MM.SMS.OriginationNumber", "%2B15005550006"),
                ]
            )
        }
    }

    @Test("temporary credentials, and an address with a path, are signed as well")
    func temporaryCredentials() async throws {
        try await FakeVendor.with(Self.amazon) { vendor in
            let gateway = try Self.gateway(port: vendor.port, path: "/aws/", token: "AQoDYXdz//wEXAMPLE==")

            let receipt = try await gateway.send(try GatewayTrial.message())

            #expect(receipt == GatewayReceipt(messageID: SNSResponses.messageID))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request["x-amz-security-token"] == "AQoDYXdz//wEXAMPLE==")
            #expect(request.target == "/aws/")
        }
    }

    @Test("a wrong secret and a wrong clock are distinguished, and the next gateway gets the message")
    func refusedSignature() async throws {
        try await FakeVendor.with(Self.amazon) { vendor in
            let message = try GatewayTrial.message()
            let stranger = try Self.gateway(port: vendor.port, secret: "another")
            await #expect(throws: GatewayFailure.failover("the signature was refused", code: 403)) {
                try await stranger.send(message)
            }
            let clock = ManualClock()
            clock.advance(by: .seconds(-600))
            let late = try Self.gateway(port: vendor.port, clock: clock)
            await #expect(throws: GatewayFailure.failover("this machine's clock is wrong", code: 403)) {
                try await late.send(message)
            }
        }
    }

    @Test("without cryptography nothing is sent")
    func noCryptography() async throws {
        struct Broken: Error {}
        struct BrokenAuthenticator: RequestAuthenticator {
            func sha256(of message: [UInt8]) throws -> [UInt8] { throw Broken() }
            func hmacSHA256(of message: [UInt8], key: [UInt8]) throws -> [UInt8] { throw Broken() }
            func hmacSHA1(of message: [UInt8], key: [UInt8]) throws -> [UInt8] { throw Broken() }
            func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { false }
        }
        try await FakeVendor.with(Self.amazon) { vendor in
            let gateway = SNSGateway(
                credentials: try #require(AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: Self.secret)),
                region: try #require(AWSRegion("us-east-1")),
                sender: SNSSender(),
                address: try #require(EndpointURL(base: "http://127.0.0.1:\(vendor.port)")),
                authenticator: BrokenAuthenticator(),
                clock: ManualClock(),
                connectTimeout: .seconds(5)
            )
            let message = try GatewayTrial.message()
            await #expect(throws: GatewayFailure.retry("the request cannot be signed")) {
                try await gateway.send(message)
            }
            #expect(vendor.connections == 0)
        }
    }

    @Test(
        "an answer says what may be done next, and the dispatcher does it",
        arguments: SNSResponses.all + CommonResponses.statuses + CommonResponses.unreadable
    )
    func answers(name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String) async throws {
        try await GatewayTrial.expect((name, behavior, failure, outcome), secrets: [Self.secret, "AQo"]) {
            try Self.gateway(port: $0, token: "AQoDYXdz")
        }
    }

    @Test("one that hangs after it got the message leaves its fate unknown")
    func hang() async throws {
        try await GatewayTrial.expectSilenceIsAmbiguous { try Self.gateway(port: $0) }
    }

    @Test("Amazon has an address in each region, and another one in China")
    func addresses() throws {
        let regions = try ["ap-northeast-2", "us-gov-west-1", "cn-north-1"].map { try #require(AWSRegion($0)) }
        #expect(
            regions.map { EndpointURL.sns(in: $0).description } == [
                "https://sns.ap-northeast-2.amazonaws.com", "https://sns.us-gov-west-1.amazonaws.com",
                "https://sns.cn-north-1.amazonaws.com.cn",
            ]
        )
        #expect(regions.allSatisfy { EndpointURL(base: EndpointURL.sns(in: $0).description) == .sns(in: $0) })
    }
}
