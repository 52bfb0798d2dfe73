/// What programs keep with an account: a JSON object, as text. The service keeps it and shows it, and makes nothing of it.
public struct AccountMetadata: Hashable, Sendable {
    /// The most bytes of its text in UTF-8.
    public static let maxByteCount = 16_384

    /// The object.
    public let json: String

    /// No members.
    public static let empty = AccountMetadata(json: "{}")

    /// An object as a store kept it, or as its reader has checked it.
    public init(json: String) {
        self.json = json
    }
}
