import PhoneDomain
import Testing

@testable import OpenSSLCrypto

@Suite struct OpenSSLTokenVaultTests {
    private let vault = OpenSSLTokenVault()

    @Test func `a token is its prefix and 32 bytes in base64url`() throws {
        let random = ScriptedRandom(Array(0...31) + Array(224...255))
        let vault = OpenSSLTokenVault(random: random)
        #expect(try vault.makeToken(prefix: "pk_").text == "pk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
        #expect(try vault.makeToken(prefix: "").text == "4OHi4-Tl5ufo6err7O3u7_Dx8vP09fb3-Pn6-_z9_v8")
        #expect(random.unusedCount == 0)
    }

    @Test func `the digest is the SHA-256 of the whole text`() throws {
        let token = SecretToken("pk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
        #expect(
            try vault.digest(of: token).hexadecimal
                == "53c0e92043d79911eef4abeec9f151eb52ed6f0bad6f7130b29d8ac9b0e0a38c"
        )
        // FIPS 180-4's example of one block.
        #expect(
            try vault.digest(of: SecretToken("abc")).hexadecimal
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    @Test func `a token matches its own digest and no other`() throws {
        let token = try vault.makeToken(prefix: "su_")
        let digest = try vault.digest(of: token)
        #expect(try vault.matches(token, digest: digest))
        #expect(try !vault.matches(vault.makeToken(prefix: "su_"), digest: digest))
        #expect(try !vault.matches(SecretToken(token.text + " "), digest: digest))
        #expect(try !vault.matches(SecretToken(""), digest: digest))
        for bit in 0..<256 {
            var altered = digest
            altered[bit / 8] ^= 1 << (bit % 8)
            #expect(try !vault.matches(token, digest: altered))
        }
    }

    @Test func `a digest of another length does not match`() throws {
        let token = SecretToken("pk_x")
        let digest = try vault.digest(of: token)
        #expect(try !vault.matches(token, digest: []))
        #expect(try !vault.matches(token, digest: digest.dropLast()))
        #expect(try !vault.matches(token, digest: digest + [0]))
    }

    @Test func `a source that fails gives no token`() {
        let vault = OpenSSLTokenVault(random: ScriptedRandom(Array(1...31)))
        #expect(throws: ScriptedRandom.Exhausted()) { try vault.makeToken(prefix: "pk_") }
    }

    @Test func `ten thousand tokens are all different`() throws {
        let texts = try Set((0..<10_000).map { _ in try vault.makeToken(prefix: "pk_").text })
        #expect(texts.count == 10_000)
        #expect(texts.allSatisfy { $0.utf8.count == 46 })
    }
}
