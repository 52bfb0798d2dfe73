import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDelivery
import PhoneDomain

/// An example, posted now.
struct WebhooksSendTestCommand: AsyncParsableCommand {
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

    func run() async throws {
        try await reporting {
            guard let webhooks = try await options.load().webhooks else {
                throw Failure(.configuration, "nobody is told of events; name the receiver by webhooks.url")
            }
            let poster = webhooks.poster(clock: SystemWallClock())
            let start = ContinuousClock.now
            let answer = try await poster.postExample(of: event, identifiers: OpenSSLRandom())
            let origin = webhooks.endpoint.origin
            switch answer {
            case .answered(let status, _) where answer.isSuccess:
                let milliseconds = (ContinuousClock.now - start).wholeMilliseconds
                print("\(origin) took an example of \(event.rawValue): \(status) in \(milliseconds) ms")
                return .done
            case .answered(let status, _):
                throw Failure(
                    .failed,
                    "\(origin) did not take an example of \(event.rawValue): it answered \(status), and only 200 to 299 means "
                        + "that it did\(Self.hint(status))"
                )
            case .failed(let reason):
                throw Failure(
                    .unreachable,
                    "\(origin) was sent an example of \(event.rawValue): \(reason); see that it runs and that "
                        + "webhooks.url names it"
                )
            }
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
