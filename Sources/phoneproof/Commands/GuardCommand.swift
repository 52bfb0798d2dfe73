import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneSettings

struct GuardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Show and override the protection against toll fraud.",
        discussion: """
            A prefix is + and the first digits of phone numbers, such as +82 or +8210123. Works on the configured database; \
            changes take effect at once, also in a running service.
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
        abstract: "List blocked and challenged prefixes and networks, rules and traffic, worst first.",
        discussion: """
            Traffic is that of the last 24 hours. States: blocked, blocked by rule, challenged (messages are sent only if the \
            client vouches for the person), observed (would be blocked or challenged, but the guard is in shadow mode), \
            allowed by rule, ok. Networks are those from which messages were asked for: an IPv4 address, or the /64, /56 and \
            /48 of IPv6. What has less traffic than the guard judges by is hidden unless --all is given; --json has all.
            """
    )

    @Flag(help: "Show prefixes, countries and networks with little traffic too.") var all = false
    @Option(help: "Maximum number of rows, 1 to 100000.") var limit = 50
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 100000") }
    }

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let now = SystemWallClock().now()
        let listing = GuardListing(
            // All of it: a challenged prefix may have less traffic than others.
            try await store.traffic(at: now, limit: .max),
            rules: try await store.guardRules(),
            policy: settings.abusePolicy.trafficGuard,
            now: now
        )
        print(options.json ? listing.json(limit: limit) : listing.text(all: all, limit: limit, .standardOutput))
    }
}

struct GuardAllowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Always allow messages to a prefix.",
        discussion: "The rule with the longest matching prefix applies. Rate limits still apply."
    )

    @OptionGroup var rule: GuardRuleArguments

    func execute() async throws { print(try await rule.set(.allow)) }
}

struct GuardBlockCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block messages to a prefix.",
        discussion: "The rule with the longest matching prefix applies."
    )

    @OptionGroup var rule: GuardRuleArguments

    func execute() async throws { print(try await rule.set(.block)) }
}

struct GuardUnblockCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Remove a rule, and end blocks on a prefix or a network.",
        discussion: """
            Ends the blocks on all prefixes that begin with this one. Of an address, ends the blocks and challenges of all \
            its networks, and forgets their traffic. Exits with 1 if there was nothing to end.
            """
    )

    @Argument(help: "A prefix, an IP address, or a network as in `guard list`.") var subject: String
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let now = SystemWallClock().now()
        let networks =
            IPAddress(subject).map { ClientAddress($0).networks }
            ?? [ClientAddress.Network(subject)].compactMap(\.self)
        guard !networks.isEmpty || GuardRule(prefix: subject, action: .allow, until: nil, createdAt: now) != nil else {
            throw GuardRuleArguments.invalidPrefix
        }
        let settings = try await options.load()
        let store = try settings.existingStore()
        let entry = { try act.author.entry($0, prefix: subject, digester: settings.existingVault, at: now) }
        let rule = networks.isEmpty ? try await store.removeGuardRule(prefix: subject, audit: entry(.removeRule)) : nil
        if let rule { print("Removed rule: \(rule.action.rawValue) \(rule.prefix).") }
        var hasEnded = rule != nil
        for key in networks.isEmpty ? [.prefix(subject)] : networks.map(TrafficKey.network) {
            for unblocked in try await store.unblock(key, audit: entry(.unblockPrefix)) {
                print("Unblocked \(unblocked).")
                hasEnded = true
            }
        }
        guard hasEnded else {
            throw Failure.failed(
                networks.isEmpty
                    ? "no rule for \(subject), and no blocked prefix begins with it" : "nothing is known of \(subject)"
            )
        }
    }
}

struct GuardRuleArguments: ParsableArguments {
    static let invalidPrefix = Failure.usage("a prefix is + and 1 to 15 digits, such as +8210123")

    @Argument(help: .prefix) var prefix: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Expire the rule after this time, such as 30m, 12h or 7d.", valueName: "duration")
    )
    var duration: RuleDuration?

    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    /// - Returns: a report for people.
    func set(_ action: GuardRule.Action) async throws -> String {
        let now = SystemWallClock().now()
        let until = duration.map { now + $0.duration }
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: now) else {
            throw Self.invalidPrefix
        }
        let settings = try await options.load()
        let store = try settings.existingStore()
        let audited: AuditEntry.Action = action == .allow ? .allowPrefix : .blockPrefix
        let entry = try act.author.entry(audited, prefix: prefix, digester: settings.existingVault, at: now)
        try await store.set(rule, audit: entry)
        return "Added rule: \(action.rawValue) \(prefix) \(until.map { "until \($0)" } ?? "until it is removed")."
    }
}

extension ArgumentHelp {
    static let prefix: ArgumentHelp = "The first digits of the numbers: + and 1 to 15 digits."
    static let region: ArgumentHelp = "The region of a number without country code, such as KR."
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
        abstract: "Explain what the guard would do with a message, and why.",
        discussion: """
            Takes a phone number, or one without its last four digits. The last verdicts on its prefix are shown too, except \
            those recorded with keys that have been removed from the key file. Networks are judged where --from is given.
            """
    )

    @Argument(help: "A phone number, or + and all but its last four digits.") var numbers: String
    @Option(help: .region) var region: Region?
    @Option(name: .customLong("from"), help: ArgumentHelp("The client's IP address.", valueName: "address"))
    var address: ClientAddress?
    @Option(help: "Maximum number of verdicts, 0 to 1000.") var limit = 20
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (0...1000).contains(limit) else { throw ValidationError("--limit must be from 0 to 1000") }
    }

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let number = try number(settings)
        let now = SystemWallClock().now()
        var traffic = NumberTraffic(
            prefix: try await store.traffic(of: .prefix(number.prefix)),
            country: try await store.traffic(of: .country(number.region))
        )
        for key in (address?.networks ?? []).map(TrafficKey.network) {
            traffic.networks.append(KeyedTraffic(key: key, traffic: try await store.traffic(of: key)))
        }
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
        if !verdicts.isEmpty { print("\nLast verdicts on this prefix:\n" + Listing(verdicts).table(.standardOutput)) }
    }

    /// The number, or one with the prefix.
    private func number(_ settings: Settings) throws -> PhoneNumber {
        let region = region ?? settings.region
        if let number = try? PhoneNumber(parsing: numbers, region: region) { return number }
        if numbers.hasPrefix("+"), let number = try? PhoneNumber(e164: numbers + "0000") { return number }
        throw Failure.failed("not a phone number, nor one without its last four digits")
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
            "A message to \(number.prefix)… \(Self.result(verdict.action)).",
            "Reason: " + verdict.reasons.map { sentence($0) }.joined(separator: "; ") + ".",
            "",
            "Prefix \(number.prefix): \(figures(prefix)), \(traffic.prefix.ripe(at: now).sent) old enough to judge.",
            "Country \(number.region): \(figures(country)).",
        ]
        lines += traffic.networks.map { "Network \($0.key): \(figures($0.traffic.lastDay(at: now)))." }
        lines += [
            "Suppressed below: \(policy.prefixPercent)% of \(policy.prefixSample) messages to a prefix, "
                + "\(policy.countryPercent)% of \(policy.countrySample) to a country."
        ]
        if traffic.prefix.isBlocked(at: now), let end = traffic.prefix.blockedUntil {
            lines.append(
                "Blocked until \(end), longer after \(policy.prefixSample) more requests; "
                    + "so far \(traffic.prefix.refusedInBlock)."
            )
        }
        if verdict.action == .challenge {
            lines.append("The challenge ends once enough codes are entered. To end it now:")
            lines.append("  phoneproof guard \(verdict.network.map { "unblock \($0)" } ?? "allow \(number.prefix)")")
        }
        lines += fitting.map { rule in
            let end = rule.until.map { "until \($0)" } ?? "until it is removed"
            return "Rule of \(rule.createdAt): \(rule.action.rawValue) \(rule.prefix) \(end)."
        }
        lines.append("Guard: \(policy.mode.rawValue). Answer to suppressed requests: \(policy.answer.rawValue).")
        return lines.joined(separator: "\n")
    }

    private var fitting: [GuardRule] {
        rules.filter { number.e164.hasPrefix($0.prefix) && $0.isInForce(at: now) }
    }

    private static func result(_ action: GuardVerdict.Action) -> String {
        switch action {
        case .allow: "is sent"
        case .shadow: "is sent, but recorded as one to suppress"
        case .challenge: "is sent only if the client vouches for the person or solves a challenge"
        case .block: "is suppressed"
        }
    }

    private func figures(_ sample: Traffic.Sample) -> String {
        let share = sample.sent > 0 ? " (\(sample.approved * 100 / sample.sent)%)" : ""
        return "\(sample.sent) messages, \(sample.approved) approved\(share) in 24 h"
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
        case .networkBlocked: "the client's network is blocked"
        case .networkConversionLow: "too few messages asked for from the client's network led to an approval"
        case .networkConversionPending: "too few messages asked for from the client's network have led to an approval"
        case .sampleSmall: "too few messages to judge by"
        case .vouched: "the client vouches for the person"
        case .proven: "the client has solved a challenge"
        case .hookDenied: "hooks.before_send refused it"
        case .hookChallenged: "hooks.before_send wanted a challenge to be solved"
        case .hookVouched: "hooks.before_send vouched for the person"
        }
    }
}
