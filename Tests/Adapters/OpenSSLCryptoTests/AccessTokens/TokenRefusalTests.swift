import COpenSSL
import FoundationEssentials
import PhoneAccounts
import PhoneDomain
import PhoneSignup
import Testing

@testable import OpenSSLCrypto

/// What no token may be taken for one of ours for: each rule of RFC 8725, and what else tokens have been forged by. All
/// are signed by the service's own key, where that is not what is wrong with them: so it is the rule that refuses them.
@Suite struct TokenRefusalTests {
    private let scene = TokenScene()

    private func isAccepted(_ text: String, at now: Timestamp? = nil) async throws -> Bool {
        try await scene.tokens.token(in: text, at: now ?? scene.now) != nil
    }

    private func isAccepted(header: String, payload: String = Forge.payload) async throws -> Bool {
        try await isAccepted(Forge.token(header, payload, by: scene.secret))
    }

    private func isAccepted(payload: String, at now: Timestamp? = nil) async throws -> Bool {
        try await isAccepted(Forge.token(Forge.header(scene.kid()), payload, by: scene.secret), at: now)
    }

    @Test func `the token that the others differ from in one thing is taken`() async throws {
        let text = try await Forge.token(Forge.header(scene.kid()), Forge.payload, by: scene.secret)
        #expect(try await scene.tokens.token(in: text, at: scene.now) == scene.token())
    }

    // RFC 8725 section 2.1 and 3.1: the algorithm is ours to say.

    @Test(arguments: ["none", "None", "NONE", "nOnE", "none ", "", "null"])
    func `a token without a signature is refused, however that is written`(alg: String) async throws {
        let header = try await #"{"alg":"\#(alg)","typ":"at+jwt","kid":"\#(scene.kid())"}"#
        let input = Forge.input(header, Forge.payload)
        for signature in ["", Forge.base64URL([UInt8](repeating: 0, count: 64))] {
            #expect(try await !isAccepted(input + "." + signature))
        }
        #expect(try await !isAccepted(input))
        // Nor with the signature that it should have.
        #expect(try await !isAccepted(header: header))
    }

    @Test(arguments: ["HS256", "HS384", "HS512"])
    func `a MAC under the public key is refused`(alg: String) async throws {
        let key = scene.secret.publicKey
        // RFC 5480, and RFC 7468 section 13.
        let der = [UInt8](hexadecimal: "3059301306072a8648ce3d020106082a8648ce3d03010703420004") + key
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        let pem = Array("-----BEGIN PUBLIC KEY-----\n\(lines)\n-----END PUBLIC KEY-----".utf8)
        let secrets = [key, [0x04] + key, der, pem, pem + [0x0A], []]
        for header in [
            try await #"{"alg":"\#(alg)","typ":"at+jwt","kid":"\#(scene.kid())"}"#, try await Forge.header(scene.kid()),
        ] {
            let input = Forge.input(header, Forge.payload)
            for secret in secrets {
                for digest in [EVP_sha256(), EVP_sha512()] {
                    let mac = Forge.mac(input, key: secret, digest)
                    #expect(try await !isAccepted(input + "." + Forge.base64URL(mac)))
                }
            }
        }
    }

    @Test(arguments: [
        #""RS256""#, #""PS256""#, #""ES384""#, #""ES512""#, #""ES256K""#, #""EdDSA""#, #""Ed25519""#, #""es256""#,
        #""ES256 ""#, #""ES256\u0000""#, "null", "256", #"["ES256"]"#, "true",
    ])
    func `another algorithm is refused, even with a good signature`(alg: String) async throws {
        let header = try await #"{"alg":\#(alg),"typ":"at+jwt","kid":"\#(scene.kid())"}"#
        #expect(try await !isAccepted(header: header))
    }

    @Test func `a key of another curve signs nothing`() async throws {
        let kid = try await scene.kid()
        for header in [#"{"alg":"EdDSA","typ":"at+jwt","kid":"\#(kid)"}"#, Forge.header(kid)] {
            let input = Forge.input(header, Forge.payload)
            #expect(try await !isAccepted(input + "." + Forge.base64URL(Forge.ed25519(input))))
        }
    }

    // Section 3.10: no key that the token brings along, or that it merely names.

    @Test func `a key of somebody else is refused under every name`() async throws {
        let other = KnownKey()
        let kid = try await scene.kid()
        #expect(try await !isAccepted(Forge.token(Forge.header(kid), Forge.payload, by: other)))
        #expect(
            try await !isAccepted(
                Forge.token(Forge.header("sig_" + String(repeating: "0", count: 32)), Forge.payload, by: other)
            )
        )
    }

    @Test(arguments: [
        "sig_ffffffffffffffffffffffffffffffff", "", "null", "../../../../dev/null", "' OR 1=1 --",
        "sig_00000000000000000000000000000001 ", "SIG_00000000000000000000000000000001",
        "00000000000000000000000000000001",
        "key_00000000000000000000000000000001",
    ])
    func `a name that is not of one of our keys is refused`(kid: String) async throws {
        #expect(try await !isAccepted(header: Forge.header(kid)))
    }

    @Test func `a header without a name of a key, or with one that is no text, is refused`() async throws {
        #expect(try await !isAccepted(header: #"{"alg":"ES256","typ":"at+jwt"}"#))
        for kid in ["null", "1", "true", #"["x"]"#, "{}"] {
            #expect(try await !isAccepted(header: #"{"alg":"ES256","typ":"at+jwt","kid":\#(kid)}"#))
        }
    }

    @Test(arguments: [
        #""jku":"https://attacker.example/jwks.json""#, #""x5u":"https://attacker.example/x.pem""#,
        #""x5c":["MIIB"]"#, #""x5t":"AAAA""#, #""crit":["exp"]"#, #""crit":[]"#, #""crit":["b64"],"b64":false"#,
        #""b64":true"#, #""zip":"DEF""#, #""cty":"JWT""#, #""enc":"A128GCM""#, #""p2c":2147483647"#,
        #""iss":"https://phone.example""#, #""unknown":1"#, #""exp":1e400"#,
    ])
    func `a header that says more than it must is refused`(member: String) async throws {
        let kid = try await scene.kid()
        #expect(try await !isAccepted(header: #"{"alg":"ES256","typ":"at+jwt","kid":"\#(kid)",\#(member)}"#))
        #expect(try await !isAccepted(header: #"{\#(member),"alg":"ES256","typ":"at+jwt","kid":"\#(kid)"}"#))
    }

    @Test func `a key that the token brings along signs nothing`() async throws {
        let other = KnownKey()
        let point = other.publicKey
        let jwk = """
            {"kty":"EC","crv":"P-256","x":"\(Forge.base64URL(point.prefix(32)))",\
            "y":"\(Forge.base64URL(point.suffix(32)))"}
            """
        for kid in [try await scene.kid(), "attacker"] {
            let header = #"{"alg":"ES256","typ":"at+jwt","kid":"\#(kid)","jwk":\#(jwk)}"#
            #expect(try await !isAccepted(Forge.token(header, Forge.payload, by: other)))
        }
        #expect(
            try await !isAccepted(
                Forge.token(#"{"alg":"ES256","typ":"at+jwt","jwk":\#(jwk)}"#, Forge.payload, by: other)
            )
        )
    }

    // Section 3.11 and RFC 9068 section 4: the type.

    @Test(arguments: [
        #""JWT""#, #""jwt""#, #""dpop+jwt""#, #""at+JWS""#, #""id+jwt""#, #""logout+jwt""#, #""application/jwt""#,
        #""at+jwt ""#, #"" at+jwt""#, #""at+jwt;x=y""#, #""""#, "null", "1", #"["at+jwt"]"#,
        #""application/application/at+jwt""#,
        #""aT+jwt\u0000""#,
    ])
    func `another type is refused`(typ: String) async throws {
        let kid = try await scene.kid()
        #expect(try await !isAccepted(header: #"{"alg":"ES256","typ":\#(typ),"kid":"\#(kid)"}"#))
    }

    @Test func `no type is refused`() async throws {
        #expect(try await !isAccepted(header: #"{"alg":"ES256","kid":"\#(scene.kid())"}"#))
    }

    @Test(arguments: ["at+jwt", "AT+JWT", "At+Jwt", "application/at+jwt", "Application/AT+jwt"])
    func `our type is taken as it may be written`(typ: String) async throws {
        #expect(try await isAccepted(header: #"{"alg":"ES256","typ":"\#(typ)","kid":"\#(scene.kid())"}"#))
    }

    // Sections 3.8 and 3.9: who has made it, for whom, and about whom.

    @Test(arguments: [
        ("iss", #""https://phone.example/""#), ("iss", #""http://phone.example""#),
        ("iss", #""https://PHONE.example""#),
        ("iss", #""https://attacker.example""#), ("iss", #""""#), ("iss", #"["https://phone.example"]"#),
        ("aud", #""https://other.example""#), ("aud", #""https://api.example/""#), ("aud", #""""#), ("aud", "[]"),
        ("aud", #"["https://other.example"]"#), ("aud", #"["https://api.example", 1]"#),
        ("aud", #"[["https://api.example"]]"#),
        ("aud", #"{"https://api.example": true}"#), ("aud", #""https://api.example https://other.example""#),
        ("client_id", #""https://other.example""#), ("client_id", #"["https://api.example"]"#),
        ("scope", #""admin""#), ("scope", #""""#), ("scope", #""account admin""#), ("scope", #"["account"]"#),
        ("sub", #""ses_00000000000000020000000000000002""#), ("sub", #""acc_2""#), ("sub", #""""#),
        ("sub", #""acc_0000000000000002000000000000000G""#), ("sub", #""ACC_00000000000000020000000000000002""#),
        ("sub", #""acc_00000000000000020000000000000002 ""#), ("jti", #""1""#), ("jti", #""""#),
        ("sid", #""acc_00000000000000030000000000000003""#), ("sid", #""""#),
    ])
    func `another issuer, audience, scope or subject is refused`(name: String, value: String) async throws {
        #expect(try await !isAccepted(payload: Forge.payload([name: value])))
    }

    @Test func `an audience among others is taken`() async throws {
        for list in [
            #"["https://api.example"]"#, #"["https://other.example", "https://api.example"]"#,
        ] {
            #expect(try await isAccepted(payload: Forge.payload(["aud": list])))
        }
    }

    @Test(arguments: [
        "iss", "aud", "sub", "client_id", "exp", "iat", "jti", "sid", "auth_time", "phone_number_verified", "scope",
    ])
    func `a claim that is not there, or null, or of another kind, is refused`(name: String) async throws {
        #expect(try await !isAccepted(payload: Forge.payload([:], without: name)))
        var kinds = ["null", "{}", "[[]]"]
        switch name {
        case "exp", "iat", "auth_time":
            kinds += [
                #""1767226500""#, "true", "1767226500.5", "1e400", "-1e400", "9223372036854775807",
                "9223372036854775808",
                "-9223372036854775808", "253402300800", "-1", #""""#, "[1767226500]",
            ]
        case "phone_number_verified": kinds += ["1", "0", #""true""#]
        default: kinds += ["1", "true"]
        }
        for kind in kinds {
            #expect(try await !isAccepted(payload: Forge.payload([name: kind])), "\(name): \(kind)")
        }
    }

    @Test func `claims that are not known are passed over`() async throws {
        #expect(try await isAccepted(payload: Forge.payload(["roles": #""admin""#, "nested": #"{"a":[1,{"b":2}]}"#])))
    }

    // Time.

    @Test func `a token ends to the second, by our own clock`() async throws {
        let text = try await Forge.token(Forge.header(scene.kid()), Forge.payload, by: scene.secret)
        #expect(try await isAccepted(text, at: TokenScene.start + .milliseconds(899_999)))
        #expect(try await !isAccepted(text, at: TokenScene.start + .seconds(900)))
        #expect(try await !isAccepted(text, at: TokenScene.start + .seconds(901)))
    }

    @Test func `a token of the future is refused, but for what clocks differ by`() async throws {
        let text = try await Forge.token(Forge.header(scene.kid()), Forge.payload, by: scene.secret)
        #expect(try await isAccepted(text, at: TokenScene.start - .seconds(30)))
        #expect(try await !isAccepted(text, at: TokenScene.start - .seconds(31)))
        // The proof cannot be later than now either.
        #expect(try await isAccepted(payload: Forge.payload(["auth_time": "1767225630"])))
        #expect(try await !isAccepted(payload: Forge.payload(["auth_time": "1767225631"])))
    }

    @Test func `a token that ends before it begins is refused`() async throws {
        #expect(try await !isAccepted(payload: Forge.payload(["iat": "1767225610", "exp": "1767225605"])))
        #expect(try await !isAccepted(payload: Forge.payload(["iat": "1767225610", "exp": "1767225610"])))
    }

    // Sections 2.6, 3.3 and 3.7: what it is written in.

    @Test(arguments: ["iss", "aud", "sub", "exp", "phone_number_verified", "unknown"])
    func `a claim that is there twice is refused`(name: String) async throws {
        let value = name == "exp" ? "1767226500" : "true"
        let payload = Forge.payload(["unknown": "1"])
        #expect(try await !isAccepted(payload: String(payload.dropLast()) + #","\#(name)":\#(value)}"#))
        #expect(try await !isAccepted(payload: #"{"\#(name)":\#(value),"# + payload.dropFirst()))
        // Written another way it is the same name.
        let escaped = #"\u00"# + String(name.utf8.first ?? 0, radix: 16) + name.dropFirst()
        #expect(try await !isAccepted(payload: String(payload.dropLast()) + #","\#(escaped)":\#(value)}"#))
    }

    @Test func `a member of the header that is there twice is refused`() async throws {
        let kid = try await scene.kid()
        for header in [
            #"{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"\#(kid)"}"#,
            #"{"alg":"ES256","alg":"none","typ":"at+jwt","kid":"\#(kid)"}"#,
            #"{"alg":"ES256","typ":"at+jwt","typ":"JWT","kid":"\#(kid)"}"#,
            #"{"alg":"ES256","typ":"at+jwt","kid":"\#(kid)","kid":"other"}"#,
            #"{"\u0061lg":"none","alg":"ES256","typ":"at+jwt","kid":"\#(kid)"}"#,
            #"{"\u0061lg":"ES256","typ":"at+jwt","kid":"\#(kid)"}"#,
        ] {
            #expect(try await !isAccepted(header: header), "\(header)")
        }
    }

    @Test(arguments: [
        "", "null", "[]", "\"text\"", "1", "{", "}", "{}", "{\"iss\"}", #"{"iss":}"#, "not json", "{} {}", "\u{FEFF}{}",
        " {}",
        "{'iss':'x'}", "{/**/}", "{,}", #"{"a":1,}"#, #"{"a":"\"#, #"{"a"#,
    ])
    func `what is no object is refused`(text: String) async throws {
        #expect(try await !isAccepted(payload: text))
        #expect(try await !isAccepted(header: text))
        #expect(try await !isAccepted(payload: Forge.payload + text) || text.isEmpty)
    }

    @Test func `what is not in UTF-8 is refused`() async throws {
        let header = try await Forge.header(scene.kid())
        let payload = Forge.payload
        func token(_ header: [UInt8], _ payload: [UInt8]) throws -> String {
            let input = Forge.base64URL(header) + "." + Forge.base64URL(payload)
            return try input + "." + Forge.base64URL(scene.secret.sign(input))
        }
        #expect(try await isAccepted(token(Array(header.utf8), Array(payload.utf8))))
        let named = Array(Forge.payload(["name": #""?""#]).utf8)
        for bytes: [UInt8] in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x00]] {
            var payload = named
            let mark = try #require(payload.lastIndex(of: UInt8(ascii: "?")))
            payload.replaceSubrange(mark...mark, with: bytes)
            #expect(try await !isAccepted(token(Array(header.utf8), payload)))
        }
        // Foundation's decoder reads these too.
        let letters = Array(payload.utf8)
        for wide: [UInt8] in [letters.flatMap { [$0, 0] }, letters.flatMap { [0, $0] }] {
            #expect(try await !isAccepted(token(Array(header.utf8), wide)))
            #expect(try await !isAccepted(token(Array(header.utf8), [0xFF, 0xFE] + wide)))
        }
        #expect(try await !isAccepted(token([0xEF, 0xBB, 0xBF] + Array(header.utf8), Array(payload.utf8))))
        #expect(try await !isAccepted(token(Array(header.utf8), [0xEF, 0xBB, 0xBF] + Array(payload.utf8))))
    }

    @Test func `a token within a token is refused`() async throws {
        let kid = try await scene.kid()
        let inner = try Forge.token(Forge.header(kid), Forge.payload, by: scene.secret)
        #expect(
            try await !isAccepted(
                header: #"{"alg":"ES256","typ":"at+jwt","kid":"\#(kid)","cty":"JWT"}"#,
                payload: inner
            )
        )
        #expect(try await !isAccepted(payload: inner))
        #expect(try await !isAccepted(payload: "\"\(inner)\""))
    }

    @Test func `what is nested too deeply is refused`() async throws {
        func nested(_ depth: Int) -> String {
            Forge.payload(["deep": String(repeating: "[", count: depth) + String(repeating: "]", count: depth)])
        }
        #expect(try await isAccepted(payload: nested(7)))
        #expect(try await !isAccepted(payload: nested(8)))
        #expect(try await !isAccepted(payload: nested(1000)))
    }
}
