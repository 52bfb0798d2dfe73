import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneNumbers
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to Amazon SNS", .hangLimit)
struct SNSGatewayTests {
    static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    private static let messageID = "567910cd-659e-55d4-8ccb-5aaf14679dc0"
    private static let taken = response(200, result("<MessageId>\(messageID)</MessageId>"))

    private static func result(_ content: String) -> String {
        """
        <?xml version="1.0"?>
        <PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">
          <PublishResult>\(content)</PublishResult>
          <ResponseMetadata><RequestId>d74b8436-ae13-5ab4-a9ff-ce54dfea72a0</RequestId></ResponseMetadata>
        </PublishResponse>

        """
    }

    private static func error(_ code: String, _ message: String) -> String {
        """
        <ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>\(code)</Code>\
        <Message>\(message)</Message></Error><RequestId>9dd01905-5012-5f99-8663-4b3ecd0dfaef</RequestId></ErrorResponse>
        """
    }

    private static func refusal(
        _ status: Int,
        _ code: String,
        says message: String = "no",
        headers: String = "",
        _ failure: GatewayFailure
    ) -> VendorAnswer { .status(status, error(code, message), headers: headers, failure) }

    private static let other = GatewayFailure.failover("the gateway refused the message", code: 400)

    static let answers: [VendorAnswer] = [
        refusal(400, "Throttling", says: "Rate exceeded", .busy("the gateway is busy", code: 400)),
        refusal(429, "Throttled", .busy("the gateway is busy", code: 429)),
        refusal(400, "KMSThrottling", .busy("the gateway is busy", code: 400)),
        refusal(
            400,
            "Throttling",
            says: "Rate exceeded",
            headers: "Retry-After: 3",
            .busy(after: .seconds(3), "the gateway is busy", code: 400)
        ),
        refusal(
            400,
            "ServiceUnavailable",
            headers: "Retry-After: 3",
            .retry(after: .seconds(3), "the gateway is down", code: 400)
        ),
        refusal(500, "InternalError", .retry("the gateway is down", code: 500)),
        refusal(400, "OptedOut", .refused("the recipient has opted out", code: 400)),
        refusal(
            400,
            "InvalidParameter",
            says: "Invalid parameter: PhoneNumber Reason: +821012345678 is not valid to publish to",
            .refused("no such number", code: 400)
        ),
        refusal(
            400,
            "InvalidParameter",
            says: "Invalid parameter: Cannot publish to opted out phone number: +821012345678",
            .refused("the recipient has opted out", code: 400)
        ),
        refusal(
            400,
            "InvalidParameter",
            says: "Invalid parameter: MessageAttributes Reason: AWS.SNS.SMS.SenderID",
            other
        ),
        refusal(400, "ParameterValueInvalid", other), refusal(400, "Whatever", other),
        refusal(403, "AuthorizationError", .failover("the account was refused", code: 403)),
        refusal(403, "InvalidClientTokenId", .failover("the access key was refused", code: 403)),
        refusal(403, "SignatureDoesNotMatch", .failover("the signature was refused", code: 403)),
        refusal(
            403,
            "SignatureDoesNotMatch",
            says: "Signature not yet current: 20260101T000600Z",
            .failover("this machine's clock is wrong", code: 403)
        ),
        refusal(403, "InvalidSecurity", .failover("the signature was refused", code: 403)),
        refusal(403, "ExpiredToken", .failover("the session token has expired", code: 403)),
        refusal(400, "KMSDisabled", .failover("the account's encryption key cannot be used", code: 400)),
        refusal(404, "NotFound", .failover("the gateway refused the message", code: 404)),
        // A proxy that is down knows better than the page that it shows.
        refusal(503, "OptedOut", .retry("the gateway is down", code: 503)),
        refusal(200, "OptedOut", .refused("the recipient has opted out", code: 200)),
        refusal(200, "Whatever", .failover("the gateway refused the message", code: 200)),
        .status(200, result(""), VendorAnswer.unnamed(200)),
        .status(200, result("<MessageId></MessageId>"), VendorAnswer.unnamed(200)),
        .status(
            200,
            "<Other><PublishResult><MessageId>a</MessageId></PublishResult></Other>",
            VendorAnswer.unnamed(200)
        ),
        .status(
            200,
            "<!DOCTYPE a [<!ENTITY b \"c\">]><PublishResponse><PublishResult><MessageId>&b;</MessageId>"
                + "</PublishResult></PublishResponse>",
            VendorAnswer.malformed(200)
        ),
        .status(200, #"{"PublishResponse":{}}"#, VendorAnswer.malformed(200)),
    ]

    static func credentials(
        _ secret: String = SNSGatewayTests.secret,
        _ token: String? = nil
    ) throws -> AWSCredentialsProvider {
        let credentials = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: secret, sessionToken: token)
        return AWSCredentialsProvider(.fixed(try #require(credentials)), wallClock: ManualClock())
    }

    static func gateway(
        port: Int,
        path: String = "",
        secret: String = SNSGatewayTests.secret,
        token: String? = nil,
        sender: SNSSender = SNSSender(),
        clock: ManualClock = ManualClock()
    ) throws -> SNSGateway {
        SNSGateway(
            credentials: try Self.credentials(secret, token),
            region: try #require(AWSRegion("ap-northeast-2")),
            sender: sender,
            access: try vendorAccess(port: port, path: path, clock: clock)
        )
    }

    /// Amazon, where it is 2026-01-01T00:00:00Z.
    static let amazon = FakeVendor.Behavior.judge { request in
        let judge = SignatureV4Judge(accessKeyID: "AKIDEXAMPLE", secret: secret, now: "20260101T000000Z")
        do {
            guard let objection = try judge.objection(to: request) else { return taken }
            return response(403, error(objection.code, objection.message))
        } catch {
            return response(500)
        }
    }

    @Test("the request is what SNS wants of a text message, and is signed")
    func request() async throws {
        try await FakeVendor.with(Self.amazon) { vendor in
            let gateway = try Self.gateway(port: vendor.port)

            let receipt = try await gateway.send(try vendorMessage("인증번호 482913 & @a.b #c+d\n~"))

            #expect(receipt == GatewayReceipt(messageID: Self.messageID))
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
                _ = try await Self.gateway(port: vendor.port, sender: sender).send(try vendorMessage())
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

            let receipt = try await gateway.send(try vendorMessage())

            #expect(receipt == GatewayReceipt(messageID: Self.messageID))
            let request = HTTPRequestText(try #require(vendor.requests.first))
            #expect(request["x-amz-security-token"] == "AQoDYXdz//wEXAMPLE==")
            #expect(request.target == "/aws/")
        }
    }

    @Test("a wrong secret and a wrong clock are distinguished, and the next gateway gets the message")
    func refusedSignature() async throws {
        try await FakeVendor.with(Self.amazon) { vendor in
            let message = try vendorMessage()
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
                credentials: try Self.credentials(),
                region: try #require(AWSRegion("us-east-1")),
                sender: SNSSender(),
                access: try vendorAccess(port: vendor.port, authenticator: BrokenAuthenticator())
            )
            let message = try vendorMessage()
            await #expect(throws: GatewayFailure.retry("the request cannot be signed")) {
                try await gateway.send(message)
            }
            #expect(vendor.connections == 0)
        }
    }

    @Test("Amazon has an address in each region, and another one in China")
    func addresses() throws {
        let regions = try ["ap-northeast-2", "us-gov-west-1", "cn-north-1"].map { try #require(AWSRegion($0)) }
        #expect(
            regions.map { EndpointURL.amazon("sns", in: $0).description } == [
                "https://sns.ap-northeast-2.amazonaws.com", "https://sns.us-gov-west-1.amazonaws.com",
                "https://sns.cn-north-1.amazonaws.com.cn",
            ]
        )
        let addresses = regions.map { EndpointURL.amazon("sns", in: $0) }
        #expect(addresses.allSatisfy { EndpointURL(base: $0.description) == $0 })
    }

    private static let keys: [(id: String, secret: String, token: String?, areSome: Bool)] = [
        ("AKIDEXAMPLE", "s3cret", nil, true), ("AKIAIOSFODNN7EXAMPLE", "s3cret", "t0ken", true),
        ("AKID", "s3cret", nil, false), ("AKID EXAMPLE", "s3cret", nil, false), ("AKID/EXAMPLE", "s3cret", nil, false),
        ("AKIDEXAMPLE", "", nil, false), ("AKIDEXAMPLE", "s3 cret", nil, false),
        ("AKIDEXAMPLE", "s3cret\r\nX: y", nil, false), ("AKIDEXAMPLE", "s3cret", "t0\nken", false),
        ("AKIDEXAMPLE", "s3cret", "", false),
    ]

    @Test("credentials are an ID, a secret and perhaps a token, and show the ID alone", arguments: keys)
    func credentials(id: String, secret: String, token: String?, areSome: Bool) {
        let credentials = AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
        #expect((credentials != nil) == areSome)
        guard let credentials else { return }
        #expect("\(credentials)" == id)
        let shown = everythingShown(of: credentials)
        #expect(!shown.contains(secret) && !shown.contains("t0ken"))
    }

    @Test(
        "a region is words and a number",
        arguments: [
            ("ap-northeast-2", true), ("us-gov-west-1", true), ("us-east-1", true), ("useast1", false),
            ("us-east", false), ("US-EAST-1", false), ("us--1", false), ("us-east-1.evil.example/", false),
            ("us-east-100", false), ("", false),
        ]
    )
    func region(text: String, isOne: Bool) {
        #expect((AWSRegion(text)?.description == text) == isOne)
    }

    @Test(
        "a sender's name is letters and digits",
        arguments: [
            ("Acme", true), ("Acme24", true), ("A2345678901", true), ("A23456789012", false), ("12345", false),
            ("Acme Inc", false), ("에이스", false), ("", false),
        ]
    )
    func senderID(text: String, isOne: Bool) {
        #expect((SNSSenderID(text)?.description == text) == isOne)
    }

    @Test(
        "a sender's number is a short code or a number in E.164",
        arguments: [
            ("12345", true), ("1234", false), ("+15005550006", true), ("15005550006", true), ("+05005550006", false),
            ("+1500", false), ("++15005550006", false), ("Acme", false), ("", false),
        ]
    )
    func originationNumber(text: String, isOne: Bool) {
        #expect((SNSOriginationNumber(text)?.description == text) == isOne)
    }
}
