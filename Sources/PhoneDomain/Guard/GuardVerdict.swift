/// What the guard against toll fraud says to one request for a message, and why.
public struct GuardVerdict: Hashable, Sendable {
    /// What is to be done.
    public enum Action: String, Sendable, CaseIterable {
        /// The message goes out.
        case allow
        /// The message goes out, and would not have if the guard did more than watch.
        case shadow
        /// The message goes out only if the caller vouches for the person.
        case challenge
        /// The message does not go out.
        case block
    }

    /// What speaks for it. The raw values are what the audit trail keeps.
    public enum Reason: String, Sendable, CaseIterable {
        /// The guard is off.
        case guardOff = "guard_off"
        /// An operator's rule allows these numbers.
        case safeListed = "safe_listed"
        /// An operator's rule blocks these numbers.
        case blockListed = "block_listed"
        /// A block on the prefix holds.
        case prefixBlocked = "prefix_blocked"
        /// Too few of the prefix's messages led to an approval, and they had the time to.
        case prefixConversionLow = "prefix_conversion_low"
        /// Too few of the prefix's messages have led to an approval so far.
        case prefixConversionPending = "prefix_conversion_pending"
        /// Enough of the prefix's messages led to an approval.
        case prefixConversionGood = "prefix_conversion_good"
        /// Too few of the country's messages led to an approval, and this prefix has shown nothing better.
        case countryConversionLow = "country_conversion_low"
        /// There is too little traffic to go by.
        case sampleSmall = "sample_small"
        /// The caller vouches for the person.
        case vouched
    }

    /// What is to be done.
    public let action: Action
    /// Why, the weightiest first; never empty.
    public let reasons: [Reason]
    /// When the same request may fare better, where the message does not go out.
    public let retryAt: Timestamp?

    init(_ action: Action, _ reasons: [Reason], retryAt: Timestamp? = nil) {
        self.action = action
        self.reasons = reasons
        self.retryAt = retryAt
    }
}
