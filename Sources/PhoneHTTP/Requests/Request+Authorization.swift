import HTTPTypes
import Hummingbird
import PhoneDomain

extension Request {
    /// The token of the `Authorization` field (RFC 6750 section 2.1), the scheme in any case; nil if there is none.
    var bearerToken: SecretToken? {
        // By bytes: every program sends one, and to look for a space among characters takes longer than to look the key up.
        let parts = headers[.authorization]?.utf8.split(separator: UInt8(ascii: " ")) ?? []
        guard parts.count == 2, Substring(parts[0]).lowercased() == "bearer" else { return nil }
        return SecretToken(String(Substring(parts[1])))
    }
}
