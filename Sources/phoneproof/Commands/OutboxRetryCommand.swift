import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Another try for a message that failed.
struct OutboxRetryCommand: AsyncParsableCommand {
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

    func run() async throws {
        try await reporting {
            let store = try await options.load().existingStore()
            switch try await store.retry(RetryMessage(id: id, now: SystemWallClock().now())) {
            case .queued:
                print("\(id) is queued; a running service sends it within seconds.")
                return .done
            case .refused(let refusal): throw Failure(.failed, "\(id) \(Self.explanation(of: refusal))")
            }
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
