import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Twilio's receipts", .hangLimit)
struct TwilioReceiptsTests {
    private static let sid = "AC" + String(repeating: "a1", count: 16)

    private static func signature(_ address: String, token: String = "12345") throws -> TwilioCallbackCheck {
        TwilioCallbackCheck(
            address: try #require(EndpointURL(address)),
            account: try #require(TwilioAccount(sid: sid, authToken: token)),
            authenticator: OpenSSLRequestAuthenticator()
        )
    }

    private static func form(_ fields: [(String, String)], _ signature: String) -> GatewayReport {
        GatewayReport(fields: fields.map { GatewayReport.Field(name: $0, value: $1) }, signature: signature)
    }

    /// The first signature is from
    /// https://github.com/twilio/twilio-python/blob/main/tests/unit/test_request_validator.py, the other by its
    /// `RequestValidator`.
    private static let vector = [
        ("Digits", "1234"), ("CallSid", "CA1234567890ABCDE"), ("From", "+14158675309"), ("Caller", "+14158675309"),
        ("To", "+18005551212"),
    ]
    private static let address = "https://mycompany.com/myapp.php?foo=1&bar=2"
    private static let right = "RSOYDt4T1cUTdK1PDd93/VVr8B8="

    @Test("the test vector of Twilio's own libraries is valid, and nothing near it")
    func knownVector() throws {
        let signature = try Self.signature(Self.address)
        #expect(try signature.isSigned(Self.form(Self.vector, Self.right)))
        #expect(try signature.isSigned(Self.form(Self.vector.reversed(), Self.right)))
        #expect(try signature.isSigned(Self.form([], "zYQTYrRWXE7LtzbG4PfP7/bkkGo=")))
        #expect(try !signature.isSigned(Self.form(Self.vector, "RSOYDt4T1cUTdK1PDd93/VVr8B9=")))
        #expect(try !signature.isSigned(Self.form(Self.vector, "")))
        #expect(try !signature.isSigned(Self.form(Array(Self.vector.dropLast()), Self.right)))
        #expect(try !signature.isSigned(Self.form(Self.vector + [("X", "1")], Self.right)))
        #expect(try !Self.signature(Self.address, token: "12346").isSigned(Self.form(Self.vector, Self.right)))
        for other in [
            "http://mycompany.com/myapp.php?foo=1&bar=2", "https://mycompany.com/myapp.php?foo=1",
            "https://mycompany.org/myapp.php?foo=1&bar=2",
        ] {
            #expect(try !Self.signature(other).isSigned(Self.form(Self.vector, Self.right)), "\(other)")
        }
    }

    private static func sign(_ text: String) throws -> String {
        try OpenSSLRequestAuthenticator().hmacSHA1(of: Array(text.utf8), key: Array("12345".utf8)).base64
    }

    private static let spellings: [(configured: String, signed: String, isRight: Bool)] = [
        ("https://a.example/r", "https://a.example/r", true), ("https://a.example/r", "https://a.example:443/r", true),
        ("https://a.example:443/r", "https://a.example/r", true), ("http://a.example/r", "http://a.example:80/r", true),
        ("https://a.example:8443/r", "https://a.example:8443/r", true),
        ("https://a.example:8443/r", "https://a.example/r", true),
        ("https://a.example/r", "https://a.example:8443/r", false),
        ("https://a.example/r", "https://a.example/R", false),
        ("https://[::1]:8443/r", "https://[::1]/r", true), ("https://[::1]/r", "https://[::1]:443/r", true),
        ("https://a.example", "https://a.example:443", true),
        ("https://a.example?x=1", "https://a.example:443?x=1", true),
        ("https://a.example/r?a=b+c", "https://a.example/r?a=b%20c", true),
        ("https://a.example/r?a=b:c", "https://a.example:443/r?a=b%3Ac", true),
        ("https://a.example/r?a=(b)!*'", "https://a.example/r?a=(b)!*'", true),
        ("https://a.example/r?a=%28b", "https://a.example/r?a=(b", true),
        ("https://a.example/r?a", "https://a.example/r?a=", true),
        ("https://a.example/r?a=1", "https://a.example/r?a=2", false),
    ]

    @Test("the URL may be signed with its port or without, and with its query encoded again", arguments: spellings)
    func addresses(configured: String, signed: String, isRight: Bool) throws {
        let form = Self.form([("A", "b")], try Self.sign(signed + "Ab"))
        #expect(try Self.signature(configured).isSigned(form) == isRight)
    }

    @Test("fields are signed in the byte order of name and value, without duplicates")
    func order() throws {
        let fields = [("b", "2"), ("B", "9"), ("a", "z"), ("b", "1"), ("b", "2"), ("ab", ""), ("가", "1")]
        let form = Self.form(fields, try Self.sign("https://a.example/rB9azabb1b2가1"))
        #expect(try Self.signature("https://a.example/r").isSigned(form))
    }

    private func intake(
        _ world: World,
        _ gateway: ScriptedGateway = ScriptedGateway("twilio", script: [.take("SM1")])
    ) throws -> (TwilioReceipts, OutboxDispatcher) {
        let dispatcher = world.dispatcher([gateway])
        return (
            TwilioReceipts(
                account: try #require(TwilioAccount(sid: Self.sid, authToken: "12345")),
                address: try #require(EndpointURL("https://a.example/r")),
                authenticator: OpenSSLRequestAuthenticator(),
                dispatcher: dispatcher
            ), dispatcher
        )
    }

    private static func report(_ fields: [(String, String)]) throws -> GatewayReport {
        let text = fields.sorted { $0.0 < $1.0 }.map { $0.0 + $0.1 }.joined()
        return form(fields, try sign("https://a.example/r" + text))
    }

    private static let reports: [(fields: [(String, String)], state: String)] = [
        ([("MessageSid", "SM1"), ("MessageStatus", "delivered"), ("New", "x")], "delivered by twilio, attempt 1"),
        ([("MessageSid", "SM1"), ("MessageStatus", "read")], "delivered by twilio, attempt 1"),
        (
            [("MessageSid", "SM1"), ("MessageStatus", "undelivered"), ("ErrorCode", "30005")],
            "undelivered by twilio, attempt 1"
        ),
        ([("MessageSid", "SM1"), ("MessageStatus", "failed")], "undelivered by twilio, attempt 1"),
        ([("MessageSid", "SM1"), ("MessageStatus", "sent")], "sent by twilio as SM1, attempt 1"),
        ([("MessageSid", "SM1"), ("MessageStatus", "")], "sent by twilio as SM1, attempt 1"),
        ([("MessageSid", "SM1")], "sent by twilio as SM1, attempt 1"),
        ([("MessageSid", "S M"), ("MessageStatus", "delivered")], "sent by twilio as SM1, attempt 1"),
        ([("MessageSid", "SM2"), ("MessageStatus", "delivered")], "sent by twilio as SM1, attempt 1"),
        ([], "sent by twilio as SM1, attempt 1"),
    ]

    @Test("a signed receipt is genuine, and is recorded if it is final", arguments: reports)
    func genuine(fields: [(String, String)], state: String) async throws {
        let world = try await World.withMessage()
        let (intake, dispatcher) = try intake(world)
        try await dispatcher.drain()

        let isGenuine = try await intake.take(try Self.report(fields))

        #expect(isGenuine)
        #expect(await world.outbox == [state])
        let failures = await world.store.outbox.map(\.failure)
        #expect(failures == [fields.contains { $0.0 == "ErrorCode" } ? "lost in transit (30005)" : failures[0]])
    }

    @Test("an unsigned receipt causes no query")
    func stranger() async throws {
        let world = try World()
        let (intake, _) = try intake(world)
        world.store.fail(with: Outage())
        let fields = [("MessageSid", "SM1"), ("MessageStatus", "delivered")]

        let isGenuine = try await intake.take(Self.form(fields, try Self.sign("https://a.example/s")))

        #expect(!isGenuine)
        await #expect(throws: Outage.self) { try await intake.take(try Self.report(fields)) }
    }

    @Test("the gateway asks for receipts if it has a URL for them")
    func asksForReports() async throws {
        try await FakeVendor.with(.answer(TwilioGatewayTests.taken)) { vendor in
            let callback = EndpointURL("https://a.example/v1/receipts/twilio")
            let gateway = try TwilioGatewayTests.gateway(port: vendor.port, statusCallback: callback)
            _ = try await gateway.send(try vendorMessage())
            let body = HTTPRequestText(try #require(vendor.requests.first)).body
            #expect(body.hasSuffix("&StatusCallback=https%3A%2F%2Fa.example%2Fv1%2Freceipts%2Ftwilio"))
        }
    }
}
