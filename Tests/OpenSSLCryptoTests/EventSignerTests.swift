import OpenSSLCrypto
import PhoneDomain
import Testing

@Suite struct EventSignerTests {
    private static let body = Array(#"{"test": 2432232314}"#.utf8)

    /// The example of the reference libraries
    /// (https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries).
    private static let known = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private struct NoSuchID: Error {}

    private static func id(_ text: String) throws -> EventID {
        guard let id = EventID(text) else { throw NoSuchID() }
        return id
    }

    private static func signatures(_ secrets: [String], _ id: String) throws -> String {
        let signer = OpenSSLEventSigner(secrets: try secrets.map { try #require(WebhookSecret($0)) })
        return try signer.signatures(id: try Self.id(id), seconds: 1_614_265_330, body: body)
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
    func `takes nothing else for a secret`(_ text: String) {
        #expect(WebhookSecret(text) == nil)
    }

    @Test(arguments: [
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA==",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAA=",
    ])
    func `tells nobody a secret`(_ text: String) throws {
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
