import PhoneAccounts
import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct RefreshTokensTests {
    private let session = Session.ID(bits: 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210)
    private let signup = SecretToken("su_secret")

    private func tokens(_ keys: String...) -> RefreshTokens {
        RefreshTokens(deriver: PlainSecretDeriver(keys: keys), vault: PlainTokenVault())
    }

    @Test func `a token is its session, 256 bits and a tag`() throws {
        let first = try tokens("old").first(of: session, from: signup)
        #expect(first.count == 1)
        let text = first[0].secret.text
        let body = PlainSecretDeriver(keys: ["old"]).derive(.refreshToken, from: [session.description, "su_secret"])[0]
        let tag = PlainSecretDeriver(keys: ["old"]).derive(.refreshTokenTag, from: [session.description, body])[0]
        #expect(text == "rt_0123456789abcdeffedcba9876543210_" + body + tag.prefix(22))
        #expect(text.utf8.count == 3 + 32 + 1 + 43 + 22)
        #expect(first[0].sessionID == session)
        #expect("\(first[0])" == "RefreshToken(sessionID: \(session), secret: ••••)")
    }

    @Test func `the same secret gives the same first token, another another`() throws {
        let tokens = tokens("old")
        let other = Session.ID(bits: 0, 1)
        #expect(try tokens.first(of: session, from: signup) == tokens.first(of: session, from: signup))
        #expect(try tokens.first(of: session, from: signup) != tokens.first(of: session, from: SecretToken("su_x")))
        #expect(
            try tokens.first(of: session, from: signup)[0].secret != tokens.first(of: other, from: signup)[0].secret
        )
    }

    @Test func `the next token is made of the one before, under each key`() throws {
        let (old, both) = (tokens("old"), tokens("new", "old"))
        let first = try old.first(of: session, from: signup)[0]
        let next = try both.next(after: first)
        #expect(next.count == 2)
        #expect(Set(next).count == 2)
        #expect(try next[1] == old.next(after: first)[0])
        #expect(try next[0] == tokens("new").next(after: first)[0])
        #expect(try both.next(after: first) == next)
        // A chain never comes back to where it was.
        var (token, seen) = (first, Set([first]))
        for _ in 0..<100 {
            token = try old.next(after: token)[0]
            #expect(token.sessionID == session)
            #expect(seen.insert(token).inserted)
        }
    }

    @Test func `a token that was made is genuine as long as its key is there`() throws {
        let made = try tokens("new", "old").first(of: session, from: signup)
        #expect(try tokens("new", "old").isGenuine(made[0]))
        #expect(try tokens("new", "old").isGenuine(made[1]))
        #expect(try tokens("old").isGenuine(made[1]))
        #expect(try !tokens("old").isGenuine(made[0]))
        let next = try tokens("old").next(after: made[1])[0]
        #expect(try tokens("new", "old").isGenuine(next))
    }

    @Test func `a token that somebody made up is not genuine`() throws {
        let tokens = tokens("old")
        let text = try tokens.first(of: session, from: signup)[0].secret.text
        // Each character of session, body and tag counts.
        for index in text.indices.dropFirst(3) where text[index] != "_" {
            var altered = text
            altered.replaceSubrange(index...index, with: text[index] == "0" ? "1" : "0")
            let token = try #require(RefreshToken(SecretToken(altered)))
            #expect(try !tokens.isGenuine(token))
        }
    }

    @Test func `a token is read back from its text`() throws {
        let first = try tokens("old").first(of: session, from: signup)[0]
        #expect(RefreshToken(first.secret) == first)
        // The underscore is a character of base64url.
        let underscores = "rt_0123456789abcdeffedcba9876543210_" + String(repeating: "_", count: 65)
        #expect(RefreshToken(SecretToken(underscores))?.secret.text == underscores)
    }

    @Test(arguments: [
        "", "_", "__", "rt_", "rt__", "rt___", "0123456789abcdeffedcba9876543210",
        "rt_0123456789abcdeffedcba9876543210", "rt_0123456789abcdeffedcba9876543210_",
        "rt_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 64),
        "rt_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 66),
        "rt_0123456789abcdeffedcba987654321_" + String(repeating: "A", count: 65),
        "rt_0123456789abcdeffedcba98765432100_" + String(repeating: "A", count: 65),
        "rt_0123456789ABCDEFFEDCBA9876543210_" + String(repeating: "A", count: 65),
        "rt_ses_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 65),
        "RT_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 65),
        "su_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 65),
        " rt_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 65),
        "rt_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 65) + "\n",
        "rt-0123456789abcdeffedcba9876543210-" + String(repeating: "A", count: 65),
        // Sixty-five bytes, not all of them ASCII.
        "rt_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 63) + "é",
        "rt_0123456789abcdeffedcba9876543210_" + String(repeating: "A", count: 100_000),
    ])
    func `other texts have not the form of one`(text: String) {
        #expect(RefreshToken(SecretToken(text)) == nil)
    }

    @Test func `kept is a digest that is of this token alone`() throws {
        let tokens = tokens("old")
        let first = try tokens.first(of: session, from: signup)[0]
        let next = try tokens.next(after: first)[0]
        let digest = try tokens.digest(of: first)
        #expect(try tokens.matches(first, digest: digest))
        #expect(try !tokens.matches(next, digest: digest))
    }
}
