import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

/// What a client learns of the limits on addresses, prefixes, countries and the service, and of the guard.
@Suite struct LimitTests {
    private static func policy(_ change: (inout AbusePolicy) throws -> Void) rethrows -> AbusePolicy {
        var policy = AbusePolicy.none
        try change(&policy)
        return policy
    }

    private static func begin(_ server: TestServer, _ number: Int, _ more: String = "") async throws -> Answer {
        try await server.send("POST", "/v1/verifications", #"{"phone_number":"0101234\#(5000 + number)"\#(more)}"#)
    }

    @Test func aRefusalNamesTheLimitAndWhenItIsOver() async throws {
        let limits = try Self.policy { $0.limits.sendsByPrefix = [try #require(RateLimit("3/1h"))] }
        try await TestServer.run(abusePolicy: limits) { server in
            for number in 1...3 { #expect(try await Self.begin(server, number).status == 201) }
            let refused = try await Self.begin(server, 4)
            refused.expect(
                429,
                """
                {"type":"urn:phoneproof:problem:rate_limited",
                 "title":"Rate limited",
                 "status":429,
                 "detail":"A rate limit was exceeded; retry later.",
                 "code":"rate_limited",
                 "message":"Too many requests. Try again in 20 minutes.",
                 "violated_policies":["prefix-sends-1h"],
                 "retry_after":1200}
                """
            )
            #expect(refused.headers["retry-after"] == "1200")
            #expect(refused.headers["ratelimit-policy"] == #""prefix-sends-1h";q=3;w=3600"#)
            #expect(refused.headers["ratelimit"] == #""prefix-sends-1h";r=0;t=1200"#)

            server.clock.advance(by: .milliseconds(1_199_999))
            #expect(try await Self.begin(server, 4).status == 429)
            server.clock.advance(by: .milliseconds(1))
            #expect(try await Self.begin(server, 4).status == 201)
        }
    }

    @Test func checksAreLimitedByAddress() async throws {
        let limits = try Self.policy { $0.limits.checksByAddress = [try #require(RateLimit("2/1m"))] }
        try await TestServer.run(abusePolicy: limits) { server in
            let begun = try await Self.begin(server, 1)
            let path = try #require(begun.headers["location"]) + "/checks"
            let wrong = #"{"code":"000000","client_address":"192.0.2.1"}"#
            for _ in 1...2 { #expect(try await server.send("POST", path, wrong).text("code") == "code_incorrect") }
            let right = #"{"code":"314159","client_address":"192.0.2.1"}"#
            let refused = try await server.send("POST", path, right)
            #expect(refused.headers["ratelimit-policy"] == #""address-checks-1m";q=2;w=60"#)
            let other = #"{"code":"314159","client_address":"192.0.2.2"}"#
            #expect(try await server.send("POST", path, other).status == 200)
        }
    }

    @Test func signupsAreLimitedByAddress() async throws {
        let limits = try Self.policy { $0.limits.signupsByAddress = [try #require(RateLimit("2/1h"))] }
        try await TestServer.run(abusePolicy: limits) { server in
            for _ in 1...2 { #expect(try await server.send("POST", "/v1/signups").status == 201) }
            let refused = try await server.send("POST", "/v1/signups")
            #expect(refused.status == 429)
            #expect(refused.headers["ratelimit"] == #""address-signups-1h";r=0;t=1800"#)
            #expect(refused.headers["retry-after"] == "1800")
        }
    }

    @Test func whatASessionHasStoredIsLimited() async throws {
        let limits = try Self.policy { $0.limits.changesBySession = [try #require(RateLimit("3/1h"))] }
        try await TestServer.run(abusePolicy: limits) { server in
            let (device, me) = (try await server.signIn(), "/v1/accounts/me")
            func edit(_ number: Int) async throws -> Answer {
                try await server.send("PATCH", me, #"{"metadata":{"a":\#(number)}}"#, token: device.accessToken)
            }
            for number in 1...3 { #expect(try await edit(number).status == 200) }
            let refused = try await edit(4)
            #expect(refused.status == 429)
            #expect(refused.headers["ratelimit-policy"] == #""session-changes-1h";q=3;w=3600"#)
            #expect(refused.headers["retry-after"] == "1200")
            let change = #"{"phone_number":"01087654321"}"#
            let begun = try await server.send("POST", me + "/number-changes", change, token: device.accessToken)
            #expect(begun.text("code") == "rate_limited")
            #expect(try await server.refresh(device.refreshToken).status == 429)
            #expect(try await server.send("GET", me, token: device.accessToken).body.contains(#""metadata":{"a":3}"#))
            // A person may always sign out.
            #expect(try await server.send("DELETE", "/v1/tokens?all=true", token: device.refreshToken).status == 204)
            #expect(try await server.send("GET", me, token: device.accessToken).status == 401)
        }
    }

    @Test func whatASignupHasStoredIsLimited() async throws {
        let limits = try Self.policy { $0.limits.changesBySession = [try #require(RateLimit("3/1h"))] }
        try await TestServer.run(abusePolicy: limits) { server in
            let signup = try await server.beginSignup()
            let number = #"{"phone_text":"01012345678"}"#
            #expect(try await signup.send("01012345678").status == 202)
            // Of what is refused the text in the field is kept.
            let abroad = #"{"phone_text":"+821012345678"}"#
            let soon = try await signup.call("POST", "/send", abroad)
            #expect(soon.text("code") == "resend_too_soon")
            #expect(soon.body.contains(#""phone_text":"+82 10-1234-5678""#))
            #expect(try await signup.edit(number).status == 200)
            #expect(try await signup.edit(abroad).status == 200)
            for (method, tail) in [("PATCH", ""), ("POST", "/send")] {
                let refused = try await signup.call(method, tail, number)
                #expect(refused.headers["ratelimit-policy"] == #""session-changes-1h";q=3;w=3600"#)
            }
            // What changes nothing is free, and so are the code field and signing up.
            #expect(try await signup.edit(abroad).status == 200)
            #expect(try await signup.edit(#"{"code_text":"3"}"#).status == 200)
            #expect(try await signup.signUp().status == 201)
        }
    }

    @Test func aLimitIsReportedWithTheSignupsState() async throws {
        let limits = try Self.policy { $0.limits.sendsByAddress = [try #require(RateLimit("1/1h"))] }
        try await TestServer.run(policy: try VerificationPolicy(resendCooldowns: [.zero]), abusePolicy: limits) {
            server in
            let signup = try await server.beginSignup()
            #expect(try await signup.send("01012345678").status == 202)
            let refused = try await signup.send()
            #expect(refused.status == 429)
            #expect(refused.headers["ratelimit-policy"] == #""address-sends-1h";q=1;w=3600"#)
            #expect(refused.body.contains(#""violated_policies":["address-sends-1h"]"#))
            #expect(refused.body.contains(#""phone_text":"010-1234-5678""#))
        }
    }

    private static func guarding(_ answer: GuardPolicy.Answer) throws -> AbusePolicy {
        try policy { $0.trafficGuard = try GuardPolicy(answer: answer, prefixSample: 5) }
    }

    /// Sends to five numbers that never verify anything, and lets their codes expire.
    private static func pump(_ server: TestServer) async throws {
        for number in 1...5 { #expect(try await begin(server, number).status == 201) }
    }

    @Test func whileCodesMayStillComeOneGetsThroughWhoIsVouchedFor() async throws {
        try await TestServer.run(abusePolicy: try Self.guarding(.refuse)) { server in
            try await Self.pump(server)
            let refused = try await Self.begin(server, 6)
            #expect(refused.status == 429)
            #expect(
                refused.body.contains(
                    json(
                        """
                        "detail":"The fraud guard challenges numbers with this prefix: retry later, or send vouched: true after a check of your own.",
                         "code":"rate_limited",
                         "message":"Too many requests. Try again in 10 minutes.",
                         "violated_policies":["guard-challenge"],"retry_after":600}
                        """
                    )
                )
            )
            #expect(try await Self.begin(server, 6, #","vouched":true"#).status == 201)
            #expect(try await Self.begin(server, 7, #","vouched":1"#).text("field") == "vouched")
        }
    }

    @Test func aBlockIsReportedAsALimit() async throws {
        try await TestServer.run(abusePolicy: try Self.guarding(.refuse)) { server in
            try await Self.pump(server)
            server.clock.advance(by: .seconds(2 * 3600))
            let refused = try await Self.begin(server, 6, #","vouched":true"#)
            #expect(refused.status == 429)
            #expect(refused.headers["ratelimit-policy"] == #""guard-block";q=0;w=43200"#)
            #expect(refused.headers["retry-after"] == "43200")
            #expect(await server.store.outbox.count == 5)
        }
    }

    @Test func aSilentBlockAnswersAsIfThereWasNone() async throws {
        let answers = Mutex<[[String]]>([])
        for isAttacked in [false, true] {
            try await TestServer.run(abusePolicy: try Self.guarding(.silent)) { server in
                if isAttacked {
                    try await Self.pump(server)
                } else {
                    // The same number of IDs and the same time, elsewhere.
                    for number in 1...5 {
                        let body = #"{"phone_number":"0109999\#(5000 + number)"}"#
                        #expect(try await server.send("POST", "/v1/verifications", body).status == 201)
                    }
                }
                server.clock.advance(by: .seconds(2 * 3600))
                let begun = try await Self.begin(server, 6)
                let path = try #require(begun.headers["location"])
                let seen = try await server.send("GET", path)
                let wrong = try await server.send("POST", path + "/checks", #"{"code":"000000"}"#)
                let soon = try await Self.begin(server, 6)
                server.clock.advance(by: .seconds(30))
                let again = try await Self.begin(server, 6)
                let heard = [begun, seen, wrong, soon, again].flatMap { answer in
                    // The request's ID is random, and `Date` is the machine's.
                    let fields = answer.headers.filter { !["x-request-id", "date"].contains($0.key) }
                    return [
                        "\(answer.status)", fields.map { "\($0): \($1)" }.sorted().joined(separator: "\n"), answer.body,
                    ]
                }
                answers.withLock { $0.append(heard) }
                #expect(await server.store.outbox.map(\.isWithheld).suffix(2) == [isAttacked, isAttacked])
            }
        }
        let (here, there) = answers.withLock { ($0[0], $0[1]) }
        #expect(here == there)
    }
}
