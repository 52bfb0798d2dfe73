import CoreEncodings
import PhoneProofClient
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

/// Access tokens and ID tokens on another server: the keys, and what a token must say.
@Suite struct AccessTokenVerifierTests {
    /// Signs by the key whose coordinates are this byte, in a way that needs no cryptography.
    private static func token(
        _ key: UInt8 = 1,
        header: String = #"{"alg":"ES256","kid":"key-1","typ":"at+jwt"}"#,
        replacing claim: String = "",
        with new: String = ""
    ) -> String {
        let claims = #"""
            {"iss":"https://phone.test","aud":"https://shop.test","client_id":"https://shop.test","sub":"acc_1",\#
            "sid":"ses_1","auth_time":900,"iat":990,"exp":1100,"phone_number_verified":true}
            """#
        return signed(header, claims.replacing(claim, with: new), by: key)
    }

    private static func signed(_ header: String, _ claims: String, by key: UInt8) -> String {
        [header, claims, "signed by \(key)"].map { TextEncoding.base64URL.encode($0.utf8) }.joined(separator: ".")
    }

    private static func keys(_ keys: (id: String, byte: UInt8)...) -> ScriptedTransport.Answer {
        let keys = keys.map { id, byte in
            let number = [UInt8](repeating: byte, count: 32).base64URL
            return #"""
                {"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\#(id)","x":"\#(number)","y":"\#(number)"}
                """#
        }
        return .response(200, #"{"keys":[\#(keys.joined(separator: ",")),{"kty":"oct","kid":"key-1","k":"AA"}]}"#)
    }

    private final class Setting: Sendable {
        let transport: ScriptedTransport
        let now = Mutex<Int64>(1000)

        init(_ answers: ScriptedTransport.Answer...) { transport = ScriptedTransport(answers) }

        @Sendable private func time() -> Timestamp { Timestamp(seconds: now.withLock { $0 }) }

        func verifier() throws -> AccessTokenVerifier {
            let client = try #require(transport.client(retries: .init(attempts: 1), now: time))
            return AccessTokenVerifier(client, issuer: "https://phone.test", audience: "https://shop.test") {
                key,
                signature,
                _ in
                let byte: UInt8? =
                    switch key {
                    case .es256(let point): point.last
                    case .rs256(let modulus, _): modulus.last
                    }
                return signature == Array("signed by \(byte ?? 0)".utf8)
            }
        }
    }

    @Test func manyTokensAreVerifiedByKeysThatAreReadOnce() async throws {
        let setting = Setting(Self.keys(("key-1", 1)))
        let verifier = try setting.verifier()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let verified = try #require(try await verifier.verified(Self.token()))
                    #expect((verified.accountID, verified.sessionID) == ("acc_1", "ses_1"))
                    #expect(verified.isPhoneNumberVerified)
                    #expect(verified.authenticatedAt == Timestamp(seconds: 900))
                    #expect(verified.expiresAt == Timestamp(seconds: 1100))
                }
            }
            try await group.waitForAll()
        }
        #expect(setting.transport.requests == ["GET /.well-known/jwks.json"])
    }

    @Test(arguments: [
        (#""aud":"https://shop.test""#, #""aud":["https://other.test","https://shop.test"]"#, true),
        (#""exp":1100"#, #""exp":971"#, true),
        (#""exp":1100"#, #""exp":970"#, false),
        (#""iat":990"#, #""iat":1030"#, true),
        (#""iat":990"#, #""iat":1031"#, false),
        (#""exp":1100"#, #""exp":"1100""#, false),
        (#""exp":1100"#, #""exp":1e99"#, false),
        (#""iss":"https://phone.test""#, #""iss":"https://phone.test/""#, false),
        (#""aud":"https://shop.test""#, #""aud":"https://other.test""#, false),
        (#""client_id":"https://shop.test""#, #""client_id":"cli_1""#, false),
        (#""sid":"ses_1","#, "", false),
        (#""sub":"acc_1","#, "", false),
        (#""sub":"acc_1","#, #""sub":"acc_1","sub":"acc_2","#, false),
    ])
    func claims(_ claim: String, _ new: String, _ isValid: Bool) async throws {
        let verifier = try Setting(Self.keys(("key-1", 1))).verifier()
        #expect(try await (verifier.verified(Self.token(replacing: claim, with: new)) != nil) == isValid)
    }

    @Test(arguments: [
        "", "x", "a.b.c", token() + ".x", token() + "=", token(2),
        token(header: #"{"alg":"none","kid":"key-1","typ":"at+jwt"}"#),
        token(header: #"{"alg":"RS256","kid":"key-1","typ":"at+jwt"}"#),
        token(header: #"{"alg":"ES256","kid":"key-1","typ":"JWT"}"#),
        token(header: #"{"alg":"ES256","kid":"key-1"}"#),
        token(header: #"{"alg":"ES256","typ":"at+jwt"}"#),
        token(header: #"{"alg":"ES256","kid":"key-1","typ":"at+jwt","crit":["exp"]}"#),
    ])
    func whatIsNoToken(_ text: String) async throws {
        let verifier = try Setting(Self.keys(("key-1", 1))).verifier()
        #expect(try await verifier.verified(text) == nil)
    }

    // MARK: - ID tokens

    private static func idToken(
        header: String = #"{"alg":"RS256","kid":"key-3","typ":"JWT"}"#,
        replacing claim: String = "",
        with new: String = ""
    ) -> String {
        let claims = #"""
            {"amr":["otp","sms"],"aud":"cli_1","auth_time":900,"exp":1100,"iat":990,"iss":"https://phone.test",\#
            "nonce":"n1","sid":"ses_2","sub":"acc_1"}
            """#
        return signed(header, claims.replacing(claim, with: new), by: 3)
    }

    private static let rsaKey: ScriptedTransport.Answer = {
        let modulus = [UInt8](repeating: 3, count: 256).base64URL
        return .response(
            200,
            #"{"keys":[{"kty":"RSA","alg":"RS256","use":"sig","kid":"key-3","n":"\#(modulus)","e":"AQAB"}]}"#
        )
    }()

    @Test func anIDTokenOfASignIn() async throws {
        let verifier = try Setting(Self.rsaKey).verifier()
        let verified = try #require(
            try await verifier.verified(idToken: Self.idToken(), clientID: "cli_1", nonce: "n1")
        )
        #expect((verified.accountID, verified.sessionID) == ("acc_1", "ses_2"))
        #expect(verified.authenticatedAt == Timestamp(seconds: 900))
        #expect(verified.expiresAt == Timestamp(seconds: 1100))
        // The number was proven 100 seconds ago, and clocks may differ by 30.
        for (maxAge, isValid) in [(70, true), (69, false)] {
            let token = try await verifier.verified(
                idToken: Self.idToken(),
                clientID: "cli_1",
                nonce: "n1",
                maxAge: .seconds(maxAge)
            )
            #expect((token != nil) == isValid)
        }
        // Neither kind of token passes for the other.
        #expect(try await verifier.verified(Self.idToken()) == nil)
        let accessToken = try Setting(Self.keys(("key-1", 1))).verifier()
        #expect(try await accessToken.verified(idToken: Self.token(), clientID: "https://shop.test", nonce: nil) == nil)
    }

    @Test(
        arguments: [
            ("", "", "n1", true),
            ("", "", "n2", false),
            ("", "", nil, false),
            (#""nonce":"n1","#, "", nil, true),
            (#""nonce":"n1","#, "", "n1", false),
            (#""nonce":"n1","#, #""nonce":1,"#, nil, false),
            (#""aud":"cli_1""#, #""aud":"cli_2""#, "n1", false),
            (#""aud":"cli_1""#, #""aud":["cli_1","cli_2"]"#, "n1", false),
            (#""iss":"https://phone.test""#, #""iss":"https://phone.test/auth/v1""#, "n1", false),
            (#""sub":"acc_1""#, #""sub":1"#, "n1", false),
            (#""exp":1100"#, #""exp":970"#, "n1", false),
            (#""iat":990"#, #""iat":1031"#, "n1", false),
        ] as [(String, String, String?, Bool)]
    )
    func claimsOfAnIDToken(_ claim: String, _ new: String, _ nonce: String?, _ isValid: Bool) async throws {
        let verifier = try Setting(Self.rsaKey).verifier()
        let token = Self.idToken(replacing: claim, with: new)
        let verified = try await verifier.verified(idToken: token, clientID: "cli_1", nonce: nonce)
        #expect((verified != nil) == isValid)
    }

    @Test(arguments: [
        #"{"alg":"RS256","kid":"key-3","typ":"at+jwt"}"#, #"{"alg":"RS256","kid":"key-3"}"#,
        #"{"alg":"ES256","kid":"key-3","typ":"JWT"}"#, #"{"alg":"none","kid":"key-3","typ":"JWT"}"#,
    ])
    func whatIsNoIDToken(_ header: String) async throws {
        let verifier = try Setting(Self.rsaKey).verifier()
        #expect(
            try await verifier.verified(idToken: Self.idToken(header: header), clientID: "cli_1", nonce: "n1") == nil
        )
    }

    // MARK: - Keys

    /// However many tokens come by keys that nobody knows, the service is asked once in ten seconds.
    @Test func anUnknownKeyMakesItReadTheKeysAgain() async throws {
        let setting = Setting(Self.keys(("key-1", 1)), Self.keys(("key-1", 1)), Self.keys(("key-2", 2)))
        let verifier = try setting.verifier()
        let new = Self.token(2, header: #"{"alg":"ES256","kid":"key-2","typ":"at+jwt"}"#)
        #expect(try await verifier.verified(Self.token()) != nil)
        for (now, requests, isKnown) in [(1009, 1, false), (1010, 2, false), (1019, 2, false), (1020, 3, true)] {
            setting.now.withLock { $0 = Int64(now) }
            for _ in 0..<3 { #expect(try await (verifier.verified(new) != nil) == isKnown) }
            #expect(setting.transport.requests.count == requests)
        }
        // The key that was taken away counts no longer.
        #expect(try await verifier.verified(Self.token()) == nil)
        #expect(setting.transport.requests.count == 3)
    }

    @Test func keysCountForTenMinutesWithoutTheService() async throws {
        let setting = Setting(Self.keys(("key-1", 1)))
        let verifier = try setting.verifier()
        func verify(at now: Int64) async throws -> Bool {
            setting.now.withLock { $0 = now }
            return try await verifier.verified(Self.token(replacing: #""exp":1100"#, with: #""exp":9999"#)) != nil
        }
        for now in [1000, 1299, 1300, 1599] as [Int64] { #expect(try await verify(at: now)) }
        for _ in 0..<3 {
            let error = await #expect(throws: PhoneProofError.self) { try await verify(at: 1600) }
            #expect(error == .unreachable(reason: "connection reset"))
        }
    }
}
