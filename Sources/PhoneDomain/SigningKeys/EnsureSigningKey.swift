/// Sees to it that there is a key to sign with. Of several instances that start at once the first gives its key, and the
/// others take it.
public struct EnsureSigningKey: Sendable {
    /// What the key is made of if there is none.
    public let material: SigningKeyMaterial
    /// The moment.
    public let now: Timestamp

    /// A command of these parts.
    public init(material: SigningKeyMaterial, now: Timestamp) {
        self.material = material
        self.now = now
    }

    /// Makes a key that signs at once, unless there is one that is not gone.
    public func apply(to keys: inout SigningKeys) {
        // Not whether one signs at this moment: by a clock that is behind, that of another instance does not yet.
        guard keys.published(at: now).isEmpty else { return }
        keys.add(material.key(createdAt: now, activeAt: now))
    }
}
