public import PhoneDomain

/// What the guard does with messages to each prefix and country, and from each network, the worst first.
public struct GuardListing: Sendable {
    /// The states of a prefix, in the order of the list.
    public enum State: String, Sendable, CaseIterable, CustomStringConvertible {
        case blocked
        case blockedByRule = "blocked_by_rule"
        case challenged
        /// The guard only observes (``GuardPolicy/Mode/shadow``).
        case observed
        case allowedByRule = "allowed_by_rule"
        case ok

        public var description: String { String(rawValue.map { $0 == "_" ? " " : $0 }) }
        /// The worst has the least.
        public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    public struct Row: Sendable {
        public let numbers: String
        public let state: State
        /// When a block or a rule ends.
        public let until: Timestamp?
        public let sent: Int
        public let approved: Int
        public let suppressed: Int
        /// Whether it is below the sample that the guard needs to judge.
        public let isSmall: Bool
    }

    public let policy: GuardPolicy
    /// Those in force.
    public let rules: [GuardRule]
    public let traffic: [(keyed: KeyedTraffic, state: State)]
    public let now: Timestamp

    /// - Parameter traffic: that of the service and the countries among it.
    public init(_ traffic: [KeyedTraffic], rules: [GuardRule], policy: GuardPolicy, now: Timestamp) {
        let rules = rules.filter { $0.isInForce(at: now) }
        let countries = Dictionary(traffic.map { ($0.key, $0.traffic) }) { one, _ in one }
        (self.policy, self.rules, self.now) = (policy, rules, now)
        self.traffic = traffic.map { keyed in
            let state: State
            switch keyed.key {
            case .service: state = .ok
            case .network:
                state = State(
                    policy.forecast(NumberTraffic(prefix: .none, country: .none, networks: [keyed]), rules: [], at: now)
                )
            case .country: state = Self.state(ofCountry: keyed.traffic.lastDay(at: now), policy)
            case .prefix(let prefix):
                let country = Self.region(of: prefix).flatMap { countries[.country($0)] } ?? .none
                let verdict = policy.forecast(
                    NumberTraffic(prefix: keyed.traffic, country: country),
                    rules: rules.filter { prefix.hasPrefix($0.prefix) },
                    at: now
                )
                state = State(verdict)
            }
            return (keyed, state)
        }
    }

    private static func region(of prefix: String) -> Region? { (try? PhoneNumber(e164: prefix + "0000"))?.region }

    /// Prefixes of a poor country are challenged that have shown nothing better.
    private static func state(ofCountry day: Traffic.Sample, _ policy: GuardPolicy) -> State {
        guard policy.mode != .off, day.sent >= policy.countrySample,
            day.approved * 100 < day.sent * policy.countryPercent
        else { return .ok }
        return policy.mode == .shadow ? .observed : .challenged
    }

    /// The rules, prefixes, countries and networks, without what is small and left alone unless `all`.
    public func rows(all: Bool) -> [Row] { sorted.filter { all || !$0.isSmall } }

    public var sorted: [Row] {
        let rows = rules.map(row) + traffic.compactMap { row($0.keyed, $0.state) }
        return rows.sorted {
            if $0.state != $1.state { return $0.state.rank < $1.state.rank }
            return $0.sent != $1.sent ? $0.sent > $1.sent : $0.numbers < $1.numbers
        }
    }

    /// A rule, with the traffic of all prefixes that begin like it.
    private func row(_ rule: GuardRule) -> Row {
        var (sent, approved, suppressed) = (0, 0, 0)
        for (keyed, _) in traffic {
            guard case .prefix(let prefix) = keyed.key, prefix.hasPrefix(rule.prefix) else { continue }
            let day = keyed.traffic.lastDay(at: now)
            (sent, approved) = (sent + day.sent, approved + day.approved)
            suppressed += keyed.traffic.suppressedLastDay(at: now)
        }
        return Row(
            numbers: rule.prefix,
            state: rule.action == .allow ? .allowedByRule : .blockedByRule,
            until: rule.until,
            sent: sent,
            approved: approved,
            suppressed: suppressed,
            isSmall: false
        )
    }

    /// Nil for the whole service, and for a prefix that a rule names.
    private func row(_ keyed: KeyedTraffic, _ state: State) -> Row? {
        if keyed.key == .service || rules.contains(where: { $0.prefix == keyed.key.description }) { return nil }
        let day = keyed.traffic.lastDay(at: now)
        let sample = if case .country = keyed.key { policy.countrySample } else { policy.prefixSample }
        let isLeftAlone = state == .ok || state == .allowedByRule || state == .blockedByRule
        return Row(
            numbers: keyed.key.description,
            state: state,
            until: state == .blocked && keyed.traffic.isBlocked(at: now) ? keyed.traffic.blockedUntil : nil,
            sent: day.sent,
            approved: day.approved,
            suppressed: keyed.traffic.suppressedLastDay(at: now),
            isSmall: isLeftAlone && day.sent < sample
        )
    }
}

extension GuardListing.State {
    fileprivate init(_ verdict: GuardVerdict) {
        self =
            switch verdict.action {
            case .allow: verdict.reasons.first == .safeListed ? .allowedByRule : .ok
            case .shadow: .observed
            case .challenge: .challenged
            case .block: verdict.reasons.first == .blockListed ? .blockedByRule : .blocked
            }
    }
}
