/// A code as it is stored: a MAC to compare with and a ciphertext to send the same code again, both under a named key.
/// Neither reveals the code without the key, so neither does a copy of the database.
public struct SealedCode: Hashable, Sendable {
    /// The key that made it: keys are rotated while codes are in flight.
    public let keyID: String
    /// Over the verification, the number and the code.
    public let mac: [UInt8]
    /// Authenticated encryption of the code.
    public let ciphertext: [UInt8]

    public init(keyID: String, mac: [UInt8], ciphertext: [UInt8]) {
        (self.keyID, self.mac, self.ciphertext) = (keyID, mac, ciphertext)
    }
}

/// What a code is bound to: it proves nothing for another verification or another number.
public struct CodeContext: Hashable, Sendable {
    public let verificationID: Verification.ID
    /// The number in E.164.
    public let e164: String

    public init(verificationID: Verification.ID, e164: String) {
        (self.verificationID, self.e164) = (verificationID, e164)
    }
}
