import CoreEncodings
import OpenSSLCrypto
package import PhoneAccounts
package import PhoneAdministration
import PhoneDomain
import PhoneNumbers
package import PhoneService
import PhoneSignup

/// Custom tokens, by which an app on Firebase signs in a person who has proven a number
/// (https://firebase.google.com/docs/auth/admin/create-custom-tokens).
package struct Firebase: Dock {
    private let account: GoogleServiceAccount?

    package init(_ reader: SettingsReader) {
        let firebase = reader.section("firebase") {
            "Tokens for apps on Firebase: with a service account, what an approval or a signup returns has a custom token"
            "in tokens.firebase."
        }
        let text = firebase("service_account").secret(example: "/run/secrets/firebase.json", isNeeded: true) {
            "The key of a service account as Google gives it: a JSON file. It can sign in anybody as anyone."
        }
        account = text.flatMap { GoogleServiceAccount($0) }
        if text != nil, account == nil {
            let wanted = "the JSON file of a service account"
            reader.reject("firebase.service_account_file", "", wanted: wanted, isSecret: true)
        }
    }

    package var findings: [Finding] {
        Finding.facts("firebase", account.map { "custom tokens by \($0.email), which can sign in anybody" })
    }

    package func proofTokens(over service: DockService) -> (any ProofTokens)? {
        account.map { CustomTokens(account: $0, deriver: service.deriver, clock: service.clock) }
    }
}

private struct CustomTokens: ProofTokens {
    private static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    /// The most that Firebase accepts; it bounds the sign-in, not the session that follows.
    private static let lifetime: Int64 = 3600

    let name = "firebase"
    let account: GoogleServiceAccount
    let deriver: any SecretDeriver
    let clock: any WallClock

    func token(of account: Account.ID) async throws -> SecretToken { try await token(account.description) }

    /// The user is known by what only this service can derive from the number: the ID is in tokens, logs and the
    /// project's data. By the oldest key, so that it stays the same when a new one is made.
    func token(of number: PhoneNumber) async throws -> SecretToken {
        guard let secret = try deriver.derive(.numberSubject, from: [number.e164]).last else { throw NoKey() }
        return try await token("tel_" + secret)
    }

    private struct NoKey: Error {}

    private func token(_ user: String) async throws -> SecretToken {
        let now = clock.now().milliseconds / 1000
        let text = try await account.sign([
            JSON.Member("sub", .string(account.email)), JSON.Member("aud", .string(Self.audience)),
            JSON.Member("uid", .string(user)), JSON.Member("iat", .integer(now)),
            JSON.Member("exp", .integer(now + Self.lifetime)),
        ])
        return SecretToken(text)
    }
}
