import Crypto
import FoundationEssentials
import JWTKit
import PhoneDomain

/// A key of the store, ready for use.
///
/// JWTKit takes its standard key where a token names none or an unknown one, and any key's algorithm from the token where
/// the key is a JWK. So each of our keys has a collection of its own, which has nothing else in it, and that is chosen
/// before, by our own table of names: no token chooses a key or an algorithm (RFC 8725 sections 3.1 and 3.10).
struct OpenedKey: Sendable {
    let key: SigningKey
    /// What others are told of it.
    let published: PublishedKey
    private let verifier: JWTKeyCollection
    /// Nil where it is not to sign, or the private part cannot be opened.
    private let signer: JWTKeyCollection?
    /// Why the private part cannot be opened.
    private let failure: AccessTokensError?

    /// - Throws: ``AccessTokensError/malformedKey(_:)``.
    init(_ key: SigningKey, sealer: any SecretSealer) async throws {
        guard let point = try? P256.Signing.PublicKey(rawRepresentation: key.publicKey) else {
            throw AccessTokensError.malformedKey(key.id)
        }
        self.key = key
        published = PublishedKey(
            id: key.id,
            x: Base64URL.text(of: key.publicKey.prefix(32)),
            y: Base64URL.text(of: key.publicKey.suffix(32))
        )
        verifier = await JWTKeyCollection().add(ecdsa: try ES256PublicKey(backing: point))
        do {
            let bytes = try sealer.open(key.sealedPrivateKey, for: key.id.description)
            let secret = try P256.Signing.PrivateKey(rawRepresentation: bytes)
            guard Array(secret.publicKey.rawRepresentation) == key.publicKey else {
                throw AccessTokensError.malformedKey(key.id)
            }
            signer = await JWTKeyCollection().add(
                ecdsa: try ES256PrivateKey(backing: secret),
                serializer: Self.serializer
            )
            failure = nil
        } catch let error as AccessTokensError {
            (signer, failure) = (nil, error)
        } catch {
            (signer, failure) = (nil, .sealedKey(key.id, reason: "\(error)"))
        }
    }

    /// Foundation writes `/` as `\/` unless asked not to, and receivers that search the text (HAProxy's `jwt_payload_query`)
    /// take that for the value.
    private static let serializer: DefaultJWTSerializer = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return DefaultJWTSerializer(jsonEncoder: encoder)
    }()

    private init(_ key: SigningKey, as opened: OpenedKey) {
        self.key = key
        published = opened.published
        verifier = opened.verifier
        signer = opened.signer
        failure = opened.failure
    }

    /// The same key as the store has it now; nil if it is another one, or could not be opened before.
    func updated(to key: SigningKey) -> OpenedKey? {
        guard failure == nil, key.id == self.key.id, key.publicKey == self.key.publicKey,
            key.sealedPrivateKey == self.key.sealedPrivateKey
        else { return nil }
        return OpenedKey(key, as: self)
    }

    /// - Throws: ``AccessTokensError`` if the private part cannot be opened.
    func requirePrivateKey() throws {
        if let failure { throw failure }
    }

    /// The claims as a token that this key has signed.
    ///
    /// - Throws: ``AccessTokensError`` if the private part cannot be opened.
    func sign(_ claims: AccessTokenClaims) async throws -> String {
        guard let signer else { throw failure ?? AccessTokensError.noKey }
        let header: JWTHeader = [
            "alg": .string(AccessTokenHeader.algorithm), "typ": .string(AccessTokenHeader.type),
            "kid": .string(key.id.description),
        ]
        return try await signer.sign(claims, header: header)
    }

    /// The claims of this token, if this key has signed it.
    ///
    /// - Parameter text: of the form of a ``CompactToken``; JWTKit by itself takes others as well.
    func claims(of text: String) async -> AccessTokenClaims? {
        try? await verifier.verify(text, as: AccessTokenClaims.self)
    }
}
