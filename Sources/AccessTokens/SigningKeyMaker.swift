import Crypto
public import PhoneDomain

/// Makes the pairs of keys that tokens are signed with.
public struct SigningKeyMaker: Sendable {
    private static let privateKeyByteCount = 32

    private let identifiers: any IdentifierSource
    private let sealer: any SecretSealer
    private let randomBytes: @Sendable (Int) throws -> [UInt8]

    /// A maker of keys.
    ///
    /// - Parameters:
    ///   - identifiers: names them.
    ///   - sealer: seals the private part.
    ///   - randomBytes: so many bytes that nobody can guess, of which the private part is made.
    public init(
        identifiers: any IdentifierSource,
        sealer: any SecretSealer,
        randomBytes: @escaping @Sendable (Int) throws -> [UInt8]
    ) {
        self.identifiers = identifiers
        self.sealer = sealer
        self.randomBytes = randomBytes
    }

    /// A new pair.
    ///
    /// - Throws: ``AccessTokensError/brokenRandomSource``, or what the ports throw.
    public func make() throws -> SigningKeyMaterial {
        let id: SigningKey.ID = try identifiers.makeIdentifier()
        // One of 2³² numbers of this length is zero or too great for the curve (FIPS 186-5 appendix A.2.2).
        for _ in 0..<8 {
            let bytes = try randomBytes(Self.privateKeyByteCount)
            guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else { continue }
            return SigningKeyMaterial(
                id: id,
                publicKey: Array(key.publicKey.rawRepresentation),
                sealedPrivateKey: try sealer.seal(bytes, for: id.description)
            )
        }
        throw AccessTokensError.brokenRandomSource
    }
}
