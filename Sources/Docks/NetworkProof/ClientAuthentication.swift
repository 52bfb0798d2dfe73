import CoreEncodings
import OpenSSLCrypto
import PhoneDelivery
import PhoneSignup

/// How the service shows the authorization server who it is.
struct ClientAuthentication: Sendable {
    enum Method: String, CaseIterable {
        /// A signed assertion (RFC 7523 section 2.2): what CAMARA's profile demands.
        case privateKeyJWT = "private_key_jwt"
        /// The secret in a header, or in the form (RFC 6749 section 2.3.1).
        case secretBasic = "client_secret_basic"
        case secretPost = "client_secret_post"
        /// The application's own token (https://developer.vonage.com/en/getting-started/concepts/authentication).
        case vonageJWT = "vonage_jwt"
    }

    private enum Way {
        case header(secret: String)
        case form(secret: String)
        case assertion(JSONWebTokenSigner, keyID: String?)
        case vonage(JSONWebTokenSigner)
    }

    /// What a request to the server has because of it.
    typealias Parts = (fields: [(name: String, value: String)], headers: [GatewayClient.Header])

    let clientID: String
    private let way: Way
    /// Servers refuse what is valid for more than 300 seconds.
    private static let lifetime: Int64 = 60
    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Nil if the method needs a key and this is none.
    init?(_ method: Method, _ clientID: String, _ credential: String, keyID: String?) {
        self.clientID = clientID
        switch method {
        case .secretBasic: way = .header(secret: credential)
        case .secretPost: way = .form(secret: credential)
        case .privateKeyJWT:
            guard let signer = JSONWebTokenSigner(pem: credential) else { return nil }
            way = .assertion(signer, keyID: keyID)
        case .vonageJWT:
            guard let signer = JSONWebTokenSigner(pem: credential) else { return nil }
            way = .vonage(signer)
        }
    }

    /// - Parameters:
    ///   - url: the endpoint that the request goes to, the only one that an assertion is for.
    ///   - id: unique among assertions.
    /// - Throws: if the cryptography fails.
    func parts(of url: String, id: String, at now: Timestamp) async throws -> Parts {
        let start = now.milliseconds / 1000
        let times: [JSON.Member] = [
            JSON.Member("iat", .integer(start)), JSON.Member("exp", .integer(start + Self.lifetime)),
            JSON.Member("jti", .string(id)),
        ]
        var header = [JSON.Member("alg", "RS256"), JSON.Member("typ", "JWT")]
        let named = ("client_id", clientID)
        switch way {
        case .header(let secret):
            let pair = "\(clientID.percentEncoded):\(secret.percentEncoded)"
            return ([], [("Authorization", "Basic " + Array(pair.utf8).base64)])
        case .form(let secret): return ([named, ("client_secret", secret)], [])
        case .assertion(let signer, let keyID):
            if let keyID { header.append(JSON.Member("kid", .string(keyID))) }
            let names: [JSON.Member] = ["iss", "sub"].map { JSON.Member($0, .string(clientID)) }
            let claims = JSON.object(names + [JSON.Member("aud", .string(url))] + times)
            let assertion = try await signer.sign(header: .object(header), claims: claims)
            return ([named, ("client_assertion_type", Self.assertionType), ("client_assertion", assertion)], [])
        case .vonage(let signer):
            let claims = JSON.object([JSON.Member("application_id", .string(clientID))] + times)
            let token = try await signer.sign(header: .object(header), claims: claims)
            return ([], [("Authorization", "Bearer " + token)])
        }
    }
}
