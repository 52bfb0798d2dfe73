/// What a limit counts by: the name of a policy and whom or what it concerns, `address-sends-1h 203.0.113.7`.
public struct LimitKey: Hashable, Sendable, CustomStringConvertible {
    /// The text form, as stores keep it and operators name it.
    public let description: String

    /// The key of a policy for one subject, in which there is no white space.
    public init(policy: String, subject: String) {
        description = subject.isEmpty ? policy : "\(policy) \(subject)"
    }

    /// The key whose text form a store kept.
    public init(rawValue: String) {
        description = rawValue
    }

    /// Whom or what it concerns; empty for the whole service.
    var subject: Substring {
        description.firstIndex(of: " ").map { description[$0...].dropFirst() } ?? ""
    }

    /// Whether it concerns the beginning of numbers rather than one number.
    var isOfPrefix: Bool {
        description.hasPrefix(LimitPolicy.prefixScope)
    }
}
