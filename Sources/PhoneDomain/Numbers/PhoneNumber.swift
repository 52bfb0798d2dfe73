/// A phone number that exists in its numbering plan. It prints masked everywhere, so that no log line or debugger dump
/// gives it away; whoever needs the digits asks for ``e164``.
public struct PhoneNumber: Sendable {
    /// The most digits a number has that can be dialled from anywhere, its calling code among them (ITU-T E.164).
    static let mostDigitsAbroad = 15

    /// The most digits a number of any plan has, its calling code among them.
    static let mostDigits = 20

    /// The number as the world dials it: `+`, calling code, digits (ITU-T E.164). At most 15 digits where
    /// ``isDialledFromAbroad``, else at most 20.
    public let e164: String

    /// Whose numbering plan it is of.
    public let region: Region

    /// What it is for.
    public let kind: NumberKind

    /// The digits by which its country is dialled, without `+`: `82`.
    public let callingCode: String
    private let nationalTemplate: DigitTemplate?
    private let internationalTemplate: DigitTemplate?
    private let trunkPrefix: String

    /// A number that has been found in the plan.
    init(_ digits: Substring, kind: NumberKind, trunk: TrunkUse, plan: NumberingPlan) {
        e164 = "+" + plan.callingCode + digits
        region = plan.region
        self.kind = kind
        callingCode = plan.callingCode
        nationalTemplate = plan.nationalTemplate(of: digits)
        internationalTemplate = plan.internationalTemplate(of: digits)
        trunkPrefix = trunk == .always ? plan.trunkPrefix : ""
    }

    /// Reads a number as people write it: with or without calling code or trunk prefix, in digits of any script, with
    /// spaces, hyphens, dots, slashes and brackets. Any other character is an error, never dropped.
    ///
    /// - Parameters:
    ///   - text: what was written; more than 64 characters, white space around it aside, is refused unread.
    ///   - region: where a number without a calling code is at home.
    ///   - plans: the plans that say which numbers there are.
    /// - Throws: ``PhoneNumberError``, when it is not a number of any plan.
    public init(
        parsing text: some StringProtocol,
        region: Region,
        plans: NumberingPlans = .builtIn
    ) throws(PhoneNumberError) {
        self = try plans.read(String(text), region: region).get()
    }

    /// Reads a number back that ``e164`` wrote: `+` and 1 to 20 ASCII digits, without a trunk prefix; nothing
    /// else.
    ///
    /// - Parameters:
    ///   - text: a number in E.164.
    ///   - plans: the plans that say which numbers there are.
    /// - Throws: ``PhoneNumberError/notANumber`` when it is written otherwise, and the other errors when no plan has it.
    public init(e164 text: String, plans: NumberingPlans = .builtIn) throws(PhoneNumberError) {
        guard
            text.utf8.first == UInt8(ascii: "+"), 2...Self.mostDigits + 1 ~= text.utf8.count,
            text.utf8.dropFirst().allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { throw .notANumber }
        self = try plans.read(international: text.dropFirst()).get()
        guard e164 == text else { throw .noSuchNumber }
    }

    /// The digits dialled at home, `01012345678`; what domestic carriers want.
    public var nationalDigits: String {
        nationalTemplate?.digits(of: significantDigits) ?? trunkPrefix + significantDigits
    }

    /// The number as it is written at home: `010-1234-5678`.
    public var nationalFormat: String {
        nationalTemplate?.filled(with: significantDigits) ?? trunkPrefix + significantDigits
    }

    /// The number as it is written abroad: `+82 10-1234-5678`.
    public var internationalFormat: String {
        let digits = significantDigits
        return "+" + callingCode + " " + (internationalTemplate?.filled(with: digits) ?? String(digits))
    }

    /// Whether it has no more digits than E.164 allows. Some plans have numbers with more, such as freephone numbers of
    /// Nigeria and Japan, which no network abroad can carry; a code cannot be sent to them.
    public var isDialledFromAbroad: Bool {
        e164.utf8.count <= 1 + Self.mostDigitsAbroad
    }

    /// The number without its last four digits: what limits on a block of numbers count by.
    public var prefix: String {
        String(e164.dropLast(4))
    }

    /// The digits behind the calling code, without a trunk prefix but for those plans where it is dialled from abroad too:
    /// `1012345678`.
    public var significantDigits: Substring {
        Substring(e164.utf8.dropFirst(1 + callingCode.utf8.count))
    }
}
