import PhoneDomain

/// One of a gateway's senders, and how many messages a second it may send: what vendor and carriers allow a number.
public struct RatedSender<Sender: Hashable & Sendable & LosslessStringConvertible>: Hashable,
    Sendable
{
    public let sender: Sender
    /// 0.1 to 1000.
    let perSecond: Double
}

extension RatedSender: LosslessStringConvertible {
    /// Parses `+15005550006=1`: the sender and its messages a second.
    public init?(_ text: String) {
        guard let equals = text.lastIndex(of: "="), let sender = Sender(String(text[..<equals])),
            let rate = Double(text[text.index(after: equals)...]), (0.1...1000).contains(rate)
        else { return nil }
        (self.sender, perSecond) = (sender, rate)
    }

    public var description: String { "\(sender)=\(perSecond)" }
}

extension Array {
    /// The one that a message was given; the only one where none have rates.
    func sender<Sender>(of message: GatewayMessage, orElse only: Sender) -> Sender
    where Element == RatedSender<Sender> {
        indices.contains(message.sender) ? self[message.sender].sender : only
    }
}

/// The turns of messages at the senders of a gateway, each of which sends so many a second and no more.
///
/// A number has the same sender as long as that one is free, and else the one that is free first. A message whose turn
/// is later waits in the outbox, and not here: all that is kept is its turn. After a restart turns are given anew.
struct SenderQueue {
    enum Turn: Hashable {
        case now(sender: Int)
        case later(Timestamp)
        /// It would not come before the end.
        case never
    }

    /// A sender may use up a second's messages at once.
    private static let burst: Duration = .seconds(1)

    private let intervals: [Duration]
    /// From when on each may send another, if all are sent evenly.
    private var next: [Timestamp]
    private var turns: [OutboxMessage.ID: (sender: Int, at: Timestamp)] = [:]
    /// How many turns there are when those that have passed are removed.
    private var most = 1000

    /// - Parameter rates: messages a second of each sender.
    init(perSecond rates: [Double]) {
        intervals = rates.map { .microseconds(Int64(1_000_000 / $0)) }
        next = Array(repeating: Timestamp(milliseconds: 0), count: rates.count)
    }

    /// The turn of a message, which is taken if it is now or later. Ask again when it comes.
    ///
    /// - Parameters:
    ///   - end: a turn at this time or later is none.
    ///   - isKept: whether it may go by the number's own sender alone, since it may have gone by that already.
    mutating func turn(
        of id: OutboxMessage.ID,
        to number: PhoneNumber,
        isKept: Bool,
        at now: Timestamp,
        before end: Timestamp
    ) -> Turn {
        if let turn = turns[id] {
            if now < turn.at { return .later(turn.at) }
            turns[id] = nil
            // One that comes late would go beside those whose turn it is.
            if now <= turn.at + Self.burst { return .now(sender: turn.sender) }
        }
        let own = own(number)
        let senders = isKept ? [own] : next.indices.map { (own + $0) % next.count }
        func moment(_ sender: Int) -> Timestamp {
            max(now, next[sender] - max(.zero, Self.burst - intervals[sender]))
        }
        guard let sender = senders.min(by: { moment($0) < moment($1) }), moment(sender) < end else {
            return .never
        }
        let moment = moment(sender)
        next[sender] = max(next[sender], now) + intervals[sender]
        if moment <= now { return .now(sender: sender) }
        if turns.count >= most {
            turns = turns.filter { now <= $1.at + Self.burst }
            most = max(1000, turns.count * 2)
        }
        turns[id] = (sender, moment)
        return .later(moment)
    }

    /// The sender of a number, the same in every process, as `Hasher` is not (FNV-1a).
    func own(_ number: PhoneNumber) -> Int {
        Int(number.e164.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 })
            % next.count
    }
}
