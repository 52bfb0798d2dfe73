public import PhoneSignup

public struct RateLimit: Hashable, Sendable {
    /// The burst after a long silence, and the long-term rate within every ``window``; 1 to 1,000,000.
    public private(set) var quota: Int
    /// 1 second to 31 days, whole seconds.
    public let window: Duration
    /// The window in the largest unit that it is a whole number of: `1h`. It is made once, and so is the interval, since
    /// every request asks for both.
    let windowText: String
    /// The time from one to the next at the long-term rate, in microseconds.
    private(set) var interval: Int64
    private static let mostQuota = 1_000_000
    private static let longestWindow = 31 * 86_400

    public init?(quota: Int, window: Duration) {
        let (seconds, attoseconds) = window.components
        guard (1...Self.mostQuota).contains(quota), (1...Int64(Self.longestWindow)).contains(seconds), attoseconds == 0
        else { return nil }
        (self.quota, self.window) = (quota, window)
        let unit = Self.units.first { seconds % Int64($0.seconds) == 0 } ?? (name: "s", seconds: 1)
        windowText = "\(seconds / Int64(unit.seconds))\(unit.name)"
        interval = Self.interval(quota, seconds: seconds)
    }

    private static func interval(_ quota: Int, seconds: Int64) -> Int64 {
        (seconds * 1_000_000 + Int64(quota) - 1) / Int64(quota)
    }

    /// Parses `30/1h`: a quota, and a whole number of seconds, minutes, hours or days (`s`, `m`, `h`, `d`).
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        // Digits alone: `Int` parses `+30` too.
        guard parts.count == 2, parts.allSatisfy({ $0.first?.isNumber ?? false }),
            let quota = Int(parts[0]), let unit = parts[1].last,
            let count = Int(parts[1].dropLast()), (1...Self.longestWindow).contains(count),
            let seconds = Self.units.first(where: { $0.name == unit })?.seconds
        else { return nil }
        self.init(quota: quota, window: .seconds(count * seconds))
    }

    /// This limit with its quota multiplied, if it may be as large.
    func times(_ factor: Int) -> RateLimit {
        var limit = self
        limit.quota = min(quota * factor, Self.mostQuota)
        limit.interval = Self.interval(limit.quota, seconds: window.components.seconds)
        return limit
    }

    private static let units: [(name: Character, seconds: Int)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
}

extension RateLimit: CustomStringConvertible {
    public var description: String { "\(quota)/\(windowText)" }
}

/// How far one key has used its limit: the generic cell rate algorithm (ITU-T I.371, "virtual scheduling"). One time is
/// all there is to store. Nothing is ever reset, so there is no edge between two windows to exploit.
///
/// Each take moves the time by one interval, `window / quota`; a take that would move it further than one window ahead
/// of now is refused. So a quota may be taken at once, and then one more for each interval that passes. The interval is
/// rounded up to a microsecond, so that rounding never grants more than the limit says.
public struct RateMeter: Hashable, Sendable {
    /// When the key will have its whole quota again, in microseconds since 1970-01-01T00:00:00Z. Milliseconds could not
    /// express a quota of more than one a millisecond.
    public private(set) var fullAt: Int64
    public static let unused = RateMeter(fullAt: .min)
    public init(fullAt: Int64) { self.fullAt = fullAt }

    /// The ``fullAt`` of a meter that is full from this moment on.
    public static func fullAt(_ moment: Timestamp) -> Int64 { moment.microseconds }

    /// When `count` may be taken, of a larger one the whole quota; now, unless the result is after `now`.
    func nextAt(_ limit: RateLimit, now: Timestamp, count: Int = 1) -> Timestamp {
        let free = start(limit, now) + limit.interval * Int64(min(count, limit.quota)) - limit.length
        // Rounded up, so that a client that comes back then is not too early.
        return Timestamp(milliseconds: (free + 999) / 1000)
    }

    /// Limits a time further ahead than one window to one window, unless a request that arrived later can have left it
    /// (``Swift/Duration/longestDelay``): otherwise a clock that ran ahead left it. Keeping it would close the key
    /// until then; dropping it would grant a client a new quota. What is everybody's, a prefix, a country or the
    /// service, is dropped: it was full of one message, and would be closed to all for a window.
    mutating func prune(_ limit: RateLimit, now: Timestamp, isShared: Bool = false) {
        let clamped = clamped(limit, now.microseconds)
        fullAt = !isShared || clamped == fullAt ? clamped : Self.unused.fullAt
    }

    /// Several at once may take more than are left, but never more than a whole quota. A negative count gives back.
    mutating func take(_ limit: RateLimit, now: Timestamp, count: Int = 1) {
        fullAt = start(limit, now) + limit.interval * Int64(max(-limit.quota, min(count, limit.quota)))
    }

    public func remaining(_ limit: RateLimit, now: Timestamp) -> Int {
        Int(max(0, now.microseconds + limit.length - start(limit, now)) / limit.interval)
    }

    private func start(_ limit: RateLimit, _ now: Timestamp) -> Int64 {
        max(clamped(limit, now.microseconds), now.microseconds)
    }

    private func clamped(_ limit: RateLimit, _ now: Int64) -> Int64 {
        let end = now + limit.length
        return fullAt > end + RateLimit.longestDelay ? end : fullAt
    }
}

extension RateLimit {
    fileprivate static let longestDelay = Duration.longestDelay.components.seconds * 1_000_000
    /// How long the whole quota takes to come back: the window, and through rounding up to a second more.
    package var length: Int64 { interval * Int64(quota) }
}

extension Timestamp {
    fileprivate var microseconds: Int64 { milliseconds * 1000 }
}

public struct MeterInUse: Hashable, Sendable {
    public let key: LimitKey
    public let meter: RateMeter
    public init(key: LimitKey, meter: RateMeter) { (self.key, self.meter) = (key, meter) }
}
