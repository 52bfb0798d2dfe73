import PhoneDomain
public import PhoneSignup

/// What instances find by themselves, and no query does: what their gateways answer, and their machines.
struct Reports {
    /// The gateways' findings of each instance that sends messages, this one first.
    private(set) var ofGateways: [[Finding]] = []
    /// The rest, each once.
    private(set) var others: [Finding] = []

    init(_ instances: [Instance], of administration: Administration) {
        let isInstance = administration.instance != nil
        let own = administration.ownFindings()
        var all = instances.filter { $0.id != administration.instance }.map(\.findings)
        if isInstance { all.insert(own, at: 0) }
        ofGateways = all.map { $0.filter(\.isOfGateway) }
        // A command looks at its machine itself.
        for finding in own + all.joined()
        where !finding.isOfGateway && !others.contains(where: { $0.kind == finding.kind }) {
            others.append(finding)
        }
    }
}

extension Finding {
    fileprivate var isOfGateway: Bool { kind == .gatewayDown || kind == .gatewayRefuses }

    fileprivate func with(_ verdict: Verdict, _ text: String) -> Finding {
        Finding(subject, verdict, text, kind: kind, advice: advice, since: since)
    }
}

extension Administration {
    /// What this process finds by itself: what the row of its instance has for the others.
    public func ownFindings() -> [Finding] {
        let health = desk?.health ?? [:]
        return policies.routes.gateways.compactMap { health[$0.name]?.finding(of: $0, at: now) } + machine()
    }

    /// All that is wrong with the service at this moment, the worst first. Everything that shows it shows this list.
    public func findings() async throws -> [Finding] {
        let (now, instances, overrides) = (now, try await store.instances(), try await store.overrides())
        let reports = Reports(instances, of: self)
        let gateways = gatewayFindings(reports, paused: Overrides(overrides).pausedGateways)
        let outage = noGateway(gateways)
        // The one that is paused is the one that is mended at once. An outage nobody can leave until the morning.
        var found = outage + gateways.map { outage.isEmpty ? replaced($0, among: gateways) : $0.with(.failed, $0.text) }
        found += reports.others
        found += try await messageFindings(at: now)
        found += try await guardFindings(overrides, at: now)
        let failed = try await store.events(status: .failed, limit: 1000)
        if let first = failed.last {
            found.append(
                Finding(
                    "webhooks",
                    .doubtful,
                    "\(failed.count == 1000 ? "1,000 or more events" : counted(failed.count, "event")) could not be delivered"
                        + (failed.first?.failure.map { ": \($0)" } ?? ""),
                    kind: .eventsFailed,
                    advice: "fix the receiver, then deliver the events again (`phoneproof webhooks retry`)",
                    since: first.occurredAt
                )
            )
        }
        if let doubt = try await store.doubtAboutClock(at: now) {
            let advice =
                "compare this machine's clock with another (NTP); once it is right, what waits is sent by itself"
            found.append(Finding("clock", .doubtful, doubt, kind: .clock, advice: advice))
        }
        if instances.isEmpty, instance == nil {
            let advice = "start the service, or see its log; nothing is sent, and figures are old"
            found.append(Finding("instances", .doubtful, "no instance is running", kind: .serviceGone, advice: advice))
        }
        let order = Dictionary(uniqueKeysWithValues: Finding.Kind.allCases.enumerated().map { ($1, $0) })
        func rank(_ finding: Finding) -> Int {
            (finding.verdict == .failed ? 0 : 100) + (finding.kind.flatMap { order[$0] } ?? 99)
        }
        // Stable: gateways stay in the order of their routes.
        return found.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(
            \.element
        )
    }

    // MARK: - Gateways

    /// What keeps each gateway from sending, at most one finding of each.
    func gatewayFindings(_ reports: Reports, paused: [String: Timestamp]) -> [Finding] {
        policies.routes.gateways.compactMap { gateway in
            if let since = paused[gateway.name] {
                let advice = "`phoneproof gateways resume \(gateway.name)` when it may send again"
                let text = "is paused by an operator"
                return Finding(gateway.name, .doubtful, text, kind: .gatewayPaused, advice: advice, since: since)
            }
            let found = reports.ofGateways.compactMap { $0.first { $0.subject == gateway.name } }
            guard let first = found.first else { return nil }
            if found.count == reports.ofGateways.count { return first }
            return first.with(.doubtful, "\(first.text), at \(found.count) of \(reports.ofGateways.count) instances")
        }
    }

    /// That nobody gets a code, since no gateway is left.
    private func noGateway(_ gateways: [Finding]) -> [Finding] {
        let names = policies.routes.gateways.map(\.name)
        let isOut = gateways.filter { $0.verdict == .failed || $0.kind == .gatewayPaused }
        guard !names.isEmpty, isOut.count == names.count else { return [] }
        // Each has a finding of its own, with its reason.
        let states = isOut.map { "\($0.subject) \($0.text.prefix { $0 != ":" })" }.joined(separator: ", ")
        return [
            Finding(
                "messages",
                .failed,
                "no gateway accepts messages: \(states)",
                kind: .noGateway,
                advice: "messages wait only until their codes expire: fix or resume a gateway, or add one",
                since: isOut.compactMap(\.since).max()
            )
        ]
    }

    /// A gateway that is out costs nobody a code where others send what it would have sent.
    private func replaced(_ finding: Finding, among gateways: [Finding]) -> Finding {
        let routes = policies.routes
        guard finding.verdict == .failed, let gateway = routes.gateways.first(where: { $0.name == finding.subject })
        else { return finding }
        let isOut = Set(gateways.filter { $0.verdict == .failed || $0.kind == .gatewayPaused }.map(\.subject))
        let others = routes.gateways.filter { !isOut.contains($0.name) }
        let lists = routes.rules.values.flatMap(\.values).filter { $0.contains(gateway.name) }
        let needs = gateway.channels.flatMap { channel in
            let serving = others.filter { $0.channels.contains(channel) }.map(\.name)
            return routes.rules.isEmpty ? [serving] : lists.map { $0.filter(serving.contains) }
        }
        guard needs.allSatisfy({ !$0.isEmpty }) else { return finding }
        let names = others.map(\.name).filter { name in needs.contains { $0.contains(name) } }
        return finding.with(.doubtful, "\(finding.text); its messages go by \(names.joined(separator: ", "))")
    }

    // MARK: - Messages

    /// The queue, what failed, and the budget.
    private func messageFindings(at now: Timestamp) async throws -> [Finding] {
        var found: [Finding] = []
        let backlog = try await store.backlog()
        if let oldest = backlog.oldest, now - oldest > Self.patience {
            found.append(
                Finding(
                    "queue",
                    .failed,
                    "\(counted(backlog.count, "message")) \(backlog.count == 1 ? "waits" : "wait")",
                    kind: .messagesWait,
                    advice: "`phoneproof outbox list --status queued` shows why each waits",
                    since: oldest
                )
            )
        }
        let day = try await store.traffic(of: .service)
        let groups = try await store.failureGroups(since: now - .seconds(3600), limit: 1000).filter { group in
            group.status != .withheld && group.status != .dropped
        }
        let failed = groups.reduce(0) { $0 + $1.count }
        if failed > 0 {
            let causes = groups.prefix(3).map { group in
                // Why one has failed names whoever was asked.
                let gateway = group.status == .failed ? nil : group.gateway
                return "\(group.count) \(group.status.rawValue)\(gateway.map { " (\($0))" } ?? ""), "
                    + (group.failure ?? "no reason given")
            }
            // What failed is not among what was sent.
            let isMuch = failed >= 5 && failed * 10 > day.lastHour(at: now).sent
            let last = groups.map(\.lastAt).max() ?? now
            found.append(
                Finding(
                    "messages",
                    isMuch && last > now - Self.alarm ? .failed : .doubtful,
                    "\(counted(failed, "message")) failed, or may have failed, in the last hour, "
                        + "the last of \(last.time(on: now)): " + causes.joined(separator: "; ")
                        + (groups.count > 3 ? "; and others" : ""),
                    kind: .messagesFail,
                    advice: "`phoneproof outbox list --status failed` shows them (also `undelivered`, `unknown`)"
                )
            )
        }
        let sent = day.lastDay(at: now).sent
        if let budget = policies.limits.dailyBudget, sent * 100 >= budget * Self.budgetPercent {
            let isUsedUp = sent >= budget
            found.append(
                Finding(
                    "budget",
                    isUsedUp ? .failed : .doubtful,
                    "\(sent) of the \(budget) messages allowed in 24 hours are used"
                        + (isUsedUp ? ": no more codes go out" : ""),
                    kind: .budget,
                    advice: "look for an attack (`phoneproof guard list`); if there is none, raise limits.daily_budget"
                )
            )
        }
        return found
    }

    /// How long a message may wait before that is wrong.
    private static let patience: Duration = .seconds(60)
    /// How long after the last message that failed nobody can know that it is over.
    private static let alarm: Duration = .seconds(900)
    private static let budgetPercent = 80

    // MARK: - The guard

    private func guardFindings(_ overrides: [Override], at now: Timestamp) async throws -> [Finding] {
        var found: [Finding] = []
        let set = policies.trafficGuard.mode
        if let override = overrides.first(where: { $0.name == Override.guardMode }), override.value != set.rawValue {
            found.append(
                Finding(
                    "guard",
                    .doubtful,
                    "its mode is \(override.value), set by an operator; the configured mode is \(set.rawValue)",
                    kind: .guardOverridden,
                    advice: "`phoneproof guard mode settings` restores the configured mode",
                    since: override.since
                )
            )
        }
        let traffic = try await store.traffic(at: now, limit: 1000)
        // A rule that nothing has met for a day is no news.
        let rows = try await guardListing(of: traffic, hasAllRules: false).page.rows
            .filter { $0.state != .blockedByRule || $0.suppressed > 0 }
        let states: [(GuardListing.State, String)] = [
            (.blocked, "blocked"), (.blockedByRule, "blocked by rule"), (.challenged, "challenged"),
            (.observed, "only observed"),
        ]
        let parts = states.flatMap { state, name in
            let inState = rows.filter { $0.state == state }
            let countries = inState.count { $0.isCountry }
            return [
                (inState.count - countries, "prefix or network", "prefixes or networks"),
                (countries, "country", "countries"),
            ]
            .filter { $0.0 > 0 }.map { "\(counted($0, $1, $2)) \(name)" }
        }
        guard !parts.isEmpty else { return found }
        let suppressed = try await store.traffic(of: .service).suppressedLastDay(at: now)
        let isObserved = rows.contains { $0.state == .observed }
        // The prefix is not named, since not all who see findings may see numbers.
        let worst = rows.filter { row in states.contains { $0.0 == row.state } }.max {
            $0.sent + $0.suppressed < $1.sent + $1.suppressed
        }
        let figures = worst.map {
            "; the worst had \($0.sent) sent, \($0.approved) approved, \($0.suppressed) suppressed"
        }
        found.append(
            Finding(
                "guard",
                // Somebody has switched off what would stop it.
                isObserved && found.contains { $0.kind == .guardOverridden } ? .failed : .doubtful,
                "\(parts.joined(separator: ", ")), and \(counted(suppressed, "message")) suppressed in 24 hours\(figures ?? "")",
                kind: .numbersBlocked,
                advice: isObserved
                    ? "this may be an attack, and in mode shadow its messages are sent: `phoneproof guard mode enforce`"
                    : "this may be an attack: see `phoneproof guard list`, then `phoneproof guard block PREFIX`, or `guard allow PREFIX` "
                        + "for real people"
            )
        )
        return found
    }
}

/// What a long act is at, for the operator who waits for it.
public enum ActProgress {
    /// Is called with a few words: `deleting the records`. It is a type, and no closure, since Swift 6.3.1 optimizes the
    /// binding of a task-local closure so that it crashes.
    public struct Report: Sendable {
        private let body: @Sendable (String) -> Void
        public init(_ body: @escaping @Sendable (String) -> Void) { self.body = body }
        public func callAsFunction(_ words: String) { body(words) }
    }

    @TaskLocal public static var report: Report?
}

/// `1 message`, `2 messages`.
public func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
}

extension AdministrationStore {
    /// What is doubtful about the clock by which entries were stored, or about this one; nil if the newest entry is no
    /// further ahead than two instances' clocks may differ.
    public func doubtAboutClock(at now: Timestamp) async throws -> String? {
        guard let newest = try await entries(AuditQuery(limit: 1)).entries.first?.at,
            newest > now + Verification.clockTolerance
        else { return nil }
        return "the audit log goes on to \(newest), but it is \(now): the clock was ahead, or is behind now"
    }
}
