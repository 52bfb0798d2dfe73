import ArgumentParser
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService

struct CostsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "Show what messages cost, what the guard saved, and the price of a verified number.",
        discussion: """
            By the prices in sms.prices at the time of each message. Saved is what the guard suppressed, at the \
            mean price of a message to the same country.
            """
    )

    @Option(help: "How to group: \(CostReport.Grouping.allCases.map(\.rawValue).joined(separator: ", ")).")
    var by = CostReport.Grouping.country
    @Option(help: "How many days to look back, 1 to 400.") var days = 30
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...400).contains(days) else { throw ValidationError("--days must be from 1 to 400") }
    }

    func execute() async throws {
        let settings = try options.load()
        let rows = try await settings.existingAdministration().costs(days: days, by: by)
        let currency = settings.sms.routes.prices.currency
        let listing = Listing(
            rows,
            columns: [
                .init(by.rawValue.uppercased(), by.rawValue) { $0.name },
                .init("MESSAGES", "messages") { $0.messages },
                .init("VERIFIED", "verified") { $0.approved },
                .init("SPENT", "spent") { Self.amount($0.cost) },
                .init("PER VERIFIED", "per_verified") { $0.approved > 0 ? Self.amount($0.cost / $0.approved) : nil },
                .init("SUPPRESSED", "suppressed") { $0.suppressed },
                .init("SAVED", "saved") { Self.amount($0.saved) },
                .init(nil, "currency") { _ in currency },
            ]
        )
        print(listing.text(json: options.json, "costs", ifEmpty: "No messages.", .standardOutput))
    }

    /// The amount with four decimals, rounded down: messages cost fractions of a cent.
    private static func amount(_ millionths: Int) -> String {
        let decimals = String(10_000 + millionths / 100 % 10_000).dropFirst()
        return "\(millionths / 1_000_000).\(decimals)"
    }
}
