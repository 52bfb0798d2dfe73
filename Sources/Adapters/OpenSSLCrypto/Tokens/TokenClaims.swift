package import CoreEncodings
import PhoneAccounts
import PhoneDomain
package import PhoneSignup

extension JSONWebToken {
    /// `typ`: a token of one type is never taken for one of the other (RFC 8725 section 3.11).
    enum TokenType: String {
        /// RFC 9068 section 2.1.
        case accessToken = "at+jwt"
        case idToken = "JWT"
    }

    static func sign(header: JSON, claims: JSON, by key: any SigningPrivateKey) throws -> String {
        let parts = [header, claims].map { TextEncoding.base64URL.encode($0.text.utf8) }
        let input = parts.joined(separator: ".")
        return try input + "." + key.sign(Array(input.utf8)).base64URL
    }
}

/// Writes access tokens in the form of RFC 9068 and checks them as RFC 8725 demands.
struct AccessTokenClaims: Sendable {
    let issuer: String
    let audience: String

    /// Whom a client's access tokens are for: not for those who accept a person's own.
    private var userInfoAudience: String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/oauth2/userinfo"
    }

    /// The header of a token by this key.
    static func header(_ key: SigningKey, _ type: JSONWebToken.TokenType) -> JSON {
        ["alg": .string(key.algorithm.rawValue), "kid": .string(key.id.description), "typ": .string(type.rawValue)]
    }

    /// The ID of the key that the header names, and the algorithm, which must be the key's; nil unless the header has
    /// exactly the members and values that we write.
    ///
    /// RFC 7515 section 4 makes a receiver ignore unknown members. These tokens are our own, so one with `crit`, `jku`,
    /// `jwk`, `x5u`, `x5c`, `b64`, `zip`, `cty` or anything else is none of them, and no header can make us fetch,
    /// unpack or trust anything (RFC 8725 sections 2.9, 3.1 and 3.10).
    static func keyID(
        in token: JSONWebToken,
        _ type: JSONWebToken.TokenType
    ) -> (id: SigningKey.ID, algorithm: SigningAlgorithm)? {
        let header = token.header
        guard header.count == 3, let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init),
            token.isOfType(type.rawValue), let id = header["kid"]?.string.flatMap(SigningKey.ID.init)
        else { return nil }
        return (id, algorithm)
    }

    /// The claims of RFC 9068 section 2.2, and `sid` and `phone_number_verified`, in alphabetical order. Slashes are
    /// not escaped: receivers that search the text (HAProxy's `jwt_payload_query`) would take the escapes for the
    /// value.
    func claims(of token: AccessToken) -> JSON {
        [
            "aud": .string(token.grant == nil ? audience : userInfoAudience),
            "auth_time": .integer(token.authenticatedAt.seconds),
            "client_id": .string(token.grant?.clientID.description ?? audience),
            "exp": .integer(token.expiresAt.seconds),
            "iat": .integer(token.issuedAt.seconds),
            "iss": .string(issuer),
            "jti": .string(token.id.description),
            "phone_number_verified": .bool(token.isPhoneNumberVerified),
            "scope": .string(token.grant?.scopes.list ?? AccessToken.scope),
            "sid": .string(token.sessionID.description),
            "sub": .string(token.accountID.description),
        ]
    }

    /// Those of a token that a client got for itself (RFC 9068 section 2.2). It is for this service, and not for those
    /// who accept a person's tokens.
    func claims(of token: ClientToken) -> JSON {
        [
            "aud": .string(issuer),
            "client_id": .string(token.clientID.description),
            "exp": .integer(token.expiresAt.seconds),
            "iat": .integer(token.issuedAt.seconds),
            "iss": .string(issuer),
            "jti": .string(token.id.description),
            "scope": .string(token.scopes.list),
            "sub": .string(token.clientID.description),
        ]
    }

    /// Does for tokens of clients what ``token(_:at:)`` does.
    func clientToken(_ claims: [String: JSON], at now: Timestamp) -> ClientToken? {
        guard claims["iss"] == .string(issuer),
            claims["aud"] == .string(issuer), claims["sid"] == nil,
            let id = claims["jti"]?.string.flatMap(AccessToken.ID.init),
            let clientID = claims["sub"]?.string.flatMap(OAuthClient.ID.init), claims["client_id"] == claims["sub"],
            let scopes = claims["scope"]?.string.flatMap(Set<ClientScope>.init(list:)), !scopes.isEmpty,
            let (issuedAt, expiresAt) = Self.lifetime(claims, at: now)
        else { return nil }
        return ClientToken(id: id, clientID: clientID, scopes: scopes, issuedAt: issuedAt, expiresAt: expiresAt)
    }

    private static func lifetime(
        _ claims: [String: JSON],
        at now: Timestamp
    ) -> (issuedAt: Timestamp, expiresAt: Timestamp)? {
        guard let issuedAt = claims["iat"]?.timestamp, let expiresAt = claims["exp"]?.timestamp, now < expiresAt,
            issuedAt < expiresAt, issuedAt <= now + JWTAccessTokens.clockTolerance
        else { return nil }
        return (issuedAt, expiresAt)
    }

    func claims(of token: IDToken) -> JSON {
        var members = [
            JSON.Member("amr", token.proof.methods),
            JSON.Member("aud", .string(token.clientID.description)),
            JSON.Member("auth_time", .integer(token.authenticatedAt.seconds)),
            JSON.Member("exp", .integer(token.expiresAt.seconds)),
            JSON.Member("iat", .integer(token.issuedAt.seconds)),
            JSON.Member("iss", .string(issuer)),
        ]
        if let nonce = token.nonce { members.append(JSON.Member("nonce", .string(nonce))) }
        if let name = token.preferredUsername { members.append(JSON.Member("preferred_username", .string(name))) }
        return .object(
            members + [
                JSON.Member("sid", .string(token.sessionID.description)),
                JSON.Member("sub", .string(token.accountID.description)),
            ]
        )
    }

    /// The ID token of these claims, whose signature has been verified, whenever it expires.
    func idToken(_ claims: [String: JSON]) -> IDToken? {
        guard claims["iss"] == .string(issuer),
            let clientID = claims["aud"]?.string.flatMap(OAuthClient.ID.init),
            let accountID = claims["sub"]?.string.flatMap(Account.ID.init),
            let sessionID = claims["sid"]?.string.flatMap(Session.ID.init),
            let authenticatedAt = claims["auth_time"]?.timestamp, let issuedAt = claims["iat"]?.timestamp,
            let expiresAt = claims["exp"]?.timestamp
        else { return nil }
        return IDToken(
            accountID: accountID,
            sessionID: sessionID,
            clientID: clientID,
            nonce: claims["nonce"]?.string,
            preferredUsername: claims["preferred_username"]?.string,
            authenticatedAt: authenticatedAt,
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            proof: SessionProof.allCases.first { $0.methods == claims["amr"] } ?? .code
        )
    }

    /// What the claims grant; nil where they are neither a person's own nor a client's.
    private func grant(in claims: [String: JSON]) -> ClientGrant?? {
        if claims["aud"]?.isAudience(audience) == true, claims["client_id"] == .string(audience),
            claims["scope"] == .string(AccessToken.scope)
        {
            return .some(nil)
        }
        guard claims["aud"] == .string(userInfoAudience),
            let clientID = claims["client_id"]?.string.flatMap(OAuthClient.ID.init),
            let scopes = claims["scope"]?.string.flatMap(Set<OpenIDScope>.init(list:)), !scopes.isEmpty
        else { return nil }
        return ClientGrant(clientID: clientID, scopes: scopes)
    }

    /// The token of these claims; nil unless it is valid at this time (RFC 8725 sections 3.8 and 3.9). Every claim is
    /// required; unknown ones are ignored.
    ///
    /// - Parameters:
    ///   - claims: those whose signature has been verified.
    ///   - now: our time, at which the token must not have expired.
    func token(_ claims: [String: JSON], at now: Timestamp) -> AccessToken? {
        guard claims["iss"] == .string(issuer),
            let grant = grant(in: claims),
            let id = claims["jti"]?.string.flatMap(AccessToken.ID.init),
            let accountID = claims["sub"]?.string.flatMap(Account.ID.init),
            let sessionID = claims["sid"]?.string.flatMap(Session.ID.init),
            case .bool(let isPhoneNumberVerified) = claims["phone_number_verified"],
            let authenticatedAt = claims["auth_time"]?.timestamp,
            authenticatedAt <= now + JWTAccessTokens.clockTolerance,
            let (issuedAt, expiresAt) = Self.lifetime(claims, at: now)
        else { return nil }
        return AccessToken(
            id: id,
            accountID: accountID,
            sessionID: sessionID,
            isPhoneNumberVerified: isPhoneNumberVerified,
            authenticatedAt: authenticatedAt,
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            grant: grant
        )
    }
}

extension JSON {
    /// Whether it is this name, or a list of names with it (RFC 7519 section 4.1.3).
    fileprivate func isAudience(_ name: String) -> Bool {
        guard case .array(let names) = self else { return self == .string(name) }
        return names.contains(.string(name)) && names.allSatisfy { $0.string != nil }
    }

    /// A NumericDate as a moment.
    package var timestamp: Timestamp? { numericDate.map(Timestamp.init(seconds:)) }
}

extension Timestamp {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}

extension SessionProof {
    /// RFC 8176 section 2: a one-time code by a text message; or a key that a device keeps, with the person present.
    fileprivate var methods: JSON {
        switch self {
        case .code: ["otp", "sms"]
        case .key: ["hwk", "user"]
        }
    }
}
