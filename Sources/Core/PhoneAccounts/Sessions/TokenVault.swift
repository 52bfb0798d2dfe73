public import PhoneDomain
public import PhoneSignup

public protocol TokenVault: Sendable {
    /// A token of 256 random bits. `prefix` is how its text begins, by which a reader and a secret scanner know its
    /// kind. Throws if the random source fails.
    func makeToken(prefix: String) throws -> SecretToken
    /// The SHA-256 of its text, to store. A token is random enough to need no key and no salt. Throws if the
    /// cryptography fails.
    func digest(of token: SecretToken) throws -> [UInt8]
    /// Compares in constant time. Throws if the cryptography fails.
    func matches(_ token: SecretToken, digest: [UInt8]) throws -> Bool
}

/// Encrypts secrets that must be read again in clear, under the keys of the service.
public protocol SecretSealer: Sendable {
    /// Seals under the newest key. It opens for no other `subject`. Throws if the randomness or cryptography fails.
    func seal(_ secret: [UInt8], for subject: String) throws -> SealedSecret
    /// Throws ``SecretSealerError``, or if the cryptography fails.
    func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8]
}

public enum SecretSealerError: Error, Hashable {
    /// It was sealed under a key that the key ring lacks.
    case unknownKey(id: String)
    /// It was altered, or sealed for another subject.
    case notAuthentic(keyID: String)
}

extension SecretSealerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownKey(let id): "it is encrypted with the key \(id), which is not in the key file"
        case .notAuthentic(let keyID): "it is not what was encrypted with the key \(keyID)"
        }
    }
}

public protocol AccessTokenAuthority: Sendable {
    /// The token as text, signed by the current key. Throws if there is no key, or the cryptography fails.
    func sign(_ token: AccessToken) async throws -> String
    /// The claims of a valid token of this service for itself; nil for everything else (RFC 8725 section 3). Throws if
    /// the keys cannot be loaded; nothing is known of the token then.
    func token(in text: String, at now: Timestamp) async throws -> AccessToken?
    func sign(_ token: ClientToken) async throws -> String
    /// Does as ``token(in:at:)``, for a token that a client got on its own behalf.
    func clientToken(in text: String, at now: Timestamp) async throws -> ClientToken?
    /// Signs as ``sign(_:)`` does, by the algorithm that the client verifies.
    func sign(_ token: IDToken, by algorithm: SigningAlgorithm) async throws -> String
    /// The claims of an ID token of this service, expired or not; nil for everything else. Throws as ``token(in:at:)``.
    func idToken(in text: String) async throws -> IDToken?
}

public protocol SigningKeyPublisher: Sendable {
    /// The keys by which access tokens can be verified at this moment, in order of creation: the one that signs, those
    /// that will sign, and those whose last tokens may still be valid. Throws if they are not known yet and cannot be
    /// loaded.
    func publishedKeys(at now: Timestamp) async throws -> [PublishedKey]
}
