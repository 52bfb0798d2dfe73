import ArgumentParser
import CoreEncodings
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneSignup

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
        let routes = settings.sms.routes
        // Without a database there is nothing to learn from yet.
        var odds = routes.learns ? OddsInForce() : nil
        if routes.learns, !settings.database.place.isMissing {
            odds = try await settings.existingAdministration().routeOdds()
        }
        let report = RouteReport(routes, to: number, odds)
        print(json ? report.json.text : report.lines.joined(separator: "\n"))
        let isAccepted = (try? settings.policy.phoneNumber(in: number.e164, region: number.region)) != nil
        if !isAccepted, !json { print("refused   the rules for numbers refuse it; see `phoneproof number`") }
        try end(with: isAccepted && !report.order.isEmpty ? .done : .failed)
    }
}

/// What ``Routes`` decide about a number.
private struct RouteReport {
    private struct Way {
        let name: String
        let gateways: [String]
        let reason: String
        /// The likeliest first; none unless one is drawn among several.
        let shares: [RouteOdds.Share]
    }

    let order: [Channel]
    private let ways: [Way]

    init(_ routes: Routes, to number: PhoneNumber, _ odds: OddsInForce?) {
        order = routes.channels(to: number)
        let purposes: [Routes.Purpose] = routes.channels.map { .codes(by: $0) } + [.notices]
        ways = purposes.map { purpose in
            let reason =
                switch routes.rule(for: number, purpose) {
                case let rule?:
                    "sms.routes.\(rule.destination)" + (rule.purpose == .everything ? "" : ".\(rule.purpose)")
                case nil: routes.rules.isEmpty ? "sms.gateway" : "no route for it"
                }
            let gateways = routes.gateways(to: number, for: purpose)
            var shares: [RouteOdds.Share] = []
            if let odds, gateways.count > 1, case .codes(let channel) = purpose {
                shares = odds.shares(of: gateways, to: number, by: channel).sorted { $0.odds > $1.odds }
            }
            return Way(name: purpose.description, gateways: gateways, reason: reason, shares: shares)
        }
    }

    var lines: [String] {
        let width = max(10, (ways.map(\.name.count).max() ?? 0) + 1)
        func start(_ name: String) -> String { name + String(repeating: " ", count: width - name.count) }
        return ways.flatMap { way in
            let gateways = way.gateways.joined(separator: way.shares.isEmpty ? ", then " : " or ")
            return [start(way.name) + "\(gateways.isEmpty ? "none" : gateways) (\(way.reason))"]
                + way.shares.map { start("") + $0.line }
        } + [start("order") + (order.isEmpty ? "none" : order.map(\.rawValue).joined(separator: ", then "))]
    }

    var json: JSON {
        [
            "channels": .array(order.map { .string($0.rawValue) }),
            "routes": .array(
                ways.map { way in
                    [
                        "for": .string(way.name), "gateways": .array(way.gateways.map { .string($0) }),
                        "reason": .string(way.reason), "odds": .array(way.shares.map(\.json)),
                    ]
                }
            ),
        ]
    }
}

extension RouteOdds.Share {
    private var percent: Int { Int((odds * 100).rounded()) }
    // They fade, so that they are no whole numbers.
    private var counts: (approved: Int, messages: Int) {
        (Int(figures.approved.rounded()), Int(figures.messages.rounded()))
    }
    private var seconds: Int? { figures.meanSeconds.map { Int($0.rounded()) } }

    /// `main 82 %: 94 of 100 approved, in 7 s (+49151)`.
    fileprivate var line: String {
        guard counts.messages > 0 else { return "\(gateway) \(percent) %: no messages yet (\(place))" }
        return "\(gateway) \(percent) %: \(counts.approved) of \(counts.messages) approved"
            + (seconds.map { ", in \($0) s" } ?? "") + " (\(place))"
    }

    fileprivate var json: JSON {
        [
            "gateway": .string(gateway), "percent": .integer(percent), "messages": .integer(counts.messages),
            "approved": .integer(counts.approved), "seconds": .integer(seconds),
            "place": .string(place),
        ]
    }
}
