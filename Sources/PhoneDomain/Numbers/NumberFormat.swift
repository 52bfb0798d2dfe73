/// How the numbers of one beginning and one length are written. All templates are for the digits without calling code and
/// without trunk prefix.
public struct NumberFormat: Hashable, Sendable {
    /// The digits such numbers begin with.
    public let leading: DigitPattern

    /// How their digits are grouped while they are typed at home.
    public let home: DigitTemplate

    /// How they are written at home, in full: where a trunk prefix belongs to it, the template has it, as in
    /// `0XX-XXXX-XXXX`.
    public let national: DigitTemplate

    /// How they are written after the calling code and a space; `nil` where they are not dialled from abroad.
    public let international: DigitTemplate?

    /// Whether they are typed after the trunk prefix.
    public let trunk: TrunkUse

    /// How many digits such numbers have.
    let digitCount: Int

    /// Whether digits can be grouped so while they are typed at home.
    let groupsAtHome: Bool

    /// Whether digits can be grouped so while they are typed behind the calling code.
    let groupsAbroad: Bool

    /// Whether a space is due between the trunk prefix and the number while it is typed, as in `8 (XXX) XXX-XX-XX`.
    let separatesTrunkPrefix: Bool

    /// A way to write numbers.
    ///
    /// - Parameters:
    ///   - leading: the digits such numbers begin with.
    ///   - national: how they are written at home, in full.
    ///   - international: how they are written abroad.
    ///   - home: how their digits are grouped while they are typed at home; by default as abroad where a trunk prefix goes
    ///     before them, else as in full.
    ///   - trunk: whether they are typed after the trunk prefix.
    public init(
        _ leading: DigitPattern,
        national: DigitTemplate,
        international: DigitTemplate?,
        home: DigitTemplate? = nil,
        trunk: TrunkUse = .always
    ) {
        self.leading = leading
        self.national = national
        self.international = international
        self.home = home ?? (trunk == .never ? national : international ?? national)
        self.trunk = trunk
        groupsAtHome = self.home.keepsDigits
        groupsAbroad = international?.keepsDigits ?? false
        separatesTrunkPrefix = trunk != .never && national.beginning.contains { $0 == "-" || $0 == " " }
        digitCount = international?.digitCount ?? national.digitCount
    }

    /// Whether a number that begins, or is, like this may be written so.
    func suits(_ digits: Substring) -> Bool {
        leading.match(digits) != .none || leading.matchesBeginning(of: digits)
    }
}
