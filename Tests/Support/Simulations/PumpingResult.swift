/// What came of a scenario.
public struct PumpingResult: Hashable, Sendable {
    /// How one side fared.
    public struct Side: Hashable, Sendable {
        /// Requests for a message, repeated ones too.
        public internal(set) var requests = 0
        /// Messages that went out.
        public internal(set) var messages = 0
        /// Requests that the guard suppressed.
        public internal(set) var suppressed = 0
        /// Requests that a limit refused.
        public internal(set) var limited = 0
        /// Requests that a rule of the number refused: its wait, its messages a day.
        public internal(set) var paced = 0
        /// Challenges that were solved.
        public internal(set) var solved = 0
        /// The tries that it took, on average.
        public internal(set) var tries = 0
        /// The messages for challenges that were the hardest.
        public internal(set) var hardest = 0
        /// Codes that were approved.
        public internal(set) var approvals = 0
    }

    /// The people.
    public internal(set) var honest = Side()
    /// The attack.
    public internal(set) var attack = Side()
    /// The messages of the attack to the prefix that got most.
    public internal(set) var mostToOnePrefix = 0
    /// The attack's requests to prefixes of which the guard had its sample already, and the messages that went out of
    /// them.
    public internal(set) var afterSample = Side()
    /// Prefixes without an attack in which a request was suppressed by a block.
    public internal(set) var honestBlocked: Set<String> = []
}
