import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite struct WebhookPayloadTests {
    private static let start = Timestamp(seconds: 1_767_225_600)

    private static let number =
        #""national_format":"010-1234-5678","phone_number":"+821012345678","region":"KR""#

    /// Of what has a reference, too.
    private static let numberOfLabels = number.replacing(#","region""#, with: #","reference":null,"region""#)

    private static func json(_ kind: Event.Kind) throws -> String {
        let content = try EventContent.example(of: kind, at: start)
        let payload = WebhookPayload(kind, occurredAt: start, content)
        return String(decoding: payload.body, as: UTF8.self)
    }

    @Test(
        arguments: [
            (
                Event.Kind.verificationApproved,
                #"{"channel":"sms","created_at":"2026-01-01T00:00:00.000Z","expires_at":"2026-01-01T00:10:00.000Z","#
                    + #""id":"ver_00000000000000000000000000000000","is_test":true,\#(numberOfLabels),"status":"approved","tags":null}"#
            ),
            (
                .verificationFailed,
                #"{"channel":"sms","created_at":"2026-01-01T00:00:00.000Z","expires_at":"2026-01-01T00:10:00.000Z","#
                    + #""id":"ver_00000000000000000000000000000000","is_test":true,\#(numberOfLabels),"#
                    + #""status":"max_attempts_reached","tags":null}"#
            ),
            (
                .messageDelivered,
                #"{"channel":"sms","created_at":"2026-01-01T00:00:00.000Z","failure":null,"gateway":"twilio","#
                    + #""gateway_message_id":"SM00000000000000000000000000000000","#
                    + #""id":"msg_00000000000000000000000000000000",\#(numberOfLabels),"status":"delivered","tags":null,"#
                    + #""verification_id":"ver_00000000000000000000000000000000"}"#
            ),
            (
                .messageUndelivered,
                #"{"channel":"sms","created_at":"2026-01-01T00:00:00.000Z","failure":"lost in transit (30008)","#
                    + #""gateway":"twilio","gateway_message_id":"SM00000000000000000000000000000000","#
                    + #""id":"msg_00000000000000000000000000000000",\#(numberOfLabels),"status":"undelivered","tags":null,"#
                    + #""verification_id":"ver_00000000000000000000000000000000"}"#
            ),
            (
                .accountCreated,
                #"{"created_at":"2026-01-01T00:00:00.000Z","id":"acc_00000000000000000000000000000000",\#(number),"#
                    + #""verification_id":"ver_00000000000000000000000000000000"}"#
            ),
            (
                .numberChanged,
                #"{"created_at":"2026-01-01T00:00:00.000Z","id":"acc_00000000000000000000000000000000",\#(number),"#
                    + #""verification_id":"ver_00000000000000000000000000000000"}"#
            ),
            (
                .guardBlocked,
                #"{"blocked_until":"2026-01-01T12:00:00.000Z","prefix":"+82101234","reason":"prefix_conversion_low"}"#
            ),
        ] as [(Event.Kind, String)]
    )
    func `is what a backend needs to act, and never a code`(_ kind: Event.Kind, data: String) throws {
        #expect(
            try Self.json(kind)
                == #"{"data":\#(data),"timestamp":"2026-01-01T00:00:00.000Z","type":"\#(kind.rawValue)"}"#
        )
    }

    @Test func `a block that was lifted meanwhile has no end`() throws {
        let payload = WebhookPayload(.guardBlocked, occurredAt: Self.start, .traffic(prefix: "+82101234", .none))
        #expect(
            String(decoding: payload.body, as: UTF8.self)
                == #"{"data":{"blocked_until":null,"prefix":"+82101234","reason":"prefix_conversion_low"},"#
                + #""timestamp":"2026-01-01T00:00:00.000Z","type":"guard.blocked"}"#
        )
    }

    @Test func `an example says that it is one, under a name of its own`() async throws {
        let receiver = ScriptedReceiver()
        let poster = WebhookPoster(
            transport: receiver,
            signer: PlainSigner(),
            timeout: .seconds(15),
            environment: DeliveryEnvironment(wallClock: ManualClock(Self.start))
        )
        let answer = try await poster.postExample(of: .guardBlocked, identifiers: CountingIdentifiers())
        #expect(answer == ScriptedReceiver.taken)
        #expect(
            receiver.posted.map { $0.headers["webhook-id"] } == ["evt_test_00000000000000000000000000000001"]
        )
        #expect(
            receiver.posted.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"data":{"blocked_until":"2026-01-01T12:00:00.000Z","prefix":"+82101234","#
                    + #""reason":"prefix_conversion_low"},"is_example":true,"timestamp":"2026-01-01T00:00:00.000Z","#
                    + #""type":"guard.blocked"}"#
            ]
        )
    }
}
