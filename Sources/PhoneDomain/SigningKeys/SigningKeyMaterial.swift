/// A pair of keys that was just made, before it is known from when on it signs.
public struct SigningKeyMaterial: Hashable, Sendable {
    /// The name of the key that is made of it.
    public let id: SigningKey.ID
    /// The public part (``SigningKey/publicKey``).
    public let publicKey: [UInt8]
    /// The private part, bound to ``id``.
    public let sealedPrivateKey: SealedSecret

    /// A pair of these parts.
    public init(id: SigningKey.ID, publicKey: [UInt8], sealedPrivateKey: SealedSecret) {
        self.id = id
        self.publicKey = publicKey
        self.sealedPrivateKey = sealedPrivateKey
    }

    func key(createdAt: Timestamp, activeAt: Timestamp) -> SigningKey {
        SigningKey(
            id: id,
            publicKey: publicKey,
            sealedPrivateKey: sealedPrivateKey,
            createdAt: createdAt,
            activeAt: activeAt
        )
    }
}
