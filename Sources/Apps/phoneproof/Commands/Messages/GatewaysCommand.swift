import ArgumentParser
import Logging
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService

struct GatewaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateways",
        abstract: "List, pause, resume and test gateways.",
        discussion: """
            Works on the configured database; every instance obeys within seconds. Circuit breakers are those of each running \
            instance: see /console, GET /v1/admin/gateways or the metric phoneproof_gateway_circuit_open.
            """,
        subcommands: [
            GatewaysListCommand.self, GatewaysPauseCommand.self, GatewaysResumeCommand.self, GatewaysTestCommand.self,
        ]
    )
}

struct GatewaysListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List gateways, with what became of their newest messages.",
        discussion: "Of the newest 2,000 messages of a day. Times are medians, from the request on, in milliseconds."
    )

    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let listing = Listing(
            try await options.load().existingAdministration().gateways(),
            columns: [
                .init("GATEWAY", "name") { $0.name },
                .init("CHANNELS", nil) { $0.channels.map(\.rawValue).joined(separator: " ") },
                .init(nil, "channels") { $0.channels.map(\.rawValue) },
                .init("PAUSED", "paused_since", missing: "no") { $0.pausedSince },
                .init("MESSAGES", "messages") { $0.deliveries.messages },
                .init("DELIVERED", "delivered") { $0.deliveries.delivered },
                .init("LOST", "undelivered") { $0.deliveries.undelivered },
                .init("ACCEPTED IN", "milliseconds_to_acceptance") { Self.median($0.deliveries.accepted(percent:)) },
                .init("DELIVERED IN", "milliseconds_to_delivery") { Self.median($0.deliveries.delivered(percent:)) },
            ]
        )
        print(listing.text(json: options.json, "gateways", ifEmpty: "No gateways.", .standardOutput))
    }

    private static func median(_ time: (Int) -> Duration?) -> Int? { time(50).map { Int($0.wholeMilliseconds) } }
}

struct GatewaysPauseCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Give a gateway no more messages until it is resumed.",
        discussion: """
            They go by the other gateways of their route, or wait while their codes are valid. Restarts do not end it. \
            Exits with 1 if it is paused already.
            """
    )

    @Argument(help: .gateway) var gateway: String
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        try await options.load().existingAdministration().pause(gateway, by: act.author)
        print("Paused \(gateway).")
    }
}

struct GatewaysResumeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Give a paused gateway messages again.",
        discussion: "Exits with 1 if it is not paused."
    )

    @Argument(help: .gateway) var gateway: String
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        try await options.load().existingAdministration().resume(gateway, by: act.author)
        print("Resumed \(gateway).")
    }
}

struct GatewaysTestCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a message with a code of zeros by a gateway.",
        discussion: """
            Costs what any message costs. 10 an hour, to numbers that the service sends to, and also while the gateway is \
            paused. Exits with 1 if the gateway does not accept it.
            """
    )

    @Argument(help: .gateway) var gateway: String
    @Argument(help: "The phone number.") var number: String
    @Option(help: .region) var region: Region?
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        let number = try NumberArgument.read(number, region: region ?? settings.region)
        _ = try settings.existingStore()
        let core = try Core(settings: settings, sendsOwnMessagesOnly: true, logger: .standardError(level: .warning))
        defer { core.store.close() }
        switch try await core.administration.sendTest(to: number, by: gateway, author: act.author) {
        case .accepted(let id, let time):
            let name = id.map { ", as \($0)" } ?? ""
            print("\(gateway) accepted a message to \(number.masked) in \(time.wholeMilliseconds) ms\(name).")
        case .rejected(let reason): throw Failure.failed("\(gateway) did not accept the message: \(reason)")
        }
    }
}

extension ArgumentHelp {
    fileprivate static let gateway: ArgumentHelp = "The gateway's name, as in `gateways list`."
}
