import PhoneAccounts
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import OpenSSLCrypto

@Suite struct SigningTests {
    private let scene = TokenScene()

    @Test func `a token is read back as it was made`() async throws {
        let token = scene.token()
        let text = try await scene.tokens.sign(token)
        #expect(try await scene.tokens.token(in: text, at: scene.now) == token)
        #expect(try await scene.instance().token(in: text, at: scene.now) == token)
    }

    /// Receivers search the bytes without reading escapes: HAProxy's `jwt_payload_query` found no issuer in
    /// `https:\/\/`.
    @Test func `header and claims are written without escapes`() async throws {
        let text = try await scene.tokens.sign(scene.token())
        let kid = try await scene.kid()
        let parts = text.split(separator: ".").map(String.init)
        #expect(parts[0] == Forge.base64URL(#"{"alg":"ES256","kid":"\#(kid)","typ":"at+jwt"}"#.utf8))
        #expect(
            parts[1]
                == Forge.base64URL(
                    (#"{"aud":"https://api.example","auth_time":1767222000,"client_id":"https://api.example","#
                        + #""exp":1767226500,"iat":1767225600,"iss":"https://phone.example","#
                        + #""jti":"tok_00000000000000010000000000000001","phone_number_verified":true,"#
                        + #""scope":"account","sid":"ses_00000000000000030000000000000003","#
                        + #""sub":"acc_00000000000000020000000000000002"}"#).utf8
                )
        )
    }
}

@Suite struct SigningKeyMakerTests {
    /// What stores contain must not change.
    @Test func `a key is stored as a number and two coordinates`() throws {
        let scalar = [UInt8](hexadecimal: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
        let random = KeyRandom(identifiers: CountingIdentifiers(), key: scalar)
        let key = try SigningKeyMaker(sealer: PlainSecretSealer(), random: random).make(
            .es256,
            at: Timestamp(seconds: 0)
        )
        #expect(key.id.description == "sig_00000000000000000000000000000001")
        #expect(
            key.publicKey.hexadecimal
                == "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        )
        #expect(try PlainSecretSealer().open(key.sealedPrivateKey, for: key.id.description) == scalar)
    }

    @Test func `a source that gives no key eight times is broken`() throws {
        let random = KeyRandom(identifiers: CountingIdentifiers(), key: [UInt8](repeating: 0xFF, count: 32))
        let error = try #require(throws: AccessTokensError.self) {
            try SigningKeyMaker(sealer: PlainSecretSealer(), random: random).make(.es256, at: Timestamp(seconds: 0))
        }
        #expect(error.description == "the random source failed; no signing key was created")
    }
}

/// The form of a token, and its signature.
@Suite struct FormTests {
    private let scene = TokenScene()

    private func good() async throws -> String {
        try await Forge.token(Forge.header(scene.kid()), Forge.payload, by: scene.secret)
    }

    private func isAccepted(_ text: String) async throws -> Bool {
        try await scene.tokens.token(in: text, at: scene.now) != nil
    }

    @Test func `three parts, and no others`() async throws {
        let text = try await good()
        let parts = text.split(separator: ".").map(String.init)
        #expect(try await isAccepted(text))
        for wrong in [
            "", ".", "..", "...", "....", parts[0], parts[0] + "." + parts[1], parts[0] + "." + parts[1] + ".",
            "." + parts[1] + "." + parts[2], parts[0] + ".." + parts[2], text + ".", "." + text, text + "." + parts[2],
            // Five, as an encrypted token has them.
            [parts[0], "", parts[1], parts[1], parts[2]].joined(separator: "."),
            // JSON serialisation (RFC 7515 section 7.2), which no JWT is in.
            #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#,
        ] {
            #expect(try await !isAccepted(wrong), "\(wrong)")
        }
    }

    @Test func `one way to write each part`() async throws {
        let text = try await good()
        let parts = text.split(separator: ".").map(String.init)
        var wrong = [
            " " + text, text + " ", text + "\n", "\t" + text, "Bearer " + text, text + "\u{0}", text + "é",
            parts.map { $0 + "=" }.joined(separator: "."), text + "=", text + "==",
        ]
        for index in parts.indices {
            for mark in ["=", "==", " ", "\n", "A", "AA", "AAA", "+", "/", "%3D", "\u{0}"] {
                var changed = parts
                changed[index] += mark
                wrong.append(changed.joined(separator: "."))
            }
            var shorter = parts
            shorter[index].removeLast()
            wrong.append(shorter.joined(separator: "."))
        }
        // The alphabet of plain base64.
        if text.contains(where: { "-_".contains($0) }) {
            wrong.append(text.replacing("-", with: "+").replacing("_", with: "/"))
        }
        for wrong in wrong { #expect(try await !isAccepted(wrong), "\(wrong)") }
    }

    /// Of the 86 characters of a signature the last has four bits that say nothing.
    @Test func `unused bits are zero`() async throws {
        let text = try await good()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(text.last.flatMap { alphabet.firstIndex(of: $0) })
        #expect(last % 16 == 0)
        for bits in 1..<16 {
            #expect(try await !isAccepted(text.dropLast() + String(alphabet[last + bits])))
        }
    }

    @Test func `a letter that was changed anywhere makes it worthless`() async throws {
        let text = try await good()
        for index in text.indices where text[index] != "." {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(try await !isAccepted(changed))
        }
    }

    /// *s* and *n* − *s*: one cannot have ECDSA without it. So nothing here knows a token by its text, but by its
    /// `jti`.
    @Test func `the twin of a signature says the same`() async throws {
        let text = try await good()
        let input = text.split(separator: ".").dropLast().joined(separator: ".")
        let raw = try scene.secret.sign(input)
        var (twin, borrow) = (Array(raw.suffix(32)), 0)
        for index in (0..<32).reversed() {
            let difference = Int(ES256Tests.order[index]) - Int(twin[index]) - borrow
            (twin[index], borrow) = (UInt8(truncatingIfNeeded: difference), difference < 0 ? 1 : 0)
        }
        let other = input + "." + Forge.base64URL(raw.prefix(32) + twin)
        let token = try await scene.tokens.token(in: other, at: scene.now)
        #expect(token == scene.token())
    }

    @Test func `what is too long is not looked at`() async throws {
        let kid = try await scene.kid()
        func text(_ length: Int) throws -> String {
            let filled = Forge.payload(["x": "\"" + String(repeating: "x", count: length) + "\""])
            return try Forge.token(Forge.header(kid), filled, by: scene.secret)
        }
        let fits = try text(2400)
        #expect(fits.utf8.count <= 4096)
        #expect(try await isAccepted(fits))
        let long = try text(2700)
        #expect(long.utf8.count > 4096)
        #expect(try await !isAccepted(long))
        #expect(try await !isAccepted(String(repeating: "A", count: 1_000_000)))
        #expect(try await !isAccepted(String(repeating: ".", count: 1_000_000)))
    }
}
