import Testing

@testable import OpenSSLCrypto

@Suite struct HKDFSHA256Tests {
    /// RFC 5869, appendix A.3.
    @Test func `is HKDF of RFC 5869`() throws {
        let key = SecretBytes(copying: [UInt8](repeating: 0x0B, count: 22))
        #expect(
            try HKDFSHA256.derive(from: key, info: "", count: 42).hexadecimal
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        )
    }

    /// The expectations are from Python's `cryptography`.
    @Test(arguments: [
        (
            "PhoneProof code authentication v1",
            "f7478a1216e6b6a16933cc5e0e3ffd11879a8470976852c883478966f6e0d4f0"
        ),
        (
            "PhoneProof code encryption v1",
            "82801e43afb41d6f073d010724a8f97df6d12163ac92bec3a3746ed6f68f7338"
        ),
    ])
    func `another use has another key`(info: String, key: String) throws {
        let master = SecretBytes(copying: Array(0...31))
        #expect(try HKDFSHA256.derive(from: master, info: info, count: 32).hexadecimal == key)
    }

    @Test func `more than RFC 5869 can give is an error`() throws {
        let key = SecretBytes(copying: [1])
        #expect(try HKDFSHA256.derive(from: key, info: "", count: 255 * 32).count == 8160)
        let error = try #require(throws: OpenSSLError.self) {
            try HKDFSHA256.derive(from: key, info: "", count: 255 * 32 + 1)
        }
        #expect(error.function == "EVP_PKEY_derive")
        #expect(isErrorQueueEmpty())
    }
}
