import PhoneDomain
import Synchronization
import Testing

@testable import OpenSSLCrypto

@Suite struct SealingTests {
    /// The bytes 0 to 31.
    private static let oldKey = "old 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let newKey = "new ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"
    private let subject = "sig_0123456789abcdeffedcba9876543210"

    private func vault(
        _ keys: String...,
        random: any RandomBytes = OpenSSLRandom()
    ) throws -> OpenSSLCodeVault {
        try OpenSSLCodeVault(keys: KeyRing(parsing: keys.joined(separator: "\n")), random: random)
    }

    /// The expectation is from Python's `cryptography`. A change of it makes signing keys unreadable.
    @Test func `a sealed secret is what it has always been`() throws {
        let vault = try vault(Self.oldKey, random: ScriptedRandom(Array(0xA0...0xAB)))
        let sealed = try vault.seal(Array(0..<32), for: subject)
        #expect(sealed.keyID == "old")
        #expect(
            sealed.ciphertext.hexadecimal
                == "a0a1a2a3a4a5a6a7a8a9aaabc21a9e75b1e299fb226ce6bfbee13936415ebe852a2ccd24561df4ece9ddaf3e706d29ecda0f532dd044d3c5a0828812"
        )
    }

    @Test func `a secret opens under each key of the ring, for its subject alone`() throws {
        let sealed = try vault(Self.oldKey).seal([1, 2, 3], for: subject)
        #expect(try vault(Self.newKey, Self.oldKey).open(sealed, for: subject) == [1, 2, 3])
        #expect(throws: SecretSealerError.notAuthentic(keyID: "old")) {
            try vault(Self.oldKey).open(sealed, for: "sig_0123456789abcdeffedcba9876543211")
        }
        #expect(throws: SecretSealerError.unknownKey(id: "old")) { try vault(Self.newKey).open(sealed, for: subject) }
        #expect(try vault(Self.newKey, Self.oldKey).seal([1], for: subject).keyID == "new")
        #expect(isErrorQueueEmpty())
    }

    @Test func `a secret that was altered does not open`() throws {
        let vault = try vault(Self.oldKey)
        let sealed = try vault.seal(Array(0..<32), for: subject)
        for index in sealed.ciphertext.indices {
            var altered = sealed.ciphertext
            altered[index] ^= 1
            #expect(throws: SecretSealerError.notAuthentic(keyID: "old")) {
                try vault.open(SealedSecret(keyID: "old", ciphertext: altered), for: subject)
            }
        }
        #expect(throws: SecretSealerError.notAuthentic(keyID: "old")) {
            try vault.open(SealedSecret(keyID: "old", ciphertext: []), for: subject)
        }
    }

    @Test func `what is no code opens as none, and the other way round`() throws {
        let vault = try vault(Self.oldKey)
        let context = CodeContext(verificationID: Identifier(bits: 0, 1), e164: "+821012345678")
        let code = try vault.seal(#require(VerificationCode("123456")), for: context)
        let secret = SealedSecret(keyID: "old", ciphertext: code.ciphertext)
        #expect(throws: SecretSealerError.notAuthentic(keyID: "old")) {
            try vault.open(secret, for: context.verificationID.description)
        }
    }

    @Test func `a key that was added since is looked for`() throws {
        let text = Mutex(Self.oldKey)
        let vault = try OpenSSLCodeVault(
            keys: KeyRing(parsing: Self.oldKey),
            reloading: { try KeyRing(parsing: text.withLock { $0 }) }
        )
        let sealed = try self.vault(Self.newKey).seal([7], for: subject)
        #expect(throws: SecretSealerError.unknownKey(id: "new")) { try vault.open(sealed, for: subject) }
        text.withLock { $0 = Self.newKey + "\n" + Self.oldKey }
        #expect(try vault.open(sealed, for: subject) == [7])
    }
}
