/// Numbers that nobody holds, each with the one code that proves it: for those who try an app out, among them the app
/// stores' reviewers. Nothing is sent to them, and asking for their code counts towards no limit. What counts is what bounds
/// guessing: the checks of a verification, and those of an address. Wrong codes do not close the number, or anybody could
/// keep a reviewer out for a day.
public struct TestNumbers: Hashable, Sendable {
    /// The code of each number, by the number in E.164 form.
    private let codes: [String: VerificationCode]
    /// When they become numbers like others. A verification that was begun before ends at that moment.
    public let until: Timestamp

    /// No test numbers.
    public static let none = TestNumbers([:], until: Timestamp(milliseconds: 0))

    /// Test numbers with their codes, up to a moment.
    public init(_ codes: [PhoneNumber: VerificationCode], until: Timestamp) {
        self.codes = Dictionary(uniqueKeysWithValues: codes.map { ($0.e164, $1) })
        self.until = until
    }

    /// How many there are.
    public var count: Int { codes.count }

    /// Whether this number is one of them, still.
    public func contains(_ number: PhoneNumber, at now: Timestamp) -> Bool {
        code(for: number, at: now) != nil
    }

    /// The code of this number, or nil if it is none of them, or none any more.
    func code(for number: PhoneNumber, at now: Timestamp) -> VerificationCode? {
        now < until ? codes[number.e164] : nil
    }
}
