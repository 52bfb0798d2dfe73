/// A key that access tokens are signed with (ES256, RFC 7518 section 3.4). Its private part is sealed wherever it is kept.
///
/// Its life: it is made and published; from ``activeAt`` on it signs, until another does; it stays published for as long
/// as a token that it has signed may be out, and is gone then.
public struct SigningKey: Identified, Hashable, Sendable {
    public static let identifierPrefix = "sig"

    /// Its name (`kid`); no secret.
    public let id: ID
    /// The point on P-256: its two coordinates, 32 bytes each.
    public let publicKey: [UInt8]
    /// The private part, bound to ``id``.
    public let sealedPrivateKey: SealedSecret
    /// When it was made, and published.
    public let createdAt: Timestamp
    /// From when on it signs.
    public let activeAt: Timestamp
    /// From when on it is worth nothing and no longer published; nil as long as no other key is to follow it.
    public private(set) var goneAt: Timestamp?

    /// A key as a store kept it.
    public init(
        id: ID,
        publicKey: [UInt8],
        sealedPrivateKey: SealedSecret,
        createdAt: Timestamp,
        activeAt: Timestamp,
        goneAt: Timestamp? = nil
    ) {
        self.id = id
        self.publicKey = publicKey
        self.sealedPrivateKey = sealedPrivateKey
        self.createdAt = createdAt
        self.activeAt = activeAt
        self.goneAt = goneAt
    }

    /// Whether it is worth nothing any more.
    public func isGone(at now: Timestamp) -> Bool {
        goneAt.map { $0 <= now } ?? false
    }

    /// Lets it go at this moment, unless it goes before.
    mutating func go(at moment: Timestamp) {
        goneAt = min(goneAt ?? moment, moment)
    }
}
