/// A value of a ``DispatcherConfiguration`` that is out of its range.
public struct DispatcherConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property's name.
    public let name: String
    /// What it may be, in words.
    public let range: String

    /// The property and its range in one sentence.
    public var description: String { "\(name) must be \(range)" }
}
