#if AccessTokens
internal import Crypto
internal import CryptoExtras

extension JSONWebKey {
    /// Whether the signature is by this key, as swift-crypto finds it.
    @Sendable public func verifies(_ signature: [UInt8], of signed: [UInt8]) -> Bool {
        switch self {
        case .es256(let point):
            guard let key = try? P256.Signing.PublicKey(rawRepresentation: point),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: signed)
        case .rs256(let modulus, let exponent):
            guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            // RS256 is this padding (RFC 7518 section 3.3).
            return key.isValidSignature(signature, for: signed, padding: .insecurePKCS1v1_5)
        }
    }
}

extension AccessTokenVerifier {
    /// A verifier that checks signatures by swift-crypto.
    public init(
        _ client: PhoneProofClient,
        issuer: String,
        audience: String,
        leeway: Duration = .seconds(30)
    ) {
        self.init(client, issuer: issuer, audience: audience, leeway: leeway) { $0.verifies($1, of: $2) }
    }
}
#endif
