/// All signing keys of a service, and which of them does what at a moment.
public struct SigningKeys: Hashable, Sendable {
    /// The keys in order of creation, then of ID; including those that are gone, until they are deleted.
    public private(set) var all: [SigningKey]

    public init(_ keys: some Sequence<SigningKey>) {
        all = keys.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    public func published(at now: Timestamp) -> [SigningKey] { all.filter { !$0.isRemoved(at: now) } }

    /// The key that signs: the latest active one. The first key of a service signs at once, even where the clock of the
    /// machine that made it is ahead of ours.
    public func signing(at now: Timestamp) -> SigningKey? {
        let published = published(at: now)
        return published.filter { $0.activeAt <= now }.max(by: Self.signsBefore)
            ?? published.min(by: Self.signsBefore)
    }

    /// When this key stops signing, since another does.
    public func end(of key: SigningKey) -> Timestamp? {
        all.filter { Self.signsBefore(key, $0) }.min(by: Self.signsBefore)?.activeAt
    }

    mutating func add(_ key: SigningKey) { self = SigningKeys(all + [key]) }
    mutating func forEach(_ change: (inout SigningKey) -> Void) { for index in all.indices { change(&all[index]) } }

    private static func signsBefore(_ one: SigningKey, _ other: SigningKey) -> Bool {
        (one.activeAt, one.id.description) < (other.activeAt, other.id.description)
    }
}

/// A key that access tokens are signed with (ES256, RFC 7518 section 3.4). Its private part is always stored sealed.
///
/// It is made and published; from ``activeAt`` on it signs, until another does; it stays published for as long as a
/// token that it has signed may be valid, and is gone then.
public struct SigningKey: Identified, Hashable, Sendable {
    public static let identifierPrefix = "sig"

    /// The `kid` of tokens; no secret.
    public let id: ID
    /// The point on P-256: its two coordinates, 32 bytes each.
    public let publicKey: [UInt8]
    /// Bound to ``id``.
    public let sealedPrivateKey: SealedSecret
    public let createdAt: Timestamp
    public fileprivate(set) var activeAt: Timestamp
    /// When it becomes invalid and is no longer published; nil as long as no other key replaces it.
    public private(set) var removedAt: Timestamp?

    public init(
        id: ID,
        publicKey: [UInt8],
        sealedPrivateKey: SealedSecret,
        createdAt: Timestamp,
        activeAt: Timestamp,
        removedAt: Timestamp? = nil
    ) {
        (self.id, self.publicKey, self.sealedPrivateKey, self.createdAt) = (id, publicKey, sealedPrivateKey, createdAt)
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
    /// Each coordinate is 43 characters of base64url (RFC 7518 section 6.2.1.2).
    public let x: String
    public let y: String
    public init(id: SigningKey.ID, x: String, y: String) { (self.id, self.x, self.y) = (id, x, y) }
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
    /// As ``SessionPolicy/accessTokenTTL``.
    public var accessTokenTTL: Duration
    public static let standard = SigningKeyPolicy()

    public init(ahead: Duration = .seconds(3600), accessTokenTTL: Duration = SessionPolicy.standard.accessTokenTTL) {
        (self.ahead, self.accessTokenTTL) = (ahead, accessTokenTTL)
    }
}

/// Makes a signing key if there is none. Of several instances that start at once all use the first's.
public struct EnsureSigningKey: Sendable {
    /// It was made now, and signs at once.
    private let key: SigningKey
    public init(_ key: SigningKey) { self.key = key }

    public func apply(to keys: inout SigningKeys) {
        // Not whether one signs at this moment: by a clock that is behind, that of another instance does not yet.
        if keys.published(at: key.createdAt).isEmpty { keys.add(key) }
    }
}

public struct RotateSigningKey: Sendable {
    private let key: SigningKey
    private let policy: SigningKeyPolicy
    /// Whether the others, and all tokens that they have signed, become invalid at once: for a key that was stolen, or
    /// that cannot be decrypted any more.
    private let isAtOnce: Bool

    public init(to key: SigningKey, policy: SigningKeyPolicy, isAtOnce: Bool) {
        (self.key, self.policy, self.isAtOnce) = (key, policy, isAtOnce)
    }

    /// Publishes a new key, and returns it. It signs once all verifiers have had the time to fetch it; the others stay
    /// published until the last of their tokens expires. With `isAtOnce` it signs from this moment on and the others
    /// are gone.
    @discardableResult
    public func apply(to keys: inout SigningKeys) -> SigningKey {
        let now = key.createdAt
        let published = keys.published(at: now)
        var key = key
        // Behind every other that is waiting, also where a clock was set back: a key that was published before this one
        // must not sign after it.
        key.activeAt =
            isAtOnce || published.isEmpty
            ? now : max(now + policy.ahead, published.map(\.activeAt).max() ?? now)
        if isAtOnce {
            keys.forEach { $0.end(at: now) }
        } else {
            let end = key.activeAt + policy.accessTokenTTL + SigningKeyPolicy.margin
            keys.forEach { if $0.removedAt == nil { $0.end(at: end) } }
        }
        keys.add(key)
        return key
    }
}
