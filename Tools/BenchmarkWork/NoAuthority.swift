import PhoneAccounts
import PhoneDomain

/// Signs nobody in: nothing that is measured asks for an access token.
struct NoAuthority: AccessTokenAuthority {
    func sign(_ token: AccessToken) async throws -> String { throw UnexpectedOutcome() }

    func token(in text: String, at now: Timestamp) async throws -> AccessToken? { nil }
    func sign(_ token: ClientToken) async throws -> String { throw UnexpectedOutcome() }
    func clientToken(in text: String, at now: Timestamp) async throws -> ClientToken? { nil }
    func sign(_ token: IDToken, by algorithm: SigningAlgorithm) async throws -> String { throw UnexpectedOutcome() }
    func idToken(in text: String) async throws -> IDToken? { nil }
}
