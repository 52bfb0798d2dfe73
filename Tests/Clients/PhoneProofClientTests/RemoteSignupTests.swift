import PhoneNumbers
import PhoneProofClient
import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import Testing

/// A guided signup over HTTP, and the view model on top of it.
@Suite struct RemoteSignupTests {
    private static let begun =
        #"{"id": "sgn_1", "token": "sgt_1", "state": {"phone_text": "010-"}, "verification": null, "account": null}"#

    private static func verification(_ members: String = "") -> String {
        #"""
        {"id": "ver_1", "phone_number": "+821012345678", "channel": "sms", \#
        "status": "pending", "next_send_in": 30, "expires_in": 600, "sends_left": 4, "checks_left": 5\#(members)}
        """#
    }

    private static func sent(_ members: String = "") -> String {
        #"""
        {"id": "sgn_1", "state": {"phone_text": "010-1234-5678", "channels": ["sms", "call"]}, \#
        "verification": \#(verification(members))}
        """#
    }

    private func begin(_ transport: ScriptedTransport) async throws -> RemoteSignup {
        try await #require(transport.client()).beginSignup(region: .korea)
    }

    private static let asked = #"""
        {"title": "Challenge required", "code": "challenge_required", "signup": \#(sent()), "challenge": \#
        {"kind": "proof_of_work", "algorithm": "SHA-256", "challenge": "ab12", "maxnumber": 100, "salt": "00?max=100&", \#
        "signature": "cd34"}}
        """#

    @Test func whatTheServiceAsksForIsSolvedAndTheRequestIsMadeOnceMore() async throws {
        let transport = ScriptedTransport(
            .response(201, Self.begun),
            .response(428, Self.asked),
            .response(202, Self.sent())
        )
        let client = try #require(transport.client())
        let signup = try await client.beginSignup(region: .korea) { work in
            #expect((work.challenge, work.salt, work.signature) == ("ab12", "00?max=100&", "cd34"))
            return work.maxNumber
        }
        let sent = try await signup.send()
        #expect(sent.id == "ver_1")
        // The base64 of what ALTCHA's clients send.
        let proof =
            "eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwiY2hhbGxlbmdlIjoiYWIxMiIsIm51bWJlciI6MTAwLCJzYWx0IjoiMDA/bWF4"
            + "PTEwMCYiLCJzaWduYXR1cmUiOiJjZDM0In0"
        #expect(
            transport.requests == [
                #"POST /v1/signups {"region":"KR","locale":"ko"}"#,
                #"POST /v1/signups/sgn_1/send {"phone_text":"01012345678"}"#,
                #"POST /v1/signups/sgn_1/send {"phone_text":"01012345678","proof":"\#(proof)"}"#,
            ]
        )
    }

    @Test func withoutASolverOrASolutionTheChallengeIsTheFailure() async throws {
        for solver in [nil, { _ in nil }] as [WorkChallenge.Solver?] {
            let transport = ScriptedTransport(.response(201, Self.begun), .response(428, Self.asked))
            let signup = try await #require(transport.client()).beginSignup(region: .korea, solver: solver)
            let refusal = await #expect(throws: SignupFailure.self) { try await signup.send() }
            #expect(refusal?.code == "challenge_required")
            #expect(transport.requests.count == 2)
        }
    }

    @Test func theViewModelSignsUpOverHTTP() async throws {
        let wrong = #"""
            {"title": "Wrong code", "detail": "The code is incorrect.", "code": "code_incorrect", "checks_left": 4, \#
            "message": "인증번호가 맞지 않습니다.", "signup": \#(Self.sent(#", "checks_left": 4"#))}
            """#
        let done = #"""
            {"id": "sgn_1", "account": {"id": "acc_1", "is_new": true}, \#
            "tokens": {"access_token": "a1", "refresh_token": "rt_1", "expires_in": 900}}
            """#
        let transport = ScriptedTransport(
            .response(201, Self.begun),
            .response(202, Self.sent()),
            .response(422, wrong),
            .response(201, done)
        )
        let signup = try await begin(transport)
        let session = PhoneViewSession(PhoneViewModel(useCase: signup, phoneText: signup.startText))
        #expect(session.state.phoneText == "010-")
        #expect(session.changePhoneText("01012345678").phoneText == "010-1234-5678")
        let sent = await session.tapSend()
        #expect(sent.channels == [.sms, .call])
        #expect(sent.resendableFrom == Timestamp(seconds: 1030))
        #expect(sent.sentCode?.expiresAt == Timestamp(seconds: 1600))
        #expect(session.changeCodeText("12345").isSignUpEnabled == false)
        #expect(session.changeCodeText("000000").isSignUpEnabled)
        let refused = await session.tapSignUp()
        #expect(refused.failure?.code == .codeIncorrect)
        #expect(refused.failure?.message == "인증번호가 맞지 않습니다.")
        #expect(refused.sentCode?.checksLeft == 4)
        session.changeCodeText("123456")
        #expect(await session.tapSignUp().signedUp == SignedUpAccount(id: "acc_1", isNew: true))
        #expect(
            signup.tokens
                == SessionTokens(accessToken: "a1", refreshToken: "rt_1", expiresAt: Timestamp(seconds: 1900))
        )
        #expect(
            transport.requests == [
                #"POST /v1/signups {"region":"KR","locale":"ko"}"#,
                #"POST /v1/signups/sgn_1/send {"phone_text":"01012345678"}"#,
                #"POST /v1/signups/sgn_1/sign-up {"code_text":"000000"}"#,
                #"POST /v1/signups/sgn_1/sign-up {"code_text":"123456"}"#,
            ]
        )
        #expect(transport.headers("Authorization") == [nil, "Bearer sgt_1", "Bearer sgt_1", "Bearer sgt_1"])
        #expect(transport.headers("Accept-Language") == ["ko", "ko", "ko", "ko"])
    }

    /// It would become part of a path.
    @Test(arguments: ["../admin", "sgn/1"])
    func anIdentifierThatIsNoneIsRefused(_ id: String) async throws {
        let transport = ScriptedTransport(.response(201, Self.begun.replacing("sgn_1", with: id)))
        await #expect(throws: PhoneProofError.notUnderstood(status: 200)) { try await begin(transport) }
    }

    /// Each failure that a person can meet, and what is left of the signup.
    @Test(
        arguments: [
            (422, "invalid_phone_number", "", nil),
            (403, "region_not_allowed", "", nil),
            (429, "resend_too_soon", #", "retry_after": 27"#, 1027),
            (429, "max_sends_reached", #", "retry_after": 600"#, 1600),
            (429, "rate_limited", #", "retry_after": 3600"#, 4600),
            (404, "signup_not_found", "", nil),
            (409, "verification_closed", "", nil),
            (403, "send_denied", "", nil),
            (500, "internal_error", "", nil),
            (428, "moon_is_full", #", "retry_after": -1"#, nil),
        ] as [(Int, String, String, Int64?)]
    )
    func aRefusalToSend(_ status: Int, _ code: String, _ members: String, _ retryAt: Int64?) async throws {
        let problem = #"{"title": "No", "detail": "Not now.", "code": "\#(code)"\#(members)}"#
        let transport = ScriptedTransport(.response(201, Self.begun), .response(status, problem))
        let signup = try await begin(transport)
        let failure = await #expect(throws: SignupFailure.self) { try await signup.send() }
        #expect(
            failure
                == SignupFailure(
                    SignupFailure.Code(rawValue: code),
                    message: "Not now.",
                    retryAt: retryAt.map { Timestamp(seconds: $0) }
                )
        )
        #expect(signup.error?.code?.rawValue == code)
        #expect(transport.requests.count == 2)
    }

    /// Without a response nobody knows whether the code is on its way: the person decides.
    @Test(arguments: [
        ScriptedTransport.Answer.lost, .response(502, "<html>Bad gateway"), .response(200, "<html>"),
        .response(302, ""), .response(200, #"{"id": "sgn_1", "state": {}}"#),
    ])
    func aSendIsNotRepeatedByItself(_ answer: ScriptedTransport.Answer) async throws {
        let transport = ScriptedTransport(.response(201, Self.begun), answer, .response(202, Self.sent()))
        let signup = try await begin(transport)
        let failure = await #expect(throws: SignupFailure.self) { try await signup.send(.call) }
        #expect(failure == SignupFailure(.unavailable))
        #expect(signup.error != nil)
        #expect(try await signup.send(.call).channel == .sms)
        #expect(signup.error == nil)
        #expect(
            transport.requests.last
                == #"POST /v1/signups/sgn_1/send {"phone_text":"01012345678","channel":"call"}"#
        )
    }

    @Test func aChannelThatWasPickedLeavesTheOthersKnown() async throws {
        let call = Self.sent(#", "channel": "call""#)
        let transport = ScriptedTransport(.response(201, Self.begun), .response(202, Self.sent()), .response(202, call))
        let signup = try await begin(transport)
        #expect(try await signup.send().channels == [.sms, .call])
        let picked = try await signup.send(.call)
        #expect(picked.channel == .call)
        #expect(picked.channels == [.sms, .call])
    }

    @Test(
        "what a server says of times and counts",
        arguments: [
            (#", "next_send_in": 7"#, 1007, true),
            (#", "next_send_in": null, "next_send_at": "1970-01-01T00:20:00Z""#, 1200, true),
            (#", "sends_left": 0"#, 1600, true),
            (#", "checks_left": 0, "status": "max_attempts_reached""#, 1600, false),
            (#", "status": "canceled""#, 1030, false),
        ] as [(String, Int64, Bool)]
    )
    func times(_ members: String, _ nextSendAt: Int64, _ isOpen: Bool) async throws {
        let transport = ScriptedTransport(.response(201, Self.begun), .response(202, Self.sent(members)))
        let signup = try await begin(transport)
        let sent = try await signup.send()
        #expect(sent.resendableFrom == Timestamp(seconds: nextSendAt))
        #expect(sent.isOpen == isOpen)
    }

    @Test func aSignupContinuesAfterTheAppWasEnded() async throws {
        let transport = ScriptedTransport(.response(200, Self.sent()))
        let signup = try await #require(transport.client()).signup("sgn_1", token: "sgt_1", region: .korea)
        let viewModel = PhoneViewModel(useCase: signup, phoneText: signup.startText, sentCode: signup.sentCode)
        let state = PhoneViewSession(viewModel).state
        #expect(state.phoneText == "010-1234-5678")
        #expect(!state.isCodeFieldHidden)
        #expect(transport.requests == ["GET /v1/signups/sgn_1"])
    }

    @Test func insteadOfADormantAccountThePersonMayHaveANewOne() async throws {
        let dormant = #"{"title": "Account dormant", "detail": "Decide.", "code": "account_dormant"}"#
        let transport = ScriptedTransport(
            .response(201, Self.begun),
            .response(202, Self.sent()),
            .response(409, dormant),
            .lost,
            .response(200, Self.sent())
        )
        let signup = try await begin(transport)
        let sent = try await signup.send()
        let failure = await #expect(throws: SignupFailure.self) { try await signup.signUp("123456", for: sent) }
        #expect(failure?.code == .accountDormant)
        try await signup.chooseNewAccount()
        let decision = #"POST /v1/signups/sgn_1/dormant-account {"decision":"new_account"}"#
        #expect(transport.requests.suffix(2) == [decision, decision])
    }

    @Test func rulesAreAcceptedWithTheCode() async throws {
        let consent = #""consent": {"version": "2", "is_required": true, "terms_url": "https://t.test"}"#
        let transport = ScriptedTransport(
            .response(201, #"{"id": "sgn_1", "token": "t", "state": {"phone_text": "+82 "}, \#(consent)}"#),
            .response(202, Self.sent()),
            .lost
        )
        let signup = try await begin(transport)
        #expect(signup.consent?.version == "2")
        #expect(signup.consent?.isRequired == true)
        let sent = try await signup.send()
        signup.acceptConsent()
        await #expect(throws: SignupFailure.self) { try await signup.signUp("123456", for: sent) }
        #expect(transport.requests.last?.hasSuffix(#"{"code_text":"123456","consent":"2"}"#) == true)
    }
}

extension RemoteSignup {
    fileprivate func send(_ channel: Channel? = nil) async throws(SignupFailure) -> SentCode {
        try await requestCode(CodeRequest(phone: phoneText("01012345678"), channel: channel))
    }
}
