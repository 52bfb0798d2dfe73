import PhoneDomain
import PhoneTestSupport
import Testing

/// The responses of a signup where it fails: the whole problem, with everything to draw.
@Suite struct SignupFailureTests {
    @Test func aWrongCodeLeavesOneCheckLess() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let wrong = try await signup.signUp("000000")
            wrong.expect(
                422,
                """
                {"type":"urn:phoneproof:problem:code_incorrect",
                 "title":"Incorrect code",
                 "status":422,
                 "detail":"The code is incorrect.",
                 "code":"code_incorrect",
                 "message":"인증번호가 맞지 않습니다. 4번 더 입력할 수 있습니다.",
                 "checks_left":4,
                 "signup":{"id":"sgn_00000000000000000000000000000001",
                  "state":{"phone_text":"010-1234-5678",
                   "is_send_enabled":true,
                   "is_resend_enabled":false,
                   "is_code_field_hidden":false,
                   "code_text":"000000",
                   "is_sign_up_enabled":true,
                   "is_busy":false,
                   "channels":["sms"],
                   "challenge":null,
                   "failure":{"code":"code_incorrect",
                    "detail":"The code is incorrect.",
                    "message":"인증번호가 맞지 않습니다. 4번 더 입력할 수 있습니다.",
                    "checks_left":4}},
                  "verification":\(verification(2, checksLeft: 4)),
                  "account":null}}
                """
            )
            #expect(wrong.headers["content-type"] == "application/problem+json")
            // A failure is reported once.
            let seen = try await signup.show()
            #expect(
                seen.body.contains(
                    #""code_text":"","is_sign_up_enabled":false,"is_busy":false,"channels":["sms"],"challenge":null,"failure":null"#
                )
            )
            #expect(try await signup.signUp().status == 201)
        }
    }

    @Test func noChecksAreLeftAfterFiveWrongCodes() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            for checksLeft in [4, 3, 2, 1, 0] {
                let wrong = try await signup.signUp("000000")
                #expect(wrong.status == 422)
                #expect(wrong.body.contains(#""checks_left":\#(checksLeft),"signup""#))
            }
            server.clock.advance(by: .milliseconds(1500))
            let right = try await signup.signUp()
            right.expect(429, code: "max_checks_reached")
            #expect(right.headers["retry-after"] == "599")
            #expect(
                right.body.contains(
                    #""message":"인증번호를 여러 번 잘못 입력했습니다. 10분 후에 새로 요청해 주세요.","checks_left":0,"retry_after":599,"signup""#
                )
            )
            #expect(right.body.contains(#""status":"max_attempts_reached""#))
            let resend = try await signup.send()
            resend.expect(429, code: "max_checks_reached")
        }
    }

    @Test func aSecondCodeIsNotSentAtOnce() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            server.clock.advance(by: .milliseconds(29_999))
            let early = try await signup.send()
            #expect(early.status == 429)
            #expect(early.headers["retry-after"] == "1")
            #expect(
                early.body.hasPrefix(
                    json(
                        """
                        {"type":"urn:phoneproof:problem:resend_too_soon",
                         "title":"Resend too soon",
                         "status":429,
                         "detail":"A message was sent to this number a moment ago; wait until next_send_at.",
                         "code":"resend_too_soon",
                         "message":"방금 인증번호를 보냈습니다. 1초 후에 다시 요청해 주세요.",
                         "next_send_at":"2026-01-01T00:00:30.000Z",
                         "next_send_in":1,
                         "retry_after":1,
                         "signup":{"id":"sgn_00000000000000000000000000000001",
                          "state":{"phone_text":"010-1234-5678",
                           "is_send_enabled":true,
                           "is_resend_enabled":false,
                           "is_code_field_hidden":false,
                        """
                    )
                )
            )
        }
    }

    @Test func noSendsAreLeftAfterTheLast() async throws {
        try await TestServer.run(policy: VerificationPolicy(maxSends: 1)) { server in
            let signup = try await server.beginSignup("01012345678")
            server.clock.advance(by: .seconds(60))
            let refused = try await signup.send()
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "540")
            #expect(
                refused.body.contains(
                    json(
                        """
                        "code":"max_sends_reached",
                        "message":"지금은 인증번호를 더 보낼 수 없습니다. 9분 후에 새로 요청해 주세요.",
                        "sends_left":0,
                        "next_send_at":"2026-01-01T00:10:00.000Z",
                        "next_send_in":540,
                        "retry_after":540,
                        """
                    )
                )
            )
        }
    }

    @Test(arguments: [
        ("", 422, "invalid_phone_number", "empty"),
        ("010-1234", 422, "invalid_phone_number", "too_short"),
        ("02-123-4567", 422, "invalid_phone_number", "kind_not_accepted"),
        ("010-1234-567 x8", 422, "invalid_phone_number", "not_a_number"),
        ("+1 212 555 0123", 403, "region_not_allowed", nil),
    ])
    func aCodeIsNotSentToEveryNumber(_ phoneText: String, status: Int, code: String, reason: String?) async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup()
            let refused = try await signup.send(phoneText)
            refused.expect(status, code: code)
            #expect(refused.text("reason") == reason)
            #expect(refused.body.contains(#""allowed_regions":["KR"]"#) == (code == "region_not_allowed"))
            #expect(refused.body.contains(#""failure":{"code":"\#(code)""#))
            let shown = try await signup.show()
            #expect(shown.text("phone_text") == refused.text("phone_text"))
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test(arguments: ["", "31415", "3141592", "abcdef", "31415a9", "１２３４５６７"])
    func whatIsNoCodeIsNotCounted(_ codeText: String) async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let refused = try await signup.signUp(codeText)
            refused.expect(422, code: "invalid_request", detail: "The code must have 6 digits.")
            #expect(refused.body.contains(#""checks_left":5"#))
        }
    }

    @Test func signingUpNeedsAVerification() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup()
            let refused = try await signup.signUp()
            refused.expect(404, code: "verification_not_found")
            #expect(refused.body.contains(#""code_text":"314159""#))
        }
    }

    @Test func withoutItsTokenNobodyLearnsOfASignup() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup()
            let notFound = json(
                """
                {"type":"urn:phoneproof:problem:signup_not_found",
                 "title":"Signup not found",
                 "status":404,
                 "detail":"There is no such signup, it has expired, or the token does not match; begin a new one.",
                 "code":"signup_not_found",
                 "message":"Your session has expired. Start again."}
                """
            )
            let unknown = "/v1/signups/" + id("sgn", 9)
            for path in [
                signup.path, unknown, "/v1/signups/sgn_1", "/v1/signups/" + id("ver", 1), "/v1/signups/..%2F..",
            ] {
                for (method, tail) in [("GET", ""), ("PATCH", ""), ("POST", "/send"), ("POST", "/sign-up")] {
                    let refused = try await server.send(
                        method,
                        path + tail,
                        method == "GET" ? nil : "{}",
                        token: "sgt_2"
                    )
                    refused.expect(404, notFound)
                }
            }
        }
    }

    @Test(arguments: [nil, "", "Bearer", "Basic c2d0XzE6", "sgt_1", "Bearer sgt_1 sgt_1"])
    func aTokenMustBeShown(_ authorization: String?) async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup()
            let headers = authorization.map { ["Authorization": $0] } ?? [:]
            let refused = try await server.send("GET", signup.path, headers: headers)
            refused.expect(401, code: "unauthorized", detail: "Send the token of the signup: Authorization: Bearer ….")
            #expect(refused.headers["www-authenticate"] == #"Bearer realm="phoneproof""#)
        }
    }

    @Test func theSchemeMayBeInAnyCase() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup()
            #expect(try await server.send("GET", signup.path, headers: ["Authorization": "bEARER sgt_1"]).status == 200)
        }
    }

    @Test(arguments: [
        (
            #"{"region":"Korea"}"#, "region",
            "region must be the ISO 3166-1 code of a supported region, such as KR."
        ),
        (#"{"region":82}"#, "region", "region must be a string."),
        (#"{"locale":"!"}"#, "locale", "locale must be a BCP 47 language tag, such as ko or en-US."),
    ])
    func regionAndLocaleMustBeOnes(_ body: String, field: String, detail: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send("POST", "/v1/signups", body)
            refused.expect(422, code: "invalid_request", field: field, detail: detail)
        }
    }

    @Test func withoutAStoreNothingWorksAndNothingIsLost() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            server.store.fail(with: Outage())
            let calls = [
                ("POST", "/v1/signups"), ("GET", signup.path), ("PATCH", signup.path), ("POST", signup.path + "/send"),
                ("POST", signup.path + "/sign-up"),
            ]
            for (method, path) in calls {
                let body = method == "GET" ? nil : #"{"phone_text":"1","code_text":"1"}"#
                let refused = try await server.send(method, path, body, token: signup.token)
                refused.expect(
                    503,
                    """
                    {"type":"urn:phoneproof:problem:unavailable",
                     "title":"Unavailable",
                     "status":503,
                     "detail":"The service is temporarily unavailable; retry shortly.",
                     "code":"unavailable",
                     "message":"The service is temporarily unavailable. Try again in a moment.",
                     "retry_after":5}
                    """
                )
                #expect(refused.headers["retry-after"] == "5")
            }
            func notes() -> Int { server.log.lines.count { $0.contains("error.cause=Outage()") } }
            #expect(notes() == 1)
            server.clock.advance(by: .seconds(60))
            _ = try await signup.show()
            #expect(notes() == 2)
            server.store.fail(with: nil)
            #expect(try await signup.signUp().status == 201)
        }
    }
}
