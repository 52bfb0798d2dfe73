package import CoreEncodings

/// The key of a service account as Google gives it: what signs for a project, and for whom it acts at Google's APIs
/// (https://developers.google.com/identity/protocols/oauth2/service-account).
package struct GoogleServiceAccount: Sendable {
    package let email: String
    package let tokenURL: EndpointURL
    private let keyID: String?
    private let signer: JSONWebTokenSigner

    /// Nil for anything but a service account's JSON.
    package init?(_ text: String) {
        let json = JSON(parsing: text)
        func member(_ name: String) -> String? { json?[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        guard member("type") == "service_account", let email = member("client_email"),
            let signer = member("private_key").flatMap(JSONWebTokenSigner.init(pem:)),
            let tokenURL = EndpointURL(base: member("token_uri") ?? "https://oauth2.googleapis.com/token"),
            !tokenURL.isPlain || tokenURL.isLoopback
        else { return nil }
        (self.email, self.tokenURL, keyID, self.signer) = (email, tokenURL, member("private_key_id"), signer)
    }

    /// A JSON Web Token by RS256, with these claims beside `iss`. Throws if the cryptography fails.
    package func sign(_ claims: [JSON.Member]) async throws -> String {
        var header = [JSON.Member("alg", "RS256"), JSON.Member("typ", "JWT")]
        if let keyID { header.append(JSON.Member("kid", .string(keyID))) }
        return try await signer.sign(
            header: .object(header),
            claims: .object([JSON.Member("iss", .string(email))] + claims)
        )
    }
}
