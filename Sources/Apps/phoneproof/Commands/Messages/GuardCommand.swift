import ArgumentParser
import CoreEncodings
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneNumbers
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
            GuardListCommand.self, GuardRulesCommand.self, GuardAllowCommand.self, GuardBlockCommand.self,
            GuardUnblockCommand.self,
            GuardExplainCommand.self, GuardModeCommand.self, GuardWhatIfCommand.self,
        ]
    )
}

struct GuardListCommand: AdminCommand {
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
    @OptionGroup var admin: AdminOptions

    func validate() throws { try require("--limit", limit, in: 1...100_000) }

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.list("/guard", ["all": all || admin.json ? "true" : nil], limit: limit)
    }

    func text(of body: JSON) -> String { GuardTable(body).text(.standardOutput) }
}

struct GuardRulesCommand: AdminCommand {
    static let configuration = CommandConfiguration(commandName: "rules", abstract: "List the rules.")

    @OptionGroup var rows: RowLimit
    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON { try await api.list("/guard/rules", limit: rows.limit) }

    func text(of body: JSON) -> String {
        table(
            body,
            ifEmpty: "No rules.",
            [
                .init("PREFIX", "prefix"), .init("ACTION", "action"), .init("UNTIL", "until", missing: "removed"),
                .init("CREATED", "created_at"),
            ]
        )
    }
}

struct GuardAllowCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Always allow messages to a prefix.",
        discussion: "The rule with the longest matching prefix applies. Rate limits still apply."
    )

    @OptionGroup var rule: GuardRuleArguments
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON { try await rule.set("allow", api) }

    func text(of body: JSON) -> String { rule.text(of: body) }
}

struct GuardBlockCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block messages to a prefix.",
        discussion: """
            The rule with the longest matching prefix applies. Says how many messages of the last day it would have stopped. A \
            prefix that is a calling code, such as +82, or shorter, requires --yes.
            """
    )

    @OptionGroup var rule: GuardRuleArguments
    @Flag(help: "Confirm blocking a whole country.") var yes = false
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        let found = try await api.get("/guard/reach", ["prefix": rule.prefix])
        let reach = PrefixReach(
            sent: found["sent"]?.integer ?? 0,
            approved: found["approved"]?.integer ?? 0,
            coversCallingCode: found["covers_calling_code"]?.bool ?? false
        )
        if reach.coversCallingCode, !yes {
            throw Failure.usage(
                "\(rule.prefix) is a whole country or more. \(reach.sentence) Add --yes to block all of it."
            )
        }
        let made = try await rule.set("block", api)
        // For the line that a person reads; --json has it as well.
        return .object(made.members + [JSON.Member("reach", .string(reach.sentence))])
    }

    func text(of body: JSON) -> String { "\(rule.text(of: body)) \(body.cell("reach"))" }
}

struct GuardUnblockCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Remove a rule, and end blocks on a prefix or a network.",
        discussion: """
            Ends the blocks on all prefixes that begin with this one. Of an address, ends the blocks and challenges of all \
            its networks, and forgets their traffic. Exits with 1 if there was nothing to end.
            """
    )

    @Argument(help: "A prefix, an IP address, or a network as in `guard list`.") var subject: String
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("/guard/unblock", ["subject": .string(subject)])
    }

    func text(of body: JSON) -> String {
        let rule = body[path: "removed_rule"]
        let removed = rule == .null ? [] : ["Removed rule: \(rule.cell("action")) \(rule.cell("prefix"))."]
        return (removed + body[path: "unblocked"].strings.map { "Unblocked \($0)." }).joined(separator: "\n")
    }
}

struct GuardRuleArguments: ParsableArguments {
    @Argument(help: .prefix) var prefix: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Expire the rule after this time, such as 30m, 12h or 7d.", valueName: "duration")
    )
    var duration: RuleDuration?

    func set(_ action: String, _ api: AdminAPI) async throws -> JSON {
        try await api.post(
            "/guard/rules",
            [
                "action": .string(action), "prefix": .string(prefix),
                "seconds": .integer(duration?.duration.components.seconds),
            ]
        )
    }

    func text(of rule: JSON) -> String {
        let until = rule["until"]?.string.map { "until \($0)" } ?? "until it is removed"
        return "Added rule: \(rule.cell("action")) \(prefix) \(until)."
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

struct GuardExplainCommand: AdminCommand {
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
    @OptionGroup var admin: AdminOptions

    func validate() throws { try require("--limit", limit, in: 0...1000) }

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.get(
            "/guard/explain",
            [
                "phone_number": numbers, "region": region?.description, "client_address": address?.description,
                "limit": "\(limit)",
            ]
        )
    }

    func text(of body: JSON) -> String {
        let verdicts = Listing(entries: body["last_verdicts"]?.array ?? [])
        return body.cell("text")
            + (verdicts.rows.isEmpty ? "" : "\n\nLast verdicts on this prefix:\n" + verdicts.table(.standardOutput))
    }
}

struct GuardModeCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "mode",
        abstract: "Show the guard's mode, or set it over guard.mode.",
        discussion: """
            enforce stops messages, shadow sends them and records what enforce would have stopped. Every instance obeys within \
            seconds, and restarts do not end it. `settings` gives guard.mode back its effect.
            """
    )

    @Argument(help: "enforce, shadow, off or settings; without it the mode is shown.") var mode: String?
    @OptionGroup var act: ActOptions

    func validate() throws {
        guard let mode, mode != "settings", GuardPolicy.Mode(rawValue: mode) == nil else { return }
        throw ValidationError("the mode must be enforce, shadow, off or settings")
    }

    func send(to api: AdminAPI) async throws -> JSON {
        guard let mode else { return try await api.get("/guard/policy") }
        return try await api.post("/guard/mode", ["mode": mode == "settings" ? .null : .string(mode)])
    }

    func text(of body: JSON) -> String {
        let (mode, set) = (body.cell("mode"), body.cell("mode_of_settings"))
        return "Guard: \(mode)." + (mode == set ? "" : " guard.mode is \(set).")
    }
}

struct GuardWhatIfCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "what-if",
        abstract: "Estimate what other levels would have suppressed.",
        discussion: """
            An estimate from the last day, for prefixes, countries and networks separately. Each message counts for its \
            prefix, its country and its networks, so do not add the lines up. SUPPRESSED is an upper bound for countries, \
            since prefixes with real people stay open. CLOSED AT TIMES is how many prefixes, countries or networks would \
            have been closed for a while, APPROVED how many codes people entered there.
            """
    )

    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON { try await api.get("/guard/policy") }

    func text(of body: JSON) -> String {
        let levels = Listing(
            body["what_if"]?.array ?? [],
            [
                .init("BY", "by"), .init("LEVEL", "level", missing: "as set"), .init("REQUESTED", "requested"),
                .init("SUPPRESSED", "suppressed"), .init("CLOSED AT TIMES", "closed"), .init("APPROVED", "approved"),
            ]
        )
        return levels.table(.standardOutput, ifEmpty: "No traffic.")
    }
}
