public import PhoneDomain
import TextEncodings

/// What the guard does with messages to each prefix and country, and from each network, the worst first.
public struct GuardListing {
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
        fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    public struct Row {
        public let numbers: String
        public let state: State
        /// When a block or a rule ends.
        public let until: Timestamp?
        let sent: Int
        let approved: Int
        let suppressed: Int
        /// Whether it is below the sample that the guard needs to judge.
        let isSmall: Bool

        var approvals: String { sent > 0 ? "\(approved) (\(approved * 100 / sent)%)" : "\(approved)" }
    }

    private let policy: GuardPolicy
    private let rules: [GuardRule]
    private let traffic: [(keyed: KeyedTraffic, state: State)]
    /// How many messages of the last day were suppressed, by prefix: a refused one is counted nowhere else.
    private let suppressed: [(prefix: String, region: Region?, count: Int)]
    private let now: Timestamp

    /// - Parameter traffic: of every key.
    public init(_ traffic: [KeyedTraffic], rules: [GuardRule], policy: GuardPolicy, now: Timestamp) {
        let rules = rules.filter { $0.isInForce(at: now) }
        let countries = Dictionary(traffic.map { ($0.key, $0.traffic) }) { one, _ in one }
        (self.policy, self.rules, self.now) = (policy, rules, now)
        suppressed = traffic.compactMap { keyed in
            let count = keyed.traffic.suppressedLastDay(at: now)
            guard count > 0, case .prefix(let prefix) = keyed.key else { return nil }
            return (prefix, Self.region(of: prefix), count)
        }
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

    private func suppressed(_ isCounted: (_ prefix: String, _ region: Region?) -> Bool = { _, _ in true }) -> Int {
        suppressed.reduce(0) { $0 + (isCounted($1.prefix, $1.region) ? $1.count : 0) }
    }

    /// Prefixes of a poor country are challenged that have shown nothing better.
    private static func state(ofCountry day: Traffic.Sample, _ policy: GuardPolicy) -> State {
        guard policy.mode != .off, day.sent >= policy.countrySample,
            day.approved * 100 < day.sent * policy.countryPercent
        else { return .ok }
        return policy.mode == .shadow ? .observed : .challenged
    }

    /// The rules, prefixes, countries and networks, without what is small and left alone unless `all`.
    public func rows(all: Bool) -> [Row] { sorted.filter { all || !$0.isSmall } }

    private var sorted: [Row] {
        let rows = rules.map(row) + traffic.compactMap { row($0.keyed, $0.state) }
        return rows.sorted {
            if $0.state != $1.state { return $0.state.rank < $1.state.rank }
            return $0.sent != $1.sent ? $0.sent > $1.sent : $0.numbers < $1.numbers
        }
    }

    /// A rule, with the traffic of all prefixes that begin like it.
    private func row(_ rule: GuardRule) -> Row {
        var (sent, approved) = (0, 0)
        for (keyed, _) in traffic {
            guard case .prefix(let prefix) = keyed.key, prefix.hasPrefix(rule.prefix) else { continue }
            let day = keyed.traffic.lastDay(at: now)
            (sent, approved) = (sent + day.sent, approved + day.approved)
        }
        return Row(
            numbers: rule.prefix,
            state: rule.action == .allow ? .allowedByRule : .blockedByRule,
            until: rule.until,
            sent: sent,
            approved: approved,
            suppressed: suppressed { prefix, _ in prefix.hasPrefix(rule.prefix) },
            isSmall: false
        )
    }

    /// Nil for the whole service, and for a prefix that a rule names.
    private func row(_ keyed: KeyedTraffic, _ state: State) -> Row? {
        if keyed.key == .service || rules.contains(where: { $0.prefix == keyed.key.description }) { return nil }
        let day = keyed.traffic.lastDay(at: now)
        let sample = if case .country = keyed.key { policy.countrySample } else { policy.prefixSample }
        let suppressed =
            if case .country(let country) = keyed.key {
                suppressed { $1 == country }
            } else {
                keyed.traffic.suppressedLastDay(at: now)
            }
        let isLeftAlone = state == .ok || state == .allowedByRule || state == .blockedByRule
        return Row(
            numbers: keyed.key.description,
            state: state,
            until: state == .blocked && keyed.traffic.isBlocked(at: now) ? keyed.traffic.blockedUntil : nil,
            sent: day.sent,
            approved: day.approved,
            suppressed: suppressed,
            isSmall: isLeftAlone && day.sent < sample
        )
    }

    /// The summary of the service, the table, and what is not in it.
    public func text(all: Bool, limit: Int, _ style: ListingStyle) -> String {
        let service = traffic.first { $0.keyed.key == .service }?.keyed.traffic ?? .none
        let day = service.lastDay(at: now)
        var parts = [
            "Last 24 h: \(day.sent) messages, \(day.approved) approved"
                + (day.sent > 0 ? " (\(day.approved * 100 / day.sent)%)" : "")
                + ", \(suppressed()) suppressed. Guard: \(policy.mode.rawValue)."
        ]
        let sorted = sorted
        let rows = sorted.filter { all || !$0.isSmall }
        let listing = Listing(
            Array(rows.prefix(limit)),
            columns: [
                .init("PREFIX", nil) { $0.numbers },
                .init("STATE", nil) { $0.state },
                .init("UNTIL", nil) { $0.until },
                .init("SENT", nil) { $0.sent },
                .init("APPROVED", nil) { $0.approvals },
                .init("SUPPRESSED", nil) { $0.suppressed },
            ]
        )
        parts.append(rows.isEmpty ? "Nothing is blocked or challenged, and there are no rules." : listing.table(style))
        var notes: [String] = []
        if rows.count > limit { notes.append("\(rows.count - limit) more; show them with --limit.") }
        let small = sorted.count - rows.count
        if small > 0 {
            notes.append(
                "\(small) more with fewer than \(policy.prefixSample) messages (countries: \(policy.countrySample)); "
                    + "show them with --all."
            )
        }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    /// The rules in force and the traffic, the worst first.
    public func json(limit: Int) -> String {
        let rules = Listing(
            rules,
            hasNulls: false,
            columns: [
                .init(nil, "prefix") { $0.prefix }, .init(nil, "action") { $0.action.rawValue },
                .init(nil, "until") { $0.until }, .init(nil, "created_at") { $0.createdAt },
            ]
        )
        // What is of one state stays in the order of the store: by messages.
        let ranked = traffic.enumerated()
            .sorted { ($0.element.state.rank, $0.offset) < ($1.element.state.rank, $1.offset) }
            .prefix(limit)
            .map(\.element)
        let traffic = Listing(
            ranked,
            hasNulls: false,
            columns: [
                .init(nil, "numbers") { $0.keyed.key },
                .init(nil, "state") { $0.state.rawValue },
                .init(nil, "sent") { [now] in $0.keyed.traffic.lastDay(at: now).sent },
                .init(nil, "approved") { [now] in $0.keyed.traffic.lastDay(at: now).approved },
                .init(nil, "held_back") { [now] in $0.keyed.traffic.suppressedLastDay(at: now) },
                .init(nil, "blocked_until") { [now] in
                    $0.keyed.traffic.isBlocked(at: now) ? $0.keyed.traffic.blockedUntil : nil
                },
            ]
        )
        return (["rules": rules.json, "traffic": traffic.json] as JSON).indentedText
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
