/// A phone number that exists in its numbering plan. It prints masked everywhere, so that no log line or debugger dump
/// reveals it; use ``e164`` for the digits. Two numbers are equal when their ``e164`` is.
public struct PhoneNumber: Sendable {
    /// The most digits a number has that can be dialled from anywhere, calling code included (ITU-T E.164).
    static let mostDigitsAbroad = 15
    /// The most digits a number of any plan has, calling code included.
    package static let mostDigits = 20

    /// `+`, calling code, digits (ITU-T E.164). At most 15 digits where ``isDialledFromAbroad``, else at most 20.
    public let e164: String
    public let kind: NumberKind
    private let trunk: TrunkUse
    private let plan: NumberingPlan
    public var region: Region { plan.region }
    /// The country's calling code without `+`: `82`.
    public var callingCode: String { plan.callingCode }

    init(_ digits: Substring, kind: NumberKind, trunk: TrunkUse, plan: NumberingPlan) {
        e164 = "+" + plan.callingCode + digits
        (self.kind, self.trunk, self.plan) = (kind, trunk, plan)
    }

    /// Parses a number as people write it: with or without calling code or trunk prefix, in digits of any script, with
    /// spaces, hyphens, dots, slashes and brackets, behind `tel:`. Any other character is an error, never dropped. Text
    /// of more than 64 characters, surrounding white space aside, is rejected unread. `region` is where a number
    /// without a calling code is at home. Throws ``PhoneNumberError`` when it is not a number of any plan.
    public init(
        parsing text: some StringProtocol,
        region: Region,
        plans: NumberingPlans = .builtIn
    ) throws(PhoneNumberError) {
        self = try plans.read(String(text), region: region).get()
    }

    /// Parses what ``e164`` contains: `+` and 1 to 20 ASCII digits, without a trunk prefix.
    /// Throws ``PhoneNumberError/notANumber`` for any other form, and the other errors when no plan has the number.
    public init(e164 text: String, plans: NumberingPlans = .builtIn) throws(PhoneNumberError) {
        guard
            text.utf8.first == UInt8(ascii: "+"), 2...Self.mostDigits + 1 ~= text.utf8.count,
            text.utf8.dropFirst().allSatisfy({ $0.isASCIIDigit })
        else { throw .notANumber }
        self = try plans.read(international: text.dropFirst()).get()
        guard e164 == text else { throw .noSuchNumber }
    }

    /// The digits dialled at home, `01012345678`, as domestic carriers expect.
    public var nationalDigits: String {
        plan.nationalTemplate(of: significantDigits)?.digits(of: significantDigits) ?? ungrouped
    }

    /// The form in which it is written at home: `010-1234-5678`.
    public var nationalFormat: String {
        plan.nationalTemplate(of: significantDigits)?.filled(with: significantDigits) ?? ungrouped
    }

    private var ungrouped: String { (trunk == .always ? plan.trunkPrefix : "") + significantDigits }

    /// The form in which it is written abroad: `+82 10-1234-5678`.
    public var internationalFormat: String {
        let digits = significantDigits
        let grouped = plan.internationalTemplate(of: digits)?.filled(with: digits) ?? String(digits)
        return "+" + callingCode + " " + grouped
    }

    /// Whether it has no more digits than E.164 allows. Some plans have longer numbers, such as freephone numbers of
    /// Nigeria and Japan, which no network abroad can carry; a code cannot be sent to them.
    public var isDialledFromAbroad: Bool { e164.utf8.count <= 1 + Self.mostDigitsAbroad }

    /// The number without its last four digits: the key of limits on a block of numbers.
    public var prefix: String { String(Substring(e164.utf8.dropLast(4))) }

    /// The digits behind the calling code, without a trunk prefix except in plans where it is dialled from abroad too:
    /// `1012345678`.
    public var significantDigits: Substring { Substring(e164.utf8.dropFirst(1 + callingCode.utf8.count)) }

    /// The number as it may be shown and logged: `+82 10-****-5678`.
    ///
    /// The first group and the last four digits stay, so that its owner recognizes it. At least three digits are
    /// hidden: where a number is too short for that, its first group is hidden instead (`+82 ****-1234`), then the
    /// first of the last four.
    public var masked: String {
        Self.mask(internationalFormat, after: callingCode.utf8.count + 1, count: significantDigits.utf8.count)
    }

    /// The national format, masked by the same rule: `010-****-5678`.
    public var maskedNationalFormat: String {
        let text = nationalFormat
        return Self.mask(text, after: 0, count: text.utf8.count(where: \.isASCIIDigit))
    }

    /// - Parameters:
    ///   - afterCode: where the digits begin of which some are hidden.
    ///   - count: how many there are.
    private static func mask(_ text: String, after afterCode: Int, count: Int) -> String {
        // All of it is ASCII, and every entry of the audit log contains one.
        var written = Array(text.utf8)
        let firstGroup = written.dropFirst(afterCode).drop { !$0.isASCIIDigit }.prefix { $0.isASCIIDigit }.count
        let end = max(count - 4, min(3, count))
        let start = end - firstGroup >= 3 ? firstGroup : 0
        var position = 0
        for index in written.indices.dropFirst(afterCode) where written[index].isASCIIDigit {
            if start..<end ~= position { written[index] = UInt8(ascii: "*") }
            position += 1
        }
        return String(decoding: written, as: UTF8.self)
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { masked }
    public var debugDescription: String { masked }

    /// Shows the masked number alone, so that `dump` and failed expectations do not reveal the digits.
    public var customMirror: Mirror { Mirror(self, children: ["masked": masked], displayStyle: .struct) }
}

extension PhoneNumber: Hashable {
    public static func == (one: PhoneNumber, other: PhoneNumber) -> Bool { one.e164 == other.e164 }
    public func hash(into hasher: inout Hasher) { hasher.combine(e164) }
}

/// What a number is for, which decides whether a code may be sent to it. Raw values are stable: they are on the wire.
public enum NumberKind: String, Hashable, Sendable, CaseIterable {
    case mobile
    /// Belongs to a network that has been switched off, such as Korea's 2G prefixes.
    case legacyMobile = "legacy_mobile"
    case fixedLine = "fixed_line"
    /// The plan does not distinguish them, as in North America.
    case fixedLineOrMobile = "fixed_line_or_mobile"
    case voip
    /// Forwards to another number, such as Korea's 050X safety numbers.
    case personal
    /// A company's number for the whole country, which can call and text but does not receive texts.
    case representative
    case tollFree = "toll_free"
    /// Costs the caller more than an ordinary call.
    case premium
    case sharedCost = "shared_cost"
    case pager
    case voicemail
    /// A device, not a person.
    case machine
}

/// A country or territory by its ISO 3166-1 alpha-2 code, such as `KR`, or the world as a whole.
/// Any two ASCII letters are a region; ``NumberingPlans`` knows which have numbers that can be parsed.
public struct Region: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// Parses two ASCII letters in either case, or `001`; nil for anything else.
    public init?(_ description: String) {
        let isCountry = description.utf8.count == 2 && description.utf8.allSatisfy(\.isASCIILetter)
        guard isCountry || description == Self.world.description else { return nil }
        self.description = description.uppercased()
    }

    private init(known code: String) { description = code }

    /// No country: numbers such as +800 that the world dials alike. `001` is the world's code in UN M.49.
    public static let world = Region(known: "001")
    public static let korea = Region(known: "KR")
}

/// Why a text is no phone number. No case contains the text, so an error can be logged.
public enum PhoneNumberError: Error, Hashable, Sendable {
    case empty
    /// There is something that does not belong in a phone number: a letter, an emoji, a plus sign in the middle.
    case notANumber
    /// It begins like a number and has more digits than that number can have; or the text is absurdly long.
    case tooLong
    /// It begins like a number and ends too early.
    case tooShort
    case unknownRegion(Region)
    /// No numbering plan is known for this calling code, such as `1` (digits only).
    case unsupportedCallingCode(String)
    case noSuchNumber

    /// The stable name of the case, which is on the wire.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .notANumber: "not_a_number"
        case .tooLong: "too_long"
        case .tooShort: "too_short"
        case .unknownRegion: "unknown_region"
        case .unsupportedCallingCode: "unsupported_calling_code"
        case .noSuchNumber: "no_such_number"
        }
    }

    /// One English sentence that says how to fix it.
    public var detail: String {
        switch self {
        case .empty: "Enter a phone number."
        case .notANumber:
            "Use digits only, no extension; spaces, hyphens, dots, slashes, parentheses and a leading + are allowed."
        case .tooLong: "Remove the extra digits."
        case .tooShort: "Add the missing digits."
        case .unknownRegion(let region):
            "Write the number with + and its country code; region \(region) is not supported."
        case .unsupportedCallingCode(let code):
            "Use a number from another country; numbers that begin with +\(code) are not supported."
        case .noSuchNumber: "No number begins with these digits; check them."
        }
    }
}

typealias PhoneNumberReading = Result<PhoneNumber, PhoneNumberError>

extension PhoneNumberReading {
    /// This result if it is a number, else the other. When neither is, the more specific failure: that of the first
    /// which got further than "no such number".
    func or(_ other: @autoclosure () -> PhoneNumberReading) -> PhoneNumberReading {
        guard case .failure(let failure) = self else { return self }
        let other = other()
        if case .failure = other, failure != .noSuchNumber { return self }
        return other
    }
}
