import PhoneDomain
import Synchronization

/// Decides which causes of an outage are worth a line in the log: every request fails of the same one, and what fails
/// for want of room on the disk must not fill it.
final class OutageLog: Sendable {
    private static let interval: Duration = .seconds(60)
    /// More than there are: a cause that never comes twice is not kept for ever.
    private static let limit = 100

    private let lastNoted = Mutex<[String: Timestamp]>([:])

    /// Whether this cause was not noted within the last minute; it is then taken for noted.
    func isWorthNoting(_ cause: String, at now: Timestamp) -> Bool {
        lastNoted.withLock { lastNoted in
            if let last = lastNoted[cause], last <= now, now < last + Self.interval { return false }
            if lastNoted.count >= Self.limit { lastNoted.removeAll() }
            lastNoted[cause] = now
            return true
        }
    }
}
