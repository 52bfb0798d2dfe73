import CoreEncodings
import OpenSSLCrypto
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("Messages of people", .hangLimit)
struct InboundTests {
    private static let numbers = InboundNumbers(
        [.everywhere: "+15005550006"],
        service: "PhoneProof",
        deriver: PlainSecretDeriver()
    )

    private struct Scene {
        let useCase: VerificationUseCase
        let store = MemoryStore()
        let receiver: InboundReceiver
        let verification: Verification
        let text: String

        init() async throws {
            useCase = try VerificationUseCase.plain(
                over: store,
                code: "482913",
                abusePolicy: .none,
                inbound: InboundTests.numbers
            )
            receiver = InboundReceiver(useCase, region: .korea, logger: LogRecorder().logger)
            verification = try await useCase.begin(
                "010-1234-5678",
                VerificationOptions(channel: .inbound),
                context: RequestContext(owner: .local, region: .korea, language: .korean)
            ).verification
            text = try #require(try useCase.instruction(for: verification)).text
        }

        var status: VerificationStatus? {
            get async throws { try await store.verification(verification.id)?.recordedStatus }
        }
    }

    @Test(
        "the sender counts in the vendor's own form only",
        arguments: [
            ("+821012345678", .e164, true), ("821012345678", .digits, true),
            ("01012345678", .national, true), ("+821012345678", .national, true), ("010-1234-5678", .national, true),
            // A number in another form than the vendor writes is somebody else's, or nobody's.
            ("++821012345678", .e164, false), ("+82 10-1234-5678", .e164, false), ("+", .e164, false),
            ("01012345678", .e164, false), ("821012345678", .e164, false), ("+821012345678", .digits, false),
            ("01012345678", .digits, false), ("", .e164, false),
            ("Bank", .national, false), ("+821012345679", .e164, false),
        ] as [(String, InboundReceiver.SenderFormat, Bool)]
    )
    func sender(text: String, format: InboundReceiver.SenderFormat, counts: Bool) async throws {
        let scene = try await Scene()
        try await scene.receiver.receive(scene.text, from: text, in: format)
        #expect(try await scene.status == (counts ? .approved : .pending))
    }

    @Test("the word counts in any case and among others, and no part of it")
    func words() async throws {
        let scene = try await Scene()
        let word = try #require(scene.text.split(separator: " ").last)
        #expect(scene.text.hasPrefix("PhoneProof "))
        #expect(word.wholeMatch(of: /[2-9A-HJ-NP-Z]{6}/) != nil)
        for text in [nil, "", "PhoneProof", String(word.dropLast()), "\(word)2", "X\(word)", "482913"] {
            try await scene.receiver.receive(text, from: "+821012345678")
            #expect(try await scene.status == .pending, "\(text ?? "")")
        }
        for text in [String(word), word.lowercased(), "폰프루프\(word).", "Hi! \(word)\n\nSent from my phone"] {
            let scene = try await Scene()
            try await scene.receiver.receive(text, from: "+821012345678")
            #expect(try await scene.status == .approved, "\(text)")
        }
    }

    private static func report(_ fields: [String: String], signature: String = "") -> GatewayReport {
        GatewayReport(
            fields: fields.map { GatewayReport.Field(name: $0.key, value: $0.value) },
            signature: signature
        )
    }

    @Test("Twilio's are signed as its reports are")
    func twilio() async throws {
        let scene = try await Scene()
        let address = "https://phone.example.com/v1/inbound/twilio"
        let intake = TwilioInbound(
            account: try #require(
                TwilioAccount(sid: "AC" + String(repeating: "a1", count: 16), authToken: "12345")
            ),
            address: try #require(EndpointURL(address)),
            authenticator: OpenSSLRequestAuthenticator(),
            receiver: scene.receiver
        )
        let fields = ["From": "+821012345678", "To": "+15005550006", "Body": scene.text]
        let right = try TwilioSignature(authenticator: OpenSSLRequestAuthenticator())
            .text(url: address, fields: fields.map { ($0.key, $0.value) }, token: "12345")
        var other = fields
        other["From"] = "+821012345679"
        #expect(try await !intake.take(Self.report(fields, signature: "RSOYDt4T1cUTdK1PDd93/VVr8B8=")))
        #expect(try await !intake.take(Self.report(other, signature: right)))
        #expect(try await scene.status == .pending)
        #expect(try await intake.take(Self.report(fields, signature: right)))
        #expect(try await scene.status == .approved)
        // Twilio sends it again if it lost the answer.
        #expect(try await intake.take(Self.report(fields, signature: right)))
    }

    @Test("Vonage's by HMAC over their fields, as its own Python client signs")
    func vonage() async throws {
        let intake = VonageInbound(
            secret: "0123456789abcdef",
            authenticator: OpenSSLRequestAuthenticator(),
            receiver: try await Scene().receiver
        )
        // Signed by `Client.signature` of https://github.com/Vonage/vonage-python-sdk 2.8.0.
        var fields = [
            "msisdn": "821012345678", "to": "15005550006", "messageId": "0A0000000123ABCD1",
            "text": "PhoneProof a=b&c K7QM2P", "type": "text", "keyword": "PHONEPROOF", "api-key": "abcd1234",
            "message-timestamp": "2026-01-01 00:00:00", "timestamp": "1767225600",
            "nonce": "aaaaaaaa-bbbb-cccc-dddd-0123456789ab",
        ]
        #expect(try await !intake.take(Self.report(fields)))
        fields["sig"] = "5F1C9DDFC1924E4CDA215E297E2E185F8FC1B52309E3DF78B3C3E6790C2C8FC3"
        #expect(try await intake.take(Self.report(fields)))
        let json = JSON(sorted: fields.mapValues { .string($0) }).text
        #expect(try await intake.take(GatewayReport(body: Array(json.utf8), signature: "")))
        fields["text"] = "PhoneProof a=b=c K7QM2P"
        #expect(try await intake.take(Self.report(fields)), "& and = are one to Vonage")
        fields["msisdn"] = "821012345679"
        #expect(try await !intake.take(Self.report(fields)))
    }

    @Test("Vonage's go by bytes, and no more fields are sorted than a form may have")
    func vonageFields() async throws {
        let authenticator = OpenSSLRequestAuthenticator()
        let intake = VonageInbound(
            secret: "0123456789abcdef",
            authenticator: authenticator,
            receiver: try await Scene().receiver
        )
        // To Swift `&` and a combining mark are one character, and `e` and one come after `f`.
        var fields = ["msisdn": "821012345678", "text": "a &\u{301} b", "e\u{301}": "1", "f": "2"]
        let signed = "&e\u{301}=1&f=2&msisdn=821012345678&text=a _\u{301} b"
        let digest = try authenticator.hmacSHA256(of: Array(signed.utf8), key: Array("0123456789abcdef".utf8))
        fields["sig"] = TextEncoding.hexadecimal.encode(digest)
        #expect(try await intake.take(Self.report(fields)))
        for index in 0..<100 { fields["\(index)"] = "" }
        #expect(try await !intake.take(Self.report(fields)))
    }

    @Test("any vendor's by a token, at the configured places")
    func http() async throws {
        let scene = try await Scene()
        let intake = HTTPInbound(
            sender: try #require(JSONPointer("/message/from")),
            text: try #require(JSONPointer("/message/text")),
            format: .national,
            proof: HTTPReportProof(
                .token,
                header: "Authorization",
                secret: "0123456789abcdef",
                authenticator: OpenSSLRequestAuthenticator()
            ),
            receiver: scene.receiver
        )
        let json: JSON = ["message": ["from": "01012345678", "text": .string(scene.text)]]
        let body = Array(json.text.utf8)
        #expect(try await !intake.take(GatewayReport(body: body, signature: "Bearer 0123456789abcdeF")))
        #expect(try await scene.status == .pending)
        #expect(try await intake.take(GatewayReport(body: body, signature: "Bearer 0123456789abcdef")))
        #expect(try await scene.status == .approved)
    }
}
