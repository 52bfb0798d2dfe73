import ArgumentParser
import PhoneCLI
import PhoneDomain

struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show the messages of the outbox, and try failed ones again.",
        discussion: "Works on the database of the settings; a service may run on it meanwhile.",
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self]
    )
}

struct OutboxListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show messages, newest first, with masked numbers."
    )

    @Option(help: "Only those that are queued, sent, unknown, delivered, undelivered, failed, dropped or withheld.")
    var status: OutboxMessage.Status?

    @Option(help: "No more than so many, 1 to 10000.") var limit = 50
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000") }
    }

    func execute() async throws {
        let store = try await options.load().existingStore()
        let now = SystemWallClock().now()
        func seconds(_ claim: OutboxClaim) -> Int64 { max(0, (now - claim.message.createdAt).components.seconds) }
        let listing = Listing(
            try await store.messages(status: status, limit: limit),
            columns: [
                .init("MESSAGE", "id") { $0.message.id },
                .init("KIND", "kind") { $0.message.isNotice ? "notice" : "code" },
                .init("NUMBER", "phone_number") { $0.recipient?.masked },
                .init("STATUS", "status") { $0.message.status.rawValue },
                .init("ATTEMPTS", "attempts") { $0.message.attempts },
                .init("NEXT ATTEMPT", "next_attempt_at") {
                    $0.message.status == .queued ? $0.message.nextAttemptAt : nil
                },
                .init("GATEWAY", "gateway") { $0.message.gateway },
                .init("AGE", "age_seconds", cell: { Self.age(seconds($0)) }, json: { .number(Int(seconds($0))) }),
                .init("REASON", "failure") { $0.message.failure },
                .init(nil, "gateway_message_id") { $0.message.gatewayMessageID },
                .init(nil, "created_at") { $0.message.createdAt },
                .init(nil, "number_change_id") { $0.message.numberChangeID },
                .init(nil, "verification_id") { $0.verification.id },
                .init(nil, "verification_status") { $0.verification.status(at: now).rawValue },
            ]
        )
        print(try listing.text(json: options.json, "messages", ifEmpty: "There are no such messages."))
    }

    /// In the largest unit that makes it 1 or more.
    private static func age(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}

struct OutboxRetryCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Have a message sent once more that failed, or may have.",
        discussion: """
            Exits with 1 if it cannot be: only a message is worth sending whose code still holds, or, for a notice, whose \
            change can still be undone. One that is unknown may then come twice, unless the gateway is idempotent.
            """
    )

    @Argument(help: "The message, as `phoneproof outbox list` names it: msg_ and 32 digits.")
    var id: OutboxMessage.ID

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let store = try await options.load().existingStore()
        switch try await store.retry(RetryMessage(id: id, now: SystemWallClock().now())) {
        case .success: print("\(id) is queued; a running service sends it within seconds.")
        case .failure(let refusal): throw Failure.failed("\(id) \(Self.explanation(of: refusal))")
        }
    }

    private static func explanation(of refusal: RetryMessage.Refusal) -> String {
        switch refusal {
        case .notFound: "is not in the outbox; `phoneproof outbox list` names what is"
        case .notFailed:
            "did not fail: it is still owed, or a gateway took it; whoever waits may ask for the code again"
        case .expired: "bears a code that has expired; whoever waits must ask for a new one"
        case .changeClosed: "tells of a change of number that cannot be undone any more"
        case .verificationClosed: "belongs to a verification that has ended; nobody waits for it"
        }
    }
}
