import PhoneDomain
import Synchronization
import Testing

@testable import OpenSSLCrypto

@Suite struct DerivingTests {
    /// The bytes 0 to 31.
    private static let oldKey = "old 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let newKey = "new ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"
    private static let parts = ["ses_0123456789abcdeffedcba9876543210", "abc"]

    private func vault(_ keys: String...) throws -> OpenSSLCodeVault {
        try OpenSSLCodeVault(keys: KeyRing(parsing: keys.joined(separator: "\n")))
    }

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
        #expect(try vault(Self.oldKey).derive(label, from: Self.parts) == [old])
        #expect(try vault(Self.newKey, Self.oldKey).derive(label, from: Self.parts) == [new, old])
        #expect(isErrorQueueEmpty())
    }

    @Test func `no parts give a secret too`() throws {
        let secrets = try vault(Self.oldKey).derive(.refreshToken, from: [])
        #expect(secrets == ["E1EIG62gxFepd7Q-75VGIM6V9Bm-vdrhPm7ghNjC07k"])
    }

    @Test func `other parts and other labels give other secrets`() throws {
        let vault = try vault(Self.oldKey)
        let parts = [["a", "b"], ["ab"], ["a", "b", ""], ["", "a", "b"], ["b", "a"], [""], []]
        let secrets = try SecretLabel.allCases.flatMap { label in
            try parts.flatMap { try vault.derive(label, from: $0) }
        }
        #expect(Set(secrets).count == 3 * 7)
    }

    @Test func `derivation has a key of its own`() throws {
        let master = try #require(KeyRing(parsing: Self.oldKey).keys.first)
        let key = try CodeKey(from: master)
        let encryption = try HMACSHA256(key: key.encryption)
        let codes = try [key.authentication, encryption, key.digest, key.derivation].map { try $0.code(of: []) }
        #expect(Set(codes).count == 4)
    }

    @Test func `a secret and a beginning of it are known under every key`() throws {
        let rotated = try vault(Self.newKey, Self.oldKey)
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
        let vault = try vault(Self.oldKey)
        let secret = Array(try vault.derive(.undo, from: Self.parts)[0].utf8)
        for index in secret.indices {
            var altered = secret
            altered[index] = altered[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(try !vault.isDerived(String(decoding: altered, as: UTF8.self), .undo, from: Self.parts))
        }
    }

    @Test func `the secrets of a key that is not there are not known`() throws {
        let old = try vault(Self.oldKey).derive(.refreshToken, from: Self.parts)[0]
        #expect(try !vault(Self.newKey).isDerived(old, .refreshToken, from: Self.parts))
    }

    @Test func `the ring is read anew before a secret is refused`() throws {
        let text = Mutex(Self.oldKey)
        let vault = try OpenSSLCodeVault(
            keys: KeyRing(parsing: Self.oldKey),
            reloading: { try KeyRing(parsing: text.withLock { $0 }) }
        )
        let new = try self.vault(Self.newKey).derive(.refreshToken, from: Self.parts)[0]
        #expect(try !vault.isDerived(new, .refreshToken, from: Self.parts))
        text.withLock { $0 = Self.newKey + "\n" + Self.oldKey }
        #expect(try vault.isDerived(new, .refreshToken, from: Self.parts))
        // A file that cannot be read is no reason to fail: what is known stays known.
        text.withLock { $0 = "" }
        #expect(try vault.isDerived(new, .refreshToken, from: Self.parts))
        #expect(try !vault.isDerived(String(repeating: "A", count: 43), .refreshToken, from: Self.parts))
    }
}
