import ArgumentParser
import CoreEncodings
import PhoneCLI
import PhoneDomain
import PhoneNumbers

struct LimitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show and reset rate limits.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [LimitsListCommand.self, LimitsClearCommand.self]
    )
}

struct LimitsListCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List rate limits, nearest to exhaustion first, and locked numbers.",
        discussion: """
            Limits that are less than half used are hidden unless --all is given; --json has all. Numbers are masked.
            """
    )

    @Flag(help: "Show limits that are less than half used too.") var all = false
    @Option(help: "Maximum number of rows of each table, 1 to 100000.") var limit = 100
    @OptionGroup var admin: AdminOptions

    func validate() throws { try require("--limit", limit, in: 1...100_000) }

    func send(to api: AdminAPI) async throws -> JSON { try await api.list("/limits") }

    func text(of body: JSON) -> String { LimitsTable(body).text(all: all, limit: limit, .standardOutput) }
}

struct LimitsClearCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Reset a rate limit, or unlock a phone number.",
        discussion: """
            Name a limit as `limits list` does, such as: limits clear address-sends-1h 203.0.113.7. For a phone number, the \
            messages of the last 24 hours and the wrong codes are forgotten. Exits with 1 if there is nothing to clear.
            """
    )

    @Argument(help: "A limit, or a phone number.") var subject: [String]
    @Option(help: .region) var region: Region?
    @OptionGroup var act: ActOptions

    static let remedy: String? = "`limits list --all` shows what is in use"

    func send(to api: AdminAPI) async throws -> JSON {
        let subject = subject.joined(separator: " ")
        return try await api.post("/limits/clear", ["limit": .string(subject), "region": .string(region?.description)])
    }

    func text(of body: JSON) -> String { "Reset \(body["cleared"]?.string ?? "")." }
}
