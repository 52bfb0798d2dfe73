/// What holds abuse off, beyond the rules of one verification and one number.
public struct AbusePolicy: Hashable, Sendable {
    /// How much an address, a block of numbers, a country and the service may do.
    public var limits: LimitPolicy
    /// How toll fraud is told from people.
    public var trafficGuard: GuardPolicy
    /// Numbers that stand outside of all this.
    public var testNumbers: TestNumbers

    /// The standard limits and the standard guard, without test numbers.
    public static let standard = AbusePolicy(limits: .standard, trafficGuard: .standard, testNumbers: .none)

    /// Nothing beyond the rules of one verification and one number.
    public static let none = AbusePolicy(limits: .none, trafficGuard: .off, testNumbers: .none)

    /// A policy of these parts.
    public init(limits: LimitPolicy, trafficGuard: GuardPolicy, testNumbers: TestNumbers) {
        self.limits = limits
        self.trafficGuard = trafficGuard
        self.testNumbers = testNumbers
    }
}
