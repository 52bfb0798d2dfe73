import COpenSSL
import PhoneDomain
import Testing

@testable import OpenSSLCrypto

@Suite struct OpenSSLRandomTests {
    @Test func `an identifier is the next sixteen bytes of the source`() throws {
        let random = ScriptedRandom(Array(0x10...0x1F) + [0xFF])
        let id: Verification.ID = try random.makeIdentifier()
        #expect(id.description == "ver_101112131415161718191a1b1c1d1e1f")
        #expect(random.unusedCount == 1)
    }

    @Test func `a source that fails gives no identifier`() {
        #expect(throws: ScriptedRandom.Exhausted()) { try ScriptedRandom(Array(1...15)).makeBits() }
    }

    @Test func `a hundred thousand identifiers are all different`() throws {
        let random = OpenSSLRandom()
        var ids: Set<Verification.ID> = []
        for _ in 0..<100_000 { ids.insert(try random.makeIdentifier()) }
        #expect(ids.count == 100_000)
        #expect(isErrorQueueEmpty())
    }

    @Test func `it fills the whole buffer, and none is no error`() throws {
        // A byte that is zero in 40 fills of 64 bytes by chance has a probability of 2^-320.
        var seen = [UInt8](repeating: 0, count: 64)
        for _ in 0..<40 {
            var bytes = [UInt8](repeating: 0, count: 64)
            try bytes.withUnsafeMutableBytes { try OpenSSLRandom().fill($0) }
            for index in bytes.indices { seen[index] |= bytes[index] }
        }
        #expect(!seen.contains(0))
        try OpenSSLRandom().fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
}

@Suite struct PooledRandomTests {
    @Test func `all bits of a block are given once, and then those of the next`() throws {
        let blocks = (0...255).flatMap { (word: UInt8) -> [UInt8] in [0, 0, 0, 0, 0, 0, 0, word] }
        let identifiers = PooledRandom(random: ScriptedRandom(blocks))
        let words = try (0..<128).flatMap { _ in
            let (high, low) = try identifiers.makeBits()
            return [high, low]
        }
        #expect(words[..<128].sorted() == Array(0..<128))
        #expect(words.sorted() == Array(0..<256))
        #expect(throws: ScriptedRandom.Exhausted()) { try identifiers.makeBits() }
    }

    @Test func `what is left of a block and too short for a nonce is given to nobody`() throws {
        let bytes = (0..<512).flatMap { (number: Int) -> [UInt8] in [UInt8(number / 256), UInt8(number % 256), 0, 0] }
        let random = PooledRandom(random: ScriptedRandom(bytes))
        let nonces = try (0..<170).map { _ in try random.bytes(12) }
        #expect(Set(nonces).count == 170)
        #expect(throws: ScriptedRandom.Exhausted()) { try random.bytes(12) }
    }

    @Test func `a source that fails gives no bits`() {
        let identifiers = PooledRandom(random: ScriptedRandom([UInt8](repeating: 1, count: 100)))
        for _ in 0..<2 { #expect(throws: ScriptedRandom.Exhausted()) { try identifiers.makeBits() } }
    }
}

@Suite struct OpenSSLErrorTests {
    @Test func `an error has every reason of the queue, the oldest first, and leaves the queue empty`() {
        #expect(EVP_CIPHER_fetch(nil, "first-missing", nil) == nil)
        #expect(EVP_MD_fetch(nil, "second-missing", nil) == nil)
        let error = OpenSSLError.taken(from: "EVP_some_function")
        #expect(error.function == "EVP_some_function")
        #expect(error.reasons.count == 2)
        #expect(error.reasons.allSatisfy { $0.hasPrefix("error:") && $0.hasSuffix("::unsupported") })
        #expect(error.description == "EVP_some_function failed: " + error.reasons.joined(separator: "; "))
        #expect(isErrorQueueEmpty())
    }

    @Test func `an error for which OpenSSL gives no reason says so`() {
        #expect(OpenSSLError.taken(from: "EVP_x").description == "EVP_x failed: OpenSSL gave no reason")
    }
}

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

    @Test func `a source that fails gives no token`() {
        let vault = OpenSSLTokenVault(random: ScriptedRandom(Array(1...31)))
        #expect(throws: ScriptedRandom.Exhausted()) { try vault.makeToken(prefix: "pk_") }
    }
}
