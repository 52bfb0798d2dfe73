import HTTPTypes
import Hummingbird
import PhoneDomain

extension Request {
    /// The token of the `Authorization` field (RFC 6750 section 2.1), the scheme in any case.
    ///
    /// - Throws: ``Problem`` if there is none.
    func bearerToken() throws -> SecretToken {
        let parts = headers[.authorization]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Problem.unauthorized("Send the token of the signup: Authorization: Bearer ….")
        }
        return SecretToken(String(parts[1]))
    }
}
