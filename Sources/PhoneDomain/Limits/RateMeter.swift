/// How far one key has used its limit: the generic cell rate algorithm (ITU-T I.371, "virtual scheduling"). One moment
/// is all there is to keep. Nothing is ever reset, so there is no edge between two windows to gather at.
///
/// Each take moves the moment by one interval, `window / quota`; a take that would move it further than one window ahead
/// of now is refused. So a quota may be taken at once, and then one more for each interval that passes. The interval is
/// rounded up to a microsecond, so that rounding never grants more than the limit says.
public struct RateMeter: Hashable, Sendable {
    /// When the key will have its whole quota again, in microseconds since 1970-01-01T00:00:00Z. In milliseconds, a
    /// quota of more than one a millisecond would be none.
    public private(set) var fullAt: Int64

    /// The meter of a key that nothing is known of.
    public static let unused = RateMeter(fullAt: .min)

    /// A meter as a store kept it.
    public init(fullAt: Int64) {
        self.fullAt = fullAt
    }

    /// A meter that is full from this moment on has this ``fullAt``.
    public static func fullAt(_ moment: Timestamp) -> Int64 {
        moment.microseconds
    }

    /// When one may be taken: a moment that is not after `now` means now.
    func nextAt(_ limit: RateLimit, now: Timestamp) -> Timestamp {
        let free = start(limit, now) + limit.interval - limit.length
        // Rounded up: whoever comes back then must not be too early.
        return Timestamp(milliseconds: (free + 999) / 1000)
    }

    /// Takes a moment that is further ahead than one window for the end of one, unless a request that came later can have
    /// left it behind (``Swift/Duration/longestDelay``): else a clock has that was ahead. Kept as it is, it would close the key until then; forgotten, it
    /// would give a new quota to whoever can set a clock back.
    mutating func prune(_ limit: RateLimit, now: Timestamp) {
        fullAt = mended(limit, now.microseconds)
    }

    /// Takes one.
    mutating func take(_ limit: RateLimit, now: Timestamp) {
        fullAt = start(limit, now) + limit.interval
    }

    /// How many may be taken now.
    public func remaining(_ limit: RateLimit, now: Timestamp) -> Int {
        Int(max(0, now.microseconds + limit.length - start(limit, now)) / limit.interval)
    }

    private func start(_ limit: RateLimit, _ now: Timestamp) -> Int64 {
        max(mended(limit, now.microseconds), now.microseconds)
    }

    private func mended(_ limit: RateLimit, _ now: Int64) -> Int64 {
        let end = now + limit.length
        return fullAt > end + RateLimit.longestDelay ? end : fullAt
    }
}

extension RateLimit {
    fileprivate static let longestDelay = Duration.longestDelay.components.seconds * 1_000_000
    /// How long the whole quota takes to come back: the window, and through rounding up to a second more.
    fileprivate var length: Int64 { interval * Int64(quota) }
    fileprivate var interval: Int64 { (window.components.seconds * 1_000_000 + Int64(quota) - 1) / Int64(quota) }
}

extension Timestamp {
    fileprivate var microseconds: Int64 { milliseconds * 1000 }
}
