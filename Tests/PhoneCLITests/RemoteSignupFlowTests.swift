import PhoneDomain
import PhoneTestSupport
import Testing
import TextEncodings

@testable import PhoneCLI

@Suite struct RemoteSignupFlowTests {
    private static let id = "sgn_0123456789abcdef0123456789abcdef"

    private static func body(
        phone: String = "010-",
        code: String = "",
        isSendEnabled: Bool = false,
        isCodeFieldHidden: Bool = true,
        isSignUpEnabled: Bool = false,
        members: String = #""verification": null, "account": null"#
    ) -> String {
        """
        {"id": "\(id)", "state": {"phone_text": "\(phone)", "is_send_enabled": \(isSendEnabled), \
        "is_code_field_hidden": \(isCodeFieldHidden), "code_text": "\(code)", "is_sign_up_enabled": \(isSignUpEnabled), \
        "is_busy": false, "failure": null}, \(members)}
        """
    }

    private static let begun = body(members: #""token": "sgt_secret", "verification": null, "account": null"#)
    private static let verification = #"""
        "verification": {"id": "ver_1", "phone_number": "+821012345678", "status": "pending", \#
        "next_send_at": "2026-01-01T00:00:30.500Z", "expires_at": "2026-01-01T00:10:00Z", "sends_left": 4, \#
        "checks_left": 5}, "account": null
        """#

    private func flow(_ client: ScriptedClient, clock: ManualClock = ManualClock()) -> RemoteSignupFlow {
        RemoteSignupFlow(
            server: "http://phone.test",
            region: .korea,
            language: .korean,
            clock: clock,
            client: client
        )
    }

    @Test("a signup on a server, from the first key to the last")
    func wholeSignup() async throws {
        let client = ScriptedClient(
            (201, Self.begun),
            (200, Self.body(phone: "010-1234-5678", isSendEnabled: true)),
            (
                202,
                Self.body(
                    phone: "010-1234-5678",
                    isSendEnabled: true,
                    isCodeFieldHidden: false,
                    members: Self.verification
                )
            ),
            (
                200,
                Self.body(
                    phone: "010-1234-5678",
                    code: "123456",
                    isCodeFieldHidden: false,
                    isSignUpEnabled: true,
                    members: Self.verification
                )
            ),
            (
                201,
                Self.body(
                    phone: "010-1234-5678",
                    code: "123456",
                    isCodeFieldHidden: false,
                    isSignUpEnabled: true,
                    members: #"""
                        "verification": null, "tokens": {"access_token": "a"},
                        "account": {"id": "acc_1", "phone_number": "+821012345678", "is_new": true}
                        """#
                )
            )
        )
        let signup = try await TypedSignup(flow: flow(client))
        await signup.press("12345678")
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

        let token = SecretToken("sgt_secret")
        let path = "/v1/signups/\(Self.id)"
        #expect(
            client.requests == [
                ClientRequest(method: "POST", path: "/v1/signups", fields: ["region": "KR", "locale": "ko"]),
                ClientRequest(method: "PATCH", path: path, token: token, fields: ["phone_text": "010-12345678"]),
                ClientRequest(method: "POST", path: path + "/send", token: token, fields: [:]),
                ClientRequest(method: "PATCH", path: path, token: token, fields: ["code_text": "123456"]),
                ClientRequest(
                    method: "POST",
                    path: path + "/sign-up",
                    token: token,
                    fields: ["code_text": "123456"]
                ),
            ]
        )
    }

    private struct PlainSolver: ChallengeSolver {
        func solve(_ work: ProofOfWork) -> WorkSolution? {
            WorkSolution(
                algorithm: "SHA-256",
                hash: work.hash,
                number: work.maxNumber,
                salt: work.salt,
                signature: work.signature
            )
        }
    }

    @Test("a challenge is solved, and the request is sent once more with the proof")
    func challenge() async throws {
        let hash = String(repeating: "a", count: 64)
        let work = #"""
            {"kind": "proof_of_work", "algorithm": "SHA-256", "challenge": "\#(hash)", "maxnumber": 100, \#
            "salt": "00?max=100&", "signature": "\#(hash)", "expires_in": 600}
            """#
        let asked = #"""
            {"title": "Challenge required", "code": "challenge_required", "challenge": \#(work), "signup": \#

            """# + Self.body(phone: "010-1234-5678", isSendEnabled: true) + "}"
        let client = ScriptedClient(
            (201, Self.begun),
            (428, asked),
            (202, Self.body(phone: "010-1234-5678", isCodeFieldHidden: false, members: Self.verification))
        )
        let flow = RemoteSignupFlow(
            server: "http://phone.test",
            region: .korea,
            language: .korean,
            clock: ManualClock(),
            client: client,
            solver: PlainSolver()
        )
        _ = try await flow.perform(.begin)
        let view = try await flow.perform(.send)
        #expect(view.sentCode?.e164 == "+821012345678")
        #expect(view.failure == nil)
        let proof =
            #"{"algorithm":"SHA-256","challenge":"\#(hash)","number":100,"salt":"00?max=100&","signature":"\#(hash)"}"#
        #expect(client.requests.map(\.fields).suffix(2) == [[:], ["proof": Array(proof.utf8).base64]])
    }

    @Test("a problem with a signup in it is a failure with the server's message, or else its detail or title")
    func failures() async throws {
        let clock = ManualClock(Timestamp(seconds: 1000))
        let wrong = #"""
            {"type": "about:blank", "title": "Wrong code", "status": 422, "detail": "The code is incorrect.", \#
            "code": "code_incorrect", "message": "인증번호가 맞지 않습니다.", "checks_left": 4, "signup": \#

            """# + Self.body(phone: "010-1234-5678", code: "000000", isCodeFieldHidden: false) + "}"
        let early = #"""
            {"title": "Too soon", "detail": "Wait.", "code": "resend_too_soon", "retry_after": 27, "signup": \#

            """# + Self.body() + "}"
        let newer = #"""
            {"title": "The moon is full", "code": "moon_full", "retry_after": 60, "signup": \#

            """# + Self.body() + "}"
        let flow = flow(ScriptedClient((201, Self.begun), (422, wrong), (429, early), (503, newer)), clock: clock)
        _ = try await flow.perform(.begin)

        let view = try await flow.perform(.signUp)
        #expect(view.failure == .server(code: "code_incorrect", message: "인증번호가 맞지 않습니다.", retryAt: nil))
        #expect(view.codeText == "000000")
        #expect(!view.isCodeFieldHidden)

        #expect(
            try await flow.perform(.send).failure
                == .server(code: "resend_too_soon", message: "Wait.", retryAt: Timestamp(seconds: 1027))
        )
        #expect(
            try await flow.perform(.send).failure
                == .server(code: "moon_full", message: "The moon is full", retryAt: Timestamp(seconds: 1060))
        )
    }

    @Test(
        "times count from our clock where the server states seconds, and the end of a code is that of its checks and sends",
        arguments: [
            (#""next_send_at": "2026-01-01T00:00:30Z", "expires_at": "2026-01-01T00:10:00Z""#, 30, 600),
            (#""next_send_at": "2026-01-01T00:00:30Z", "next_send_in": 7, "expires_in": 90"#, 7, 90),
            (#""next_send_in": 7, "expires_in": 90, "checks_left": 0"#, 90, nil),
            (#""next_send_in": 7, "expires_in": 90, "sends_left": 0"#, 90, 90),
            (#""status": "pending""#, nil, nil),
        ] as [(String, Int64?, Int64?)]
    )
    func times(_ members: String, _ nextSendIn: Int64?, _ expiresIn: Int64?) async throws {
        let clock = ManualClock()
        let body = Self.body(
            members: #""verification": {"phone_number": "+821012345678", \#(members)}, "account": null"#
        )
        let flow = flow(ScriptedClient((201, Self.begun), (202, body)), clock: clock)
        _ = try await flow.perform(.begin)
        #expect(
            try await flow.perform(.send).sentCode
                == SignupView.SentCode(
                    e164: "+821012345678",
                    nextSendAt: nextSendIn.map { clock.now() + .seconds($0) },
                    expiresAt: expiresIn.map { clock.now() + .seconds($0) },
                    hasChecksLeft: !members.contains("checks_left")
                )
        )
    }

    @Test(
        "an answer that no signup can go on with ends it",
        arguments: [
            (404, #"{"title": "Not found", "detail": "This signup has ended."}"#, 1),
            (503, #"{"title": "Unavailable"}"#, 69),
            (200, "<html>", 69),
            (502, "<html>Bad gateway", 69),
            (302, "", 69),
            (200, #"{"id": "sgn_1", "state": {}}"#, 69),
        ]
    )
    func unusable(_ status: Int, _ body: String, _ exitStatus: Int32) async throws {
        let flow = flow(ScriptedClient((201, Self.begun), (status, body)))
        _ = try await flow.perform(.begin)
        await #expect { try await flow.perform(.send) } throws: { error in
            (error as? SignupFlowError)?.exitStatus.rawValue == exitStatus
        }
    }

    @Test("an identifier that is none of ours does not become part of a path", arguments: ["../admin", "sgn_1", ""])
    func foreignIdentifier(_ id: String) async throws {
        let flow = flow(ScriptedClient((201, Self.begun.replacing(Self.id, with: id))))
        await #expect(throws: SignupFlowError.notUnderstood(server: "http://phone.test", status: 201)) {
            try await flow.perform(.begin)
        }
    }

    @Test("a server at which nobody listens is unreachable at once")
    func refused() async throws {
        // Port 1 (tcpmux) has no listener on any system of this century.
        let flow = RemoteSignupFlow(
            server: try #require(EndpointURL("http://127.0.0.1:1")),
            region: .korea,
            language: .english,
            clock: ManualClock()
        )
        let error = await #expect(throws: SignupFlowError.self) { try await flow.perform(.begin) }
        guard case .unreachable("http://127.0.0.1:1", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("refused"))
        #expect(error?.exitStatus == .unreachable)
    }
}
