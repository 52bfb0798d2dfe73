import ArgumentParser
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService

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
            GuardExplainCommand.self, GuardModeCommand.self, GuardWhatIfCommand.self,
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
        let administration = try options.load().existingAdministration()
        let listing = try await administration.guardListing(all: all || options.json, limit: limit)
        print(options.json ? listing.json : listing.text(.standardOutput))
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
        let administration = try options.load().existingAdministration()
        let (rule, ended) = try await administration.unblock(subject, by: act.author)
        if let rule { print("Removed rule: \(rule.action.rawValue) \(rule.prefix).") }
        for key in ended { print("Unblocked \(key).") }
    }
}

struct GuardRuleArguments: ParsableArguments {
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
        let administration = try options.load().existingAdministration()
        let rule = try await administration.setRule(action, prefix: prefix, for: duration?.duration, by: act.author)
        let until = rule.until
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
        let administration = try options.load().existingAdministration()
        let explanation: GuardExplanation
        do {
            explanation = try await administration.explain(numbers, region: region, from: address)
        } catch AdministrationFailure.invalid {
            throw Failure.failed("not a phone number, nor one without its last four digits")
        }
        print(explanation.text)
        let verdicts = try await administration.verdicts(on: explanation.number, limit: limit)
        if !verdicts.isEmpty { print("\nLast verdicts on this prefix:\n" + Listing(verdicts).table(.standardOutput)) }
    }
}

struct GuardModeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "mode",
        abstract: "Show the guard's mode, or set it over guard.mode.",
        discussion: """
            enforce stops messages, shadow sends them and records what enforce would have stopped. Every instance obeys within \
            seconds, and restarts do not end it. `settings` gives guard.mode back its effect.
            """
    )

    @Argument(help: "enforce, shadow, off or settings; without it the mode is shown.") var mode: String?
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard let mode, mode != "settings", GuardPolicy.Mode(rawValue: mode) == nil else { return }
        throw ValidationError("the mode must be enforce, shadow, off or settings")
    }

    func execute() async throws {
        let administration = try options.load().existingAdministration()
        if let mode { try await administration.setGuardMode(GuardPolicy.Mode(rawValue: mode), by: act.author) }
        let (policy, set) = (try await administration.guardPolicy(), administration.policies.trafficGuard.mode.rawValue)
        print("Guard: \(policy.mode.rawValue)." + (policy.mode.rawValue == set ? "" : " guard.mode is \(set)."))
    }
}

struct GuardWhatIfCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "what-if",
        abstract: "Estimate what other levels would have suppressed.",
        discussion: """
            By prefixes, by countries and by networks, each alone, from the last day of each: what was asked for beyond the \
            sample and what the approvals justify; of a country that is the most, since prefixes that have shown people stay \
            open. A message counts for its prefix, its country and its networks, so these are not to be added. APPROVED is how \
            many codes were entered at what would have been CLOSED for a while.
            """
    )

    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let listing = Listing(
            try await options.load().existingAdministration().guardOutlooks(),
            columns: [
                .init("BY", "by") { $0.kind.rawValue },
                .init("LEVEL", "level", missing: "as set") { $0.level?.rawValue },
                .init("REQUESTED", "requested") { $0.requested },
                .init("SUPPRESSED", "suppressed") { $0.suppressed },
                .init("CLOSED", "closed") { $0.closed },
                .init("APPROVED", "approved") { $0.approved },
            ]
        )
        print(listing.text(json: options.json, "levels", ifEmpty: "No traffic.", .standardOutput))
    }
}
