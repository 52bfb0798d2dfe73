import CoreEncodings
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import Testing

@testable import PhoneCLI

@Suite struct SignupServerTests {
    private static let id = "sgn_0123456789abcdef0123456789abcdef"

    private static func body(
        phone: String = "",
        members: String = #""verification": null, "account": null"#
    ) -> String {
        #"{"id": "\#(id)", "state": {"phone_text": "\#(phone)"}, \#(members)}"#
    }

    private static let begun = body(members: #""token": "sgt_secret", "verification": null, "account": null"#)
    private static let verification = #"""
        "verification": {"id": "ver_1", "phone_number": "+821012345678", "status": "pending", \#
        "next_send_at": "2026-01-01T00:00:30.500Z", "expires_at": "2026-01-01T00:10:00Z", "sends_left": 4, \#
        "checks_left": 5}, "account": null
        """#

    private func server(_ transport: ScriptedTransport) throws -> SignupServer {
        SignupServer(
            try #require(EndpointURL("https://phone.test")),
            region: .korea,
            language: .korean,
            clock: ManualClock(),
            transport: transport
        )
    }

    @Test("a signup on a server, from the first key to the last")
    func wholeSignup() async throws {
        let transport = ScriptedTransport(
            .response(201, Self.begun),
            .response(202, Self.body(phone: "010-1234-5678", members: Self.verification)),
            .response(
                201,
                Self.body(
                    phone: "010-1234-5678",
                    members: #"""
                        "verification": null, "tokens": {"access_token": "a"},
                        "account": {"id": "acc_1", "phone_number": "+821012345678", "is_new": true}
                        """#
                )
            )
        )
        let signup = try await TypedSignup(begin: server(transport).begin)
        await signup.press("01012345678")
        await signup.press("\r")
        #expect(
            signup.shown == """
                ? Phone number: 010-1234-5678
                ✔ Code sent to +82 10-****-5678.
                SMS stub │ [PhoneProof] Your code is 123456.
                ? Code: ▏
                resend in 0:31 · expires in 10:00 · Esc: change number
                """
        )
        await signup.press("123456")
        await signup.press("\r")
        #expect(signup.shown.hasSuffix("? Code: 123456\n✔ Signed up: 010-1234-5678 · account acc_1 (new)\n▏"))
        #expect(signup.status == .done)
        #expect(
            transport.requests == [
                #"POST /v1/signups {"region":"KR","locale":"ko"}"#,
                #"POST /v1/signups/\#(Self.id)/send {"phone_text":"01012345678"}"#,
                #"POST /v1/signups/\#(Self.id)/sign-up {"code_text":"123456"}"#,
            ]
        )
    }

    @Test("rules that the prompt has asked about are accepted with the code, and the channel that was picked is sent")
    func consentAndChannel() async throws {
        let consent =
            #""consent": {"version": "2", "is_required": true, "terms_url": "https://t.test", "privacy_url": null}"#
        let transport = ScriptedTransport(
            .response(201, Self.body(members: #""token": "sgt_secret", "verification": null, \#(consent)"#)),
            .response(202, Self.body(members: Self.verification)),
            .response(422, #"{"title": "Wrong", "code": "code_incorrect", "signup": \#(Self.body())}"#)
        )
        let flow = try await server(transport).begin()
        #expect(flow.consent?.version == "2")
        #expect(flow.consent?.terms?.description == "https://t.test")
        flow.session.changePhoneText("01012345678")
        flow.session.changeChannel(.call)
        _ = try await flow.tap(.send)
        flow.session.changeCodeText("123456")
        #expect(try await flow.tap(.signUp).failure?.code == .codeIncorrect)
        #expect(
            transport.requests.suffix(2).map { String($0.drop { $0 != "{" }) } == [
                #"{"phone_text":"01012345678","channel":"call"}"#, #"{"code_text":"123456","consent":"2"}"#,
            ]
        )
    }

    @Test(
        "an answer that no signup can go on with ends it",
        arguments: [
            (404, #"{"title": "Not found", "detail": "This signup has ended."}"#, .failed),
            (503, #"{"title": "Unavailable"}"#, .unreachable),
            (502, "<html>Bad gateway", .unreachable),
        ] as [(Int, String, PhoneCLI.ExitStatus)]
    )
    func unusable(_ status: Int, _ body: String, _ exitStatus: PhoneCLI.ExitStatus) async throws {
        let flow = try await server(ScriptedTransport(.response(201, Self.begun), .response(status, body))).begin()
        let error = await #expect(throws: SignupFlowError.self) { try await flow.tap(.send) }
        #expect(error?.exitStatus == exitStatus)
    }

    @Test("a server at which nobody listens is unreachable at once")
    func refused() async throws {
        // Port 1 (tcpmux) has no listener on any system of this century.
        let server = SignupServer(
            try #require(EndpointURL("http://127.0.0.1:1")),
            region: .korea,
            language: .english
        )
        let error = await #expect(throws: SignupFlowError.self) { try await server.begin() }
        guard case .unreachable("http://127.0.0.1:1", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("refused"))
        #expect(error?.exitStatus == .unreachable)
    }
}
