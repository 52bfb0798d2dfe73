import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDelivery
import PhoneDomain

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Try the receiver of events out, make its secret, and see to events that it did not take.",
        discussion: "Events are signed as Standard Webhooks has it (https://www.standardwebhooks.com).",
        subcommands: [
            WebhooksSendTestCommand.self, WebhooksSecretCommand.self, WebhooksListCommand.self,
            WebhooksRetryCommand.self,
        ]
    )
}

struct WebhooksSendTestCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "send-test",
        abstract: "Post a signed example to the receiver, and say what came back.",
        discussion: """
            It says of itself that it is an example ("is_example": true), and needs no running service. Exits with 1 if the \
            receiver did not take it, with 69 if there was no answer.
            """
    )

    @Option(help: "The kind of event, such as verification.approved.")
    var event: Event.Kind = .verificationApproved

    @OptionGroup var options: ConfigurationOptions

    func execute() async throws {
        guard let webhooks = try await options.load().webhooks else {
            throw Failure.configuration("nobody is told of events; name the receiver by webhooks.url")
        }
        let poster = webhooks.poster(clock: SystemWallClock())
        let start = ContinuousClock.now
        let answer = try await poster.postExample(of: event, identifiers: OpenSSLRandom())
        let origin = webhooks.endpoint.origin
        switch answer {
        case .answered(let status, _) where answer.isSuccess:
            let milliseconds = (ContinuousClock.now - start).wholeMilliseconds
            print("\(origin) took an example of \(event.rawValue): \(status) in \(milliseconds) ms")
        case .answered(let status, _):
            throw Failure.failed(
                "\(origin) did not take an example of \(event.rawValue): it answered \(status), and only 200 to 299 means "
                    + "that it did\(Self.hint(status))"
            )
        case .failed(let reason):
            throw Failure.unreachable(
                "\(origin) was sent an example of \(event.rawValue): \(reason); see that it runs and that "
                    + "webhooks.url names it"
            )
        }
    }

    private static func hint(_ status: Int) -> String {
        switch status {
        case 300..<400: "; name the address that it sends others to by webhooks.url"
        case 400, 401, 403: "; see that it knows the secret, and that its clock is right"
        case 410: "; a service would send it nothing of what it answers so"
        default: ""
        }
    }
}

struct WebhooksSecretCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Print a new secret to sign events with.",
        discussion: """
            It is kept nowhere: put it into the file that webhooks.secrets_file names (mode 0600), and give it to the \
            receiver. To change a secret, put the new one beside the old one, restart, have the receiver know both or the \
            new one, and take the old one away.
            """
    )

    func execute() async throws { print(try WebhookSecret.makeText()) }
}

struct WebhooksListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show events that the receiver has not taken, newest first.",
        discussion:
            "What it has taken is not kept. Works on the database of the settings; a service may run on it meanwhile."
    )

    @Option(help: "Only those that are queued, or failed.") var status: Event.Status?
    @Option(help: "No more than so many, 1 to 10000.") var limit = 50
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000") }
    }

    func execute() async throws {
        let store = try await options.load().existingStore()
        let events = try await store.events(status: status, limit: limit)
        let listing = Listing(
            events,
            columns: [
                .init("EVENT", "id") { $0.id },
                .init("KIND", "type") { $0.kind.rawValue },
                .init("STATUS", "status") { $0.status.rawValue },
                .init("ATTEMPTS", "attempts") { $0.attempts },
                .init("NEXT ATTEMPT", "next_attempt_at") { $0.status == .queued ? $0.nextAttemptAt : nil },
                .init("OCCURRED", "occurred_at") { $0.occurredAt },
                .init("REASON", "failure") { $0.failure },
                .init(nil, "subject") { $0.subject.description },
            ]
        )
        print(try listing.text(json: options.json, "events", ifEmpty: "There are no such events."))
    }
}

struct WebhooksRetryCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Have an event that was set aside told after all.",
        discussion: "Exits with 1 if it was not set aside."
    )

    @Argument(help: "The event, as `phoneproof webhooks list` names it: evt_ and so on.")
    var id: EventID

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let store = try await options.load().existingStore()
        switch try await store.retry(RetryEvent(id: id, now: SystemWallClock().now())) {
        case .success: print("\(id) is queued; a running service tells it within seconds.")
        case .failure(.notFound):
            throw Failure.failed(
                "\(id) is not there: it was told, or never was; `phoneproof webhooks list` names what is"
            )
        case .failure(.notFailed):
            throw Failure.failed("\(id) was not set aside: it is still to be told, and will be")
        }
    }
}
