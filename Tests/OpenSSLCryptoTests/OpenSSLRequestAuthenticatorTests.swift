import OpenSSLCrypto
import Testing

@Suite struct OpenSSLRequestAuthenticatorTests {
    private let authenticator = OpenSSLRequestAuthenticator()

    /// FIPS 180-4's example "abc".
    @Test func `SHA-256 of the standard's example`() throws {
        #expect(
            try authenticator.sha256(of: Array("abc".utf8)).hexadecimal
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    /// RFC 4231 section 4.3 and RFC 2202 section 3, both test case 2, and an empty key and message.
    @Test func `HMAC of the standards' examples`() throws {
        let (key, message) = (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(
            try authenticator.hmacSHA256(of: message, key: key).hexadecimal
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        #expect(
            try authenticator.hmacSHA1(of: message, key: key).hexadecimal == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        )
        #expect(
            try authenticator.hmacSHA1(of: [], key: []).hexadecimal == "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"
        )
    }

    @Test func `tells what is the same from what is not`() {
        #expect(authenticator.areEqual([1, 2], [1, 2]))
        #expect(!authenticator.areEqual([1, 2], [1, 3]))
        #expect(!authenticator.areEqual([1, 2], [1, 2, 3]))
        #expect(authenticator.areEqual([], []))
    }
}
