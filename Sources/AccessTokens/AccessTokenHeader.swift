import PhoneDomain

/// The header of an access token: exactly what we write there, and nothing else.
///
/// A receiver of tokens of others must pass over members that it does not know (RFC 7515 section 4). These are our own: so
/// one that bears `crit`, `jku`, `jwk`, `x5u`, `x5c`, `b64`, `zip`, `cty` or whatever else is none of them, and nothing in a
/// header can make anybody fetch, unpack or trust anything (RFC 8725 sections 2.9, 3.1 and 3.10).
struct AccessTokenHeader {
    /// The only algorithm of our keys (RFC 8725 sections 3.1 and 3.2).
    static let algorithm = "ES256"
    /// RFC 9068 section 2.1.
    static let type = "at+jwt"

    /// By which key it says to be signed.
    let keyID: SigningKey.ID

    /// The header, or nil if it is no such one.
    init?(_ object: JSONObject) {
        guard object.names == ["alg", "typ", "kid"], let members = object.decode(Members.self),
            members.alg == Self.algorithm, Self.isType(members.typ), let keyID = SigningKey.ID(members.kid)
        else { return nil }
        self.keyID = keyID
    }

    /// Whether this is our type: with or without `application/` and in whatever case (RFC 7515 section 4.1.9).
    private static func isType(_ text: String) -> Bool {
        [type, "application/" + type].contains(text.lowercased())
    }

    private struct Members: Decodable {
        let alg: String
        let typ: String
        let kid: String
    }
}
