import ArgumentParser
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService

struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "List messages, and resend failed ones.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self, OutboxRetryAllCommand.self]
    )
}

struct OutboxListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List messages, newest first, with masked numbers."
    )

    @Option(help: "Only messages with this status.") var status: OutboxMessage.Status?
    @OptionGroup var rows: RowLimit
    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let store = try options.load().existingStore()
        let now = SystemWallClock().now()
        func seconds(_ claim: OutboxClaim) -> Int64 { max(0, (now - claim.message.createdAt).components.seconds) }
        let listing = Listing(
            try await store.messages(status: status, limit: rows.limit),
            columns: [
                .init("MESSAGE", "id") { $0.message.id },
                .init("KIND", "kind") { $0.message.isNotice ? "notice" : "code" },
                .init("CHANNEL", "channel") { $0.message.channel.rawValue },
                .init("NUMBER", "phone_number") { $0.recipient?.masked },
                .init("STATUS", "status") { $0.message.status.rawValue },
                .init("ATTEMPTS", "attempts") { $0.message.attempts },
                .init("NEXT ATTEMPT", "next_attempt_at") {
                    $0.message.status == .queued ? $0.message.nextAttemptAt : nil
                },
                .init("GATEWAY", "gateway") { $0.message.gateway },
                .init("CREATED", "created_at") { $0.message.createdAt },
                .init("FAILURE", "failure") { $0.message.failure },
                .init(nil, "age_seconds") { Int(seconds($0)) },
                .init(nil, "gateway_message_id") { $0.message.gatewayMessageID },
                .init(nil, "number_change_id") { $0.message.numberChangeID },
                .init(nil, "verification_id") { $0.verification.id },
                .init(nil, "verification_status") { $0.verification.status(at: now).rawValue },
            ]
        )
        print(listing.text(json: options.json, "messages", ifEmpty: "No messages.", .standardOutput))
    }
}

struct OutboxRetryCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Resend a message that failed or may have failed.",
        discussion: """
            Exits with 1 if the message's code has expired or, for a notice, the number change can no longer be undone. A \
            message with status `unknown` may arrive twice, unless the gateway is idempotent.
            """
    )

    @Argument(help: "The message ID (msg_…), as in `outbox list`.") var id: IDArgument<OutboxMessage>
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        let store = try settings.existingStore()
        let id = try await id.find(inOutputOf: "outbox list") {
            try await store.messages(status: nil, limit: 10_000).map(\.message.id)
        }
        do {
            _ = try await settings.administration(over: store).retry(id, by: act.author)
        } catch AdministrationFailure.notFound(let line) {
            throw Failure.failed("\(line); `outbox list` shows the messages")
        }
        print("Queued \(id); a running service sends it within seconds.")
    }
}

struct OutboxRetryAllCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "retry-all",
        abstract: "Resend all messages of a failure whose codes are still valid.",
        discussion: "The newest 5,000 at most. Exits with 1 if there is none."
    )

    @Option(help: "failed, or unknown: those may arrive twice.") var status = OutboxMessage.Status.failed
    @Option(help: "Only messages that went to this gateway.") var gateway: String?
    @Option(help: "Only messages with this failure, as in `outbox list`.") var failure: String?
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        var search = MessageSearch(limit: 1)
        (search.status, search.gateway, search.failure) = (status, gateway, failure)
        let count = try await options.load().existingAdministration().retryAll(search, by: act.author)
        print("Queued \(count) messages; a running service sends them within seconds.")
    }
}
