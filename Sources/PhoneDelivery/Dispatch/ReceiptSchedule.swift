import PhoneDomain

/// When a gateway is asked how messages fared: at ages that double, so that most are known soon and none is asked of for long.
///
/// It knows no message: what is due is what came into one of these ages since the gateway was asked last. So nothing has to be
/// kept, and a program that starts anew, or one of several, asks of all that are young enough and goes on from there.
public struct ReceiptSchedule: Hashable, Sendable {
    /// Moments at which messages were queued: after the one, at the other or before.
    struct Interval: Hashable {
        var after: Timestamp
        var through: Timestamp
    }

    /// From 5 seconds to a day.
    public static let standard = ReceiptSchedule(from: .seconds(5), to: .seconds(86_400))

    /// The ages, youngest first.
    let ages: [Duration]
    /// The age beyond which nobody asks.
    let longest: Duration

    /// A schedule.
    ///
    /// - Parameters:
    ///   - first: how old a message is when its gateway is asked first, a second at least.
    ///   - longest: how old it is when its gateway is asked last.
    public init(from first: Duration, to longest: Duration) {
        let first = max(first, .seconds(1))
        var ages = [first]
        while let last = ages.last, last * 2 <= longest { ages.append(last * 2) }
        self.ages = ages
        self.longest = max(longest, first)
    }

    /// How long to wait from one question to the next.
    var interval: Duration { ages[0] }

    /// What is due, oldest first; nothing is due twice, nor once it is twice as old as the last age, however long the gateway
    /// could not be asked.
    ///
    /// - Parameter last: when the gateway was asked last; nil if it never was.
    func due(since last: Timestamp?, at now: Timestamp) -> [Interval] {
        guard let last, last <= now else { return [Interval(after: now - longest, through: now - ages[0])] }
        return ages.reversed().reduce(into: []) { intervals, age in
            let (after, through) = (max(last - age, now - longest * 2), now - age)
            guard after < through else { return }
            if let previous = intervals.last, after <= previous.through {
                intervals[intervals.count - 1].through = through
            } else {
                intervals.append(Interval(after: after, through: through))
            }
        }
    }
}
