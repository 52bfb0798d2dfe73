public import PhoneSignup

/// The senders of a gateway, each of which sends so many messages a second and no more: what vendor and carriers allow a
/// number. All instances over a store share it, and it outlives them.
///
/// A sender may use up a second's messages at once. A message that finds none free waits in line (``WaitingMessage``) and
/// is due in the outbox when its turn should come. Whoever takes a turn, or needs none any more, makes the next in line
/// due when the sender is free again: a message that is canceled meanwhile makes nobody wait. Each in line has a time of
/// its own besides, so that the line moves on if an instance crashes before it makes the next one due.
public struct SenderQueue: Hashable, Sendable {
    /// A token bucket (GCRA), in microseconds since 1970.
    public struct Sender: Hashable, Sendable {
        /// When it may send next, if all were sent evenly.
        var next: Int64 = 0
        /// The same once all that wait for it are gone: later than ``next`` while some do.
        var end: Int64 = 0
        /// How many have ever joined the line.
        var joined: Int64 = 0
    }

    private static let burst: Int64 = 1_000_000
    /// How far apart the clocks of instances may be, in microseconds.
    private static let clockTolerance: Int64 = 5_000_000

    public let gateway: String
    public private(set) var senders: [Sender]

    public init(gateway: String, senders: [Sender] = []) { (self.gateway, self.senders) = (gateway, senders) }

    /// - Parameter numbers: three for each sender.
    public init?(gateway: String, numbers: [Int64]) {
        guard numbers.count.isMultiple(of: 3) else { return nil }
        self.init(
            gateway: gateway,
            senders: stride(from: 0, to: numbers.count, by: 3).map {
                Sender(next: numbers[$0], end: numbers[$0 + 1], joined: numbers[$0 + 2])
            }
        )
    }

    public var numbers: [Int64] { senders.flatMap { [$0.next, $0.end, $0.joined] } }

    /// Has as many senders as the settings at least: others may still be used by an instance that has not restarted.
    ///
    /// None is busy for longer than one that has just sent: a clock that ran ahead left it so, and nothing would be sent
    /// until the right one has caught up.
    public mutating func fit(_ turn: TakeTurn) {
        senders += Array(repeating: Sender(), count: max(0, turn.intervals.count - senders.count))
        for (index, interval) in turn.intervals.enumerated() {
            let latest = turn.now.milliseconds * 1000 + max(interval, Self.burst) + Self.clockTolerance
            let excess = max(0, senders[index].next - latest)
            senders[index].next -= excess
            senders[index].end -= excess
        }
    }

    public func hasLine(_ sender: Int) -> Bool { senders[sender].end > senders[sender].next }

    /// When it may send again.
    public func opening(of sender: Int, _ turn: TakeTurn) -> Timestamp {
        Self.opening(senders[sender].next, turn.intervals[sender])
    }

    /// When it may send once all that wait for it are gone.
    public func lastOpening(of sender: Int, _ turn: TakeTurn) -> Timestamp {
        Self.opening(max(senders[sender].next, senders[sender].end), turn.intervals[sender])
    }

    private static func opening(_ moment: Int64, _ interval: Int64) -> Timestamp {
        // Rounded up: not a moment too early.
        Timestamp(milliseconds: (moment - max(0, burst - interval) + 999) / 1000)
    }

    public mutating func take(_ sender: Int, _ turn: TakeTurn) {
        senders[sender].next = max(senders[sender].next, turn.now.milliseconds * 1000) + turn.intervals[sender]
        senders[sender].end = max(senders[sender].end, senders[sender].next)
    }

    /// - Returns: the place in the line.
    @discardableResult
    public mutating func join(_ sender: Int, _ turn: TakeTurn) -> Int64 {
        senders[sender].end = max(senders[sender].end, turn.now.milliseconds * 1000) + turn.intervals[sender]
        senders[sender].joined += 1
        return senders[sender].joined
    }

    public mutating func leave(_ sender: Int, _ turn: TakeTurn) {
        senders[sender].end = max(senders[sender].next, senders[sender].end - turn.intervals[sender])
    }

    /// Nobody waits for it.
    public mutating func clear(_ sender: Int) { senders[sender].end = senders[sender].next }
}

/// The place of a verification's message in the line of a sender. A code that is asked for again has the same place.
public struct WaitingMessage: Hashable, Sendable {
    public let verificationID: Verification.ID
    public var messageID: OutboxMessage.ID
    /// Messages go in the order of their places.
    public let place: Int64
    public let gateway: String
    public let sender: Int
    /// When it is due in the outbox, unless it is claimed.
    public var due: Timestamp
    public let expiresAt: Timestamp

    public init(
        verificationID: Verification.ID,
        messageID: OutboxMessage.ID,
        place: Int64,
        gateway: String,
        sender: Int,
        due: Timestamp,
        expiresAt: Timestamp
    ) {
        (self.verificationID, self.messageID, self.place) = (verificationID, messageID, place)
        (self.gateway, self.sender, self.due, self.expiresAt) = (gateway, sender, due, expiresAt)
    }
}

/// Takes a turn of a message at one of a gateway's senders, or has it wait in line.
public struct TakeTurn: Sendable {
    public enum Purpose: Sendable {
        case send(OutboxClaim)
        /// It needs no turn any more.
        case leave(OutboxClaim)
        /// A message of no verification, which goes now or not at all.
        case test
        /// Nothing is taken: a message that is withheld waits for as long as another would.
        case ask
    }

    public enum Turn: Hashable, Sendable {
        case now(sender: Int)
        /// It waits: the outbox has it due then.
        case later(Timestamp)
        /// It would not come before the end, or is not needed.
        case never
    }

    public let purpose: Purpose
    public let gateway: String
    /// The microseconds between two messages of each sender.
    public let intervals: [Int64]
    /// The senders that it may go by, the number's own first: that one as long as it is free.
    public let order: [Int]
    /// A turn at this time or later is none.
    public let end: Timestamp
    public let now: Timestamp

    public init(
        _ purpose: Purpose,
        gateway: String,
        intervals: [Int64],
        order: [Int],
        before end: Timestamp,
        now: Timestamp
    ) {
        (self.purpose, self.gateway, self.intervals, self.order) = (purpose, gateway, intervals, order)
        (self.end, self.now) = (end, now)
    }

    /// Why a message waits, as it is stored with it.
    public static func reason(at gateway: String) -> String { "\(gateway): waits for its turn" }
}
