import CoreEncodings
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import OpenSSLCrypto

@Suite struct HMACSHA256Tests {
    /// RFC 4231, sections 4.3 and 4.8: a key that is shorter than a block, and one that is longer.
    @Test(arguments: [
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array(
                """
                This is a test using a larger than block-size key and a larger than block-size data. \
                The key needs to be hashed before being used by the HMAC algorithm.
                """.utf8
            ),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `is HMAC of RFC 4231`(key: [UInt8], message: [UInt8], code: String) throws {
        #expect(try HMACSHA256(key: SecretBytes(copying: key)).code(of: message).hexadecimal == code)
    }

    /// What one message leaves must not be in the code of the next, nor in that of one on another thread.
    @Test(arguments: [false, true])
    func `one key serves many messages, also at the same time`(resetsWithKey: Bool) async throws {
        let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        let hmac = HMACSHA256(key: key, resetsWithKey: resetsWithKey)
        try await atOnce(64) { number in
            let message = [UInt8](repeating: UInt8(number), count: number * 3)
            let expected = try HMACSHA256(key: key).code(of: message)
            for _ in 0..<8 { #expect(try hmac.code(of: message) == expected) }
        }
    }
}

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

@Suite struct OpenSSLRequestAuthenticatorTests {
    private let authenticator = OpenSSLRequestAuthenticator()

    /// FIPS 180-4's example "abc".
    @Test func `SHA-256 of the standard's example`() throws {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try authenticator.sha256(of: Array("abc".utf8)).hexadecimal == digest)
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

    @Test func `bytes are equal or not`() {
        #expect(authenticator.areEqual([1, 2], [1, 2]))
        #expect(!authenticator.areEqual([1, 2], [1, 3]))
        #expect(!authenticator.areEqual([1, 2], [1, 2, 3]))
        #expect(authenticator.areEqual([], []))
    }
}

@Suite struct EventSignerTests {
    private static let body = Array(#"{"test": 2432232314}"#.utf8)

    /// The example of the reference libraries
    /// (https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries).
    private static let known = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private static func signatures(_ secrets: [String], _ id: String) throws -> String {
        let signer = OpenSSLEventSigner(secrets: try secrets.map { try #require(WebhookSecret($0)) })
        return try signer.signatures(id: try #require(EventID(id)), seconds: 1_614_265_330, body: body)
    }

    /// Computed with Python's hmac.
    @Test func `signs name, time and body`() throws {
        #expect(
            try Self.signatures([Self.known], "evt_account_created_00000000000000000000000000000001")
                == "v1,D5Sahtim1G3ywABSFPNkwnBNK9TueaRUc3X5VtML2Ss="
        )
    }

    @Test func `signs once for each secret, in their order`() throws {
        let longest = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw=="
        #expect(
            try Self.signatures([longest, Self.known], "evt_account_created_00000000000000000000000000000001")
                == "v1,J9c4BKyddRxo0qEE6q3V/80oH+nschz1NsGOJQzjDvo= "
                + "v1,D5Sahtim1G3ywABSFPNkwnBNK9TueaRUc3X5VtML2Ss="
        )
    }

    @Test(arguments: [
        "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        // 23 bytes and 65.
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaQ=", "whsec_" + String(repeating: "AAAA", count: 21) + "AAA=",
        // Not of base64, of base64url, too much padding, bits that fill no byte, white space.
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!w", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-w",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwA",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAB==", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n",
    ])
    func `anything else is no secret`(_ text: String) {
        #expect(WebhookSecret(text) == nil)
    }

    @Test(arguments: [
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA==",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAA=",
    ])
    func `no description shows a secret`(_ text: String) throws {
        let secret = try #require(WebhookSecret(text))
        #expect("\(secret)" == "••••")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("MfKQ") && !dumped.contains("49"))
    }

    @Test func `a new secret has 256 bits of the random source`() throws {
        let text = try WebhookSecret.makeText(random: ScriptedRandom(Array(0..<32)))
        #expect(text == "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        #expect(WebhookSecret(text) != nil)
    }
}

@Suite struct WebhookVectorTests {
    /// The example of the reference libraries, whose name is of no event of ours
    /// (https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries).
    @Test func `the reference libraries sign alike`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let content = #"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#
        let code = try HMACSHA256(key: secret.bytes).code(of: Array(content.utf8))
        #expect(code.base64 == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }
}
