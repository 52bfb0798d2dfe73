/// A secret that its holder sees once and we store only as a digest; its descriptions are dots.
public struct SecretToken: Hashable, Sendable {
    public let text: String
    public init(_ text: String) { self.text = text }
}

extension SecretToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
