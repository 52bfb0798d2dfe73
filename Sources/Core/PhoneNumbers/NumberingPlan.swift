/// The phone numbers of one region, as data: which exist, how they are dialled and how they are written. Only values,
/// so that plans can come from a file as well as from source. A class, so that every number has its plan.
public final class NumberingPlan: Sendable {
    public let region: Region
    /// The digits after `+` (ITU-T E.164), such as `82`.
    public let callingCode: String
    /// The digits dialled at home before a number, such as `0`; empty where there are none.
    public let trunkPrefix: String
    /// The digits dialled at home before a calling code, the usual one first.
    public let internationalPrefixes: [String]
    /// The kinds of numbers, in the order in which they are tried. The first that matches counts, except that a number
    /// both fixed and mobile is ``NumberKind/fixedLineOrMobile``.
    public let rules: [NumberingRule]
    /// How numbers are written, in the order in which formats are tried. Of several that suit, one with exactly as many
    /// digits counts, else the first with room for them all.
    public let formats: [NumberFormat]
    /// A number for a form to show what it asks for, without calling code and trunk prefix: a mobile one where the plan
    /// has any. Nil where none is known.
    let example: String?
    /// What is dialled before a number, where it is more than the trunk prefix.
    let trunkRule: TrunkRule?
    /// What only this region's numbers begin with, among those that share its calling code.
    let leading: DigitPattern?
    /// What all numbers match, whatever their kind; nil where the rules suffice.
    let general: DigitPattern?
    /// The international prefixes as one pattern, to reject quickly digits that begin with none of them.
    let abroad: DigitPattern?
    /// How many digits a number needs to be grouped while it is typed.
    let groupsFrom: Int

    public init(
        region: Region,
        callingCode: String,
        trunkPrefix: String,
        internationalPrefixes: [String],
        rules: [NumberingRule],
        formats: [NumberFormat],
        example: String? = nil,
        trunkRule: TrunkRule? = nil,
        leading: DigitPattern? = nil,
        general: DigitPattern? = nil,
        groupsFrom: Int = 1
    ) {
        (self.region, self.callingCode, self.trunkPrefix) = (region, callingCode, trunkPrefix)
        self.internationalPrefixes = internationalPrefixes
        abroad = DigitPattern(internationalPrefixes.joined(separator: "|"))
        (self.rules, self.formats) = (rules, formats)
        self.example = example
        (self.trunkRule, self.leading, self.general, self.groupsFrom) = (trunkRule, leading, general, groupsFrom)
    }

    /// How digits were dialled, which limits the kinds they may be.
    enum Dialling {
        /// Follows the calling code: any kind.
        case international
        /// Follows the trunk prefix: those that take it.
        case trunk
        /// Follows neither: those that may omit it.
        case bare
    }

    func admits(_ trunk: TrunkUse, dialled dialling: Dialling) -> Bool {
        switch dialling {
        case .international: true
        case .trunk: effective(trunk) != .never
        case .bare: effective(trunk) != .always
        }
    }

    /// Whether a trunk prefix is dialled; never where there is none.
    func effective(_ use: TrunkUse) -> TrunkUse { trunkPrefix.isEmpty && trunkRule == nil ? .never : use }

    /// Parses digits without calling code and without trunk prefix.
    func read(_ digits: Substring, dialled dialling: Dialling) -> PhoneNumberReading {
        let (index, best) =
            digits.utf8.withContiguousStorageIfAvailable { firstRule(matching: $0, dialled: dialling) }
            ?? firstRule(matching: Array(digits.utf8), dialled: dialling)
        guard let index else {
            return switch best {
            case .partial: .failure(.tooShort)
            case .overrun: .failure(.tooLong)
            case .none, .whole: .failure(.noSuchNumber)
            }
        }
        if let general, general.match(digits) != .whole { return .failure(.noSuchNumber) }
        let trunk = effective(rules[index].trunk)
        return .success(PhoneNumber(digits, kind: kind(of: digits, ruleIndex: index), trunk: trunk, plan: self))
    }

    private func firstRule(
        matching digits: some Collection<UInt8>,
        dialled dialling: Dialling
    ) -> (index: Int?, best: DigitPattern.Match) {
        var best = DigitPattern.Match.none
        // By index, here and below: iterating over the elements would copy each.
        for index in rules.indices where admits(rules[index].trunk, dialled: dialling) {
            let match = rules[index].pattern.match(digits)
            if match == .whole { return (index, match) }
            best = max(best, match)
        }
        return (nil, best)
    }

    private func kind(of digits: Substring, ruleIndex: Int) -> NumberKind {
        let kind = rules[ruleIndex].kind
        guard kind == .fixedLine else { return kind }
        let isMobile = rules.indices.contains { rules[$0].kind == .mobile && rules[$0].pattern.match(digits) == .whole }
        return isMobile ? .fixedLineOrMobile : kind
    }

    /// Digits dialled at home, without the trunk prefix; nil when they do not begin with it.
    func afterTrunkPrefix(_ digits: Substring) -> Substring? {
        guard let trunkRule else { return trunkPrefix.isEmpty ? nil : digits.after(trunkPrefix) }
        guard let finding = trunkRule.find(in: digits) else { return nil }
        let rest = Substring(digits.utf8.dropFirst(finding.count))
        return finding.replacement.isEmpty ? rest : finding.replacement + rest
    }

    /// Whether digits begin with the calling code and are no number of this very region as they stand: then the code is
    /// tried before the regions that share it.
    func hasCallingCodeFirst(_ digits: Substring) -> Bool {
        guard let general, digits.after(callingCode) != nil else { return false }
        return general.match(digits) != .whole
    }

    /// How a whole number is written at home; nil when it is written without groups.
    func nationalTemplate(of number: Substring) -> DigitTemplate? {
        formats.indices.first { suits($0, number) }.map { formats[$0].national }
    }

    /// How a whole number is written abroad; nil when it is written without groups. Fewer formats apply abroad.
    func internationalTemplate(of number: Substring) -> DigitTemplate? {
        formats.indices.first { formats[$0].international != nil && suits($0, number) }
            .flatMap { formats[$0].international }
    }

    private func suits(_ index: Int, _ number: Substring) -> Bool {
        formats[index].digitCount == number.utf8.count
            && formats[index].leading.matchesBeginning(of: number)
    }
}

public struct NumberingRule: Sendable {
    public let kind: NumberKind
    /// The whole numbers of this kind, without calling code and without trunk prefix.
    public let pattern: DigitPattern
    public let trunk: TrunkUse

    public init(_ kind: NumberKind, _ pattern: DigitPattern, trunk: TrunkUse = .always) {
        (self.kind, self.pattern, self.trunk) = (kind, pattern, trunk)
    }
}

/// Whether numbers are dialled at home after their plan's trunk prefix.
public enum TrunkUse: Hashable, Sendable {
    /// As Korea's numbers with an area code are. Without it the same digits are a local number of an unknown place.
    case always
    case optional
    /// Korea's representative numbers are so.
    case never
}
