public import PhoneNumbers
public import PhoneSignup

/// Protection against abuse, beyond the rules of one verification and one number.
public struct AbusePolicy: Hashable, Sendable {
    public var limits: LimitPolicy
    public var trafficGuard: GuardPolicy
    public var testNumbers: TestNumbers

    public static let standard = AbusePolicy(limits: .standard, trafficGuard: .standard, testNumbers: .none)
    public static let none = AbusePolicy(limits: .none, trafficGuard: .off, testNumbers: .none)

    public init(limits: LimitPolicy, trafficGuard: GuardPolicy, testNumbers: TestNumbers) {
        (self.limits, self.trafficGuard, self.testNumbers) = (limits, trafficGuard, testNumbers)
    }
}

/// Numbers that nobody owns, each with the one code that proves it: for people who try an app out, such as the app
/// stores' reviewers. Nothing is sent to them, and asking for their code counts towards no limit of messages. What
/// bounds guessing and storing still counts: the checks of a verification, and the checks and changes of an address.
/// Wrong codes do not lock the number, or anybody could lock a reviewer out for a day.
public struct TestNumbers: Hashable, Sendable {
    private let codes: [String: VerificationCode]
    /// When they become numbers like others. A verification begun before ends then.
    public let until: Timestamp
    public static let none = TestNumbers([:], until: Timestamp(milliseconds: 0))

    public init(_ codes: [PhoneNumber: VerificationCode], until: Timestamp) {
        self.codes = Dictionary(uniqueKeysWithValues: codes.map { ($0.e164, $1) })
        self.until = until
    }

    public var count: Int { codes.count }
    public func contains(_ number: PhoneNumber, at now: Timestamp) -> Bool { code(for: number, at: now) != nil }

    func code(for number: PhoneNumber, at now: Timestamp) -> VerificationCode? {
        now < until ? codes[number.e164] : nil
    }
}
