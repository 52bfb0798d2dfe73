/// The phone numbers of one region, as data: which there are, how they are dialled and how they are written.
///
/// A plan is nothing but values, so that plans can be read from a file as well as written in source.
public struct NumberingPlan: Hashable, Sendable {
    /// Whose numbers these are.
    public let region: Region

    /// The digits after `+` (ITU-T E.164), such as `82`.
    public let callingCode: String

    /// The digits dialled at home before a number, such as `0`; empty where there are none.
    public let trunkPrefix: String

    /// The digits dialled at home before a calling code, the usual one first.
    public let internationalPrefixes: [String]

    /// The classes of numbers. A number that fits several is of the first, but one that may be fixed and may be mobile is
    /// ``NumberKind/fixedLineOrMobile``.
    public let rules: [NumberingRule]

    /// How numbers are written. Of several that suit, the first that holds all digits counts, and before it one that
    /// holds no more than them.
    public let formats: [NumberFormat]

    /// What a field for a mobile number starts with: the digits that all mobile numbers share, as at home `010-`;
    /// where they share none, the calling code, as in `+1 `.
    public let startText: String

    /// What is dialled before a number, where the trunk prefix alone does not tell.
    let trunkRule: TrunkRule?

    /// What only this region's numbers begin with, of all that share its calling code.
    let leading: DigitPattern?

    /// What all numbers are, whatever their class; `nil` where the classes say it all.
    let general: DigitPattern?

    /// The international prefixes as one pattern, to tell quickly that digits begin with none of them.
    let abroad: DigitPattern?

    /// From how many digits on a number is grouped while it is typed.
    let groupsFrom: Int

    /// A plan.
    ///
    /// - Parameters:
    ///   - region: whose numbers these are.
    ///   - callingCode: digits only.
    ///   - trunkPrefix: empty where there is none.
    ///   - internationalPrefixes: the usual one first.
    ///   - rules: in the order in which they are tried.
    ///   - formats: in the order in which they are tried.
    ///   - startText: what a field for a mobile number starts with; by default `+`, the calling code and a space.
    public init(
        region: Region,
        callingCode: String,
        trunkPrefix: String,
        internationalPrefixes: [String],
        rules: [NumberingRule],
        formats: [NumberFormat],
        startText: String? = nil
    ) {
        self.init(
            region: region,
            callingCode: callingCode,
            trunkPrefix: trunkPrefix,
            trunkRule: nil,
            leading: nil,
            internationalPrefixes: internationalPrefixes,
            general: nil,
            rules: rules,
            formats: formats,
            startText: startText,
            groupsFrom: 1
        )
    }

    init(
        region: Region,
        callingCode: String,
        trunkPrefix: String,
        trunkRule: TrunkRule?,
        leading: DigitPattern?,
        internationalPrefixes: [String],
        general: DigitPattern?,
        rules: [NumberingRule],
        formats: [NumberFormat],
        startText: String?,
        groupsFrom: Int
    ) {
        self.region = region
        self.callingCode = callingCode
        self.trunkPrefix = trunkPrefix
        self.trunkRule = trunkRule
        self.leading = leading
        self.general = general
        self.groupsFrom = groupsFrom
        self.internationalPrefixes = internationalPrefixes
        abroad = DigitPattern(internationalPrefixes.joined(separator: "|"))
        self.rules = rules
        self.formats = formats
        self.startText = startText ?? "+\(callingCode) "
    }
}

extension NumberingPlan {
    /// Which of a plan's classes may be meant, given how the digits were dialled.
    enum Dialling {
        /// After the calling code: any.
        case international
        /// After the trunk prefix: those that take it.
        case trunk
        /// With neither: those that may do without it.
        case bare
    }

    /// Whether numbers of such a class or format may be meant by digits dialled like this.
    func admits(_ trunk: TrunkUse, dialled dialling: Dialling) -> Bool {
        switch dialling {
        case .international: true
        case .trunk: effective(trunk) != .never
        case .bare: effective(trunk) != .always
        }
    }

    /// Whether a trunk prefix is dialled; never where there is none.
    func effective(_ use: TrunkUse) -> TrunkUse {
        trunkPrefix.isEmpty && trunkRule == nil ? .never : use
    }

    /// Reads digits without calling code and without trunk prefix.
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

    /// The first class that digits are a number of, and how far they get in the classes tried.
    private func firstRule(
        matching digits: some Collection<UInt8>,
        dialled dialling: Dialling
    ) -> (index: Int?, best: DigitPattern.Match) {
        var best = DigitPattern.Match.none
        // By index, here and below: going over the elements would copy each.
        for index in rules.indices where admits(rules[index].trunk, dialled: dialling) {
            let match = rules[index].pattern.match(digits)
            if match == .whole { return (index, match) }
            best = max(best, match)
        }
        return (nil, best)
    }

    /// What a number is for that is of this class and of none before it.
    private func kind(of digits: Substring, ruleIndex: Int) -> NumberKind {
        let kind = rules[ruleIndex].kind
        guard kind == .fixedLine else { return kind }
        let isMobile = rules.indices.contains { rules[$0].kind == .mobile && rules[$0].pattern.match(digits) == .whole }
        return isMobile ? .fixedLineOrMobile : kind
    }

    /// What digits dialled at home are with the trunk prefix taken off; `nil` when they do not begin with it.
    func afterTrunkPrefix(_ digits: Substring) -> Substring? {
        guard let trunkRule else { return trunkPrefix.isEmpty ? nil : digits.after(trunkPrefix) }
        guard let finding = trunkRule.find(in: digits) else { return nil }
        let rest = Substring(digits.utf8.dropFirst(finding.count))
        return finding.replacement.isEmpty ? rest : finding.replacement + rest
    }

    /// Whether digits begin with the calling code and are no number of this very region as they stand: then the code comes
    /// before what they may be in a region it shares the code with.
    func hasCallingCodeFirst(_ digits: Substring) -> Bool {
        guard let general, digits.after(callingCode) != nil else { return false }
        return general.match(digits) != .whole
    }

    /// How a whole number is written at home; `nil` when it is written without groups.
    func nationalTemplate(of number: Substring) -> DigitTemplate? {
        formats.indices.first { suits($0, number) }.map { formats[$0].national }
    }

    /// How a whole number is written abroad; `nil` when it is written without groups. The formats for that are fewer.
    func internationalTemplate(of number: Substring) -> DigitTemplate? {
        formats.indices.first { formats[$0].international != nil && suits($0, number) }
            .flatMap { formats[$0].international }
    }

    /// Whether a whole number is written by this one of the formats.
    private func suits(_ index: Int, _ number: Substring) -> Bool {
        formats[index].digitCount == number.utf8.count
            && formats[index].leading.matchesBeginning(of: number)
    }
}
