package import CoreEncodings

/// Public keys that somebody else publishes (RFC 7517), by which their tokens are verified: those for ES256, and no others.
package struct JSONWebKeys: Sendable {
    /// More than any service has at a time.
    private static let most = 32
    private let keys: [String: ES256.PublicKey]

    /// Nil unless it is a set with such a key.
    package init?(_ set: JSON) {
        guard let members = set["keys"]?.array, members.count <= Self.most else { return nil }
        keys = members.reduce(into: [:]) { keys, key in
            guard key["kty"]?.string == "EC", key["crv"]?.string == "P-256", let id = key["kid"]?.string,
                key["use"]?.string ?? "sig" == "sig", key["alg"]?.string ?? "ES256" == "ES256",
                let x = key["x"]?.string.flatMap({ [UInt8](.base64URL, $0.utf8) }),
                let y = key["y"]?.string.flatMap({ [UInt8](.base64URL, $0.utf8) }), x.count == y.count
            else { return }
            keys[id] = ES256.PublicKey(x + y)
        }
        if keys.isEmpty { return nil }
    }

    package func contains(_ id: String) -> Bool { keys[id] != nil }

    /// The claims of a token that one of the keys has signed by ES256, whatever they say; nil for anything else. Nothing in
    /// the header is followed but the key's ID (RFC 8725 sections 3.1 and 3.10).
    package func claims(of token: JSONWebToken) -> [String: JSON]? {
        guard token.header["alg"]?.string == "ES256", token.header["crit"] == nil,
            let key = token.header["kid"]?.string.flatMap({ keys[$0] }),
            key.verifies(token.signature, of: token.signingInput)
        else { return nil }
        return JSONWebToken.members(of: token.payload)
    }
}
