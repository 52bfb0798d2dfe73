public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// What was asked for, sent and proven on one day, for one region, channel, gateway and caller.
///
/// Kept by upkeep (``RollUp``), not by requests: a verification is counted once, when all that can still happen to it
/// has happened. So a start writes no row more, and the figures of a day are complete two hours after its end.
public struct DailyFigure: Hashable, Sendable {
    /// What it is of.
    public struct Key: Hashable, Sendable, CustomStringConvertible {
        /// Days since 1970-01-01, in UTC.
        public let day: Int64
        public let region: Region
        /// Nil for what was suppressed before anything was sent.
        public let channel: Channel?
        /// The one that accepted the last message; nil if none did.
        public let gateway: String?
        /// Who asked: `caller:shop`, `signup`, `session`; nil where that is not known.
        public let caller: String?

        public init(day: Int64, region: Region, channel: Channel?, gateway: String?, caller: String?) {
            (self.day, self.region, self.channel, self.gateway, self.caller) = (day, region, channel, gateway, caller)
        }

        /// Distinct for each key. Only the caller may contain a space: an operator has the name of their account on the machine.
        public var description: String {
            "\(day) \(region) \(channel?.rawValue ?? "-") \(gateway ?? "-") \(caller ?? "-")"
        }
    }

    public let key: Key
    /// Verifications begun.
    public var requested = 0
    /// Messages that the guard suppressed.
    public var suppressed = 0
    /// Messages that a gateway accepted, or may have.
    public var sent = 0
    /// Those of them that a gateway reported as delivered.
    public var delivered = 0
    /// Verifications with at least one code entered.
    public var checked = 0
    public var approved = 0
    /// Verifications that were used for an account.
    public var signedUp = 0
    /// How many approvals came within each of ``bounds`` after the first message, and later.
    public var secondsToApproval: [Int]
    /// What the messages cost, in millionths of the currency.
    public var cost = 0

    /// The upper bounds of the histogram, in seconds.
    public static let bounds = [10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600]
    /// How long figures are kept.
    public static let retention: Duration = .seconds(400 * 86_400)

    public init(_ key: Key) {
        self.key = key
        secondsToApproval = Array(repeating: 0, count: Self.bounds.count + 1)
    }

    public var expiresAt: Timestamp { Self.expiry(ofDay: key.day) }

    /// When the figures of a day, counted from 1970, are deleted.
    public static func expiry(ofDay day: Int64) -> Timestamp { Timestamp(milliseconds: day * 86_400_000) + retention }

    mutating func recordApproval(after wait: Duration) {
        let index = Self.bounds.firstIndex { wait <= .seconds($0) } ?? Self.bounds.count
        secondsToApproval[index] += 1
    }

    /// Adds the counts of another, whatever its key.
    public mutating func add(_ other: DailyFigure) {
        requested += other.requested
        suppressed += other.suppressed
        sent += other.sent
        delivered += other.delivered
        checked += other.checked
        approved += other.approved
        signedUp += other.signedUp
        cost += other.cost
        for (index, count) in other.secondsToApproval.enumerated() where index < secondsToApproval.count {
            secondsToApproval[index] += count
        }
    }

    /// The bound under which this share of the approvals came, in seconds; nil without approvals, or beyond the last.
    public func seconds(percent: Int) -> Int? {
        let all = secondsToApproval.reduce(0, +)
        guard all > 0 else { return nil }
        var sum = 0
        for (index, count) in secondsToApproval.enumerated() {
            sum += count
            if sum * 100 >= all * percent { return index < Self.bounds.count ? Self.bounds[index] : nil }
        }
        return nil
    }
}

extension Owner {
    /// Who asks, for figures: a program by its name, people by how they came.
    public var figureName: String {
        switch self {
        case .signup: "signup"
        case .session: "session"
        case .caller, .operator, .local, .client: rawValue
        }
    }
}

/// Counts verifications once, a stretch at a time, in the order of their IDs.
///
/// It needs no index and no row of its own beside the figures: IDs lie in the order of time, and a store keeps how far
/// it has come. Of two instances that count the same stretch one commits.
public struct RollUp: Sendable {
    public let now: Timestamp
    /// How many verifications at most.
    public let limit: Int
    /// Those that a verification begins with.
    let maxChecks: Int

    public init(now: Timestamp, limit: Int, maxChecks: Int) {
        (self.now, self.limit, self.maxChecks) = (now, limit, maxChecks)
    }

    /// Verifications that were begun before this are counted: their code has expired, and an approval has been used or
    /// cannot be any more (``VerificationPolicy/approvalTTL``).
    public var settledBefore: Timestamp { now - Verification.longestLife - .seconds(3600) }

    /// The current hour, counted from 1970: those before it are over.
    public var hour: Int64 { now.milliseconds / 3_600_000 }

    /// - Parameter verifications: each with its messages.
    public func figures(of verifications: [(Verification, [OutboxMessage])]) -> [DailyFigure.Key: DailyFigure] {
        var figures: [DailyFigure.Key: DailyFigure] = [:]
        for (verification, messages) in verifications {
            let (day, region) = (verification.createdAt.milliseconds / 86_400_000, verification.phoneNumber.region)
            let caller = verification.owner.figureName
            func count(_ channel: Channel, _ gateway: String?, _ change: (inout DailyFigure) -> Void) {
                let key = DailyFigure.Key(day: day, region: region, channel: channel, gateway: gateway, caller: caller)
                change(&figures[key, default: DailyFigure(key)])
            }
            let codes = messages.filter { !$0.isNotice }.sorted { $0.createdAt < $1.createdAt }
            let last = codes.last { $0.countsAsSent && $0.status != .queued }
            count(last?.channel ?? verification.channel, last?.gateway) {
                $0.requested += 1
                if verification.recordedStatus == .approved {
                    $0.approved += 1
                    // What an approval was used for is recorded over its time; both are moments apart.
                    $0.recordApproval(after: verification.updatedAt - verification.createdAt)
                }
                if verification.consumedBy != nil { $0.signedUp += 1 }
                if verification.recordedStatus == .approved || verification.checksLeft < maxChecks { $0.checked += 1 }
            }
            for message in messages where message.countsAsSent && message.status != .queued {
                count(message.channel, message.gateway) {
                    $0.sent += 1
                    if message.status == .delivered { $0.delivered += 1 }
                    $0.cost += message.cost ?? 0
                }
            }
        }
        return figures
    }

    /// What the guard suppressed in these hours, by the traffic of countries, which counts nobody who asked.
    public static func suppressed(
        _ traffic: [KeyedTraffic],
        inHours hours: Range<Int64>
    ) -> [DailyFigure.Key: DailyFigure] {
        var figures: [DailyFigure.Key: DailyFigure] = [:]
        for keyed in traffic {
            guard case .country(let region) = keyed.key else { continue }
            for hour in keyed.traffic.hours where hours.contains(hour.number) && hour.suppressed > 0 {
                let key = DailyFigure.Key(
                    day: hour.number / 24,
                    region: region,
                    channel: nil,
                    gateway: nil,
                    caller: nil
                )
                figures[key, default: DailyFigure(key)].suppressed += hour.suppressed
            }
        }
        return figures
    }
}
