/// What programs keep with an account: a JSON object, as text. The service keeps it and shows it, and makes nothing of it.
public struct AccountMetadata: Hashable, Sendable {
    /// The most bytes of its text in UTF-8.
    public static let maxByteCount = 16_384

    /// How deep objects and lists may nest, the outermost counted.
    public static let maxDepth = 8

    /// What an object can have too much of.
    public enum Fault: Hashable, Sendable, CaseIterable {
        /// More than ``maxByteCount`` bytes.
        case tooLong
        /// Deeper than ``maxDepth``.
        case tooDeep
    }

    /// The object.
    public let json: String

    /// No members.
    public static let empty = AccountMetadata(json: "{}")

    /// An object as a store kept it, or as its reader has checked it.
    public init(json: String) {
        self.json = json
    }
}
