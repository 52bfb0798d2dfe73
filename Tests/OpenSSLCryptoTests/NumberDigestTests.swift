import PhoneDomain
import Testing

@testable import OpenSSLCrypto

@Suite struct NumberDigestTests {
    /// The bytes 0 to 31.
    private static let oldKey = "old 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let newKey = "new ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"

    private func vault(_ keys: String...) throws -> OpenSSLCodeVault {
        try OpenSSLCodeVault(keys: KeyRing(parsing: keys.joined(separator: "\n")))
    }

    /// The expectations are from Python's `hmac`, HKDF written out by RFC 5869. A change of them makes the audit trail
    /// unsearchable, and what is in it cannot be erased.
    @Test(arguments: [
        ("+821012345678", "old:86eb6386843fba641f3ce76ae410f6b1"),
        ("+82101234", "old:9405000334059dd613c3272de85f5ede"),
        ("", "old:65bdaf03b4ee1737721a62bf3b48dd4e"),
    ])
    func `a digest is what it has always been`(text: String, digest: String) throws {
        #expect(try vault(Self.oldKey).digest(of: text).description == digest)
        #expect(isErrorQueueEmpty())
    }

    @Test func `after a rotation new digests are of the new key, and old ones are found`() throws {
        let rotated = try vault(Self.newKey, Self.oldKey)
        #expect(try rotated.digest(of: "+821012345678").description == "new:c4ded66bfeb45f567dc88981e25e1ff3")
        #expect(
            try rotated.digests(of: "+821012345678").map(\.description)
                == ["new:c4ded66bfeb45f567dc88981e25e1ff3", "old:86eb6386843fba641f3ce76ae410f6b1"]
        )
        let without = try vault(Self.newKey).digests(of: "+821012345678").map(\.description)
        #expect(without == ["new:c4ded66bfeb45f567dc88981e25e1ff3"])
    }

    /// What the same number gives under the keys that authenticate and encrypt codes, and under the master key itself.
    @Test func `digests have a key of their own`() throws {
        let digest = try vault(Self.oldKey).digest(of: "+821012345678").description
        for other in [
            "46e2bf691d2a993ef0c484fcdbb3466c", "b8ddf46e23bbaaa36600faf97ee8563b", "c2e1f9cd2ca95f3b1d80c22982fdc159",
        ] {
            #expect(digest != "old:" + other)
        }
        let master = try #require(KeyRing(parsing: Self.oldKey).keys.first)
        let key = try CodeKey(from: master)
        let code = try key.authentication.code(of: Array("+821012345678".utf8))
        #expect(code.hexadecimal.hasPrefix("46e2bf691d2a993ef0c484fcdbb3466c"))
        let encryption = try HMACSHA256(key: key.encryption)
        let codes = try [key.authentication, encryption, key.digest].map { try $0.code(of: []) }
        #expect(Set(codes).count == 3)
    }

    @Test func `numbers that differ have digests that differ`() throws {
        let vault = try vault(Self.oldKey)
        let digests = try (0..<2000).map { try vault.digest(of: "+82101234\(5000 + $0)") }
        #expect(Set(digests).count == 2000)
    }
}
