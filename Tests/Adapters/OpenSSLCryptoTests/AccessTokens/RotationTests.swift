import CoreEncodings
import PhoneAccounts
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import OpenSSLCrypto

/// Keys that come and go.
@Suite struct RotationTests {
    private let scene = TokenScene()

    private func kid(of text: String) throws -> String {
        guard case .string(let kid)? = try #require(JSONWebToken(text)).header["kid"] else { return "" }
        return kid
    }

    private func published(by tokens: JWTAccessTokens) async throws -> [String] {
        try await tokens.publishedKeys(at: scene.now).filter { $0.algorithm == .es256 }.map(\.id.description)
    }

    @Test func `instances that start at once sign with one key`() async throws {
        let instances = (0..<8).map { _ in scene.instance() }
        try await atOnce(instances) { instance in try await instance.prepare() }
        let keys = try await scene.store.signingKeys().all
        #expect(keys.count == 1)
        let text = try await instances[0].sign(scene.token())
        for instance in instances {
            #expect(try await instance.token(in: text, at: scene.now) == scene.token())
            #expect(try await published(by: instance) == keys.map(\.id.description))
        }
    }

    @Test func `a new key is published before it signs, and the old one while its tokens are out`() async throws {
        let old = try #require(await published(by: scene.tokens).first)
        let new = try await scene.rotate().description
        try await scene.tokens.refreshKeys()
        #expect(try await published(by: scene.tokens) == [old, new])
        #expect(try await kid(of: scene.tokens.sign(scene.token())) == old)

        scene.clock.advance(by: .seconds(3599))
        let last = try await scene.tokens.sign(scene.token())
        #expect(try kid(of: last) == old)
        scene.clock.advance(by: .seconds(1))
        #expect(try await kid(of: scene.tokens.sign(scene.token())) == new)
        #expect(try await scene.tokens.token(in: last, at: scene.now) != nil)
        #expect(try await published(by: scene.tokens) == [old, new])

        // Without being told anything more, whatever the store says by then.
        scene.clock.advance(by: .seconds(1199))
        #expect(try await published(by: scene.tokens) == [old, new])
        scene.clock.advance(by: .seconds(1))
        #expect(try await published(by: scene.tokens) == [new])
    }

    @Test func `what a key that is gone has signed is worthless, however long it had to live`() async throws {
        let text = try await scene.tokens.sign(scene.token(validFor: 1_000_000))
        try await scene.rotate()
        try await scene.tokens.refreshKeys()
        scene.clock.advance(by: .seconds(3600 + 1199))
        #expect(try await scene.tokens.token(in: text, at: scene.now) != nil)
        scene.clock.advance(by: .seconds(1))
        #expect(try await scene.tokens.token(in: text, at: scene.now) == nil)
        #expect(try await scene.instance().token(in: text, at: scene.now) == nil)
        _ = try await scene.store.purgeExpired(at: scene.now, limit: 10)
        try await scene.tokens.refreshKeys()
        #expect(try await scene.tokens.token(in: text, at: scene.now) == nil)
    }

    @Test func `what a key signs before its time is refused, but for what clocks differ by`() async throws {
        _ = try await published(by: scene.tokens)
        let secret = KnownKey()
        let kid = try await scene.rotate(secret).description
        func token(at seconds: Int64) throws -> String {
            let start = 1_767_225_600 + seconds
            let payload = Forge.payload(["iat": "\(start)", "exp": "\(start + 900)"])
            return try Forge.token(Forge.header(kid), payload, by: secret)
        }
        let early = try token(at: 0)
        #expect(try await scene.tokens.token(in: early, at: scene.now) == nil)
        let text = try token(at: 3560)
        #expect(try await scene.tokens.token(in: text, at: TokenScene.start + .seconds(3569)) == nil)
        #expect(try await scene.tokens.token(in: text, at: TokenScene.start + .seconds(3570)) != nil)
    }

    @Test func `at once the new key signs and the others are worthless`() async throws {
        let text = try await scene.tokens.sign(scene.token())
        let new = try await scene.rotate(isAtOnce: true).description
        try await scene.tokens.refreshKeys()
        #expect(try await scene.tokens.token(in: text, at: scene.now) == nil)
        #expect(try await published(by: scene.tokens) == [new])
        let fresh = try await scene.tokens.sign(scene.token())
        #expect(try kid(of: fresh) == new)
        #expect(try await scene.tokens.token(in: fresh, at: scene.now) == scene.token())
    }

    @Test func `a key that is not known is looked for in the store, but not for every token`() async throws {
        let other = scene.instance()
        try await other.prepare()
        try await scene.rotate(isAtOnce: true)
        try await scene.tokens.refreshKeys()
        let text = try await scene.tokens.sign(scene.token())
        #expect(try await other.token(in: text, at: scene.now) != nil)

        // A second one, a moment later, waits for its turn.
        try await scene.rotate(isAtOnce: true)
        try await scene.tokens.refreshKeys()
        let second = try await scene.tokens.sign(scene.token())
        #expect(try await other.token(in: second, at: scene.now) == nil)
        scene.clock.advance(by: .milliseconds(4999))
        #expect(try await other.token(in: second, at: scene.now) == nil)
        scene.clock.advance(by: .milliseconds(1))
        #expect(try await other.token(in: second, at: scene.now) != nil)
    }

    @Test func `made-up names do not reach the store`() async throws {
        let counting = CountingKeyStore(scene.store)
        let tokens = scene.instance(store: counting)
        try await tokens.prepare()
        let before = counting.reads
        for serial in 0..<100 {
            let kid = SigningKey.ID(bits: 9, UInt64(serial)).description
            let text = try Forge.token(Forge.header(kid), Forge.payload, by: scene.secret)
            #expect(try await tokens.token(in: text, at: scene.now) == nil)
        }
        #expect(counting.reads == before + 1)
        // What is not of the form of a token of ours does not even do that.
        scene.clock.advance(by: .seconds(60))
        for text in ["", "x.y.z", try Forge.token(Forge.header("nobody"), Forge.payload, by: scene.secret)] {
            #expect(try await tokens.token(in: text, at: scene.now) == nil)
        }
        #expect(counting.reads == before + 1)
    }

    @Test func `while the store fails, what is known goes on, and what is not is not said to be wrong`() async throws {
        struct Outage: Error {}
        let text = try await scene.tokens.sign(scene.token())
        scene.store.fail(with: Outage())
        #expect(try await scene.tokens.token(in: text, at: scene.now) != nil)
        #expect(try await scene.tokens.sign(scene.token()).isEmpty == false)
        let unknown = try Forge.token(
            Forge.header("sig_ffffffffffffffffffffffffffffffff"),
            Forge.payload,
            by: scene.secret
        )
        for _ in 0..<3 {
            await #expect(throws: Outage.self) { try await scene.tokens.token(in: unknown, at: scene.now) }
        }
        await #expect(throws: Outage.self) { try await scene.tokens.refreshKeys() }
        await #expect(throws: Outage.self) { try await scene.instance().token(in: text, at: scene.now) }
        await #expect(throws: Outage.self) { try await scene.instance().publishedKeys(at: scene.now) }
        scene.store.fail(with: nil)
        scene.clock.advance(by: .seconds(5))
        #expect(try await scene.tokens.token(in: unknown, at: scene.now) == nil)
    }

    @Test func `a key that cannot be opened verifies and does not sign, and a rotation at once mends it`() async throws
    {
        let text = try await scene.tokens.sign(scene.token())
        let kid = try kid(of: text)
        let sealer = PlainSecretSealer(key: "other")
        let other = scene.instance(sealer: sealer, random: ScriptedRandom())
        let error = await #expect(throws: AccessTokensError.self) { try await other.prepare() }
        #expect(
            error?.description
                == """
                the signing key \(kid) cannot be decrypted: it is encrypted with the key test, which is not in the key file; \
                restore the previous key file (keys.file), or create another signing key with `phoneproof keys rotate-signing \
                --at-once`, which invalidates all access tokens
                """
        )
        await #expect(throws: AccessTokensError.self) { try await other.sign(scene.token()) }
        #expect(try await other.token(in: text, at: scene.now) == scene.token())

        let random = KeyRandom(identifiers: scene.identifiers, key: KnownKey().bytes)
        let key = try SigningKeyMaker(sealer: sealer, random: random).make(.es256, at: scene.now)
        _ = try await scene.store.rotate(RotateSigningKey(to: key, policy: .standard, isAtOnce: true))
        try await other.prepare()
        let fresh = try await other.sign(scene.token())
        #expect(try await other.token(in: fresh, at: scene.now) == scene.token())
    }

    @Test func `a key that could not be opened is tried again`() async throws {
        _ = try await scene.tokens.sign(scene.token())
        let sealer = RefusingSealer()
        let other = scene.instance(sealer: sealer, random: ScriptedRandom())
        await #expect(throws: AccessTokensError.self) { try await other.prepare() }
        sealer.accept()
        try await other.prepare()
        let text = try await other.sign(scene.token())
        #expect(try await scene.tokens.token(in: text, at: scene.now) == scene.token())
    }

    @Test func `a key whose parts do not belong together signs nothing`() async throws {
        let key = try scene.key()
        let other = try scene.key()
        _ = try await scene.store.ensure(
            EnsureSigningKey(
                SigningKey(
                    id: key.id,
                    algorithm: key.algorithm,
                    publicKey: other.publicKey,
                    sealedPrivateKey: key.sealedPrivateKey,
                    createdAt: scene.now,
                    activeAt: scene.now
                )
            )
        )
        await #expect(throws: AccessTokensError.self) { try await scene.tokens.prepare() }
    }

    @Test func `what is published is the public part and nothing else`() async throws {
        let keys = try await scene.tokens.publishedKeys(at: scene.now)
        let point = scene.secret.publicKey
        #expect(keys.map(\.algorithm) == [.es256, .rs256])
        #expect(
            keys[0].numbers == ["x": Forge.base64URL(point.prefix(32)), "y": Forge.base64URL(point.suffix(32))]
        )
        #expect(keys[1].numbers.keys.sorted() == ["e", "n"])
        #expect(keys[1].numbers["e"] == "AQAB")
        #expect(keys[1].numbers["n"]?.count == 342)
    }
}
