/// A placeholder until the branch with the real one is merged.
public struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public init?(_ text: String) { description = text }
}
