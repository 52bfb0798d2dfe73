/// What others are told of a signing key (RFC 7517), so that they can verify what it signs.
public struct PublishedKey: Hashable, Sendable {
    /// Its name, which tokens bear as `kid`.
    public let id: SigningKey.ID
    /// The first coordinate: 43 characters of base64url (RFC 7518 section 6.2.1.2).
    public let x: String
    /// The second coordinate: 43 characters of base64url.
    public let y: String

    /// A key of these parts.
    public init(id: SigningKey.ID, x: String, y: String) {
        self.id = id
        self.x = x
        self.y = y
    }
}
