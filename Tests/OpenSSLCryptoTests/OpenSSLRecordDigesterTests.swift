import OpenSSLCrypto
import PhoneDomain
import Testing

@Suite struct OpenSSLRecordDigesterTests {
    /// FIPS 180-2, appendix B.1.
    @Test func `a digest is that of SHA-256`() throws {
        let digest = try OpenSSLRecordDigester().digest(of: Array("abc".utf8))
        #expect(digest.description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
