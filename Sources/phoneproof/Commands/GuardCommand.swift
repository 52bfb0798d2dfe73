import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain

struct GuardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Show what the guard against toll fraud holds back, and overrule it.",
        discussion: """
            A prefix is + and the first digits of numbers, as +82 or +8210123. Works on the database of the settings; a \
            service may run on it meanwhile, and goes by what is decided here at once.
            """,
        subcommands: [
            GuardListCommand.self, GuardAllowCommand.self, GuardBlockCommand.self, GuardUnblockCommand.self,
            GuardExplainCommand.self,
        ]
    )
}

struct GuardListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what is blocked, the rules, and the traffic of the last day."
    )

    @Option(help: "No more than so many prefixes and countries, 1 to 100000.") var limit = 50
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000") }
    }

    func execute() async throws {
        let store = try await options.load().existingStore()
        let now = SystemWallClock().now()
        let rules = Listing(
            try await store.guardRules().filter { $0.isInForce(at: now) },
            hasNulls: false,
            columns: [
                .init("RULE FOR", "prefix") { $0.prefix },
                .init("ACTION", "action") { $0.action.rawValue },
                .init("UNTIL", "until", missing: "changed by hand") { $0.until },
            ]
        )
        let traffic = Listing(
            try await store.traffic(at: now, limit: limit),
            hasNulls: false,
            columns: [
                .init("NUMBERS", "numbers") { $0.key.description },
                .init("SENT", "sent") { $0.traffic.lastDay(at: now).sent },
                .init("APPROVED", "approved") { $0.traffic.lastDay(at: now).approved },
                .init("SHARE", nil) {
                    let day = $0.traffic.lastDay(at: now)
                    return day.sent > 0 ? "\(day.approved * 100 / day.sent) %" : nil
                },
                .init("HELD BACK", "held_back") { $0.traffic.suppressedLastDay(at: now) },
                .init("BLOCKED UNTIL", "blocked_until") {
                    $0.traffic.isBlocked(at: now) ? $0.traffic.blockedUntil : nil
                },
            ]
        )
        if options.json {
            return print(try JSON.object(["rules": rules.json, "traffic": traffic.json]).document())
        }
        let tables = (rules.rows.isEmpty ? [] : [rules.table]) + (traffic.rows.isEmpty ? [] : [traffic.table])
        let nothing = "There are no rules, and nothing was sent within the last day."
        print(tables.isEmpty ? nothing : tables.joined(separator: "\n\n"))
    }
}

struct GuardAllowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Never hold these numbers back.",
        discussion:
            "Of several rules that fit a number the one with the longest prefix counts. Limits hold all the same."
    )

    @OptionGroup var rule: GuardRuleArguments

    func execute() async throws {
        let kept = try await rule.set(.allow)
        print("\(kept.prefix) is never held back, \(kept.time).")
    }
}

struct GuardBlockCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Always hold these numbers back.",
        discussion: "Of several rules that fit a number the one with the longest prefix counts."
    )

    @OptionGroup var rule: GuardRuleArguments

    func execute() async throws {
        let kept = try await rule.set(.block)
        print("\(kept.prefix) is held back, \(kept.time).")
    }
}

struct GuardUnblockCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Take a rule back, and end the blocks on prefixes that begin like this.",
        discussion: "What led to a block is forgotten with it. Exits with 1 if there was neither."
    )

    @Argument(help: "The beginning of the numbers: + and 1 to 15 digits.") var prefix: String
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let now = SystemWallClock().now()
        guard GuardRule(prefix: prefix, action: .allow, until: nil, createdAt: now) != nil else {
            throw Failure.usage("a prefix is + and 1 to 15 digits, such as +8210123")
        }
        let store = try await options.load().existingStore()
        let rule = try await store.removeGuardRule(prefix: prefix)
        let unblocked = try await store.unblock(beginning: prefix)
        if let rule { print("The rule to \(rule.action.rawValue) \(rule.prefix) is gone.") }
        for prefix in unblocked { print("\(prefix) is no longer blocked.") }
        guard rule != nil || !unblocked.isEmpty else {
            throw Failure.failed("there is no rule for \(prefix), and no block on what begins like this")
        }
    }
}

struct GuardRuleArguments: ParsableArguments {
    @Argument(help: "The beginning of the numbers: + and 1 to 15 digits.") var prefix: String

    @Option(name: .customLong("for"), help: ArgumentHelp("For how long: 30m, 12h, 7d. Otherwise until it is changed."))
    var duration: RuleDuration?

    @OptionGroup var options: StoreOptions

    func set(_ action: GuardRule.Action) async throws -> GuardRule {
        let now = SystemWallClock().now()
        let until = duration.map { now + $0.duration }
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: now) else {
            throw Failure.usage("a prefix is + and 1 to 15 digits, such as +8210123")
        }
        try await options.load().existingStore().set(rule)
        return rule
    }
}

extension GuardRule {
    fileprivate var time: String { until.map { "until \($0)" } ?? "until that is changed" }
}

/// The duration of a rule, as `12h`.
struct RuleDuration: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard case .ago(let duration)? = PastTime(argument), duration > .zero else { return nil }
        self.duration = duration
    }
}

struct GuardExplainCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what the guard would do with a message to these numbers, and why.",
        discussion: """
            Takes a number, or a prefix of ten thousand: a number without its last four digits. Shows the last verdicts \
            on that prefix too; those that were written under a key which is no longer in the key file are not found.
            """
    )

    @Argument(help: "A phone number, or + and all digits of one but the last four.") var numbers: String
    @Option(help: "The region whose plan a number without + is read by.") var region: Region?
    @Option(help: "No more than so many verdicts, 0 to 1000.") var limit = 20
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (0...1000).contains(limit) else { throw ValidationError("--limit must be 0 to 1000") }
    }

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let number = try number(settings)
        let now = SystemWallClock().now()
        let traffic = NumberTraffic(
            prefix: try await store.traffic(of: .prefix(number.prefix)),
            country: try await store.traffic(of: .country(number.region)),
            service: try await store.traffic(of: .service)
        )
        let explanation = GuardExplanation(
            number: number,
            traffic: traffic,
            rules: try await store.guardRules(),
            policy: settings.abusePolicy.trafficGuard,
            now: now
        )
        print(explanation.text)
        let digests = try settings.existingVault().digests(of: number.prefix)
        let verdicts = try await store.verdicts(prefix: digests, limit: limit)
        if !verdicts.isEmpty { print("\nThe last verdicts on this prefix:\n" + Listing(verdicts).table) }
    }

    /// The number, or one with the prefix.
    private func number(_ settings: Settings) throws -> PhoneNumber {
        let region = region ?? settings.region
        if let number = try? PhoneNumber(parsing: numbers, region: region) { return number }
        if numbers.hasPrefix("+"), let number = try? PhoneNumber(e164: numbers + "0000") { return number }
        throw Failure.failed("this is neither a phone number nor one without its last four digits")
    }
}

struct GuardExplanation {
    let number: PhoneNumber
    let traffic: NumberTraffic
    let rules: [GuardRule]
    let policy: GuardPolicy
    let now: Timestamp

    var text: String {
        let verdict = policy.forecast(traffic, rules: fitting, at: now)
        let (prefix, country) = (traffic.prefix.lastDay(at: now), traffic.country.lastDay(at: now))
        var lines = [
            "A message to \(number.prefix)… would \(Self.fate(verdict.action)): "
                + verdict.reasons.map { sentence($0) }.joined(separator: "; ") + ".",
            "Prefix \(number.prefix): \(figures(prefix)) within the last day, \(traffic.prefix.ripe(at: now).sent) of them "
                + "long enough ago; held back under \(policy.prefixPercent) % of \(policy.prefixSample) or more.",
            "Country \(number.region): \(figures(country)) within the last day; held back under "
                + "\(policy.countryPercent) % of \(policy.countrySample) or more.",
        ]
        if traffic.prefix.isBlocked(at: now), let end = traffic.prefix.blockedUntil {
            lines.append(
                "The block on the prefix ends at \(end), unless \(policy.prefixSample) more are asked for before; "
                    + "\(traffic.prefix.refusedInBlock) were since it began or was renewed."
            )
        }
        if verdict.action == .challenge {
            lines.append(
                "It ends by itself when enough codes are typed in; `guard allow \(number.prefix)` ends it now."
            )
        }
        lines += fitting.map { "A rule of \($0.createdAt) says \($0.action.rawValue) for \($0.prefix), \($0.time)." }
        lines.append(
            "The guard is set to \(policy.mode.rawValue), and to \(policy.answer.rawValue) what a block holds back."
        )
        return lines.joined(separator: "\n")
    }

    private var fitting: [GuardRule] {
        rules.filter { number.e164.hasPrefix($0.prefix) && $0.isInForce(at: now) }
    }

    private static func fate(_ action: GuardVerdict.Action) -> String {
        switch action {
        case .allow: "go out"
        case .shadow: "go out, and be noted as one to hold back"
        case .challenge: "go out only if the caller vouches for the person"
        case .block: "be held back"
        }
    }

    private func figures(_ sample: Traffic.Sample) -> String {
        let share = sample.sent > 0 ? " (\(sample.approved * 100 / sample.sent) %)" : ""
        return "\(sample.sent) messages, \(sample.approved) approvals\(share)"
    }

    private func sentence(_ reason: GuardVerdict.Reason) -> String {
        switch reason {
        case .guardOff: "the guard is off"
        case .safeListed: "a rule allows these numbers"
        case .blockListed: "a rule blocks these numbers"
        case .prefixBlocked: "the prefix is blocked"
        case .prefixConversionLow: "too few messages to the prefix led to an approval"
        case .prefixConversionPending: "too few messages to the prefix have led to an approval so far"
        case .prefixConversionGood: "enough messages to the prefix led to an approval"
        case .countryConversionLow: "too few messages to the country led to an approval"
        case .sampleSmall: "too little was sent to go by"
        case .vouched: "the caller vouches for the person"
        }
    }
}
