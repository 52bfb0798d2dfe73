import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The gateway to AWS End User Messaging", .hangLimit)
struct AWSGatewayTests {
    private static let messageID = "a1b2c3d4-5678-90ab-cdef-EXAMPLE11111"

    private static func refusal(
        _ type: String,
        reason: String = "",
        _ failure: GatewayFailure,
        fields: String = ""
    ) -> VendorAnswer {
        let named = reason.isEmpty ? "" : #","Reason":"\#(reason)""#
        let body = #"{"__type":"\#(type)","Message":"no +821012345678"\#(named)\#(fields)}"#
        return .status(400, body, failure.detailed(reason.isEmpty ? type : reason))
    }

    static let answers: [VendorAnswer] = [
        refusal("ThrottlingException", .busy("the gateway is busy", code: 400)),
        .status(500, #"{"__type":"InternalServerException"}"#, .retry("the gateway is down", code: 500)),
        refusal(
            "ConflictException",
            reason: "DESTINATION_PHONE_NUMBER_OPTED_OUT",
            .refused("the recipient has opted out", code: 400)
        ),
        refusal(
            "ConflictException",
            reason: "DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE",
            .refused("the number is barred", code: 400)
        ),
        refusal(
            "ConflictException",
            reason: "DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION",
            .failover("the gateway does not serve the country", code: 400)
        ),
        refusal(
            "ValidationException",
            reason: "DESTINATION_COUNTRY_BLOCKED",
            .failover("the gateway does not serve the country", code: 400)
        ),
        refusal(
            "ValidationException",
            reason: "INVALID_PARAMETER",
            .refused("no such number", code: 400),
            fields: #","Fields":[{"Name":"destinationPhoneNumber","Message":"no"}]"#
        ),
        refusal(
            "ValidationException",
            reason: "INVALID_PARAMETER",
            .failover("the gateway refused the message", code: 400),
            fields: #","Fields":[{"Name":"messageBody","Message":"no"}]"#
        ),
        refusal(
            "ServiceQuotaExceededException",
            reason: "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT",
            .failover("the account's limit is reached", code: 400)
        ),
        refusal("AccessDeniedException", .failover("the account was refused", code: 400)),
        refusal("ExpiredTokenException", .failover("the session token has expired", code: 400)),
        refusal("InvalidSignatureException", .failover("the signature was refused", code: 400)),
        refusal("UnrecognizedClientException", .failover("the access key was refused", code: 400)),
        refusal("ResourceNotFoundException", .failover("the gateway refused the message", code: 400)),
        .status(
            400,
            #"{"__type":"com.amazonaws.pinpointsmsvoicev2#ThrottlingException"}"#,
            GatewayFailure.busy("the gateway is busy", code: 400).detailed("ThrottlingException")
        ),
        .status(200, "{}", VendorAnswer.unnamed(200)), .status(200, #"{"MessageId":""}"#, VendorAnswer.unnamed(200)),
        .status(200, "<html>", VendorAnswer.unnamed(200)),
    ]

    static func gateway(
        port: Int,
        credentials: AWSCredentialsProvider? = nil,
        _ change: (inout AWSGateway.Options) -> Void = { _ in }
    ) throws -> AWSGateway {
        var options = AWSGateway.Options(origin: nil)
        change(&options)
        return AWSGateway(
            credentials: try credentials ?? SNSGatewayTests.credentials(),
            region: try #require(AWSRegion("ap-northeast-2")),
            options: options,
            channels: [.sms, .call],
            access: try vendorAccess(port: port)
        )
    }

    /// Amazon, where it is 2026-01-01T00:00:00Z, and which verifies signatures.
    private static let amazon = FakeVendor.Behavior.judge { request in
        let secret = SNSGatewayTests.secret
        let judge = SignatureV4Judge(accessKeyID: "AKIDEXAMPLE", secret: secret, now: "20260101T000000Z")
        guard let objection = try? judge.objection(to: request) else {
            return response(200, #"{"MessageId":"\#(messageID)"}"#)
        }
        return response(403, #"{"__type":"\#(objection.code)","message":"\#(objection.message)"}"#)
    }

    private func sent(
        _ work: (Int) async throws -> Void
    ) async throws -> (request: HTTPRequestText, body: JSON) {
        try await FakeVendor.with(Self.amazon) { vendor in
            try await work(vendor.port)
            let request = HTTPRequestText(try #require(vendor.requests.first))
            return (request, try #require(JSON(parsing: request.body)))
        }
    }

    @Test("an SMS is transactional, signed, and names what is set up, and no more")
    func text() async throws {
        let (request, body) = try await sent { port in
            let receipt = try await Self.gateway(port: port).send(try vendorMessage("인증번호 482913"))
            #expect(receipt == GatewayReceipt(messageID: Self.messageID))
        }
        #expect(request["x-amz-target"] == "PinpointSMSVoiceV2.SendTextMessage")
        #expect(request["content-type"] == "application/x-amz-json-1.0")
        #expect(request["authorization"]?.contains("/20260101/ap-northeast-2/sms-voice/aws4_request") == true)
        #expect(request["authorization"]?.contains("SignedHeaders=content-type;host;x-amz-date;x-amz-target,") == true)
        #expect(
            body == [
                "DestinationPhoneNumber": "+821012345678", "MessageBody": "인증번호 482913",
                "MessageType": "TRANSACTIONAL",
            ]
        )
        let (_, more) = try await sent { port in
            let gateway = try Self.gateway(port: port) { options in
                (options.origin, options.configurationSet) = ("pool-1", "codes")
                (options.protectConfiguration, options.reportsEntries) = ("protect-1", true)
            }
            _ = try await gateway.send(try vendorMessage("482913"))
        }
        #expect(
            more == [
                "ConfigurationSetName": "codes", "DestinationPhoneNumber": "+821012345678", "MessageBody": "482913",
                "MessageFeedbackEnabled": true, "MessageType": "TRANSACTIONAL", "OriginationIdentity": "pool-1",
                "ProtectConfigurationId": "protect-1",
            ]
        )
    }

    @Test("a call says one sentence after the other, in a voice of the language")
    func call() async throws {
        let (request, body) = try await sent { port in
            var message = try vendorMessage("Your code & <more>:\n4, 8.", isNotice: false)
            message.channel = .call
            _ = try await Self.gateway(port: port) { $0.origin = "+15005550006" }.send(message)
        }
        #expect(request["x-amz-target"] == "PinpointSMSVoiceV2.SendVoiceMessage")
        #expect(
            body == [
                "DestinationPhoneNumber": "+821012345678",
                "MessageBody": #"<speak>Your code &amp; &lt;more&gt;:<break time="1s"/>4, 8.</speak>"#,
                "MessageBodyTextType": "SSML", "OriginationIdentity": "+15005550006", "VoiceId": "JOANNA",
            ]
        )
    }

    @Test("feedback is PutMessageFeedback, for an SMS alone")
    func feedback() async throws {
        let (request, body) = try await sent { port in
            let gateway = try Self.gateway(port: port) { $0.reportsEntries = true }
            #expect([Channel.sms, .call].filter(gateway.takesFeedback) == [.sms])
            try await gateway.report(codeEntry(of: Self.messageID))
        }
        #expect(request["x-amz-target"] == "PinpointSMSVoiceV2.PutMessageFeedback")
        #expect(body == ["MessageFeedbackStatus": "RECEIVED", "MessageId": .string(Self.messageID)])
    }

    @Test(
        "an event says what became of a message, once that is final",
        arguments: [
            ("TEXT_DELIVERED", true, true), ("TEXT_SUCCESSFUL", true, true), ("TEXT_SUCCESSFUL", false, nil),
            ("TEXT_QUEUED", false, nil), ("TEXT_PENDING", false, nil), ("TEXT_BLOCKED", true, false),
            ("TEXT_CARRIER_UNREACHABLE", false, nil), ("TEXT_UNKNOWN", true, nil), ("VOICE_COMPLETED", true, true),
            ("VOICE_NO_ANSWER", true, false), ("", true, nil),
        ] as [(String, Bool, Bool?)]
    )
    func event(type: String, isFinal: Bool, isDelivered: Bool?) {
        let outcome = AWSReceipts.outcome(of: ["eventType": .string(type), "isFinal": .bool(isFinal)])
        #expect(outcome == isDelivered.map { $0 ? .delivered : .undelivered(code: nil) })
    }

    @Test(
        "a subscription is confirmed at an address of SNS, and at no other",
        arguments: [
            ("https://sns.us-east-2.amazonaws.com/?Action=ConfirmSubscription&Token=2336", true),
            ("https://sns.cn-north-1.amazonaws.com.cn/?Action=ConfirmSubscription", true),
            ("http://sns.us-east-2.amazonaws.com/?Action=ConfirmSubscription", false),
            ("https://sns.us-east-2.amazonaws.com.evil.example/?Action=ConfirmSubscription", false),
            ("https://evil.example/?https://sns.us-east-2.amazonaws.com/?a", false),
            ("https://sns.us-east-2.amazonaws.com@evil.example/?a", false),
            ("https://sns.evil.example/.amazonaws.com/?a", false), ("https://169.254.169.254/?a", false),
        ]
    )
    func confirmation(url: String, isSNS: Bool) {
        #expect((AWSReceipts.confirmation(at: url) != nil) == isSNS)
    }
}
