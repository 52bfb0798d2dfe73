package import PhoneSignup

/// What the guard judged a message by, whatever it decided: traffic of the last day before it, and the budget of that.
public struct GuardMeasure: Hashable, Sendable {
    public struct Part: Hashable, Sendable {
        public let sent: Int
        public let approved: Int
        /// The messages of a day from which on the guard doubts.
        public let budget: Int

        public init(sent: Int, approved: Int, budget: Int) {
            (self.sent, self.approved, self.budget) = (sent, approved, budget)
        }
    }

    public let prefix: Part
    public let country: Part
    public init(prefix: Part, country: Part) { (self.prefix, self.country) = (prefix, country) }
}

extension GuardPolicy {
    /// Nil where it judges nothing.
    func measure(_ traffic: NumberTraffic, at now: Timestamp) -> GuardMeasure? {
        guard mode != .off else { return nil }
        func part(_ traffic: Traffic, _ sample: Int, _ percent: Int) -> GuardMeasure.Part {
            let (day, minimum) = (traffic.lastDay(at: now), minimum(sample, for: traffic, at: now))
            return .init(sent: day.sent, approved: day.approved, budget: max(minimum, day.approved * 100 / percent))
        }
        return GuardMeasure(
            prefix: part(traffic.prefix, prefixSample, prefixPercent),
            country: part(traffic.country, countrySample, countryPercent)
        )
    }

    /// How many messages are enough to judge by the approvals that they have so far: as many as were approved on the best
    /// day of the last fourteen, since people who come back all at once are no attack.
    ///
    /// Only approvals count: an attacker types a code for each such message, and has them once. What had the time to be
    /// approved is judged without this, and a block forgets the days.
    package func minimum(_ sample: Int, for traffic: Traffic, at now: Timestamp) -> Int {
        max(sample, traffic.mostApprovals(at: now))
    }
}
