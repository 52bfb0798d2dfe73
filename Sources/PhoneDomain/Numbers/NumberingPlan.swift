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

    /// The classes of numbers. A number that fits several is of the first.
    public let rules: [NumberingRule]

    /// How numbers are written. Of several that suit, the one with the fewest digits that holds them all counts.
    public let formats: [NumberFormat]

    /// What a field for a mobile number starts with: the digits that all mobile numbers share, as at home `010-`;
    /// where they share none, the calling code, as in `+1 `.
    public let startText: String

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
        self.region = region
        self.callingCode = callingCode
        self.trunkPrefix = trunkPrefix
        self.internationalPrefixes = internationalPrefixes
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
        /// With neither: those that take no trunk prefix, and mobile numbers, whose trunk prefix people leave off as they
        /// do beside a printed calling code. Other digits without it are a local number, of a place we do not know.
        case bare
    }

    /// Whether numbers of the class may be meant by digits dialled like this.
    func admits(_ rule: NumberingRule, dialled dialling: Dialling) -> Bool {
        switch dialling {
        case .international: true
        case .trunk: takesTrunkPrefix(rule)
        case .bare: !takesTrunkPrefix(rule) || rule.kind == .mobile
        }
    }

    /// Whether numbers of the class are dialled after a trunk prefix; never where there is none.
    func takesTrunkPrefix(_ rule: NumberingRule) -> Bool {
        rule.takesTrunkPrefix && !trunkPrefix.isEmpty
    }

    /// Reads digits without calling code and without trunk prefix.
    func read(_ digits: Substring, dialled dialling: Dialling) -> PhoneNumberReading {
        var best = DigitPattern.Match.none
        for rule in rules where admits(rule, dialled: dialling) {
            let match = rule.pattern.match(digits)
            if match == .whole { return .success(PhoneNumber(digits, rule: rule, plan: self)) }
            best = max(best, match)
        }
        return switch best {
        case .partial: .failure(.tooShort)
        case .overrun: .failure(.tooLong)
        case .none, .whole: .failure(.noSuchNumber)
        }
    }

    /// The digits after the trunk prefix; `nil` when they do not begin with it.
    func afterTrunkPrefix(_ digits: Substring) -> Substring? {
        trunkPrefix.isEmpty ? nil : digits.after(trunkPrefix)
    }

    /// How a whole number is written; ungrouped when the plan does not say.
    func format(of number: Substring, rule: NumberingRule) -> NumberFormat? {
        formats.first {
            $0.international.digitCount == number.utf8.count
                && $0.countsTrunkPrefix == takesTrunkPrefix(rule)
                && $0.suits(number)
        }
    }
}
