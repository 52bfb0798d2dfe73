import ArgumentParser
import CoreEncodings
import PhoneAdministration
import PhoneCLI
import PhoneDomain

struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "List messages, and resend failed ones.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self, OutboxRetryAllCommand.self]
    )
}

struct OutboxListCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List messages, newest first, with masked numbers.",
        discussion: """
            Why is what each gateway answered that did not accept the message, with the vendor's code, or what a queued one \
            waits for.
            """
    )

    @Option(help: "Only messages with this status.") var status: OutboxMessage.Status?
    @OptionGroup var rows: RowLimit
    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.list("/messages", ["status": status?.rawValue], limit: rows.limit)
    }

    func text(of body: JSON) -> String {
        table(
            body,
            ifEmpty: "No messages.",
            [
                .init("MESSAGE", "id"), .init("KIND", "kind"), .init("CHANNEL", "channel"),
                .init("NUMBER", "phone_number", as: \.maskedNumber), .init("STATUS", "status"),
                .init("ATTEMPTS", "attempts"), .init("NEXT ATTEMPT", "next_attempt_at"), .init("GATEWAY", "gateway"),
                .init("CREATED", "created_at"), .init("WHY") { $0["failure"]?.string ?? $0["waits_for"]?.string },
            ]
        )
    }
}

struct OutboxRetryCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Resend a message that failed or may have failed.",
        discussion: """
            Exits with 1 if the message's code has expired or, for a notice, the number change can no longer be undone. A \
            message with status `unknown` may arrive twice, unless the gateway is idempotent.
            """
    )

    @Argument(help: "The message ID (msg_…), as in `outbox list`.") var id: IDArgument<OutboxMessage>
    @OptionGroup var act: ActOptions

    static let remedy: String? = "`outbox list` shows the messages"

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("/messages/\(api.id(id.text, in: "/messages"))/retry")
    }

    func text(of body: JSON) -> String { "Queued \(body.cell("id")); a running service sends it within seconds." }
}

struct OutboxRetryAllCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "retry-all",
        abstract: "Resend all messages of a failure whose codes are still valid.",
        discussion: "The newest 5,000 at most. Exits with 1 if there is none."
    )

    @Option(help: "failed, or unknown: those may arrive twice.") var status = OutboxMessage.Status.failed
    @Option(help: "Only messages that went to this gateway.") var gateway: String?
    @Option(help: "Only messages with this failure, as in `outbox list`.") var failure: String?
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post(
            "/messages/retry",
            ["status": .string(status.rawValue), "gateway": .string(gateway), "failure": .string(failure)]
        )
    }

    func text(of body: JSON) -> String {
        let (queued, refused) = (body["queued"]?.integer ?? 0, body["refused"]?.integer ?? 0)
        return "Queued \(counted(queued, "message")); a running service sends them within seconds."
            + (refused > 0 ? " \(refused) cannot be sent again: their codes have expired or are used." : "")
    }
}
