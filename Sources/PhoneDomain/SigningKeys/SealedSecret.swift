/// A secret as it is kept: encrypted and authenticated under a named key. Without the key it gives nothing away.
public struct SealedSecret: Hashable, Sendable {
    /// Which key made it: keys are rotated while secrets are kept.
    public let keyID: String
    /// The secret, encrypted and authenticated.
    public let ciphertext: [UInt8]

    /// A sealed secret of these parts.
    public init(keyID: String, ciphertext: [UInt8]) {
        self.keyID = keyID
        self.ciphertext = ciphertext
    }
}
