import GRDB
import PhoneDomain

/// The rows of `rate_meter`: none for a key that has its whole quota.
struct RateMeterTable {
    static let name = "rate_meter"

    let batch: Batch
    private var db: Database { batch.db }

    init(_ batch: Batch) {
        self.batch = batch
    }

    func find(_ key: LimitKey) throws -> RateMeter? {
        try batch.meters.value(of: key) {
            try db.first("SELECT full_at FROM rate_meter WHERE key = ?", [key.description], of: Self.name) { row in
                RateMeter(fullAt: try row.next())
            }
        }
    }

    /// What is known of these rules' keys.
    func ledger(_ rules: [LimitRule]) throws -> LimitLedger {
        try LimitLedger(rules, meters: find)
    }

    /// The keys of this subject. No index has them, since nothing that is done often asks for them.
    func keys(endingIn subject: String) throws -> [LimitKey] {
        try db.all("SELECT key FROM rate_meter WHERE key GLOB ?", ["* " + subject], of: Self.name) { row in
            LimitKey(rawValue: try row.next())
        }
    }

    /// Those that are not full at this moment, the last to be so first.
    func inUse(at now: Timestamp, limit: Int) throws -> [MeterInUse] {
        try db.all(
            "SELECT key, full_at FROM rate_meter WHERE full_at > ? ORDER BY full_at DESC, key LIMIT ?",
            [RateMeter.fullAt(now), limit],
            of: Self.name,
            read: Self.read
        )
    }

    /// The meters whose keys come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [MeterInUse] {
        try db.all(
            "SELECT key, full_at FROM rate_meter WHERE key > ? ORDER BY key LIMIT ?",
            [key, limit],
            of: Self.name,
            read: Self.read
        )
    }

    func insert(_ meter: MeterInUse) throws {
        try db.run(Self.insertion, [meter.key.description, meter.meter.fullAt])
    }

    private static func read(_ row: inout RowReader) throws(SQLiteStoreError) -> MeterInUse {
        MeterInUse(key: LimitKey(rawValue: try row.next()), meter: RateMeter(fullAt: try row.next()))
    }

    func delete(_ key: LimitKey) throws -> Bool {
        try db.run("DELETE FROM rate_meter WHERE key = ?", [key.description]) > 0
    }

    func purge(at now: Timestamp, limit: Int) throws -> Int {
        try db.run(
            """
            DELETE FROM rate_meter WHERE key IN (
                SELECT key FROM rate_meter WHERE full_at <= ? ORDER BY full_at, key LIMIT ?
            )
            """,
            [RateMeter.fullAt(now), limit]
        )
    }

    /// Keeps what a command left of the ledger that was loaded.
    func save(_ ledger: LimitLedger, loaded: LimitLedger) {
        for (key, meter) in ledger.meters where loaded.meters[key] != meter {
            batch.meters.set(key, to: meter, loaded: loaded.meters[key])
        }
    }

    /// Writes what was held.
    static func keep(_ changes: [HeldRows<LimitKey, RateMeter>.Change], in db: Database) throws {
        for change in changes {
            guard let meter = change.value else { continue }
            // Not INSERT OR REPLACE, for which SQLite copies the pages first.
            try db.run(
                change.isThere ? "UPDATE rate_meter SET full_at = ?2 WHERE key = ?1" : insertion,
                [change.key.description, meter.fullAt]
            )
        }
    }

    private static let insertion = "INSERT INTO rate_meter (key, full_at) VALUES (?1, ?2)"
}
