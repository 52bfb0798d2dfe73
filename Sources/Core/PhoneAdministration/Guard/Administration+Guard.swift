public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
import PhoneSignup

/// The limits and the guard, as operators see and set them.
extension Administration {
    /// The limits nearest to exhaustion, and the first of the locked numbers.
    ///
    /// - Parameters:
    ///   - place: the limit after which the list goes on.
    ///   - limit: how many limits it has at most.
    ///   - numbers: how many locked numbers it has at most.
    @concurrent public func limits(after place: LimitKey?, limit: Int, numbers: Int) async throws -> LimitsListing {
        let now = now
        var listing = LimitsListing(limits: policies.limits, now: now)
        if let place {
            let found = try await store.metersInUse(of: place.description, at: now, after: nil, limit: 1).first
            guard let found, found.key == place else { throw AdministrationFailure.noCursor }
            listing.begin(after: found)
        }
        // Policy by policy: meters of one limit are used the more, the later they are full.
        for key in try await store.limitPolicies() {
            let place = listing.place(amongThoseOf: key)
            listing.add(try await store.metersInUse(of: key.policyName, at: now, after: place, limit: limit + 1))
        }
        listing.finish(limit: limit)
        listing.sent = try await store.traffic(of: .service).lastDay(at: now).sent
        listing.lockedNumbers = try await lockedNumbers(limit: numbers, at: now)
        return listing
    }

    /// Most that have had many messages or wrong codes may be open again, and the locked ones behind them.
    private func lockedNumbers(limit: Int, at now: Timestamp) async throws -> [LimitsListing.LockedNumber] {
        let policy = policies.verification
        var (locked, last) = ([LimitsListing.LockedNumber](), "")
        while locked.count < limit {
            let active = try await store.activeNumbers(
                sends: policy.maxSendsPerNumberPerDay,
                failures: policy.maxConsecutiveFailures,
                after: last,
                limit: 1000
            )
            guard let end = active.last?.e164 else { break }
            locked += active.compactMap { number in
                number.activity.closure(at: now, policy: policy).map { (e164: number.e164, closure: $0) }
            }
            last = end
        }
        return Array(locked.prefix(limit))
    }

    /// Resets a limit as lists name it, or unlocks a number.
    ///
    /// - Returns: what was reset, in words.
    public func clearLimit(_ subject: String, region: Region? = nil, by author: Operator) async throws -> String {
        let key = LimitKey(rawValue: subject)
        let entry = try author.entry(.clearLimit, limit: key, digester: makeDigester, at: now)
        if try await store.clear(key, audit: entry) { return "limit \(subject)" }
        guard let number = try? PhoneNumber(parsing: subject, region: region ?? policies.region) else {
            throw AdministrationFailure.notFound("no such limit is in use")
        }
        let opened = try author.entry(.clearNumber, number, digester: makeDigester(), at: now)
        var isCleared = try await store.clearActivity(of: number, audit: opened)
        for rule in policies.limits.inboundRequests(for: number) where try await store.clear(rule.key, audit: opened) {
            isCleared = true
        }
        guard isCleared else { throw AdministrationFailure.notFound("nothing to clear for \(number.masked)") }
        return "the limits of \(number.masked)"
    }

    /// - Parameters:
    ///   - all: whether all traffic is looked at, a page at a time, so that it takes as much memory however much there
    ///     is; else what is blocked and has the most messages. A challenged prefix may have less traffic than others.
    ///   - place: where the list goes on.
    @concurrent public func guardListing(
        all: Bool,
        after place: GuardListing.Place?,
        limit: Int
    ) async throws -> GuardListing {
        let most = all ? [] : try await store.traffic(at: now, limit: 1000)
        var listing = GuardListing(
            most,
            rules: try await store.guardRules(),
            policy: try await guardPolicy(),
            now: now,
            all: all,
            after: place,
            limit: limit
        )
        guard all else { return listing }
        var last: TrafficKey?
        repeat {
            let page = try await store.traffic(before: last, at: listing.now, limit: 1000)
            listing.add(page)
            last = page.last?.key
        } while last != nil
        return listing
    }

    /// What the guard does with these.
    ///
    /// - Parameter hasAllRules: whether rules are listed that no traffic has to do with.
    @concurrent public func guardListing(of traffic: [KeyedTraffic], hasAllRules: Bool) async throws -> GuardListing {
        let prefixes = traffic.flatMap { keyed -> [String] in
            if case .prefix(let prefix) = keyed.key { GuardRule.prefixes(of: prefix) } else { [] }
        }
        let rules = try await hasAllRules ? store.guardRules() : store.guardRules(of: Set(prefixes))
        return GuardListing(traffic, rules: rules, policy: try await guardPolicy(), now: now)
    }

    public func setRule(
        _ action: GuardRule.Action,
        prefix: String,
        for time: Duration?,
        by author: Operator
    ) async throws -> GuardRule {
        let now = now
        let until = time.map { now + $0 }
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: now) else {
            throw AdministrationFailure.noPrefix
        }
        let audited: AuditEntry.Action = action == .allow ? .allowPrefix : .blockPrefix
        try await store.set(rule, audit: author.entry(audited, prefix: prefix, digester: makeDigester, at: now))
        return rule
    }

    /// The guard as it is set, with the mode that an operator has set over that.
    public func guardPolicy() async throws -> GuardPolicy {
        policies.trafficGuard.with(Overrides(try await store.overrides()).guardMode)
    }

    /// Sets the mode of the guard over the settings, on every instance within seconds.
    ///
    /// - Parameter mode: nil for that of the settings.
    public func setGuardMode(_ mode: GuardPolicy.Mode?, by author: Operator) async throws {
        let entry = author.entry(.setGuardMode, mode?.rawValue ?? "as set", at: now)
        let isChanged =
            if let mode {
                try await store.insert(Override(Override.guardMode, mode.rawValue, since: now), audit: entry)
            } else {
                try await store.removeOverride(Override.guardMode, audit: entry)
            }
        guard isChanged else {
            let name = mode?.rawValue ?? "that of the settings"
            throw AdministrationFailure.conflict("the guard's mode is \(name) already")
        }
    }

    /// What each level would have done with what was asked for in the hours that are kept: a day up to the last message
    /// to each prefix or country, or from each network. The first of each kind is the guard as it is set.
    public func guardOutlooks() async throws -> [GuardPolicy.Outlook] {
        let counts = try await store.trafficCounts(since: now - .seconds(86_400))
        let levels: [GuardPolicy.Level?] = [nil, .basic, .standard, .max]
        return TrafficKey.Kind.allCases.flatMap { kind -> [GuardPolicy.Outlook] in
            guard let counts = counts[kind] else { return [] }
            return levels.map { level in
                (level.map(GuardPolicy.init(level:)) ?? policies.trafficGuard).outlook(counts, of: kind, level)
            }
        }
    }

    /// Removes the rule of a prefix, and ends the blocks on prefixes that begin like it; of an address or a network,
    /// ends its blocks and challenges.
    ///
    /// - Returns: the rule, and whose blocks ended, in order.
    public func unblock(_ subject: String, by author: Operator) async throws -> (GuardRule?, [TrafficKey]) {
        let now = now
        let networks =
            IPAddress(subject).map { ClientAddress($0).networks }
            ?? [ClientAddress.Network(subject)].compactMap(\.self)
        guard !networks.isEmpty || GuardRule(prefix: subject, action: .allow, until: nil, createdAt: now) != nil
        else { throw AdministrationFailure.noPrefix }
        let entry = { try author.entry($0, prefix: subject, digester: makeDigester, at: now) }
        let rule = networks.isEmpty ? try await store.removeGuardRule(prefix: subject, audit: entry(.removeRule)) : nil
        var ended: [TrafficKey] = []
        for key in networks.isEmpty ? [.prefix(subject)] : networks.map(TrafficKey.network) {
            ended += try await store.unblock(key, audit: entry(.unblockPrefix))
        }
        guard rule != nil || !ended.isEmpty else {
            throw AdministrationFailure.notFound(
                networks.isEmpty
                    ? "no rule for \(subject), and no blocked prefix begins with it" : "nothing is known of \(subject)"
            )
        }
        return (rule, ended)
    }

    /// - Parameter text: a number, or `+` and all of it but its last four digits.
    public func explain(
        _ text: String,
        region: Region? = nil,
        from address: ClientAddress?
    ) async throws -> GuardExplanation {
        var number = try? PhoneNumber(parsing: text, region: region ?? policies.region)
        if number == nil, text.hasPrefix("+") { number = try? PhoneNumber(e164: text + "0000") }
        guard let number else {
            throw AdministrationFailure.invalid(
                field: "phone_number",
                "is no phone number, nor one without its last four digits"
            )
        }
        var traffic = NumberTraffic(
            prefix: try await store.traffic(of: .prefix(number.prefix)),
            country: try await store.traffic(of: .country(number.region))
        )
        for key in (address?.networks ?? []).map(TrafficKey.network) {
            traffic.networks.append(KeyedTraffic(key: key, traffic: try await store.traffic(of: key)))
        }
        return GuardExplanation(
            number: number,
            traffic: traffic,
            rules: try await store.guardRules(of: Set(GuardRule.prefixes(of: number.e164))),
            policy: try await guardPolicy(),
            now: now
        )
    }

    /// The last verdicts on the prefix of a number, the newest first.
    public func verdicts(on number: PhoneNumber, limit: Int) async throws -> [AuditEntry] {
        try await store.verdicts(prefix: makeDigester().digests(of: number.prefix), limit: limit)
    }

    /// All of the traffic is looked at, a page at a time.
    public func reach(of prefix: String) async throws -> PrefixReach {
        guard GuardRule(prefix: prefix, action: .block, until: nil, createdAt: now) != nil else {
            throw AdministrationFailure.noPrefix
        }
        let (now, digits) = (now, prefix.dropFirst())
        let isWhole =
            NumberingPlans.callingCode(leading: digits) == String(digits)
            || NumberingPlans.callingCode(leading: digits) == nil
        var (sum, last) = ((sent: 0, approved: 0), TrafficKey?.none)
        repeat {
            let page = try await store.traffic(before: last, at: now, limit: 1000)
            for case (.prefix(let key), let traffic) in page.map({ ($0.key, $0.traffic) }) where key.hasPrefix(prefix) {
                let day = traffic.lastDay(at: now)
                sum = (sum.sent + day.sent, sum.approved + day.approved)
            }
            last = page.last?.key
        } while last != nil
        return PrefixReach(sent: sum.sent, approved: sum.approved, coversCallingCode: isWhole)
    }
}

extension AdministrationFailure {
    static let noPrefix = invalid(field: "prefix", "must be + and 1 to 15 digits, such as +8210123")
}

/// Whom a rule for a prefix would concern, by the traffic of the last day.
public struct PrefixReach: Hashable, Sendable {
    /// Messages, and how many of them led to an approval.
    public let sent: Int
    public let approved: Int
    /// Whether it is a calling code, or the beginning of some: a whole country or more.
    public let coversCallingCode: Bool

    public init(sent: Int, approved: Int, coversCallingCode: Bool) {
        (self.sent, self.approved, self.coversCallingCode) = (sent, approved, coversCallingCode)
    }

    public var sentence: String {
        "It had \(counted(sent, "message")) in the last day, \(approved) of them approved."
    }
}
