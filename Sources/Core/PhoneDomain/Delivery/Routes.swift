public import PhoneNumbers
public import PhoneSignup

/// Which gateways a message may go by, in order, and so which channels reach a number.
public struct Routes: Hashable, Sendable {
    /// Whom a rule is for. Of several that match a number the longest prefix applies, then its region, then the rule
    /// for everywhere.
    public enum Destination: Hashable, Sendable {
        case everywhere
        case region(Region)
        /// The beginning of a number in E.164: `+4477`.
        case prefix(String)
    }

    /// What a rule is for. Within a destination the narrower one applies.
    public enum Purpose: Hashable, Sendable {
        case everything
        case codes(by: Channel)
        /// Notices to an old number, which go by SMS.
        case notices

        package var channel: Channel? { if case .codes(let channel) = self { channel } else { nil } }
    }

    public struct Gateway: Hashable, Sendable {
        public let name: String
        /// What it can send by.
        public let channels: Set<Channel>
        /// Whether it can send a text that has no code.
        public let takesNotices: Bool
        /// The origin of its vendor's URLs, for operators; nil for one within the service.
        public let address: String?

        public init(
            _ name: String,
            serves channels: Set<Channel> = [.sms],
            takesNotices: Bool = true,
            address: String? = nil
        ) {
            (self.name, self.channels, self.takesNotices, self.address) = (name, channels, takesNotices, address)
        }

        fileprivate func serves(_ purpose: Purpose) -> Bool {
            switch purpose {
            case .everything: true
            case .codes(let channel): channels.contains(channel)
            case .notices: takesNotices && channels.contains(.sms)
            }
        }
    }

    /// The gateways in order of preference. Without ``rules`` each serves every number.
    public let gateways: [Gateway]
    /// The gateways' names, in order. If there are any rules, a number that none of them matches has no gateway.
    public let rules: [Destination: [Purpose: [String]]]
    /// The order in which channels are tried where a request names none; ``standardOrder`` where none matches.
    public let orders: [Destination: [Channel]]
    /// How long a delivery report is waited for before the next channel is taken by itself, where the person's request
    /// named none; nil where it is only offered.
    public let fallbackTime: Duration?
    public let prices: PriceList
    /// Whether the first gateway of a code is drawn among those of its route by how well they have done
    /// (``RouteOdds``).
    public let learns: Bool
    /// The channels that its gateways serve, of the ``standardOrder`` first.
    public let channels: [Channel]

    /// Others are tried only where ``orders`` name them: a service that has a gateway for one may want to offer it to
    /// those who ask.
    public static let standardOrder: [Channel] = [.kakaotalk, .sms, .whatsapp, .call]
    /// One gateway for text messages, which serves every number.
    public static let standard = Routes([Gateway("sms")])

    public init(
        _ gateways: [Gateway],
        rules: [Destination: [Purpose: [String]]] = [:],
        orders: [Destination: [Channel]] = [:],
        fallbackTime: Duration? = nil,
        prices: PriceList = .none,
        learns: Bool = false
    ) {
        (self.gateways, self.rules, self.orders, self.fallbackTime) = (gateways, rules, orders, fallbackTime)
        (self.prices, self.learns) = (prices, learns)
        let served = gateways.reduce(into: Set<Channel>()) { $0.formUnion($1.channels) }
        channels = Self.standardOrder.filter(served.contains) + served.subtracting(Self.standardOrder).sorted()
    }

    /// The gateways that are tried for a message, in this order; none if it cannot be sent.
    public func gateways(to number: PhoneNumber, for purpose: Purpose) -> [String] {
        guard (purpose.channel ?? .sms).serves(number.region) else { return [] }
        let serving = gateways.filter { $0.serves(purpose) }.map(\.name)
        guard !rules.isEmpty else { return serving }
        return rule(for: number, purpose).map { $0.gateways.filter(serving.contains) } ?? []
    }

    /// The rule that decides; nil if none matches.
    public func rule(
        for number: PhoneNumber,
        _ purpose: Purpose
    ) -> (destination: Destination, purpose: Purpose, gateways: [String])? {
        for destination in Self.destinations(of: number) {
            guard let rules = rules[destination] else { continue }
            let narrow: [Purpose] = purpose == .notices ? [.notices, .codes(by: .sms)] : [purpose]
            for purpose in narrow + [.everything] {
                if let gateways = rules[purpose] { return (destination, purpose, gateways) }
            }
        }
        return nil
    }

    /// The destinations whose numbers get codes by SMS and no notices, since their gateways take codes alone; a list
    /// of notices that names no gateway is meant so. In alphabetical order.
    public var withoutNotices: [Destination] {
        func serve(_ names: [String], _ purpose: Purpose) -> Bool {
            gateways.contains { names.contains($0.name) && $0.serves(purpose) }
        }
        let all = [Destination.everywhere: [Purpose.everything: gateways.map(\.name)]]
        return (rules.isEmpty ? all : rules).filter { _, rules in
            let names = rules[.notices] ?? rules[.codes(by: .sms)] ?? rules[.everything] ?? []
            return serve(names, .codes(by: .sms)) && !serve(names, .notices)
        }.keys.sorted { $0.description < $1.description }
    }

    /// Whether some number of a region may have a gateway for SMS.
    public func reach(_ region: Region, callingCode: String) -> Bool {
        guard !rules.isEmpty else { return true }
        return rules.keys.contains { destination in
            switch destination {
            case .everywhere: true
            case .region(let other): other == region
            case .prefix(let prefix): prefix.hasPrefix("+\(callingCode)") || "+\(callingCode)".hasPrefix(prefix)
            }
        }
    }

    /// The channels that reach a number, in the order in which they are tried where a request names none.
    public func channels(to number: PhoneNumber) -> [Channel] {
        let destinations = orders.isEmpty ? [] : Self.destinations(of: number)
        let order = destinations.lazy.compactMap { orders[$0] }.first ?? Self.standardOrder
        return order.filter { channels.contains($0) && !gateways(to: number, for: .codes(by: $0)).isEmpty }
    }

    /// How many SMS a message by each channel costs, rounded up; empty where prices are not known. By it a call counts
    /// in the limits of prefixes, countries and the service, and in the budget.
    ///
    /// Where no SMS goes to the number, the cheapest to any number is what others are compared with; where there is
    /// none, the cheapest message to it.
    func weights(to number: PhoneNumber) -> [Channel: Int] {
        guard !prices.prices.isEmpty else { return [:] }
        let sms =
            price(to: number, by: .sms) ?? cheapestSMS
            ?? channels.compactMap { price(to: number, by: $0) }.filter { $0 > 0 }.min()
        guard let sms, sms > 0 else { return [:] }
        return channels.reduce(into: [:]) { weights, channel in
            guard let price = price(to: number, by: channel), price > sms else { return }
            weights[channel] = min((price + sms - 1) / sms, Self.heaviest)
        }
    }

    private static let heaviest = 100

    private var cheapestSMS: Int? {
        gateways.filter { $0.channels.contains(.sms) }
            .flatMap { (prices.prices[$0.name] ?? [:]).values.compactMap { $0[.codes(by: .sms)] ?? $0[.everything] } }
            .filter { $0 > 0 }.min()
    }

    /// The price of the gateway that is tried first; of the dearest, where that is drawn.
    func price(to number: PhoneNumber, by channel: Channel) -> Int? {
        let all = gateways(to: number, for: .codes(by: channel))
        return all.prefix(learns ? all.count : 1).compactMap { prices.price(of: $0, to: number, by: channel) }.max()
    }

    /// The destinations that may have a rule for the number, the narrowest first.
    static func destinations(of number: PhoneNumber) -> [Destination] {
        let e164 = number.e164
        let prefixes = stride(from: e164.utf8.count, through: 2, by: -1).map {
            Destination.prefix(String(Substring(e164.utf8.prefix($0))))
        }
        return prefixes + [.region(number.region), .everywhere]
    }
}

/// What gateways charge for a message.
public struct PriceList: Hashable, Sendable {
    /// ISO 4217.
    public let currency: String
    /// Prices by the gateways' names, in millionths of the currency. The narrowest destination applies, and within it
    /// the channel's own price.
    public let prices: [String: [Routes.Destination: [Routes.Purpose: Int]]]

    public static let none = PriceList(currency: "USD", prices: [:])

    public init(currency: String, prices: [String: [Routes.Destination: [Routes.Purpose: Int]]]) {
        (self.currency, self.prices) = (currency, prices)
    }

    /// Nil where it is not known.
    public func price(of gateway: String, to number: PhoneNumber, by channel: Channel) -> Int? {
        guard let prices = prices[gateway] else { return nil }
        return Routes.destinations(of: number).lazy.compactMap { destination in
            prices[destination].flatMap { $0[.codes(by: channel)] ?? $0[.everything] }
        }.first
    }
}

/// Amounts of money, which are in millionths of a currency: a message costs a fraction of a cent.
public enum Money {
    /// The amount as a decimal fraction, rounded: `0.0325`.
    ///
    /// - Parameter decimals: how many it has; of the last ones no zeros, as far as that range goes.
    public static func text(_ millionths: Int, decimals: ClosedRange<Int>) -> String {
        let unit = (decimals.upperBound..<6).reduce(1) { unit, _ in unit * 10 }
        let rounded = (millionths + unit / 2) / unit
        let whole = (0..<decimals.upperBound).reduce(1) { whole, _ in whole * 10 }
        var digits = String(String(whole + rounded % whole).dropFirst())
        while digits.utf8.count > decimals.lowerBound, digits.last == "0" { digits.removeLast() }
        return "\(rounded / whole).\(digits)"
    }
}

extension Routes.Destination: LosslessStringConvertible {
    /// `*`, a region such as `KR`, or `+` and the first digits of numbers.
    public var description: String {
        switch self {
        case .everywhere: "*"
        case .region(let region): region.description
        case .prefix(let prefix): prefix
        }
    }

    public init?(_ description: String) {
        if description == "*" {
            self = .everywhere
        } else if description.isNumberPrefix {
            self = .prefix(description)
        } else {
            guard let region = Region(description), NumberingPlans.builtIn.plan(for: region) != nil else { return nil }
            self = .region(region)
        }
    }
}

extension Routes.Purpose: LosslessStringConvertible {
    /// A channel's name, `notice`, or `all`.
    public var description: String {
        switch self {
        case .everything: "all"
        case .codes(let channel): channel.rawValue
        case .notices: "notice"
        }
    }

    public init?(_ description: String) {
        switch description {
        case "all": self = .everything
        case "notice": self = .notices
        default:
            guard let channel = Channel(rawValue: description), channel.carriesCode else { return nil }
            self = .codes(by: channel)
        }
    }
}
