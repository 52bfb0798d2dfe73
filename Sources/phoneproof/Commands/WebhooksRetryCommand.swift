import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Another try for an event that was set aside.
struct WebhooksRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Have an event that was set aside told after all.",
        discussion: "Exits with 1 if it was not set aside."
    )

    @Argument(help: "The event, as `phoneproof webhooks list` names it: evt_ and so on.")
    var id: EventID

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let store = try await options.load().existingStore()
            switch try await store.retry(RetryEvent(id: id, now: SystemWallClock().now())) {
            case .queued:
                print("\(id) is queued; a running service tells it within seconds.")
                return .done
            case .refused(.notFound):
                throw Failure(
                    .failed,
                    "\(id) is not there: it was told, or never was; `phoneproof webhooks list` names what is"
                )
            case .refused(.notFailed):
                throw Failure(.failed, "\(id) was not set aside: it is still to be told, and will be")
            }
        }
    }
}
