import PhoneAccounts
import PhoneDomain
import PhoneSignup
import Synchronization
import Testing

@testable import OpenSSLCrypto

@Suite struct NumberDigestTests {
    /// The expectations are from Python's `hmac`, HKDF written out by RFC 5869. A change of them makes the audit trail
    /// unsearchable, and what is in it cannot be erased.
    @Test(arguments: [
        ("+821012345678", "old:86eb6386843fba641f3ce76ae410f6b1"),
        ("+82101234", "old:9405000334059dd613c3272de85f5ede"),
        ("", "old:65bdaf03b4ee1737721a62bf3b48dd4e"),
    ])
    func `a digest is what it has always been`(text: String, digest: String) throws {
        #expect(try makeVault(oldKey).digest(of: text).description == digest)
        #expect(isErrorQueueEmpty())
    }

    @Test func `after a rotation new digests are of the new key, and old ones are found`() throws {
        let rotated = try makeVault(newKey, oldKey)
        #expect(try rotated.digest(of: "+821012345678").description == "new:c4ded66bfeb45f567dc88981e25e1ff3")
        #expect(
            try rotated.digests(of: "+821012345678").map(\.description)
                == ["new:c4ded66bfeb45f567dc88981e25e1ff3", "old:86eb6386843fba641f3ce76ae410f6b1"]
        )
        let without = try makeVault(newKey).digests(of: "+821012345678").map(\.description)
        #expect(without == ["new:c4ded66bfeb45f567dc88981e25e1ff3"])
    }
}

@Suite struct DerivingTests {
    private static let parts = ["ses_0123456789abcdeffedcba9876543210", "abc"]

    /// The expectations are from Python's `hmac`, HKDF written out by RFC 5869. A change of them signs everybody out.
    @Test(arguments: [
        (
            SecretLabel.refreshToken, "leMTTT-Rp7SQUCONuBAb9zu0fVN4rFdsSawY2afjOyM",
            "mNshNpqbqnA6nv-CqcWQUtwUdj73r3CSa4DeixYBLjY"
        ),
        (
            .refreshTokenTag, "iVmB_A3ke2mieSuVgIy2pfU3p7k-kFlY9TPQ3Imo4zA",
            "7yNgkZdTMqiX8VK1gq8XmhaB_MCe5P4Fo3cgWaIDmAE"
        ),
        (.undo, "g0pWl-Fxn0xfPPVf_oo69ZgKQR_86apkKcb1Xpvjke0", "6UKvZZHgHf0Rz7aPX5UMqQYfQuUuZSyOzeRnISOKxqc"),
    ])
    func `a secret is what it has always been, under every key`(label: SecretLabel, old: String, new: String) throws {
        #expect(try makeVault(oldKey).derive(label, from: Self.parts) == [old])
        #expect(try makeVault(newKey, oldKey).derive(label, from: Self.parts) == [new, old])
        #expect(isErrorQueueEmpty())
    }

    @Test func `other parts and other labels give other secrets`() throws {
        let vault = try makeVault(oldKey)
        let parts = [["a", "b"], ["ab"], ["a", "b", ""], ["", "a", "b"], ["b", "a"], [""], []]
        let secrets = try SecretLabel.allCases.flatMap { label in
            try parts.flatMap { try vault.derive(label, from: $0) }
        }
        #expect(Set(secrets).count == SecretLabel.allCases.count * 7)
    }

    @Test func `each use has a key of its own`() throws {
        let master = try #require(KeyRing(parsing: oldKey).keys.first)
        let key = try CodeKey(from: master)
        let encryption = HMACSHA256(key: key.encryption.key)
        let codes = try [key.authentication, encryption, key.digest, key.derivation].map { try $0.code(of: []) }
        #expect(Set(codes).count == 4)
    }

    @Test func `a secret and a beginning of it are known under every key`() throws {
        let rotated = try makeVault(newKey, oldKey)
        for secret in try rotated.derive(.refreshTokenTag, from: Self.parts) {
            for length in 22...43 {
                #expect(try rotated.isDerived(String(secret.prefix(length)), .refreshTokenTag, from: Self.parts))
            }
            for length in 0..<22 {
                #expect(try !rotated.isDerived(String(secret.prefix(length)), .refreshTokenTag, from: Self.parts))
            }
            #expect(try !rotated.isDerived(secret + "A", .refreshTokenTag, from: Self.parts))
            #expect(try !rotated.isDerived(String(secret.dropFirst()), .refreshTokenTag, from: Self.parts))
            #expect(try !rotated.isDerived(secret, .refreshToken, from: Self.parts))
            #expect(try !rotated.isDerived(secret, .refreshTokenTag, from: ["abc"]))
        }
        #expect(isErrorQueueEmpty())
    }

    @Test func `one that was changed anywhere is not known`() throws {
        let vault = try makeVault(oldKey)
        let secret = Array(try vault.derive(.undo, from: Self.parts)[0].utf8)
        for index in secret.indices {
            var altered = secret
            altered[index] = altered[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(try !vault.isDerived(String(decoding: altered, as: UTF8.self), .undo, from: Self.parts))
        }
    }

    @Test func `the secrets of a key that is not there are not known`() throws {
        let old = try makeVault(oldKey).derive(.refreshToken, from: Self.parts)[0]
        #expect(try !makeVault(newKey).isDerived(old, .refreshToken, from: Self.parts))
    }

    @Test func `the ring is read anew before a secret is refused`() throws {
        let text = Mutex(oldKey)
        let vault = try OpenSSLCodeVault(
            keys: KeyRing(parsing: oldKey),
            reloading: { try KeyRing(parsing: text.withLock { $0 }) }
        )
        let new = try makeVault(newKey).derive(.refreshToken, from: Self.parts)[0]
        #expect(try !vault.isDerived(new, .refreshToken, from: Self.parts))
        text.withLock { $0 = newKey + "\n" + oldKey }
        #expect(try vault.isDerived(new, .refreshToken, from: Self.parts))
        // A file that cannot be read is no reason to fail: what is known stays known.
        text.withLock { $0 = "" }
        #expect(try vault.isDerived(new, .refreshToken, from: Self.parts))
        #expect(try !vault.isDerived(String(repeating: "A", count: 43), .refreshToken, from: Self.parts))
    }
}

@Suite struct SealingTests {
    private let subject = "sig_0123456789abcdeffedcba9876543210"

    /// The expectation is from Python's `cryptography`. A change of it makes signing keys unreadable.
    @Test func `a sealed secret is what it has always been`() throws {
        let vault = try makeVault(oldKey, random: ScriptedRandom(Array(0xA0...0xAB)))
        let sealed = try vault.seal(Array(0..<32), for: subject)
        #expect(sealed.keyID == "old")
        #expect(
            sealed.ciphertext.hexadecimal
                == "a0a1a2a3a4a5a6a7a8a9aaabc21a9e75b1e299fb226ce6bfbee13936415ebe852a2ccd24561df4ece9ddaf3e706d29ecda0f532dd044d3c5a0828812"
        )
    }

    @Test func `a secret opens under each key of the ring, for its subject alone`() throws {
        let sealed = try makeVault(oldKey).seal([1, 2, 3], for: subject)
        #expect(try makeVault(newKey, oldKey).open(sealed, for: subject) == [1, 2, 3])
        #expect(throws: SecretSealerError.notAuthentic(keyID: "old")) {
            try makeVault(oldKey).open(sealed, for: "sig_0123456789abcdeffedcba9876543211")
        }
        #expect(throws: SecretSealerError.unknownKey(id: "old")) { try makeVault(newKey).open(sealed, for: subject) }
        #expect(try makeVault(newKey, oldKey).seal([1], for: subject).keyID == "new")
        #expect(isErrorQueueEmpty())
    }

    @Test func `what is no code opens as none, and the other way round`() throws {
        let vault = try makeVault(oldKey)
        let context = CodeContext(verificationID: Identifier(bits: 0, 1), e164: "+821012345678")
        let code = try vault.seal(#require(VerificationCode("123456")), for: context)
        let secret = SealedSecret(keyID: "old", ciphertext: code.ciphertext)
        #expect(throws: SecretSealerError.notAuthentic(keyID: "old")) {
            try vault.open(secret, for: context.verificationID.description)
        }
    }

    @Test func `a key that was added since is looked for`() throws {
        let text = Mutex(oldKey)
        let vault = try OpenSSLCodeVault(
            keys: KeyRing(parsing: oldKey),
            reloading: { try KeyRing(parsing: text.withLock { $0 }) }
        )
        let sealed = try makeVault(newKey).seal([7], for: subject)
        #expect(throws: SecretSealerError.unknownKey(id: "new")) { try vault.open(sealed, for: subject) }
        text.withLock { $0 = newKey + "\n" + oldKey }
        #expect(try vault.open(sealed, for: subject) == [7])
    }
}
