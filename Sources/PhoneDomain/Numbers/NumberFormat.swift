/// How the numbers of one beginning and one length are written.
public struct NumberFormat: Hashable, Sendable {
    /// The digits such numbers begin with, without calling code and without trunk prefix.
    public let leading: DigitPattern

    /// How they are written at home. Where a number takes the trunk prefix, the template counts it.
    public let national: DigitTemplate

    /// How they are written after the calling code and a space.
    public let international: DigitTemplate

    /// A way to write numbers.
    public init(_ leading: DigitPattern, national: DigitTemplate, international: DigitTemplate) {
        self.leading = leading
        self.national = national
        self.international = international
    }

    /// Whether the template for home counts the trunk prefix.
    var countsTrunkPrefix: Bool {
        national.digitCount > international.digitCount
    }

    /// Whether a number that begins, or is, like this may be written so.
    func suits(_ digits: Substring) -> Bool {
        leading.match(digits) != .none
    }
}
