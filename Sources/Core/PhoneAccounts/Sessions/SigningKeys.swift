public import PhoneDomain
public import PhoneSignup

/// All signing keys of a service, and which of them does what at a moment.
public struct SigningKeys: Hashable, Sendable {
    /// The keys in order of creation, then of ID; including those that are gone, until they are deleted.
    public private(set) var all: [SigningKey]

    public init(_ keys: some Sequence<SigningKey>) {
        all = keys.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    public func published(at now: Timestamp) -> [SigningKey] { all.filter { !$0.isRemoved(at: now) } }

    fileprivate func published(at now: Timestamp, by algorithm: SigningAlgorithm) -> [SigningKey] {
        published(at: now).filter { $0.algorithm == algorithm }
    }

    /// The key that signs by this algorithm: the latest active one. The first key of a service signs at once, even
    /// where the clock of the machine that made it is ahead of ours.
    public func signing(at now: Timestamp, by algorithm: SigningAlgorithm) -> SigningKey? {
        let published = published(at: now, by: algorithm)
        return published.filter { $0.activeAt <= now }.max(by: Self.signsBefore)
            ?? published.min(by: Self.signsBefore)
    }

    /// When this key stops signing, since another of its algorithm does.
    public func end(of key: SigningKey) -> Timestamp? {
        all.filter { $0.algorithm == key.algorithm && Self.signsBefore(key, $0) }.min(by: Self.signsBefore)?.activeAt
    }

    mutating func add(_ key: SigningKey) { self = SigningKeys(all + [key]) }
    mutating func forEach(by algorithm: SigningAlgorithm, _ change: (inout SigningKey) -> Void) {
        for index in all.indices where all[index].algorithm == algorithm { change(&all[index]) }
    }

    private static func signsBefore(_ one: SigningKey, _ other: SigningKey) -> Bool {
        (one.activeAt, one.id.description) < (other.activeAt, other.id.description)
    }
}

/// How a token is signed (RFC 7518 section 3.1). Raw values are the wire's, and stored.
public enum SigningAlgorithm: String, Sendable, CaseIterable {
    /// ECDSA on P-256.
    case es256 = "ES256"
    /// RSA with PKCS #1 v1.5, which every client of OpenID Connect verifies (Core 1.0 section 15.1).
    case rs256 = "RS256"
}

/// A key that tokens are signed with. Its private part is always stored sealed.
///
/// It is made and published; from ``activeAt`` on it signs, until another does; it stays published for as long as a
/// token that it has signed may be valid, and is gone then.
public struct SigningKey: Identified, Hashable, Sendable {
    public static let identifierPrefix = "sig"

    /// The `kid` of tokens; no secret.
    public let id: ID
    public let algorithm: SigningAlgorithm
    /// The two coordinates on P-256, 32 bytes each; or RSA's modulus of 2048 bits, whose exponent is 65537.
    public let publicKey: [UInt8]
    /// Bound to ``id``.
    public let sealedPrivateKey: SealedSecret
    public let createdAt: Timestamp
    public fileprivate(set) var activeAt: Timestamp
    /// When it becomes invalid and is no longer published; nil as long as no other key replaces it.
    public private(set) var removedAt: Timestamp?

    public init(
        id: ID,
        algorithm: SigningAlgorithm,
        publicKey: [UInt8],
        sealedPrivateKey: SealedSecret,
        createdAt: Timestamp,
        activeAt: Timestamp,
        removedAt: Timestamp? = nil
    ) {
        (self.id, self.algorithm, self.publicKey) = (id, algorithm, publicKey)
        (self.sealedPrivateKey, self.createdAt) = (sealedPrivateKey, createdAt)
        (self.activeAt, self.removedAt) = (activeAt, removedAt)
    }

    public func isRemoved(at now: Timestamp) -> Bool { removedAt.map { $0 <= now } ?? false }

    mutating func end(at moment: Timestamp) { removedAt = min(removedAt ?? moment, moment) }
}

/// Authenticated encryption of a secret, under a named key.
public struct SealedSecret: Hashable, Sendable {
    /// The key that made it: keys are rotated while secrets are stored.
    public let keyID: String
    public let ciphertext: [UInt8]
    public init(keyID: String, ciphertext: [UInt8]) { (self.keyID, self.ciphertext) = (keyID, ciphertext) }
}

/// A public key as published for verifiers (RFC 7517).
public struct PublishedKey: Hashable, Sendable {
    public let id: SigningKey.ID
    public let algorithm: SigningAlgorithm
    /// The members that are its numbers, in base64url: `x` and `y` (RFC 7518 section 6.2.1), or `n` and `e` (6.3.1).
    public let numbers: [String: String]

    public init(id: SigningKey.ID, algorithm: SigningAlgorithm, numbers: [String: String]) {
        (self.id, self.algorithm, self.numbers) = (id, algorithm, numbers)
    }
}

/// How signing keys are rotated, so that no valid token is rejected.
public struct SigningKeyPolicy: Hashable, Sendable {
    /// How long verifiers may cache the keys (`Cache-Control: max-age` of the key set).
    public static let publicationMaxAge: Duration = .seconds(600)
    /// How far apart the clocks of instances and verifiers may be, and how long an instance may take to load a new key:
    /// added to every time that must have passed.
    public static let margin: Duration = .seconds(300)

    /// How long a key is published before it signs. With less than ``publicationMaxAge`` a verifier may get a token by
    /// a key that it does not know. Standard: an hour, since not every cache honors its headers.
    public var ahead: Duration
    /// The same as ``SessionPolicy/accessTokenTTL``.
    public var accessTokenTTL: Duration
    public static let standard = SigningKeyPolicy()

    public init(ahead: Duration = .seconds(3600), accessTokenTTL: Duration = SessionPolicy.standard.accessTokenTTL) {
        (self.ahead, self.accessTokenTTL) = (ahead, accessTokenTTL)
    }
}

/// Makes a signing key if there is none of its algorithm. Of several instances that start at once all use the first's.
public struct EnsureSigningKey: Sendable {
    /// It was made now, and signs at once.
    private let key: SigningKey
    public init(_ key: SigningKey) { self.key = key }

    public func apply(to keys: inout SigningKeys) {
        // Not whether one signs at this moment: by a clock that is behind, that of another instance does not yet.
        if keys.published(at: key.createdAt, by: key.algorithm).isEmpty { keys.add(key) }
    }
}

public struct RotateSigningKey: Sendable {
    private let key: SigningKey
    private let policy: SigningKeyPolicy
    /// Whether the others of its algorithm, and all tokens that they have signed, become invalid at once: for a key
    /// that was stolen, or that cannot be decrypted any more.
    private let isAtOnce: Bool

    public init(to key: SigningKey, policy: SigningKeyPolicy, isAtOnce: Bool) {
        (self.key, self.policy, self.isAtOnce) = (key, policy, isAtOnce)
    }

    /// Publishes a new key, and returns it. It signs once all verifiers have had the time to fetch it; the others of
    /// its algorithm stay published until the last of their tokens expires. With `isAtOnce` it signs from this moment
    /// on and they are gone.
    @discardableResult
    public func apply(to keys: inout SigningKeys) -> SigningKey {
        let now = key.createdAt
        var key = key
        let published = keys.published(at: now, by: key.algorithm)
        // Behind every other that is waiting, also where a clock was set back: a key that was published before this one
        // must not sign after it.
        key.activeAt =
            isAtOnce || published.isEmpty
            ? now : max(now + policy.ahead, published.map(\.activeAt).max() ?? now)
        if isAtOnce {
            keys.forEach(by: key.algorithm) { $0.end(at: now) }
        } else {
            let end = key.activeAt + policy.accessTokenTTL + SigningKeyPolicy.margin
            keys.forEach(by: key.algorithm) { if $0.removedAt == nil { $0.end(at: end) } }
        }
        keys.add(key)
        return key
    }
}
