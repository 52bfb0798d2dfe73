import AccessTokens
import OpenSSLCrypto
import PhoneDomain

extension Core {
    /// Who signs access tokens and verifies them. Only a service has use for it: whoever signs up without one is given none.
    func makeAccessTokens() -> JWTAccessTokens {
        JWTAccessTokens(
            issuer: settings.issuer,
            audience: settings.audience,
            store: store,
            sealer: vault,
            maker: .ofOpenSSL(sealer: vault),
            clock: clock
        )
    }
}

extension SigningKeyMaker {
    /// A maker of keys from OpenSSL's generator.
    static func ofOpenSSL(sealer: OpenSSLCodeVault) -> SigningKeyMaker {
        let random = OpenSSLRandom()
        return SigningKeyMaker(identifiers: random, sealer: sealer) { count in
            var bytes = [UInt8](repeating: 0, count: count)
            try bytes.withUnsafeMutableBytes { try random.fill($0) }
            return bytes
        }
    }
}
