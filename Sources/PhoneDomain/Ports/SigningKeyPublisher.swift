/// Tells by which keys access tokens can be verified.
public protocol SigningKeyPublisher: Sendable {
    /// The keys of this moment, in order of their making: one that signs, those that are to sign, and those whose last
    /// tokens may still be out.
    ///
    /// - Throws: if they are not known yet and cannot be had.
    func publishedKeys(at now: Timestamp) async throws -> [PublishedKey]
}
