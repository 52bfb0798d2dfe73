import HTTPTypes
import Hummingbird
import PhoneDomain

extension Request {
    /// The token of the `Authorization` field (RFC 6750 section 2.1), the scheme in any case; nil if there is none.
    var bearerToken: SecretToken? {
        let parts = headers[.authorization]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return SecretToken(String(parts[1]))
    }
}
