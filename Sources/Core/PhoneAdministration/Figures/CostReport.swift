import PhoneNumbers

/// What messages cost, what the guard saved, and how many numbers that verified, by one part of it.
public enum CostReport {
    public enum Grouping: String, Sendable, CaseIterable {
        case country, gateway, channel, day

        func name(of key: DailyFigure.Key) -> String {
            switch self {
            case .country: FigureGrouping.region.name(of: key)
            case .gateway: FigureGrouping.gateway.name(of: key)
            case .channel: FigureGrouping.channel.name(of: key)
            case .day: FigureGrouping.day.name(of: key)
            }
        }
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

    /// The rows that cost or saved most come first. What was suppressed went to no gateway and by no channel.
    public static func rows(_ figures: [DailyFigure], by grouping: Grouping) -> [Row] {
        typealias Sum = (messages: Int, cost: Int)
        var (byCountry, all): ([Region: Sum], Sum) = ([:], (0, 0))
        for figure in figures {
            byCountry[figure.key.region, default: (0, 0)].messages += figure.sent
            byCountry[figure.key.region, default: (0, 0)].cost += figure.cost
            all = (all.messages + figure.sent, all.cost + figure.cost)
        }
        var rows: [String: Row] = [:]
        for figure in figures where figure.sent + figure.approved + figure.suppressed > 0 {
            let name = grouping.name(of: figure.key)
            var row = rows[name] ?? Row(name: name)
            row.messages += figure.sent
            row.approved += figure.approved
            row.cost += figure.cost
            row.suppressed += figure.suppressed
            let country = byCountry[figure.key.region] ?? all
            let mean = country.messages > 0 ? country : all
            row.saved += mean.messages > 0 ? mean.cost * figure.suppressed / mean.messages : 0
            rows[name] = row
        }
        return rows.values.sorted { ($0.cost + $0.saved, $1.name) > ($1.cost + $1.saved, $0.name) }
    }
}
