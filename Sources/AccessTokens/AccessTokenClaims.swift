import JWTKit
import PhoneDomain

/// What an access token says, as RFC 9068 section 2.2 names it. Every claim must be there; others are passed over.
struct AccessTokenClaims: JWTPayload {
    /// Who has signed it.
    let iss: String
    /// Whom it is for.
    let aud: Audience
    /// Who is signed in.
    let sub: String
    /// The program that it was made for. There is one for all that sign in here.
    let clientID: String
    /// What it is for: always ``AccessToken/scope``.
    let scope: String
    /// Seconds since 1970-01-01T00:00:00Z, as are the other moments.
    let exp: Int64
    let iat: Int64
    let jti: String
    let sid: String
    let authTime: Int64
    let phoneNumberVerified: Bool

    private enum CodingKeys: String, CodingKey {
        case iss, aud, sub
        case clientID = "client_id"
        case scope
        case exp, iat, jti, sid
        case authTime = "auth_time"
        case phoneNumberVerified = "phone_number_verified"
    }

    init(_ token: AccessToken, issuer: String, audience: String) {
        iss = issuer
        aud = Audience(audience)
        sub = token.accountID.description
        clientID = audience
        scope = AccessToken.scope
        exp = token.expiresAt.seconds
        iat = token.issuedAt.seconds
        jti = token.id.description
        sid = token.sessionID.description
        authTime = token.authenticatedAt.seconds
        phoneNumberVerified = token.isPhoneNumberVerified
    }

    /// JWTKit asks this when the signature was verified, and says by what. That it was by ES256 is so already, by the kind
    /// of key that it was given; and if it were not, this is the last place to see it.
    func verify(using algorithm: some JWTAlgorithm) throws {
        guard algorithm.name == AccessTokenHeader.algorithm else { throw JWTError.signatureVerificationFailed }
    }

    /// The token that these are the claims of, if it holds at this moment (RFC 8725 sections 3.8 and 3.9).
    ///
    /// - Parameter tolerance: how far the clock of the instance that made it may be ahead. It ends by our own clock.
    func token(issuer: String, audience: String, at now: Timestamp, tolerance: Duration) -> AccessToken? {
        // Beyond this no moment can be written (RFC 3339), nor counted in milliseconds without care.
        let seconds = 0...Timestamp.lastSecond
        guard iss == issuer, aud.names.contains(audience), clientID == audience, scope == AccessToken.scope,
            let id = AccessToken.ID(jti), let accountID = Account.ID(sub), let sessionID = Session.ID(sid),
            seconds.contains(exp),
            seconds.contains(iat), seconds.contains(authTime)
        else { return nil }
        let token = AccessToken(
            id: id,
            accountID: accountID,
            sessionID: sessionID,
            isPhoneNumberVerified: phoneNumberVerified,
            authenticatedAt: Timestamp(seconds: authTime),
            issuedAt: Timestamp(seconds: iat),
            expiresAt: Timestamp(seconds: exp)
        )
        guard now < token.expiresAt, token.issuedAt < token.expiresAt, token.issuedAt <= now + tolerance,
            token.authenticatedAt <= now + tolerance
        else { return nil }
        return token
    }
}

extension Timestamp {
    /// 9999-12-31T23:59:59Z.
    fileprivate static let lastSecond: Int64 = 253_402_300_799

    /// Whole seconds since 1970-01-01T00:00:00Z; a part of a second is dropped.
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}
