import PhoneDomain

/// A wait as people read it.
enum Countdown {
    /// `0:27`, `10:00`, `23:59:59`; rounded up, so that whoever waits so long has waited long enough.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.wholeSecondsRoundedUp
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let clock = hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)"
        return "\(clock):\(twoDigits(seconds % 60))"
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
