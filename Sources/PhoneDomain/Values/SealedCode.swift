/// A code as it is kept: a MAC to compare with and a ciphertext to send the same code again, both under a named key.
///
/// Neither gives the code away without the key, so a copy of the database gives away none.
public struct SealedCode: Hashable, Sendable {
    /// Which key made it: keys are rotated while codes are in flight.
    public let keyID: String
    /// The message authentication code over the verification, the number and the code.
    public let mac: [UInt8]
    /// The code itself, encrypted and authenticated.
    public let ciphertext: [UInt8]

    /// A sealed code of these parts.
    public init(keyID: String, mac: [UInt8], ciphertext: [UInt8]) {
        self.keyID = keyID
        self.mac = mac
        self.ciphertext = ciphertext
    }
}
