internal import PhoneDomain

/// Writes access tokens in the form of RFC 9068 and checks them as RFC 8725 demands.
struct AccessTokenClaims: Sendable {
    private static let algorithm = "ES256"
    /// RFC 9068 section 2.1.
    private static let type = "at+jwt"

    let issuer: String
    let audience: String

    /// The header of a token by this key.
    static func header(_ keyID: SigningKey.ID) -> String {
        #"{"alg":"\#(algorithm)","kid":"\#(keyID)","typ":"\#(type)"}"#
    }

    /// The ID of the key that the header names; nil unless the header has exactly the members and values that we write.
    ///
    /// RFC 7515 section 4 makes a receiver ignore unknown members. These tokens are our own, so one with `crit`, `jku`, `jwk`,
    /// `x5u`, `x5c`, `b64`, `zip`, `cty` or anything else is none of them, and no header can make us fetch, unpack or trust
    /// anything (RFC 8725 sections 2.9, 3.1 and 3.10). The algorithm is ours to choose, not the token's (sections 3.1 and 3.2).
    static func keyID(in header: [String: JSONClaim]) -> SigningKey.ID? {
        guard header.count == 3, header["alg"] == .string(algorithm), case .string(let type) = header["typ"],
            // The prefix is optional, and media types are case-insensitive (RFC 7515 section 4.1.9).
            [Self.type, "application/" + Self.type].contains(type.lowercased()),
            case .string(let keyID) = header["kid"]
        else { return nil }
        return SigningKey.ID(keyID)
    }

    /// The claims of RFC 9068 section 2.2, and `sid` and `phone_number_verified`, in alphabetical order. Slashes are not escaped:
    /// receivers that search the text (HAProxy's `jwt_payload_query`) would take the escapes for the value.
    func claims(of token: AccessToken) -> String {
        let (issuer, audience) = (JSONClaim.quoted(issuer), JSONClaim.quoted(audience))
        return #"{"aud":\#(audience),"auth_time":\#(token.authenticatedAt.seconds),"client_id":\#(audience),"#
            + #""exp":\#(token.expiresAt.seconds),"iat":\#(token.issuedAt.seconds),"iss":\#(issuer),"jti":"\#(token.id)","#
            + #""phone_number_verified":\#(token.isPhoneNumberVerified),"scope":"\#(AccessToken.scope)","#
            + #""sid":"\#(token.sessionID)","sub":"\#(token.accountID)"}"#
    }

    /// The token of these claims; nil unless it is valid at this time (RFC 8725 sections 3.8 and 3.9). Every claim is required;
    /// unknown ones are ignored.
    ///
    /// - Parameters:
    ///   - claims: JSON whose signature has been verified.
    ///   - now: our time, at which the token must not have expired.
    ///   - tolerance: how far the clock of the instance that issued the token may be ahead.
    func token(_ claims: [UInt8], at now: Timestamp, tolerance: Duration) -> AccessToken? {
        guard let claims = JSONClaim.parseObject(claims), claims["iss"] == .string(issuer),
            // One name or several (RFC 7519 section 4.1.3).
            claims["aud"] == .string(audience) || claims["aud"]?.strings?.contains(audience) == true,
            claims["client_id"] == .string(audience), claims["scope"] == .string(AccessToken.scope),
            let id = claims["jti"]?.string.flatMap(AccessToken.ID.init),
            let accountID = claims["sub"]?.string.flatMap(Account.ID.init),
            let sessionID = claims["sid"]?.string.flatMap(Session.ID.init),
            case .bool(let isPhoneNumberVerified) = claims["phone_number_verified"],
            let authenticatedAt = claims["auth_time"]?.timestamp, let issuedAt = claims["iat"]?.timestamp,
            let expiresAt = claims["exp"]?.timestamp, now < expiresAt, issuedAt < expiresAt,
            issuedAt <= now + tolerance,
            authenticatedAt <= now + tolerance
        else { return nil }
        return AccessToken(
            id: id,
            accountID: accountID,
            sessionID: sessionID,
            isPhoneNumberVerified: isPhoneNumberVerified,
            authenticatedAt: authenticatedAt,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }
}

extension JSONClaim {
    fileprivate var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    fileprivate var strings: [String]? {
        if case .strings(let strings) = self { strings } else { nil }
    }

    /// A NumericDate (RFC 7519 section 2) of the years 1970 to 9999, which RFC 3339 can express.
    fileprivate var timestamp: Timestamp? {
        guard case .integer(let seconds) = self, (0...253_402_300_799).contains(seconds) else { return nil }
        return Timestamp(seconds: seconds)
    }
}

extension Timestamp {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}
