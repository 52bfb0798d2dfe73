/// A moment in time, in whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
///
/// The domain never asks what time it is: every rule takes the moment as a parameter, from a ``WallClock``.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// The moment so many milliseconds after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The moment so many whole seconds after 1970-01-01T00:00:00Z.
    public init(seconds: Int64) {
        self.milliseconds = seconds * 1000
    }

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }

    /// The moment `duration` later; a part of a millisecond is dropped.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds + duration.wholeMilliseconds)
    }

    /// The moment `duration` earlier; a part of a millisecond is dropped.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - duration.wholeMilliseconds)
    }

    /// How long after `earlier` this moment is; negative if it is before it.
    public static func - (moment: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(moment.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// This duration in milliseconds, rounded towards zero.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// This duration in seconds, rounded up, so that one who waits so long has waited long enough
    /// (`Retry-After`, RFC 9110 section 10.2.3, is in whole seconds); never negative.
    public var wholeSecondsRoundedUp: Int64 {
        let (seconds, attoseconds) = components
        return max(0, attoseconds > 0 ? seconds + 1 : seconds)
    }
}
