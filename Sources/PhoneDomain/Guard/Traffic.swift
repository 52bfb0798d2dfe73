/// The messages sent to some numbers and the approvals that came of them, hour by hour over the last day.
///
/// Pumped traffic sells messages and proves nothing, so what share of messages leads to an approval tells it from
/// people (https://www.twilio.com/docs/verify/preventing-toll-fraud).
public struct Traffic: Hashable, Sendable {
    /// One hour of the clock.
    public struct Hour: Hashable, Sendable {
        /// Which one: whole hours since 1970-01-01T00:00:00Z.
        public let number: Int64
        /// Messages queued in it.
        public var sent: Int
        /// Approvals in it.
        public var approved: Int
        /// Messages that the guard held back in it.
        public var heldBack: Int

        /// An hour as a store kept it.
        public init(number: Int64, sent: Int = 0, approved: Int = 0, heldBack: Int = 0) {
            self.number = number
            self.sent = sent
            self.approved = approved
            self.heldBack = heldBack
        }
    }

    /// The hours in which something happened, oldest first; at most 25.
    public private(set) var hours: [Hour]
    /// The end of the block that holds, or nil.
    public private(set) var blockedUntil: Timestamp?
    /// How many messages were asked for while the block held, since it was begun or renewed.
    public private(set) var refusedInBlock: Int

    /// Numbers that nothing is known of.
    public static let none = Traffic(hours: [], blockedUntil: nil, refusedInBlock: 0)

    /// The traffic as a store kept it.
    public init(hours: [Hour], blockedUntil: Timestamp?, refusedInBlock: Int) {
        self.hours = hours
        self.blockedUntil = blockedUntil
        self.refusedInBlock = refusedInBlock
    }

    /// How much was sent and approved.
    public struct Sample: Hashable, Sendable {
        /// Messages.
        public var sent: Int
        /// Approvals.
        public var approved: Int

        /// So many of each.
        public init(sent: Int = 0, approved: Int = 0) {
            self.sent = sent
            self.approved = approved
        }

        /// Whether so many messages are enough to go by and too few of them led to an approval.
        ///
        /// - Parameter percent: the least share that is not too few.
        func isPoor(minimum: Int, percent: Int) -> Bool {
            sent >= minimum && approved * 100 < sent * percent
        }

        /// Whether so many messages are enough to go by and not too few of them led to an approval.
        func isGood(minimum: Int, percent: Int) -> Bool {
            sent >= minimum && approved * 100 >= sent * percent
        }
    }

    private static let hoursKept: Int64 = 24

    /// All that was sent within the last 24 hours, and with it up to an hour more, since hours count whole.
    public func lastDay(at now: Timestamp) -> Sample {
        sample { $0.number >= now.hour - Self.hoursKept }
    }

    /// What was sent within the last whole hour of the clock and the one that runs.
    public func lastHour(at now: Timestamp) -> Sample {
        sample { $0.number >= now.hour - 1 }
    }

    /// What was sent so long ago within the last day that a code would have been used by now if anyone meant to: hours
    /// of which the longest life of a code has passed since their end. Approvals count whenever they came.
    public func ripe(at now: Timestamp) -> Sample {
        var sample = lastDay(at: now)
        let unripe = (now - Verification.longestLife).hour
        sample.sent = hours.reduce(0) {
            $0 + ($1.number >= now.hour - Self.hoursKept && $1.number < unripe ? $1.sent : 0)
        }
        return sample
    }

    /// How many messages the guard held back within the same hours.
    public func heldBackLastDay(at now: Timestamp) -> Int {
        hours.reduce(0) { $0 + ($1.number >= now.hour - Self.hoursKept ? $1.heldBack : 0) }
    }

    private func sample(_ counts: (Hour) -> Bool) -> Sample {
        hours.reduce(into: Sample()) { sample, hour in
            guard counts(hour) else { return }
            sample.sent += hour.sent
            sample.approved += hour.approved
        }
    }

    /// When the last day's messages will be fewer than `count`, if none are sent until then.
    func firstMoment(withFewerThan count: Int, after now: Timestamp) -> Timestamp {
        var left = lastDay(at: now).sent
        for hour in hours where hour.number >= now.hour - Self.hoursKept {
            guard left >= count else { break }
            left -= hour.sent
            if left < count { return Timestamp(hour: hour.number + Self.hoursKept + 1) }
        }
        return now
    }

    mutating func recordSend(at now: Timestamp) {
        change(now) { $0.sent += 1 }
    }

    mutating func recordApproval(at now: Timestamp) {
        change(now) { $0.approved += 1 }
    }

    /// Changes how much was sent in the hour of this moment, if that is still known.
    mutating func changeSends(by change: Int, at moment: Timestamp) {
        guard let index = hours.firstIndex(where: { $0.number == moment.hour }) else { return }
        hours[index].sent = max(0, hours[index].sent + change)
    }

    mutating func recordHeldBack(at now: Timestamp) {
        change(now) { $0.heldBack += 1 }
    }

    /// Mends what a clock that was ahead left behind, and what a longer time of blocks did. Hours still to come are taken
    /// for this one, so that they neither count for longer than a day nor are forgotten; and no block ends later than one
    /// that begins now. The clock is no reason to end one: set back by a second, it would let go of every block that was
    /// begun within that second.
    mutating func prune(at now: Timestamp, blockTime: Duration) {
        if let last = hours.last, last.number > now.hour { change(now) { _ in } }
        if let end = blockedUntil { blockedUntil = min(end, now + blockTime) }
    }

    private mutating func change(_ now: Timestamp, _ change: (inout Hour) -> Void) {
        var current = Hour(number: now.hour)
        var kept: [Hour] = []
        for hour in hours where hour.number >= now.hour - Self.hoursKept {
            if hour.number >= now.hour {
                current.sent += hour.sent
                current.approved += hour.approved
                current.heldBack += hour.heldBack
            } else {
                kept.append(hour)
            }
        }
        change(&current)
        hours = kept + [current]
    }

    /// Whether a block holds.
    public func isBlocked(at now: Timestamp) -> Bool {
        blockedUntil.map { $0 > now } ?? false
    }

    /// Begins a block.
    mutating func block(from now: Timestamp, for time: Duration) {
        blockedUntil = now + time
        refusedInBlock = 0
    }

    /// Ends a block, and forgets what led to it: it is no reason for the next, or nobody would ever get out.
    public mutating func unblock() {
        self = .none
    }

    /// Counts a message that the block kept back. After so many, the attack is still on, and the block begins anew.
    mutating func recordRefusal(at now: Timestamp, renewingAfter count: Int, for time: Duration) {
        refusedInBlock += 1
        if refusedInBlock >= count { block(from: now, for: time) }
    }

    /// After so long a silence no rule looks at any hour, even if the clock was put right meanwhile.
    public static let longestMemory: Duration = .seconds(48 * 3600)

    /// The last time that anything was counted here or a block held, or nil if nothing is known.
    public var silentSince: Timestamp? {
        [hours.last.map { Timestamp(hour: $0.number + 1) }, blockedUntil].compactMap(\.self).max()
    }
}

extension Timestamp {
    fileprivate var hour: Int64 {
        // Rounded down before 1970 too.
        milliseconds >= 0 ? milliseconds / 3_600_000 : -((-milliseconds + 3_599_999) / 3_600_000)
    }

    fileprivate init(hour: Int64) {
        self.init(milliseconds: hour * 3_600_000)
    }
}
