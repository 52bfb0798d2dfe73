public import PhoneNumbers
public import PhoneSignup

/// The messages sent to some numbers and their approvals, hour by hour over the last day.
///
/// Pumped traffic sells messages and proves nothing, so the share of messages that leads to an approval distinguishes
/// it from people.
public struct Traffic: Hashable, Sendable {
    public struct Hour: Hashable, Sendable {
        /// Whole hours since 1970-01-01T00:00:00Z.
        public let number: Int64
        public var sent: Int
        public var approved: Int
        public var suppressed: Int

        public init(number: Int64, sent: Int = 0, approved: Int = 0, suppressed: Int = 0) {
            (self.number, self.sent, self.approved, self.suppressed) = (number, sent, approved, suppressed)
        }
    }

    /// The hours in which something happened, oldest first; at most 25.
    public private(set) var hours: [Hour]
    public private(set) var blockedUntil: Timestamp?
    /// How many messages were requested since the block was begun or renewed.
    public private(set) var refusedInBlock: Int
    /// Days before ``hours`` and their approvals, oldest first: those without a later one of as many, which are all that
    /// a maximum can come from. The last may be a part of its day. At most 15, stored of prefixes and countries alone.
    public private(set) var peaks: [Peak]
    public static let none = Traffic(hours: [])

    public init(hours: [Hour], blockedUntil: Timestamp? = nil, refusedInBlock: Int = 0, peaks: [Peak] = []) {
        (self.hours, self.blockedUntil, self.refusedInBlock) = (hours, blockedUntil, refusedInBlock)
        self.peaks = peaks
    }

    public struct Peak: Hashable, Sendable {
        /// Days since 1970-01-01, in UTC.
        public let day: Int64
        public let approved: Int
        public init(day: Int64, approved: Int) { (self.day, self.approved) = (day, approved) }
    }

    /// How many days a day's approvals count.
    static let daysRemembered: Int64 = 14
    /// Fewer approvals of a day keep no row for longer than ``longestMemory``.
    private static let fewestRemembered = 20
    /// How many messages for one approval are people's.
    private static let sentPerApproval = 4

    /// The most approvals of a day of the last fourteen, the last 24 hours aside.
    func mostApprovals(at now: Timestamp) -> Int {
        let today = now.hour / 24
        return peaks.first { today - Self.daysRemembered...today ~= $0.day }?.approved ?? 0
    }

    /// Moves what is older than a day from ``hours`` to ``peaks``.
    private mutating func remember(at now: Timestamp) {
        let first = now.hour - Self.hoursCounted
        guard let oldest = hours.first, oldest.number < first else { return }
        let gone = hours.prefix { $0.number < first }
        addPeaks(of: gone)
        // What was sent for nothing is taken off what days before have earned, or it could be had every day.
        let wasted = gone.reduce(0) { $0 + $1.sent - Self.sentPerApproval * $1.approved }
        if wasted > 0 {
            peaks = peaks.map { Peak(day: $0.day, approved: $0.approved - wasted) }.filter { $0.approved > 0 }
        }
        hours.removeAll { $0.number < first }
        let today = now.hour / 24
        peaks.removeAll { !(today - Self.daysRemembered...today ~= $0.day) }
    }

    private mutating func addPeaks(of hours: some Sequence<Hour>) {
        for hour in hours where hour.approved > 0 {
            let day = hour.number / 24
            let sum = hour.approved + (peaks.last.map { $0.day == day ? $0.approved : 0 } ?? 0)
            while let last = peaks.last, last.day == day || last.approved <= sum { peaks.removeLast() }
            peaks.append(Peak(day: day, approved: sum))
        }
    }

    /// Until when a day is remembered on which people came; nil if there is none.
    public var rememberedUntil: Timestamp? {
        var (day, approved, last) = (Int64.min, 0, Int64?.none)
        for hour in hours {
            if hour.number / 24 != day {
                day = hour.number / 24
                approved = peaks.last.map { $0.day == day ? $0.approved : 0 } ?? 0
            }
            approved += hour.approved
            if approved >= Self.fewestRemembered { last = day }
        }
        last = last ?? peaks.last { $0.approved >= Self.fewestRemembered }?.day
        return last.map { Timestamp(hour: ($0 + Self.daysRemembered + 1) * 24) }
    }

    public struct Sample: Hashable, Sendable {
        public internal(set) var sent = 0
        public internal(set) var approved = 0

        public init(sent: Int = 0, approved: Int = 0) { (self.sent, self.approved) = (sent, approved) }

        /// How many more were sent than the minimum and those that the approvals justify.
        package func excess(over minimum: Int, percent: Int) -> Int {
            max(0, sent - approved * 100 / percent - minimum)
        }
        package func isPoor(minimum: Int, percent: Int) -> Bool { sent >= minimum && approved * 100 < sent * percent }
        func isConverting(minimum: Int, percent: Int) -> Bool { sent >= minimum && approved * 100 >= sent * percent }
    }

    private static let hoursCounted: Int64 = 24

    /// The last 24 hours and up to an hour more, since hours count whole.
    public func lastDay(at now: Timestamp) -> Sample { sample { $0.number >= now.hour - Self.hoursCounted } }

    /// The last whole hour of the clock and the current one.
    public func lastHour(at now: Timestamp) -> Sample { sample { $0.number >= now.hour - 1 } }

    /// The part of the last day's messages whose codes would have been used by now if anyone meant to: hours that ended
    /// at least the longest life of a code ago. Approvals count whenever they came.
    public func ripe(at now: Timestamp) -> Sample {
        var sample = lastDay(at: now)
        let unripe = (now - Verification.longestLife).hour
        sample.sent = self.sample { $0.number >= now.hour - Self.hoursCounted && $0.number < unripe }.sent
        return sample
    }

    /// What was asked for in all hours that are kept, suppressed or not, and what of it was approved. It only gets less
    /// until something is counted again, so that a store can rank by it as it was then.
    public var kept: Sample {
        hours.reduce(into: Sample()) { sample, hour in
            sample.sent += hour.sent + hour.suppressed
            sample.approved += hour.approved
        }
    }

    public func suppressedLastDay(at now: Timestamp) -> Int {
        hours.reduce(0) { $0 + ($1.number >= now.hour - Self.hoursCounted ? $1.suppressed : 0) }
    }

    private func sample(_ counts: (Hour) -> Bool) -> Sample {
        hours.reduce(into: Sample()) { sample, hour in
            guard counts(hour) else { return }
            sample.sent += hour.sent
            sample.approved += hour.approved
        }
    }

    /// When the last day's messages will be fewer than `count`, or none, if none are sent until then.
    func firstMoment(withFewerThan count: Int, after now: Timestamp) -> Timestamp {
        let count = max(1, count)
        var left = lastDay(at: now).sent
        for hour in hours where hour.number >= now.hour - Self.hoursCounted {
            guard left >= count else { break }
            left -= hour.sent
            if left < count { return Timestamp(hour: hour.number + Self.hoursCounted + 1) }
        }
        return now
    }

    mutating func recordApproval(at now: Timestamp) { change(now) { $0.approved += 1 } }

    /// Counts messages of this moment, or takes them out again.
    mutating func changeSends(by count: Int, at moment: Timestamp) {
        if let index = hours.firstIndex(where: { $0.number == moment.hour }) {
            hours[index].sent = max(0, hours[index].sent + count)
        } else if count > 0 {
            change(moment) { $0.sent += count }
        }
    }

    mutating func recordSuppressed(at now: Timestamp) { change(now) { $0.suppressed += 1 } }

    /// Repairs what a clock that ran ahead left, or a longer block time. Hours in the future become this one, so that
    /// they neither count for longer than a day nor are dropped; and no block ends later than one that begins now. The
    /// clock is no reason to end one: set back by a second, it would end every block that was begun within that second.
    mutating func prune(at now: Timestamp, blockTime: Duration) {
        remember(at: now)
        if let last = hours.last, last.number > now.hour { change(now) { _ in } }
        if let end = blockedUntil { blockedUntil = min(end, now + blockTime) }
    }

    private mutating func change(_ now: Timestamp, _ change: (inout Hour) -> Void) {
        let this = now.hour
        remember(at: now)
        var current = Hour(number: this)
        while let last = hours.last, last.number >= this {
            current.sent += last.sent
            current.approved += last.approved
            current.suppressed += last.suppressed
            hours.removeLast()
        }
        change(&current)
        hours.append(current)
    }

    public func isBlocked(at now: Timestamp) -> Bool { blockedUntil.map { $0 > now } ?? false }

    mutating func block(from now: Timestamp, for time: Duration) {
        blockedUntil = now + time
        refusedInBlock = 0
        // What earlier approvals allow is allowed once: not again after the block.
        peaks = []
    }

    /// Ends a block and drops what led to it: it is no reason for the next, or no block would ever end.
    public mutating func unblock() { self = .none }

    /// Counts a message that the block suppressed. After `count` of them the attack is still on, and the block is
    /// renewed.
    mutating func recordRefusal(at now: Timestamp, renewingAfter count: Int, for time: Duration) {
        refusedInBlock += 1
        if refusedInBlock >= count { block(from: now, for: time) }
    }

    /// After this long a silence no rule looks at any hour, even if the clock was corrected meanwhile.
    public static let longestMemory: Duration = .seconds(48 * 3600)

    /// The last time that anything was counted here or a block was in force, if known.
    public var silentSince: Timestamp? {
        guard let last = hours.last else { return blockedUntil }
        let end = Timestamp(hour: last.number + 1)
        return blockedUntil.map { max($0, end) } ?? end
    }
}

extension Timestamp {
    fileprivate var hour: Int64 {
        // Rounded down before 1970 too.
        milliseconds >= 0 ? milliseconds / 3_600_000 : -((-milliseconds + 3_599_999) / 3_600_000)
    }

    fileprivate init(hour: Int64) { self.init(milliseconds: hour * 3_600_000) }
}

/// What a message counts in: the traffic of its number, and of the networks that it was asked for from.
public struct NumberTraffic: Hashable, Sendable {
    public var prefix: Traffic
    public var country: Traffic
    public var service: Traffic
    /// The traffic from the client's networks that are counted, the narrowest first; empty if its address is unknown.
    public var networks: [KeyedTraffic]

    public init(
        of number: PhoneNumber,
        from address: ClientAddress?,
        _ find: (TrafficKey) throws -> Traffic?
    ) rethrows {
        prefix = try find(.prefix(number.prefix)) ?? .none
        country = try find(.country(number.region)) ?? .none
        service = try find(.service) ?? .none
        networks = []
        for key in (address?.networks ?? []).reversed().map(TrafficKey.network) {
            let traffic = try find(key) ?? .none
            networks.insert(KeyedTraffic(key: key, traffic: traffic), at: 0)
            if traffic.hours.reduce(0, { $0 + $1.sent }) < Self.fewMessages { break }
        }
    }

    /// With fewer messages from a network the narrower ones in it are not counted: nearly all have fewer, and three
    /// rows for each would make a message by IPv6 cost a quarter more.
    private static let fewMessages = 5

    public init(prefix: Traffic, country: Traffic, service: Traffic = .none, networks: [KeyedTraffic] = []) {
        (self.prefix, self.country, self.service, self.networks) = (prefix, country, service, networks)
    }

    public func parts(of number: PhoneNumber) -> [KeyedTraffic] {
        [
            KeyedTraffic(key: .prefix(number.prefix), traffic: prefix),
            KeyedTraffic(key: .country(number.region), traffic: country),
            KeyedTraffic(key: .service, traffic: service),
        ] + networks
    }

    mutating func prune(at now: Timestamp, blockTime: Duration) { forEach { $0.prune(at: now, blockTime: blockTime) } }
    /// - Parameters:
    ///   - count: of messages.
    ///   - weight: how many each counts as in the budget. The guard judges by messages.
    mutating func changeSends(by count: Int, weight: Int, at moment: Timestamp) {
        forEach { $0.changeSends(by: count, at: moment) }
        service.changeSends(by: count * (weight - 1), at: moment)
    }
    mutating func recordSuppressed(at now: Timestamp) { forEach { $0.recordSuppressed(at: now) } }
    mutating func recordApproval(at now: Timestamp) { forEach { $0.recordApproval(at: now) } }

    /// Counts a message that the guard refused, of all networks in that alone which is the reason: most of an attack
    /// may be refused, and must not cost a row for each network that it takes.
    mutating func recordSuppressed(by verdict: GuardVerdict, at now: Timestamp) {
        forEach(where: { $0 == verdict.network }) { $0.recordSuppressed(at: now) }
    }

    /// - Parameter isAmong: which networks are among them.
    private mutating func forEach(
        where isAmong: (TrafficKey) -> Bool = { _ in true },
        _ change: (inout Traffic) -> Void
    ) {
        change(&prefix)
        change(&country)
        change(&service)
        for index in networks.indices where isAmong(networks[index].key) { change(&networks[index].traffic) }
    }
}

/// Which messages are counted together: those to the numbers of a prefix, of a country, or all; or those that were
/// asked for from one network.
public enum TrafficKey: Hashable, Sendable {
    /// The ten thousand numbers that share this beginning of their E.164 form (``PhoneNumber/prefix``).
    case prefix(String)
    case country(Region)
    case service
    case network(ClientAddress.Network)

    /// What the guard judges, as operators read it: networks by their size.
    public enum Kind: String, Sendable, CaseIterable {
        case prefix, country, address
        case network64 = "/64"
        case network56 = "/56"
        case network48 = "/48"

        /// The same as ``TrafficKey/allowance``.
        package var allowance: Int { self == .network56 || self == .network48 ? 2 : 1 }
    }
}

extension TrafficKey: CustomStringConvertible {
    /// How many times as many messages it takes to judge by these. Of the /48 twice as many, too, since people who
    /// share one keep it open by their approvals.
    var allowance: Int { if case .network(let network) = self { min(network.allowance, 2) } else { 1 } }

    /// Whether its best days are kept (``Traffic/peaks``).
    public var isRemembered: Bool {
        switch self {
        case .prefix, .country: true
        case .service, .network: false
        }
    }

    /// As it is stored and operators write it: `+82101234`, `KR`, `service`, `203.0.113.7`, `2001:db8:1::/48`.
    public var description: String {
        switch self {
        case .prefix(let prefix): prefix
        case .country(let region): region.description
        case .service: "service"
        case .network(let network): network.description
        }
    }

    public init?(_ text: String) {
        if text == "service" {
            self = .service
        } else if text.utf8.first == UInt8(ascii: "+") {
            self = .prefix(text)
        } else if let region = Region(text) {
            self = .country(region)
        } else if let network = ClientAddress.Network(text) {
            self = .network(network)
        } else {
            return nil
        }
    }
}

public struct KeyedTraffic: Hashable, Sendable {
    public let key: TrafficKey
    public var traffic: Traffic
    public init(key: TrafficKey, traffic: Traffic) { (self.key, self.traffic) = (key, traffic) }
}
