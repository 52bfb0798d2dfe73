/// A secret that is shown to its holder once and kept by us only as a digest; every description of it is dots.
public struct SecretToken: Hashable, Sendable {
    /// The token's text, as its holder sends it back.
    public let text: String

    /// The token of this text.
    public init(_ text: String) {
        self.text = text
    }
}

extension SecretToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
