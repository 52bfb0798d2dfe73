/// The durable state of signing keys, which all instances share. Every method throws if the store cannot be reached or
/// cannot write.
public protocol SigningKeyStore: Sendable {
    /// Every key, those that are gone and not yet deleted among them.
    func signingKeys() async throws -> SigningKeys

    /// Makes a key if there is none (``EnsureSigningKey/apply(to:)``). However many do so at once, there is one.
    ///
    /// - Returns: the keys as they are now.
    func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys

    /// Puts a new key in the place of the one that signs (``RotateSigningKey/apply(to:)``). Of several at once one comes
    /// after the other.
    ///
    /// - Returns: the keys as they are now.
    func rotate(_ command: RotateSigningKey) async throws -> SigningKeys

    /// Deletes keys that are gone at this moment, at most `limit` of them.
    ///
    /// - Returns: how many were deleted; 0 when there is nothing left to do.
    func purgeSigningKeys(at now: Timestamp, limit: Int) async throws -> Int
}
