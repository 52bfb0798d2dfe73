import Testing

@testable import OpenSSLCrypto

@Suite struct AES256GCMTests {
    struct Vector {
        var key: String
        var nonce: String
        var plaintext: String
        var additionalData: String
        var ciphertextAndTag: String
    }

    /// Test cases 14 and 16 of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B.
    static let vectors = [
        Vector(
            key: "0000000000000000000000000000000000000000000000000000000000000000",
            nonce: "000000000000000000000000",
            plaintext: "00000000000000000000000000000000",
            additionalData: "",
            ciphertextAndTag: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            additionalData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            ciphertextAndTag: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                + "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ]

    @Test(arguments: vectors)
    func `seals and opens as its authors do`(vector: Vector) throws {
        let key = AES256GCM(key: SecretBytes(copying: [UInt8](hexadecimal: vector.key)))
        let (plaintext, data) = (
            [UInt8](hexadecimal: vector.plaintext), [UInt8](hexadecimal: vector.additionalData)
        )
        // Again and again with the same contexts, a failure among them.
        for _ in 0..<3 {
            let random = ScriptedRandom([UInt8](hexadecimal: vector.nonce))
            let sealed = try key.seal(plaintext, additionalData: data, random: random)
            #expect(sealed.hexadecimal == vector.nonce + vector.ciphertextAndTag)
            #expect(try key.open(sealed, additionalData: data) == plaintext)
            #expect(try key.open(sealed, additionalData: data + [0]) == nil)
        }
    }

    @Test func `nothing may be altered, missing or added`() throws {
        let key = AES256GCM(key: SecretBytes(copying: [UInt8](repeating: 0, count: 32)))
        let sealed = try key.seal(Array(0..<16), additionalData: [1], random: OpenSSLRandom())
        for bit in 0..<(sealed.count * 8) {
            var altered = sealed
            altered[bit / 8] ^= 1 << (bit % 8)
            #expect(try key.open(altered, additionalData: [1]) == nil)
        }
        for count in 0..<sealed.count { #expect(try key.open(Array(sealed.prefix(count)), additionalData: [1]) == nil) }
        #expect(try key.open(sealed + [0], additionalData: [1]) == nil)
        #expect(isErrorQueueEmpty())
    }
}
