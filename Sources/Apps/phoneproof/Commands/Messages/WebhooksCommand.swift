import ArgumentParser
import CoreEncodings
import OpenSSLCrypto
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneService
import PhoneSignup

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Test webhooks, and redeliver failed events.",
        discussion: "Events are signed as specified by Standard Webhooks (https://www.standardwebhooks.com).",
        subcommands: [
            WebhooksSendTestCommand.self, WebhooksSecretCommand.self, WebhooksListCommand.self,
            WebhooksRetryCommand.self,
        ]
    )
}

struct WebhooksSendTestCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "send-test",
        abstract: "Send a signed test event to webhooks.url.",
        discussion: """
            The event is marked as an example ("is_example": true). Needs no running service. Exits with 1 if the receiver \
            rejects it, with 69 if there is no response.
            """
    )

    @Option(help: "The kind of event, such as verification.approved.")
    var event: Event.Kind = .verificationApproved

    @OptionGroup var options: ConfigurationOptions

    func execute() async throws {
        guard let webhooks = try options.load().webhooks else {
            throw Failure.configuration("no receiver is configured; set webhooks.url")
        }
        let poster = webhooks.poster(DeliveryEnvironment(wallClock: SystemWallClock()))
        let start = ContinuousClock.now
        let answer = try await poster.postExample(of: event, identifiers: OpenSSLRandom())
        let origin = webhooks.endpoint.origin
        switch answer {
        case .answered(let status, _) where answer.isSuccess:
            let milliseconds = (ContinuousClock.now - start).wholeMilliseconds
            print("\(origin) accepted a test event (\(event.rawValue)): status \(status) in \(milliseconds) ms")
        case .answered(let status, _):
            throw Failure.failed(
                "\(origin) rejected a test event (\(event.rawValue)) with status \(status); only 200 to 299 accepts "
                    + "it\(Self.hint(status))"
            )
        case .failed(let reason):
            throw Failure.unreachable(
                "a test event (\(event.rawValue)) could not be sent to \(origin): \(reason); check that it is running and "
                    + "that webhooks.url is right"
            )
        }
    }

    private static func hint(_ status: Int) -> String {
        switch status {
        case 300..<400: "; set webhooks.url to the address it redirects to"
        case 400, 401, 403: "; check its secret and its clock"
        case 410: "; the service does not retry an event that is answered so"
        default: ""
        }
    }
}

struct WebhooksSecretCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Generate a secret for signing events.",
        discussion: """
            The secret is not stored: write it to the file that webhooks.secrets_file names (mode 0600), and give it to the \
            receiver. To rotate it, add the new secret beside the old one, restart, update the receiver, and remove the old \
            one.
            """
    )

    func execute() async throws { print(try WebhookSecret.makeText()) }
}

struct WebhooksListCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List undelivered events, newest first.",
        discussion:
            "Delivered events are not stored. Works on the configured database, also while the service is running."
    )

    @Option(help: "Only events with this status.") var status: Event.Status?
    @OptionGroup var rows: RowLimit
    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.list("/webhooks", ["status": status?.rawValue], limit: rows.limit)
    }

    /// While the receiver is down, nothing is tried, whatever time was set.
    private static func nextAttempt(_ event: JSON) -> String? {
        guard let text = event["next_attempt_at"]?.string, let moment = Timestamp(rfc3339: text) else { return nil }
        return moment <= .now ? "when the receiver answers" : text
    }

    func text(of body: JSON) -> String {
        table(
            body,
            ifEmpty: "No undelivered events.",
            [
                .init("EVENT", "id"), .init("STATUS", "status"), .init("ATTEMPTS", "attempts"),
                .init("NEXT ATTEMPT") { Self.nextAttempt($0) }, .init("OCCURRED", "occurred_at"),
                .init("FAILURE", "failure"),
            ]
        )
    }
}

struct WebhooksRetryCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Redeliver a failed event.",
        discussion: "Exits with 1 if there is no such event, or it has not failed."
    )

    @Argument(help: "The event ID (evt_…), whole or as `webhooks list` shows it.") var event: EventID
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("/webhooks/\(api.id(event.description, in: "/webhooks"))/redeliver")
    }

    func text(of body: JSON) -> String { "Queued \(body.cell("id")); a running service delivers it within seconds." }
}
