import ArgumentParser
import CoreEncodings
import PhoneAdministration
import PhoneCLI
import PhoneDomain

struct CostsCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "Show what messages cost, what the guard saved, and the price of a verified number.",
        discussion: """
            By the prices in sms.prices at the time of each message. Saved is what the guard suppressed, at the \
            mean price of a message to the same country. Days are those of UTC.
            """
    )

    @Option(help: "How to group: \(CostReport.Grouping.allCases.map(\.rawValue).joined(separator: ", ")).")
    var by = CostReport.Grouping.country
    @Option(help: "How many days to look back, 1 to 400.") var days = 30
    @OptionGroup var admin: AdminOptions

    func validate() throws { try require("--days", days, in: 1...400) }

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.list("/costs", ["by": by.rawValue, "days": "\(days)"])
    }

    func text(of body: JSON) -> String {
        // The API has six decimals; messages cost fractions of a cent, and four show them.
        func amount(_ value: JSON) -> String { String(value.cellText.dropLast(2)) }
        let rows = table(
            body,
            ifEmpty: "No messages.",
            [
                .init(by.rawValue.uppercased(), "name"), .init("MESSAGES", "messages"), .init("VERIFIED", "approved"),
                .init("SPENT", "spent", as: amount), .init("PER VERIFIED", "per_verified", as: amount),
                .init("SUPPRESSED", "suppressed"), .init("SAVED", "saved", as: amount),
            ]
        )
        guard let currency = body["items"]?.array?.first?["currency"]?.string else { return rows }
        let period = days == 1 ? "Today" : "The last \(days) days, today included"
        return "\(period) (UTC), in \(currency):\n\n\(rows)"
    }
}
