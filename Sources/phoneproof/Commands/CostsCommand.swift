import ArgumentParser
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneSettings

struct CostsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "Show what messages cost, what the guard saved, and the price of a verified number.",
        discussion: """
            By the prices in sms.prices at the time of each message. Saved is what the guard suppressed, at the \
            mean price of a message to the same country.
            """
    )

    enum Grouping: String, ExpressibleByArgument, CaseIterable {
        case country, gateway, channel, day
    }

    @Option(help: "How to group: \(Grouping.allCases.map(\.rawValue).joined(separator: ", ")).")
    var by = Grouping.country
    @Option(help: "How many days to look back, 1 to 400.") var days = 30
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...400).contains(days) else { throw ValidationError("--days must be from 1 to 400") }
    }

    func execute() async throws {
        let settings = try await options.load()
        let start = SystemWallClock().now() - .seconds(86_400 * days)
        let (spent, saved) = try await settings.existingStore().spending(since: start)
        let currency = settings.sms.routes.prices.currency
        let rows = Self.rows(spent, saved, by: by)
        let listing = Listing(
            rows,
            columns: [
                .init(by.rawValue.uppercased(), by.rawValue) { $0.name },
                .init("MESSAGES", "messages") { $0.messages },
                .init("VERIFIED", "verified") { $0.approved },
                .init("SPENT", "spent") { Self.amount($0.cost) },
                .init("PER VERIFIED", "per_verified") { $0.approved > 0 ? Self.amount($0.cost / $0.approved) : nil },
                .init("HELD BACK", "held_back") { $0.suppressed },
                .init("SAVED", "saved") { Self.amount($0.saved) },
                .init(nil, "currency") { _ in currency },
            ]
        )
        print(listing.text(json: options.json, "costs", ifEmpty: "No messages.", .standardOutput))
    }

    struct Row {
        let name: String
        var messages = 0
        var approved = 0
        var cost = 0
        var suppressed = 0
        var saved = 0
    }

    /// What was suppressed went to no gateway and by no channel.
    static func rows(_ spent: [Spending], _ saved: [Suppression], by grouping: Grouping) -> [Row] {
        var rows: [String: Row] = [:]
        func day(_ moment: Timestamp) -> String { String(moment.description.prefix(10)) }
        func change(_ name: String, _ change: (inout Row) -> Void) { change(&rows[name, default: Row(name: name)]) }
        var byCountry: [String: (messages: Int, cost: Int)] = [:]
        for item in spent {
            let country = (try? PhoneNumber(e164: item.e164))?.region.description ?? "?"
            byCountry[country, default: (0, 0)].messages += item.messages
            byCountry[country, default: (0, 0)].cost += item.cost
            let name =
                switch grouping {
                case .country: country
                case .gateway: item.gateway ?? "-"
                case .channel: item.channel.rawValue
                case .day: day(item.day)
                }
            change(name) {
                $0.messages += item.messages
                $0.approved += item.approved
                $0.cost += item.cost
            }
        }
        let all = byCountry.values.reduce((messages: 0, cost: 0)) { ($0.messages + $1.messages, $0.cost + $1.cost) }
        for item in saved {
            let country = item.region?.description ?? "?"
            let basis = byCountry[country] ?? all
            let name =
                switch grouping {
                case .country: country
                case .gateway, .channel: "-"
                case .day: day(item.day)
                }
            change(name) {
                $0.suppressed += item.messages
                $0.saved += basis.messages > 0 ? basis.cost * item.messages / basis.messages : 0
            }
        }
        return rows.values.sorted { ($0.cost + $0.saved, $1.name) > ($1.cost + $1.saved, $0.name) }
    }

    /// The amount with four decimals, rounded down: messages cost fractions of a cent.
    private static func amount(_ millionths: Int) -> String {
        let decimals = String(10_000 + millionths / 100 % 10_000).dropFirst()
        return "\(millionths / 1_000_000).\(decimals)"
    }
}
