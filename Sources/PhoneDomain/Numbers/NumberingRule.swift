/// One class of numbers in a numbering plan.
public struct NumberingRule: Hashable, Sendable {
    /// What the numbers of this class are for.
    public let kind: NumberKind

    /// The numbers of this class, whole, without calling code and without trunk prefix.
    public let pattern: DigitPattern

    /// Whether they are dialled at home after the plan's trunk prefix.
    public let trunk: TrunkUse

    /// A class of numbers.
    public init(_ kind: NumberKind, _ pattern: DigitPattern, trunk: TrunkUse = .always) {
        self.kind = kind
        self.pattern = pattern
        self.trunk = trunk
    }
}
