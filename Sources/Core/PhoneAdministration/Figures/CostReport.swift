import PhoneDomain

/// What messages cost, what the guard saved, and how many numbers that verified, by one part of it.
public enum CostReport {
    public enum Grouping: String, Sendable, CaseIterable {
        case country, gateway, channel, day
    }

    public struct Row: Hashable, Sendable {
        public let name: String
        public var messages = 0
        public var approved = 0
        /// In millionths of the currency, as ``saved``.
        public var cost = 0
        public var suppressed = 0
        /// What was suppressed, at the mean price of a message to the same country.
        public var saved = 0
    }

    /// What was suppressed went to no gateway and by no channel.
    public static func rows(_ spent: [Spending], _ saved: [Suppression], by grouping: Grouping) -> [Row] {
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
}
