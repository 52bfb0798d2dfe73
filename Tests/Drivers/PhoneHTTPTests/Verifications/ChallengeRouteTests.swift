import CoreEncodings
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

/// Challenges as programs and pages see them.
@Suite struct ChallengeRouteTests {
    private static func guarded() throws -> AbusePolicy {
        var policy = AbusePolicy.none
        policy.trafficGuard = try GuardPolicy(prefixSample: 5)
        policy.trafficGuard.work = try WorkPolicy(easiest: 100, hardest: 3200)
        return policy
    }

    private static func run(_ work: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(abusePolicy: try guarded(), challenger: try .plain()) { server in
            // Five messages to the prefix, none of which leads to an approval.
            for number in 1...5 {
                let body = #"{"phone_number":"0101234\#(5000 + number)"}"#
                #expect(try await server.send("POST", "/v1/verifications", body).status == 201)
            }
            try await work(server)
        }
    }

    @Test func aServerGetsAChallengeAndSolvesIt() async throws {
        try await Self.run { server in
            let number = #""phone_number":"010-1234-6000""#
            let refused = try await server.send("POST", "/v1/verifications", "{\(number)}")
            let challenge = try #require(JSONText(refused.body))
            refused.expect(
                428,
                """
                {"type":"urn:phoneproof:problem:challenge_required",
                 "title":"Challenge required",
                 "status":428,
                 "detail":"The fraud guard wants a proof first: solve challenge, and send the request again with proof.",
                 "code":"challenge_required",
                 "message":"We need to check that you're not a bot. Try again.",
                 "challenge":{"kind":"proof_of_work","algorithm":"SHA-256","challenge":"\(challenge.hash)",
                 "maxnumber":100,"salt":"\(challenge.salt)","signature":"\(challenge.signature)",
                 "expires_at":"2026-01-01T00:10:00.000Z","expires_in":600}}
                """
            )
            let proof = try challenge.solution()
            let body = #"{\#(number),"proof":"\#(proof)"}"#
            #expect(try await server.send("POST", "/v1/verifications", body).status == 201)
            server.clock.advance(by: .seconds(30))
            let again = try await server.send("POST", "/v1/verifications", body)
            again.expect(
                422,
                """
                {"type":"urn:phoneproof:problem:challenge_failed",
                 "title":"Challenge failed",
                 "status":422,
                 "detail":"The proof was used already; send the request without proof, or with a new one.",
                 "code":"challenge_failed",
                 "message":"We couldn't confirm that you're not a bot. Try again.",
                 "reason":"used"}
                """
            )
            let nonsense = try await server.send("POST", "/v1/verifications", #"{\#(number),"proof":"e30="}"#)
            #expect(nonsense.status == 422 && nonsense.text("reason") == "invalid")
        }
    }

    @Test func aChallengeCanBeHadAheadOfTheRequest() async throws {
        try await Self.run { server in
            for (number, isRequired) in [("01012346000", true), ("01099996000", false)] {
                let answer = try await server.send("GET", "/v1/challenges?phone_number=\(number)")
                #expect(answer.status == 200)
                #expect(answer.body.hasSuffix(#""is_required":\#(isRequired)}"#))
                #expect(answer.headers["cache-control"] == "no-store")
                let proof = try #require(JSONText(answer.body)).solution()
                let body = #"{"phone_number":"\#(number)","proof":"\#(proof)"}"#
                #expect(try await server.send("POST", "/v1/verifications", body).status == 201)
            }
            #expect(try await server.send("GET", "/v1/challenges").text("field") == "phone_number")
            #expect(try await server.send("GET", "/v1/challenges?phone_number=0101").status == 422)
            #expect(try await server.send("GET", "/v1/challenges?phone_number=010+1234+6000&region=KR").status == 200)
        }
        try await TestServer.run { server in
            let none = try await server.send("GET", "/v1/challenges?phone_number=01012346000")
            #expect(none.status == 404)
        }
    }

    @Test func aSignupHasTheChallengeInItsStateAndTakesTheProof() async throws {
        try await Self.run { server in
            let begun = try await server.send("POST", "/v1/signups")
            #expect(begun.body.contains(#""challenge":null"#))
            let signup = try GuidedSignup(server, begun)
            let number = #""phone_text":"01012346000""#
            let refused = try await signup.call("POST", "/send", "{\(number)}")
            #expect(refused.status == 428)
            let challenge = try #require(JSONText(refused.body))
            // In the problem, in the state, and in its failure.
            #expect(refused.body.ranges(of: challenge.hash).count == 3)
            let proof = try challenge.solution()
            let sent = try await signup.call("POST", "/send", #"{\#(number),"proof":"\#(proof)"}"#)
            #expect(sent.status == 202)
            #expect(sent.body.contains(#""challenge":null"#))
        }
    }

    @Test func aPersonWhoChangesTheNumberSolvesOneAsWell() async throws {
        try await Self.run { server in
            let device = try await server.signIn("01098765432")
            let number = #""phone_number":"010-1234-6000""#
            let path = "/v1/accounts/me/number-changes"
            let refused = try await server.send("POST", path, "{\(number)}", token: device.accessToken)
            #expect(refused.status == 428)
            let proof = try #require(JSONText(refused.body)).solution()
            let body = #"{\#(number),"proof":"\#(proof)"}"#
            #expect(try await server.send("POST", path, body, token: device.accessToken).status == 201)
        }
    }

    @Test func aPageIsShownOnceMoreWithAChallengeAndItsFormSendsTheCode() async throws {
        try await Self.run { server in
            let post = try await Self.form(server)
            let asked = try await post("")
            #expect(asked.status == 428)
            #expect(asked.body.contains("<h1>One moment</h1>"))
            #expect(asked.body.contains(#"name="phone_text" value="01012346000""#))
            #expect(asked.body.contains(#"in <span class="left">60</span> s."#))
            #expect(asked.body.contains(".later { animation: later 0s 60s both }"))
            #expect(try #require(asked.headers["content-security-policy"]).contains("worker-src 'self';"))
            // Too early, and forged: the page again.
            let ticket = try #require(asked.body.firstMatch(of: /name="proof" value="([^"]+)"/)?.1)
            #expect(try await post("&proof=\(ticket)").status == 428)
            #expect(try await post("&proof=x").status == 428)
            let work = asked.body.replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
            let proof = try #require(JSONText(work)).solution()
            #expect(try await post("&proof=" + proof.replacing("+", with: "%2B")).status == 303)
        }
    }

    /// Posts the form of a page with more of its fields.
    private static func form(_ server: TestServer) async throws -> (String) async throws -> Answer {
        let browser = try await Browser(server)
        return { fields in try await browser.post("action=send&phone_text=01012346000\(fields)") }
    }

    @Test func whoCannotComputeWaits() async throws {
        try await Self.run { server in
            let post = try await Self.form(server)
            let ticket = try #require(try await post("").body.firstMatch(of: /name="proof" value="([^"]+)"/)?.1)
            server.clock.advance(by: .seconds(59))
            #expect(try await post("&proof=\(ticket)").status == 428)
            server.clock.advance(by: .seconds(1))
            #expect(try await post("&proof=\(ticket)").status == 303)
        }
    }

    @Test func theFieldSaysWhetherAChallengeIsToBeSolvedAlready() async throws {
        try await Self.run { server in
            let asked = try await server.send("GET", "/signup/format?text=01012346000")
            #expect(asked.body.contains(#""challenge":{"kind":"proof_of_work""#))
            for text in ["0101234600", "01099996000"] {
                #expect(
                    try await server.send("GET", "/signup/format?text=\(text)").body.contains(#""challenge":null,"#)
                )
            }
            let script = try await server.send("GET", "/signup/proof.js")
            #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
        }
    }
}

/// The challenge in a text.
private struct JSONText {
    let hash, salt, signature: String
    private let maxNumber: Int

    init?(_ text: String) {
        guard let hash = text.firstMatch(of: /"challenge":"([0-9a-f]{64})"/)?.1,
            let salt = text.firstMatch(of: /"salt":"([^"]+)"/)?.1,
            let signature = text.firstMatch(of: /"signature":"([0-9a-f]{64})"/)?.1,
            let maxNumber = text.firstMatch(of: /"maxnumber":([0-9]+)/).flatMap({ Int($0.1) })
        else { return nil }
        (self.hash, self.salt, self.signature) = (String(hash), String(salt), String(signature))
        self.maxNumber = maxNumber
    }

    /// As ALTCHA's widget sends it.
    func solution() throws -> String {
        let work = ProofOfWork(
            hash: hash,
            salt: salt,
            signature: signature,
            maxNumber: maxNumber,
            expiresAt: Timestamp(seconds: 0)
        )
        guard case .work(let solution) = try #require(PlainRequestAuthenticator().solve(work)) else { return "" }
        let json = """
            {"algorithm":"SHA-256","challenge":"\(hash)","number":\(solution.number),"salt":"\(salt)",\
            "signature":"\(signature)","took":12}
            """
        return Array(json.utf8).base64
    }
}
