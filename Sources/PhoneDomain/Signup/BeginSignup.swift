/// Begins a guided signup, as long as its address has not begun too many.
public struct BeginSignup: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The limits of ``BeginSignup/limitRules``.
        public var limits: LimitLedger
        /// The signup to keep, set by the command.
        public var signup: Signup?

        /// The state before the command.
        public init(limits: LimitLedger) {
            self.limits = limits
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// It was begun.
        case begun
        /// It was not.
        case refused(PhoneFailure)
    }

    /// The signup.
    public let signup: Signup
    /// The limits that it is subject to.
    public let limitRules: [LimitRule]

    /// The beginning of a signup.
    ///
    /// - Parameters:
    ///   - signup: as it is to be kept.
    ///   - address: from where it is begun, or nil where nobody knows; no limit holds then.
    ///   - limits: how much an address may do.
    public init(_ signup: Signup, from address: ClientAddress? = nil, limits: LimitPolicy = .none) {
        self.signup = signup
        limitRules = limits.signups(from: address)
    }

    /// The same beginning of what this makes of the signup.
    public func mapping(_ change: (Signup) -> Signup) -> BeginSignup {
        BeginSignup(change(signup), limitRules)
    }

    private init(_ signup: Signup, _ limitRules: [LimitRule]) {
        self.signup = signup
        self.limitRules = limitRules
    }

    /// Begins the signup, or says why not.
    public func apply(to state: inout State) -> Outcome {
        state.limits.prune(at: signup.createdAt)
        if let refusal = state.limits.refusal(at: signup.createdAt) { return .refused(refusal) }
        state.limits.take(at: signup.createdAt)
        state.signup = signup
        return .begun
    }
}
