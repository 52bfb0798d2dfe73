import GRDB
import PhoneDomain

/// The operations of one transaction, and the rows that they hold in common.
///
/// What is counted for a country or the whole service is changed by nearly every operation. It is read when the first
/// asks for it, and written before the commit, or before an operation that looks at the tables themselves.
final class Batch {
    let db: Database
    var traffic = HeldRows<TrafficKey, Traffic>()
    var meters = HeldRows<LimitKey, RateMeter>()
    /// Whether there is any; nil if that is not known.
    var hasGuardRules: Bool?

    init(_ db: Database) {
        self.db = db
    }

    /// Writes what was changed, and holds no row any more.
    func letGo() throws {
        try TrafficTable.keep(traffic.changes, in: db)
        try RateMeterTable.keep(meters.changes, in: db)
        traffic = HeldRows()
        meters = HeldRows()
        hasGuardRules = nil
    }
}
