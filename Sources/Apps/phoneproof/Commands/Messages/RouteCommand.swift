import ArgumentParser
import CoreEncodings
import PhoneCLI
import PhoneDomain
import PhoneService

struct RouteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Show which gateways a code for a number would be tried by, and why.",
        discussion: "Sends nothing. Exits with 1 if no code can be sent to the number."
    )

    @Argument(help: "The phone number.") var text: String
    @Option(help: .region) var region: Region?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var options: ConfigurationOptions

    func execute() async throws {
        let settings = try options.load()
        let number = try NumberArgument.read(text, region: region ?? settings.region)
        let report = RouteReport(settings.sms.routes, to: number)
        print(json ? report.json.text : report.lines.joined(separator: "\n"))
        let isAccepted = (try? settings.policy.phoneNumber(in: number.e164, region: number.region)) != nil
        if !isAccepted, !json { print("refused   the rules for numbers refuse it; see `phoneproof number`") }
        try end(with: isAccepted && !report.order.isEmpty ? .done : .failed)
    }
}

/// What ``Routes`` decide about a number.
private struct RouteReport {
    let order: [Channel]
    private let ways: [(name: String, gateways: [String], reason: String)]

    init(_ routes: Routes, to number: PhoneNumber) {
        order = routes.channels(to: number)
        let purposes: [Routes.Purpose] = routes.channels.map { .codes(by: $0) } + [.notices]
        ways = purposes.map { purpose in
            let reason =
                switch routes.rule(for: number, purpose) {
                case let rule?:
                    "sms.routes.\(rule.destination)" + (rule.purpose == .everything ? "" : ".\(rule.purpose)")
                case nil: routes.rules.isEmpty ? "sms.gateway" : "no route for it"
                }
            return (purpose.description, routes.gateways(to: number, for: purpose), reason)
        }
    }

    var lines: [String] {
        let width = max(10, (ways.map(\.name.count).max() ?? 0) + 1)
        return ways.map { way in
            let gateways = way.gateways.isEmpty ? "none" : way.gateways.joined(separator: ", then ")
            return way.name + String(repeating: " ", count: width - way.name.count) + "\(gateways) (\(way.reason))"
        } + [
            "order" + String(repeating: " ", count: width - 5)
                + (order.isEmpty ? "none" : order.map(\.rawValue).joined(separator: ", then "))
        ]
    }

    var json: JSON {
        [
            "channels": .array(order.map { .string($0.rawValue) }),
            "routes": .array(
                ways.map { way in
                    [
                        "for": .string(way.name), "gateways": .array(way.gateways.map { .string($0) }),
                        "reason": .string(way.reason),
                    ]
                }
            ),
        ]
    }
}
