import ArgumentParser
import CoreEncodings
import FoundationEssentials
import Logging
import PhoneAdministration
import PhoneCLI
import PhoneNumbers
import PhoneService

struct GatewaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateways",
        abstract: "List, pause, resume and test gateways.",
        discussion: """
            Works on the configured database; every instance obeys within seconds.
            """,
        subcommands: [
            GatewaysListCommand.self, GatewaysPauseCommand.self, GatewaysResumeCommand.self, GatewaysTestCommand.self,
        ]
    )
}

struct GatewaysListCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List gateways, with what became of their newest messages, and what is wrong.",
        discussion: """
            Of the newest 2,000 messages of a day. Times are medians, from the request on. A gateway works, is paused by an \
            operator, is down, or refuses all messages; the reason is below the table, with all else that is wrong now. Each \
            running instance reports that within five seconds.
            """
    )

    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON { try await api.get("/gateways") }

    func text(of body: JSON) -> String {
        func time(_ value: JSON) -> String { "\(value.cellText) ms" }
        let gateways = table(
            body,
            ifEmpty: "No gateways.",
            [
                .init("GATEWAY", "name"), .init("CHANNELS", "channels"), .init("STATE", "state"),
                .init("MESSAGES", "messages"),
                .init("DELIVERED") { row in
                    // Of a vendor that reports nothing 0 would be a lie.
                    let isReported = row["delivered"] != 0 || row["undelivered"] != 0
                    return isReported ? row.cell("delivered") : "not reported"
                },
                .init("LOST", "undelivered"),
                .init("ACCEPTED IN", "milliseconds_to_acceptance.p50", as: time),
                .init("DELIVERED IN", "milliseconds_to_delivery.p50", as: time),
            ]
        )
        let usesUnicode = Appearance.isUTF8(ProcessInfo.processInfo.environment)
        let findings = (body["findings"]?.array ?? []).compactMap(Finding.init).map {
            $0.line(usesUnicode: usesUnicode)
        }
        return gateways + (findings.isEmpty ? "" : "\n\n" + findings.joined(separator: "\n"))
    }
}

struct GatewaysPauseCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Give a gateway no more messages until it is resumed.",
        discussion: """
            They go by the other gateways of their route, or wait while their codes are valid. Restarts do not end it. \
            Exits with 1 if it is paused already.
            """
    )

    @Argument(help: .gateway) var gateway: String
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("/gateways/\(gateway.percentEncoded)/pause")
    }

    func text(of body: JSON) -> String { "Paused \(gateway)." }
}

struct GatewaysResumeCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Give a paused gateway messages again.",
        discussion: "Exits with 1 if it is not paused."
    )

    @Argument(help: .gateway) var gateway: String
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("/gateways/\(gateway.percentEncoded)/resume")
    }

    func text(of body: JSON) -> String { "Resumed \(gateway)." }
}

struct GatewaysTestCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test message by a gateway; its code is all zeros.",
        discussion: """
            Costs what any message costs. 10 an hour, to numbers that the service sends to, and also while the gateway is \
            paused. Exits with 1 if the gateway does not accept it.
            """
    )

    @Argument(help: .gateway) var gateway: String
    @Argument(help: "The phone number.") var number: String
    @Option(help: .region) var region: Region?
    @OptionGroup var act: ActOptions

    /// An administration with the gateways of this process.
    func administration(_ settings: Settings) throws -> Administration {
        _ = try settings.existingStore()
        return try ServiceCore(settings: settings, sendsOwnMessagesOnly: true, logger: .standardError(level: .warning))
            .administration
    }

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post(
            "/gateways/\(gateway.percentEncoded)/test",
            ["phone_number": .string(number), "region": .string(region?.description)]
        )
    }

    func failure(in body: JSON) -> Failure? {
        body["failure"]?.string.map { .failed("\(gateway) did not accept the message: \($0)") }
    }

    func text(of body: JSON) -> String {
        if body["accepted"]?.bool != true { return "" }
        let name = body["gateway_message_id"]?.string.map { ", as \($0)" } ?? ""
        let number = body[path: "phone_number"].maskedNumber
        return "\(gateway) accepted a message to \(number) in \(body.cell("milliseconds")) ms\(name)."
    }
}

extension ArgumentHelp {
    fileprivate static let gateway: ArgumentHelp = "The gateway's name, as in `gateways list`."
}
