import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

/// The guided signup as a client sees it, response by response.
@Suite struct SignupTests {
    /// The session's first refresh token.
    static let refreshToken =
        "rt_00000000000000000000000000000002_iN0pLU8e5Tdow95LVU7hGe1if1EYdRNyCt7Ea-AMiWa1xejWfdT3iszZLwoqgtimU"

    @Test func signsUpANewPersonAndKnowsThemAgain() async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/signups", #"{"region":"KR","locale":"ko"}"#)
            begun.expect(
                201,
                """
                {"id":"sgn_00000000000000000000000000000001",
                 "token":"sgt_1",
                 "state":{"phone_text":"",
                  "is_send_enabled":false,
                  "is_resend_enabled":false,
                  "is_code_field_hidden":true,
                  "code_text":"",
                  "is_sign_up_enabled":false,
                  "is_busy":false,
                  "channels":[],
                  "challenge":null,
                  "failure":null},
                 "verification":null,
                 "account":null}
                """
            )
            #expect(begun.headers["location"] == "/v1/signups/sgn_00000000000000000000000000000001")
            #expect(begun.headers["content-type"] == "application/json")

            let signup = try GuidedSignup(server, begun)
            let typed = try await signup.edit(#"{"phone_text":"01012345678"}"#)
            typed.expect(
                200,
                """
                {"id":"sgn_00000000000000000000000000000001",
                 "state":{"phone_text":"010-1234-5678",
                  "is_send_enabled":true,
                  "is_resend_enabled":false,
                  "is_code_field_hidden":true,
                  "code_text":"",
                  "is_sign_up_enabled":false,
                  "is_busy":false,
                  "channels":[],
                  "challenge":null,
                  "failure":null},
                 "verification":null,
                 "account":null}
                """
            )

            let sent = try await signup.send()
            #expect(sent.status == 202)
            let pending = verification(2)
            #expect(
                sent.body
                    == json(
                        """
                        {"id":"sgn_00000000000000000000000000000001",
                         "state":{"phone_text":"010-1234-5678",
                          "is_send_enabled":true,
                          "is_resend_enabled":false,
                          "is_code_field_hidden":false,
                          "code_text":"",
                          "is_sign_up_enabled":false,
                          "is_busy":false,
                          "channels":["sms"],
                          "challenge":null,
                          "failure":null},
                         "verification":\(pending),
                         "account":null}
                        """
                    )
            )

            let coded = try await signup.edit(#"{"code_text":"314 159"}"#)
            #expect(
                coded.body
                    == json(
                        """
                        {"id":"sgn_00000000000000000000000000000001",
                         "state":{"phone_text":"010-1234-5678",
                          "is_send_enabled":true,
                          "is_resend_enabled":false,
                          "is_code_field_hidden":false,
                          "code_text":"314159",
                          "is_sign_up_enabled":true,
                          "is_busy":false,
                          "channels":["sms"],
                          "challenge":null,
                          "failure":null},
                         "verification":\(pending),
                         "account":null}
                        """
                    )
            )

            let signedUp = try await signup.signUp("314 159")
            signedUp.expect(
                201,
                """
                {"id":"sgn_00000000000000000000000000000001",
                 "state":{"phone_text":"010-1234-5678",
                  "is_send_enabled":true,
                  "is_resend_enabled":false,
                  "is_code_field_hidden":false,
                  "code_text":"314159",
                  "is_sign_up_enabled":false,
                  "is_busy":false,
                  "channels":["sms"],
                  "challenge":null,
                  "failure":null},
                 "verification":\(verification(2, status: "approved", checksLeft: 4)),
                 "account":{"id":"acc_00000000000000000000000000000004",
                  "phone_number":"+821012345678",
                  "created_at":"2026-01-01T00:00:00.000Z",
                  "is_new":true},
                 "tokens":{"access_token":"at_1",
                  "token_type":"Bearer",
                  "expires_in":900,
                  "refresh_token":"\(Self.refreshToken)",
                  "scope":"account"}}
                """
            )

            let seen = try await signup.show()
            #expect(seen.status == 200)
            let kept = signedUp.body.replacing(#""code_text":"314159""#, with: #""code_text":"""#)
            #expect(seen.body == kept.replacing(/,"tokens":.*/, with: "}"))

            server.clock.advance(by: .seconds(60))
            let known = try await server.beginSignup("010 1234 5678").signUp()
            #expect(known.status == 200)
            #expect(
                known.body.contains(
                    json(
                        """
                        "account":{"id":"acc_00000000000000000000000000000004",
                         "phone_number":"+821012345678",
                         "created_at":"2026-01-01T00:00:00.000Z",
                         "is_new":false}
                        """
                    )
                )
            )
            #expect(await server.store.accountCount == 1)
        }
    }

    @Test func theCodeFieldGoesAwayAndComesBackWithItsNumber() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let other = try await signup.edit(#"{"phone_text":"0101234567"}"#)
            #expect(other.text("phone_text") == "010-1234-567")
            #expect(other.body.contains(#""is_code_field_hidden":true"#))
            #expect(other.body.contains(#""verification":null"#))
            let back = try await signup.edit(#"{"phone_text":"010-1234-5678"}"#)
            #expect(back.body.contains(#""is_code_field_hidden":false"#))
            #expect(back.body.contains(#""verification":{"id":"ver_00000000000000000000000000000002""#))
        }
    }

    @Test func aLostAnswerLosesNothing() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let code = #"{"code_text":"314159"}"#
            let signedUp = try await signup.call("POST", "/sign-up", code)
            let account = json(
                """
                "account":{"id":"acc_00000000000000000000000000000004",
                 "phone_number":"+821012345678",
                 "created_at":"2026-01-01T00:00:00.000Z",
                 "is_new":true}
                """
            )
            for body in [code, #"{"code_text":"314 159"}"#] {
                let again = try await signup.call("POST", "/sign-up", body)
                #expect(again.status == 201)
                // Except for the access token, which is new each time.
                #expect(again.body.replacing(/at_[0-9]/, with: "at_1") == signedUp.body)
            }
            // The signup does not store the code: its token alone opens nothing.
            for body in [#"{"code_text":""}"#, #"{"code_text":"314158"}"#, code] {
                let refused = try await signup.call("POST", "/sign-up", body)
                refused.expect(409, code: "verification_closed")
                #expect(!refused.body.contains("rt_"))
            }
            server.clock.advance(by: .seconds(10))
            for action in ["/sign-up", "/send"] {
                let again = try await signup.call("POST", action, code)
                again.expect(409, code: "verification_closed")
                #expect(again.body.contains(account))
            }
            #expect(try await signup.show().body.contains(account))
            #expect(await server.store.outbox.count == 1)
        }
    }

    @Test func aCodeIsJudgedAndNotStored() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let before = try await signup.show()
            let stored = try await server.store.signup(Signup.ID(bits: 0, 1))
            for (text, shown, isEnabled) in [("314 159", "314159", true), ("314", "314", false), ("", "", false)] {
                let body = #"{"code_text":"\#(text)"}"#
                let typed = try await signup.edit(body)
                #expect(typed.text("code_text") == shown)
                #expect(typed.body.contains(#""is_sign_up_enabled":\#(isEnabled)"#))
                #expect(try await signup.show().body == before.body)
            }
            #expect(try await server.store.signup(Signup.ID(bits: 0, 1)) == stored)
            // So signing up needs it.
            for (body, detail) in [
                (nil, "code_text is missing."), ("{}", "code_text is missing."),
                (#"{"code_text":null}"#, "code_text must be a string."),
            ] {
                let refused = try await signup.call("POST", "/sign-up", body)
                refused.expect(422, code: "invalid_request", field: "code_text", detail: detail)
            }
        }
    }

    @Test func unknownMembersAndNullsChangeNothing() async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/signups", #"{"region":null,"theme":{"dark":[true]}}"#)
            #expect(begun.status == 201)
            #expect(begun.text("phone_text") == "")
            let same = try await GuidedSignup(server, begun).edit(#"{"phone_text":null,"id":"x"}"#)
            #expect(same.status == 200)
            #expect(same.text("phone_text") == "")
        }
    }

    @Test func aSignupEndsWithItsHour() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup()
            server.clock.advance(by: .seconds(3599))
            #expect(try await signup.show().status == 200)
            server.clock.advance(by: .seconds(1))
            let ended = try await signup.show()
            ended.expect(404, code: "signup_not_found")
        }
    }
}
