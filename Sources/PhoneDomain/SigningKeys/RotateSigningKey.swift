/// Puts a new signing key in the place of the one that signs.
public struct RotateSigningKey: Sendable {
    /// What the key is made of.
    public let material: SigningKeyMaterial
    /// How keys follow one another.
    public let policy: SigningKeyPolicy
    /// Whether the others are worth nothing from this moment on, and all tokens that they have signed: for a key that
    /// was stolen, or that cannot be opened any more.
    public let isAtOnce: Bool
    /// The moment.
    public let now: Timestamp

    /// A command of these parts.
    public init(material: SigningKeyMaterial, policy: SigningKeyPolicy, isAtOnce: Bool, now: Timestamp) {
        self.material = material
        self.policy = policy
        self.isAtOnce = isAtOnce
        self.now = now
    }

    /// Publishes a new key. It signs when all who verify have had the time to hear of it; the others stay published until
    /// the last token of theirs is over. At once, it signs from this moment on and the others are gone.
    ///
    /// - Returns: the new key.
    @discardableResult
    public func apply(to keys: inout SigningKeys) -> SigningKey {
        let published = keys.published(at: now)
        // Behind every other that is waiting, also where a clock was set back: a key that others were told goes before
        // this one must not sign after it.
        let activeAt =
            isAtOnce || published.isEmpty
            ? now : max(now + policy.ahead, published.map(\.activeAt).max() ?? now)
        let key = material.key(createdAt: now, activeAt: activeAt)
        if isAtOnce {
            keys.go(at: now)
        } else {
            keys.goAtLast(at: activeAt + policy.kept)
        }
        keys.add(key)
        return key
    }
}
