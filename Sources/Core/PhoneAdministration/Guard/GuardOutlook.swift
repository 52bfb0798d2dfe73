public import PhoneDomain

extension GuardPolicy {
    /// What would have happened to what was asked for, had the guard judged by other samples and percentages.
    public struct Outlook: Hashable, Sendable {
        public let kind: TrafficKey.Kind
        /// Nil for the guard as it is set.
        public let level: Level?
        public fileprivate(set) var requested = 0
        /// Messages beyond the sample and what the approvals justify.
        public fileprivate(set) var suppressed = 0
        /// How many prefixes, countries or networks it would have closed, for a while at least.
        public fileprivate(set) var closed = 0
        /// People who typed a code there: some of them would have had to solve a challenge.
        public fileprivate(set) var approved = 0

        fileprivate init(_ kind: TrafficKey.Kind, _ level: Level?) { (self.kind, self.level) = (kind, level) }
    }

    /// An estimate by one kind of key alone, from the sums of the hours that are kept. Of a country it is the most that
    /// there would have been, since prefixes that have shown people stay open.
    ///
    /// - Parameter counts: how many keys have each ``Traffic/kept``.
    package func outlook(_ counts: [Traffic.Sample: Int], of kind: TrafficKey.Kind, _ level: Level? = nil) -> Outlook {
        let sample = kind == .country ? countrySample : prefixSample * kind.allowance
        let percent = kind == .country ? countryPercent : prefixPercent
        return counts.reduce(into: Outlook(kind, level)) { outlook, group in
            let (kept, count) = group
            outlook.requested += kept.sent * count
            let excess = kept.excess(over: sample, percent: percent)
            guard excess > 0 else { return }
            outlook.closed += count
            outlook.suppressed += excess * count
            outlook.approved += kept.approved * count
        }
    }
}
