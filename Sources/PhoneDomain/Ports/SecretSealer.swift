/// Keeps secrets that must be had again in clear: encrypted under the keys of the service.
public protocol SecretSealer: Sendable {
    /// The secret under the newest key.
    ///
    /// - Parameters:
    ///   - secret: any bytes.
    ///   - subject: whose it is. It opens for no other.
    /// - Throws: if the random source or the cryptography fails.
    func seal(_ secret: [UInt8], for subject: String) throws -> SealedSecret

    /// The secret in clear.
    ///
    /// - Throws: ``SecretSealerError``, or if the cryptography fails.
    func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8]
}
