public import PhoneNumbers
public import PhoneSignup

/// What one address with its networks (``ClientAddress/networks``), one block of numbers, one country and the whole
/// service may do. Each list may be empty, and may have several limits, all of which apply: N a minute and M a day. Of
/// several within the same window the smallest applies, whichever way the window is written (`60m`, `1h`): they have
/// one key.
///
/// Limits on one number and one verification are in ``VerificationPolicy``.
public struct LimitPolicy: Hashable, Sendable {
    /// Messages requested from one address. Standard: 30 an hour: many people share an address at home, at work and
    /// behind a carrier's NAT, and few of them sign up in the same hour.
    public var sendsByAddress: [RateLimit] = []
    /// Codes checked from one address, and as many codes of devices besides. Standard: 300 an hour.
    public var checksByAddress: [RateLimit] = []
    /// Guided signups begun from one address, and as many sign-ins on devices besides. Standard: 300 an hour.
    public var signupsByAddress: [RateLimit] = []
    /// What one session or guided signup has stored beside messages and checks: sign-ins for clients, refreshes, edits.
    /// Standard: 300 an hour: a person who types may have each keystroke stored.
    public var changesBySession: [RateLimit] = []
    /// The same from one address, but for refreshes. Standard: 10,000 an hour, as many sessions share an address.
    public var changesByAddress: [RateLimit] = []
    /// Messages requested from one device (``ClientSignals/deviceID``). Standard: 20 a day: a family's tablet, or a
    /// till.
    public var sendsByDevice: [RateLimit] = []
    /// Messages requested by one kind of client (``ClientSignals/fingerprint``). Standard: none, since thousands of
    /// people may have the same browser.
    public var sendsByFingerprint: [RateLimit] = []
    /// Messages to the ten thousand numbers that share all but their last four digits. Standard: 100 an hour.
    public var sendsByPrefix: [RateLimit] = []
    /// Messages to one country. Standard: 5,000 an hour.
    public var sendsByCountry: [RateLimit] = []
    /// All messages. Standard: 10,000 an hour.
    public var sendsByService: [RateLimit] = []
    /// The most messages in any 24 hours, by their weights, or nil for no budget; at least 1. No request exceeds it,
    /// unlike a ``RateLimit``, which allows a burst of its quota on top of what is refilled meanwhile; an operator who
    /// has a failed message retried may. Standard: 20,000.
    public var dailyBudget: Int?

    public static let standard = LimitPolicy(
        sendsByAddress: .hourly(30),
        checksByAddress: .hourly(300),
        signupsByAddress: .hourly(300),
        changesBySession: .hourly(300),
        changesByAddress: .hourly(10_000),
        sendsByDevice: .daily(20),
        sendsByPrefix: .hourly(100),
        sendsByCountry: .hourly(5000),
        sendsByService: .hourly(10_000),
        dailyBudget: 20_000
    )
    public static let none = LimitPolicy()

    /// The limits of a message; those of an address only where that is known.
    func sends(to number: PhoneNumber, from address: ClientAddress?) -> [LimitRule] {
        rules("address-sends", sendsByAddress, of: address) + messages(to: number)
    }

    /// The limits that messages share, whoever asks for them.
    public func messages(to number: PhoneNumber) -> [LimitRule] {
        rules("prefix-sends", sendsByPrefix, of: number.prefix, .messages)
            + rules("country-sends", sendsByCountry, of: number.region.description, .messages)
            + rules("service-sends", sendsByService, of: "", .messages)
    }

    /// The limits of a message that the person is to send. It costs nothing, so it takes nothing of what messages have:
    /// it has as much of its own.
    func inboundRequests(for number: PhoneNumber, by owner: Owner, from address: ClientAddress?) -> [LimitRule] {
        rules("address-sends", sendsByAddress, of: address) + changes(by: owner, from: address)
            + inboundRequests(for: number)
            + rules("prefix-inbound", sendsByPrefix, of: number.prefix, .grants)
            + rules("country-inbound", sendsByCountry, of: number.region.description, .grants)
            + rules("service-inbound", sendsByService, of: "", .grants)
    }

    package func inboundRequests(for number: PhoneNumber) -> [LimitRule] {
        rules("number-inbound", .daily(10), of: number.e164, .grants)
    }

    /// The limits of a message by what the client says of itself. `digest` makes what is stored of it.
    func sends(
        from signals: ClientSignals,
        digest: (String) throws -> NumberDigest
    ) rethrows -> [LimitRule] {
        let device = sendsByDevice.isEmpty ? nil : try signals.deviceID.map { try digest("device:" + $0).description }
        let fingerprint =
            sendsByFingerprint.isEmpty
            ? nil : try signals.fingerprint.map { try digest("fingerprint:" + $0).description }
        return rules("device-sends", sendsByDevice, of: device)
            + rules("fingerprint-sends", sendsByFingerprint, of: fingerprint)
    }

    /// The limits of a message for a ``WaitTicket``. Waiting costs a machine nothing: it is for the few people whose
    /// browser cannot compute, and bought by an attack it must not matter.
    func waits(to number: PhoneNumber, from address: ClientAddress?) -> [LimitRule] {
        // One that comes too early has not used it.
        rules("address-waits", .hourly(1), of: address, .grants)
            + rules("prefix-waits", .daily(5), of: number.prefix, .grants)
    }

    func checks(from address: ClientAddress?) -> [LimitRule] {
        rules("address-checks", checksByAddress, of: address)
    }

    func signups(from address: ClientAddress?) -> [LimitRule] {
        rules("address-signups", signupsByAddress, of: address)
    }

    /// Sign-ins by a key that fail: as many as codes that are checked, with a budget of their own.
    package func keySignIns(from address: ClientAddress?) -> [LimitRule] {
        rules("address-key-sign-ins", checksByAddress, of: address)
    }

    /// Everything that a caller can have stored has a limit by session and by address: what no rule above counts, these
    /// do. Programs with an API key, which are no person's, have none by session.
    package func changes(by owner: Owner, from address: ClientAddress?) -> [LimitRule] {
        rules("session-changes", changesBySession, of: owner.isPerson ? owner.rawValue : nil)
            + rules("address-changes", changesByAddress, of: address)
    }

    /// Messages that operators send to test a gateway: a stolen key must not be worth more of them.
    package static let gatewayTests = [RateLimit].hourly(10).map { LimitRule("gateway-tests", $0, of: "") }

    /// How often the network is asked about one proof that was counted when it began.
    static func proofChecks(of key: String) -> [LimitRule] {
        [RateLimit].hourly(5).map { LimitRule("proof-checks", $0, of: key) }
    }

    /// The limits of sign-ins that devices begin. Any page can have a browser begin some, so they take nothing of what
    /// signups have.
    package func deviceStarts(from address: ClientAddress?) -> [LimitRule] {
        rules("address-device-starts", signupsByAddress, of: address)
    }

    /// The limits of the codes of devices that people type. Any link tries one, so they take nothing of what checks
    /// have.
    package func deviceTries(from address: ClientAddress?) -> [LimitRule] {
        rules("address-device-tries", checksByAddress, of: address)
    }

    public func changes(by owner: Owner, from address: ClientAddress?, at now: Timestamp) -> TakeLimits {
        TakeLimits(rules: changes(by: owner, from: address), now: now)
    }

    public func limit(of key: LimitKey) -> RateLimit? {
        let subject = String(key.subject)
        // A network begins with an address that is in it.
        let address = ClientAddress(String(subject.prefix { $0 != "/" }))
        return rules(of: subject, address).first { $0.key == key }?.limit
    }

    /// The names of all limits that are set.
    package var names: Set<String> {
        let all = ["192.0.2.1", "2001:db8::1"].flatMap { rules(of: $0, ClientAddress($0)) }
        return Set(all.map(\.policy.name) + (dailyBudget == nil ? [] : ["service-budget-1d"]))
    }

    private func rules(of subject: String, _ address: ClientAddress?) -> [LimitRule] {
        rules("address-sends", sendsByAddress, of: address) + checks(from: address) + signups(from: address)
            + keySignIns(from: address)
            + deviceStarts(from: address) + deviceTries(from: address)
            + rules("session-changes", changesBySession, of: subject)
            + rules("address-changes", changesByAddress, of: address)
            + rules("prefix-sends", sendsByPrefix, of: subject) + rules("prefix-inbound", sendsByPrefix, of: subject)
            + rules("country-sends", sendsByCountry, of: subject)
            + rules("country-inbound", sendsByCountry, of: subject)
            + rules("service-sends", sendsByService, of: subject)
            + rules("service-inbound", sendsByService, of: subject)
            + ((try? PhoneNumber(e164: subject)).map(inboundRequests) ?? [])
            + rules("device-sends", sendsByDevice, of: subject)
            + rules("fingerprint-sends", sendsByFingerprint, of: subject)
            + rules("address-waits", .hourly(1), of: address) + rules("prefix-waits", .daily(5), of: subject)
            + Self.gatewayTests + Self.proofChecks(of: subject)
    }

    /// Each network of the client has a limit of its own: `address-sends-1h`, `address-sends-56-1h`.
    private func rules(
        _ name: String,
        _ limits: [RateLimit],
        of address: ClientAddress?,
        _ kind: LimitRule.Kind = .requests
    ) -> [LimitRule] {
        (address?.networks ?? []).flatMap { network in
            let scope = network.allowance == 1 ? name : "\(name)-\(network.prefixLength)"
            return rules(scope, limits.map { $0.times(network.allowance) }, of: network.description, kind)
        }
    }

    private func rules(
        _ name: String,
        _ limits: [RateLimit],
        of subject: String?,
        _ kind: LimitRule.Kind = .requests
    ) -> [LimitRule] {
        guard let subject else { return [] }
        let limits = limits.count > 1 ? limits.smallest : limits
        return limits.map { LimitRule(name, $0, of: subject, kind) }
    }
}

extension [RateLimit] {
    package static func hourly(_ quota: Int) -> [RateLimit] {
        [RateLimit(quota: quota, window: .seconds(3600))].compactMap(\.self)
    }

    /// The smallest limit of each window.
    fileprivate var smallest: [RateLimit] {
        filter { limit in !contains { $0.window == limit.window && $0.quota < limit.quota } }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    fileprivate static func daily(_ quota: Int) -> [RateLimit] {
        [RateLimit(quota: quota, window: .seconds(86_400))].compactMap(\.self)
    }
}

/// The rule that refused a request, as reported to the client: its name and what it grants. It contains nothing
/// personal (https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-10.txt, "Quota Policy").
public struct QuotaPolicy: Hashable, Sendable {
    /// Stable, in lower case with hyphens: `address-sends-1h`.
    public let name: String
    public let quota: Int
    public let window: Duration

    public init(name: String, quota: Int, window: Duration) {
        (self.name, self.quota, self.window) = (name, quota, window)
    }

    /// Whether it is the fraud guard's (``GuardPolicy``), and no limit's.
    package var isOfGuard: Bool { name.hasPrefix("guard-") }
}
