/// How much one address, one block of numbers, one country and the whole service may do. Each list may be empty, and
/// may have several limits, all of which hold: so many a minute and so many a day. Of several within the same time the
/// least holds, whichever way it is written (`60m`, `1h`): they are one and the same key.
///
/// Limits on one number and one verification are those of ``VerificationPolicy``.
public struct LimitPolicy: Hashable, Sendable {
    /// Messages asked for from one address. Standard: 30 an hour: many people share an address at home, at work and
    /// behind a carrier's translation, and few of them sign up in the same hour.
    public var sendsByAddress: [RateLimit]
    /// Codes checked from one address. Standard: 300 an hour.
    public var checksByAddress: [RateLimit]
    /// Guided signups begun from one address. Standard: 300 an hour.
    public var signupsByAddress: [RateLimit]
    /// Messages to the ten thousand numbers that share all but their last four digits. Standard: 100 an hour.
    public var sendsByPrefix: [RateLimit]
    /// Messages to one country. Standard: 5,000 an hour.
    public var sendsByCountry: [RateLimit]
    /// All messages. Standard: 10,000 an hour.
    public var sendsByService: [RateLimit]
    /// The most messages in any 24 hours, or nil for no budget; at least 1. It is never exceeded, where a ``RateLimit``
    /// lets its quota through at once and on top of what comes back meanwhile. Standard: 20,000.
    public var dailyBudget: Int?

    /// The standard limits.
    public static let standard = LimitPolicy(
        sendsByAddress: [RateLimit(quota: 30, window: .hour)].compactMap(\.self),
        checksByAddress: [RateLimit(quota: 300, window: .hour)].compactMap(\.self),
        signupsByAddress: [RateLimit(quota: 300, window: .hour)].compactMap(\.self),
        sendsByPrefix: [RateLimit(quota: 100, window: .hour)].compactMap(\.self),
        sendsByCountry: [RateLimit(quota: 5000, window: .hour)].compactMap(\.self),
        sendsByService: [RateLimit(quota: 10_000, window: .hour)].compactMap(\.self),
        dailyBudget: 20_000
    )

    /// No limits.
    public static let none = LimitPolicy(
        sendsByAddress: [],
        checksByAddress: [],
        signupsByAddress: [],
        sendsByPrefix: [],
        sendsByCountry: [],
        sendsByService: [],
        dailyBudget: nil
    )

    /// Limits of these values.
    public init(
        sendsByAddress: [RateLimit],
        checksByAddress: [RateLimit],
        signupsByAddress: [RateLimit],
        sendsByPrefix: [RateLimit],
        sendsByCountry: [RateLimit],
        sendsByService: [RateLimit],
        dailyBudget: Int?
    ) {
        self.sendsByAddress = sendsByAddress
        self.checksByAddress = checksByAddress
        self.signupsByAddress = signupsByAddress
        self.sendsByPrefix = sendsByPrefix
        self.sendsByCountry = sendsByCountry
        self.sendsByService = sendsByService
        self.dailyBudget = dailyBudget
    }

    /// What a message to this number is subject to; by address only where that is known.
    func sends(to number: PhoneNumber, from address: ClientAddress?) -> [LimitRule] {
        rules("address-sends", sendsByAddress, of: address?.description)
            + rules(Self.prefixScope, sendsByPrefix, of: number.prefix, isOfCaller: false)
            + rules("country-sends", sendsByCountry, of: number.region.description, isOfCaller: false)
            + rules("service-sends", sendsByService, of: "", isOfCaller: false)
    }

    /// What the check of a code is subject to.
    func checks(from address: ClientAddress?) -> [LimitRule] {
        rules("address-checks", checksByAddress, of: address?.description)
    }

    /// What the beginning of a guided signup is subject to.
    func signups(from address: ClientAddress?) -> [LimitRule] {
        rules("address-signups", signupsByAddress, of: address?.description)
    }

    /// The limit that a key is counted against, or nil if there is no such limit any more.
    public func limit(of key: LimitKey) -> RateLimit? {
        let scopes = [
            ("address-sends", sendsByAddress), ("address-checks", checksByAddress),
            ("address-signups", signupsByAddress),
            (Self.prefixScope, sendsByPrefix), ("country-sends", sendsByCountry), ("service-sends", sendsByService),
        ]
        for (scope, limits) in scopes {
            if let rule = rules(scope, limits, of: String(key.subject)).first(where: { $0.key == key }) {
                return rule.limit
            }
        }
        return nil
    }

    /// What the policies by prefix are called, their window aside.
    static let prefixScope = "prefix-sends"

    private func rules(
        _ name: String,
        _ limits: [RateLimit],
        of subject: String?,
        isOfCaller: Bool = true
    ) -> [LimitRule] {
        guard let subject else { return [] }
        return
            limits
            .filter { limit in !limits.contains { $0.window == limit.window && $0.quota < limit.quota } }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            .map { LimitRule(name, $0, of: subject, isOfCaller: isOfCaller) }
    }
}

extension Duration {
    fileprivate static let hour: Duration = .seconds(3600)
}
