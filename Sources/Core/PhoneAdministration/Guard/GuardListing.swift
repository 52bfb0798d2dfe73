public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

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
        public fileprivate(set) var sent = 0
        public fileprivate(set) var approved = 0
        public fileprivate(set) var suppressed = 0

        /// Its ``numbers`` are the code of a country then, rather than a prefix or a network.
        var isCountry: Bool { numbers.utf8.count == 2 }

        public var place: Place { Place(rank: state.rank, sent: sent, numbers: numbers) }

        fileprivate mutating func add(_ traffic: Traffic, at now: Timestamp) {
            let day = traffic.lastDay(at: now)
            sent += day.sent
            approved += day.approved
            suppressed += traffic.suppressedLastDay(at: now)
        }
    }

    /// A place in the list, which is still one when the row that was there has moved.
    public struct Place: Comparable, Sendable {
        let rank: Int
        let sent: Int
        let numbers: String

        public static func < (one: Place, other: Place) -> Bool {
            (one.rank, other.sent, one.numbers) < (other.rank, one.sent, other.numbers)
        }
    }

    public let policy: GuardPolicy
    /// Those in force.
    public let rules: [GuardRule]
    public let now: Timestamp
    public private(set) var service = Traffic.none
    /// How many are left out because the guard needs more messages to judge them.
    public private(set) var small = 0
    private let showsSmall: Bool
    private let first: Place?
    private let limit: Int
    private var countries: [Region: Traffic] = [:]
    /// Rules, with the traffic of all prefixes that begin like them.
    private var ruleRows: [Row]
    /// The places in ``rules`` and ``ruleRows``, by prefix: a prefix has few beginnings, and there may be many rules.
    private let rulePlaces: [String: Int]
    /// The worst of what was added.
    private var kept: [Row] = []
    private var dropped = 0

    /// - Parameters:
    ///   - showsSmall: whether it has what is small and left alone, too.
    ///   - place: where the list begins.
    ///   - limit: how many rows it has at most.
    public init(
        _ traffic: [KeyedTraffic],
        rules: [GuardRule],
        policy: GuardPolicy,
        now: Timestamp,
        all showsSmall: Bool = true,
        after place: Place? = nil,
        limit: Int = .max
    ) {
        self.rules = rules.filter { $0.isInForce(at: now) }
        (self.policy, self.now, self.showsSmall, first, self.limit) = (policy, now, showsSmall, place, limit)
        rulePlaces = Dictionary(self.rules.indices.map { [rules = self.rules] in (rules[$0].prefix, $0) }) { $1 }
        ruleRows = self.rules.map {
            Row(numbers: $0.prefix, state: $0.action == .allow ? .allowedByRule : .blockedByRule, until: $0.until)
        }
        add(traffic)
    }

    /// - Parameter traffic: that of a country comes before, or with, that of its prefixes.
    public mutating func add(_ traffic: [KeyedTraffic]) {
        for case (.country(let region), let traffic) in traffic.map({ ($0.key, $0.traffic) }) {
            countries[region] = traffic
        }
        for keyed in traffic {
            if keyed.key == .service { service = keyed.traffic } else { add(keyed) }
        }
        // Now and then, since it sorts.
        if kept.count - limit > 1000 { cut() }
    }

    private mutating func cut() {
        kept.sort { $0.place < $1.place }
        dropped += max(0, kept.count - limit)
        kept.removeLast(max(0, kept.count - limit))
    }

    private mutating func add(_ keyed: KeyedTraffic) {
        let numbers = keyed.key.description
        var fitting: [Int] = []
        if case .prefix(let prefix) = keyed.key {
            fitting = GuardRule.prefixes(of: prefix).compactMap { rulePlaces[$0] }
            for place in fitting { ruleRows[place].add(keyed.traffic, at: now) }
            if rulePlaces[numbers] != nil { return }
        }
        let state = state(of: keyed, by: fitting.map { rules[$0] })
        let isBlocked = state == .blocked && keyed.traffic.isBlocked(at: now)
        var row = Row(numbers: numbers, state: state, until: isBlocked ? keyed.traffic.blockedUntil : nil)
        row.add(keyed.traffic, at: now)
        let sample = if case .country = keyed.key { policy.countrySample } else { policy.prefixSample }
        let isLeftAlone = state == .ok || state == .allowedByRule || state == .blockedByRule
        if !showsSmall, isLeftAlone, row.sent < sample {
            small += 1
        } else if first.map({ $0 < row.place }) ?? true {
            kept.append(row)
        }
    }

    /// The rules, prefixes, countries and networks, and how many more there are behind them.
    public var page: (rows: [Row], more: Int) {
        let all = (ruleRows.filter { row in first.map { $0 < row.place } ?? true } + kept)
            .sorted { $0.place < $1.place }
        return (Array(all.prefix(limit)), dropped + max(0, all.count - limit))
    }

    private func state(of keyed: KeyedTraffic, by fitting: [GuardRule]) -> State {
        switch keyed.key {
        case .service: return .ok
        case .network:
            let traffic = NumberTraffic(prefix: .none, country: .none, networks: [keyed])
            return State(policy.forecast(traffic, rules: [], at: now))
        case .country: return state(ofCountry: keyed.traffic)
        case .prefix(let prefix):
            let country = Self.region(of: prefix).flatMap { countries[$0] } ?? .none
            let verdict = policy.forecast(
                NumberTraffic(prefix: keyed.traffic, country: country),
                rules: fitting,
                at: now
            )
            return State(verdict)
        }
    }

    private static func region(of prefix: String) -> Region? { (try? PhoneNumber(e164: prefix + "0000"))?.region }

    /// Prefixes of a poor country are challenged that have shown nothing better.
    private func state(ofCountry traffic: Traffic) -> State {
        let minimum = policy.minimum(policy.countrySample, for: traffic, at: now)
        let isPoor =
            traffic.lastDay(at: now).isPoor(minimum: minimum, percent: policy.countryPercent)
            || traffic.ripe(at: now).isPoor(minimum: policy.countrySample, percent: policy.countryPercent)
        guard policy.mode != .off, isPoor else { return .ok }
        return policy.mode == .shadow ? .observed : .challenged
    }
}

extension GuardListing.Place: LosslessStringConvertible {
    public var description: String { "\(rank) \(sent) \(numbers)" }

    public init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let rank = Int(parts[0]), let sent = Int(parts[1]) else { return nil }
        // The plus sign of a prefix may have become a space on the way.
        let isPrefix = parts[2].utf8.allSatisfy(\.isASCIIDigit)
        self.init(rank: rank, sent: sent, numbers: (isPrefix ? "+" : "") + parts[2])
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
