import ArgumentParser
import CoreEncodings
import PhoneCLI
import PhoneDomain

struct VerificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifications",
        abstract: "List verifications.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [VerificationsListCommand.self]
    )
}

struct VerificationsListCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List verifications, newest first, with masked numbers.",
        discussion: "With several options, those that fit all of them."
    )

    @Option(help: "Only those with this reference of their client.") var reference: Labels.Reference?
    @Option(help: ArgumentHelp("Only those with this tag, such as campaign:spring.", valueName: "key:value"))
    var tag: Labels.Tag?
    @Option(help: "Only verifications with this status.") var status: VerificationStatus?
    @OptionGroup var rows: RowLimit
    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.list(
            "/verifications",
            ["reference": reference?.description, "tag": tag?.description, "status": status?.rawValue],
            limit: rows.limit
        )
    }

    func text(of body: JSON) -> String {
        table(
            body,
            ifEmpty: "No verifications.",
            [
                .init("VERIFICATION", "id"), .init("NUMBER", "phone_number", as: \.maskedNumber),
                .init("CHANNEL", "channel"), .init("STATUS", "status"), .init("CREATED", "created_at"),
                .init("BY", "owner"), .init("REFERENCE", "reference"),
                .init("TAGS") { row in
                    let tags = row["tags"]?.members ?? []
                    return tags.isEmpty
                        ? nil : tags.map { "\($0.name):\($0.value.string ?? "")" }.joined(separator: " ")
                },
            ]
        )
    }
}
