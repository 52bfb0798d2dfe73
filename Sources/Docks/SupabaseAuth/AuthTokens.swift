import CoreEncodings
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore

/// Access tokens with the claims that Supabase's libraries and row-level security read
/// (https://supabase.com/docs/guides/auth/jwt-fields), and what they stand for.
struct AuthTokens: Sendable {
    private let service: DockService
    /// `iss`, and the URL of the API.
    let issuer: String

    private static let audience = "authenticated"
    static let claimNames = [
        "aal", "amr", "app_metadata", "aud", "email", "exp", "iat", "is_anonymous", "iss", "phone", "role",
        "session_id", "sub", "user_metadata",
    ]
    /// More metadata than this, in bytes, is left out of tokens: servers limit the headers of a request, and this one
    /// the length of a token.
    static let longestMetadata = 1500

    init(_ service: DockService) {
        self.service = service
        issuer = service.discovery.url(of: SupabaseAPI.path)
    }

    /// The answer to a sign-in or a refresh: a session, as every library stores it.
    func session(_ issued: IssuedTokens) async throws -> JSON {
        let (now, seconds) = (service.clock.now().milliseconds / 1000, issued.expiresIn.components.seconds)
        let claims = claims(of: issued.signedIn, from: now, until: now + seconds)
        return [
            "access_token": .string(try await available { try await service.claims.sign(claims) }),
            "token_type": "bearer",
            "expires_in": .integer(seconds),
            "expires_at": .integer(now + seconds),
            "refresh_token": .string(issued.refreshToken.secret.text),
            "user": issued.signedIn.userJSON(),
        ]
    }

    /// The members are in alphabetical order.
    private func claims(of signedIn: SignedIn, from now: Int64, until end: Int64) -> JSON {
        let (account, session) = (signedIn.account, signedIn.session)
        let isShort = account.metadata.json.utf8.count <= Self.longestMetadata
        return [
            "aal": "aal1",
            "amr": [["method": "otp", "timestamp": .integer(session.createdAt.milliseconds / 1000)]],
            "app_metadata": Account.appMetadata,
            "aud": .string(Self.audience),
            "email": "",
            "exp": .integer(end),
            "iat": .integer(now),
            "is_anonymous": false,
            "iss": .string(issuer),
            "phone": .string(account.phoneNumber?.withoutPlus ?? ""),
            "role": .string(Self.audience),
            "session_id": .string(session.id.uuid),
            "sub": .string(account.id.uuid),
            "user_metadata": isShort ? account.metadata.userMetadata : [:],
        ]
    }

    /// Throws ``AuthError``: two for a token that is none of ours or has expired, and for one whose session has ended.
    func signedIn(by token: SecretToken) async throws -> SignedIn {
        guard let (accountID, sessionID) = try await subject(of: token) else { throw AuthError.invalidToken }
        let found = try await available { try await service.store.signedIn(sessionID) }
        guard let found, found.account.id == accountID, found.session.grant == nil,
            found.holds(at: service.clock.now())
        else { throw AuthError.sessionNotFound }
        return found
    }

    /// Whom a valid token is about; nil for anything else.
    func subject(of token: SecretToken) async throws -> (Account.ID, Session.ID)? {
        // The signature comes first. ID tokens have the same keys and the same type, but another issuer.
        guard let claims = try await available({ try await service.claims.claims(in: token.text) }),
            claims["iss"] == .string(issuer), claims["aud"] == .string(Self.audience),
            let end = claims["exp"]?.integer, service.clock.now() < Timestamp(seconds: Int64(end)),
            let accountID = claims["sub"]?.string.flatMap(Account.ID.init(uuid:)),
            let sessionID = claims["session_id"]?.string.flatMap(Session.ID.init(uuid:))
        else { return nil }
        return (accountID, sessionID)
    }
}

extension PhoneNumber {
    /// Supabase Auth stores and shows numbers so.
    var withoutPlus: String { String(e164.dropFirst()) }
}
