import CoreEncodings
package import PhoneAdministration
package import PhoneDelivery
package import PhoneDomain
package import PhoneService

/// Firebase Phone Number Verification: the carrier tells an app which number its SIM has, and Google signs that
/// (https://firebase.google.com/docs/phone-number-verification/verify-tokens).
package struct FirebasePNV: Dock {
    private let rules: TokenRules?
    private let keys: String

    package init(_ reader: SettingsReader) {
        _ = reader.section("proofs") {
            "What proves a number in place of a message, with the proof of a signup or a verification."
        }
        let section = reader.section("proofs.firebase_pnv") {
            "Firebase Phone Number Verification: an app on Android gets a token for the number of its SIM, and nobody a"
            "message. It is accepted if this has a project."
        }
        let project = section("project").value(
            example: "123456789012",
            "the number of a Firebase project",
            { text in
                (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? text : nil
            }
        ) { "The number of your Firebase project (its settings, General). Tokens of another are refused." }
        let standard = "https://fpnv.googleapis.com/v1beta/jwks"
        let address = section("keys_url").address(standard) { "Where Google publishes the keys of tokens." }
        keys = address?.description ?? standard
        let requiresNonce = section("requires_nonce").flag(false) {
            "Whether a token counts only with a nonce: that of a signup is its ID, and that of a verification is in the"
            "proof. Apps can set one in Google's custom flow alone."
        }
        rules = project.map { TokenRules(project: $0, requiresNonce: requiresNonce) }
    }

    package var findings: [Finding] {
        Finding.facts("proofs.firebase_pnv", rules.map { "tokens of the Firebase project \($0.project)" })
    }

    package func numberProof(
        in environment: DeliveryEnvironment,
        _: any SecretDeriver,
        _: any IdentifierSource
    ) -> (any NumberProofVerifier)? {
        rules.map { TokenVerifier(rules: $0, keys: PublishedKeys(at: keys, environment)) }
    }
}
