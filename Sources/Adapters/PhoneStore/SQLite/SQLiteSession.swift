import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// SQLite's side of a ``CommandSession``: each record is found and saved by a prepared statement, which sees what the
/// transaction has written. Rows that most commands of a batch change (``Table/isCommon``) are read and written once for
/// all of them.
final class SQLiteSession {
    private let db: SQLiteConnection
    /// ``CommonRecords``, each at the number of its table.
    private var common: [(records: AnyObject, save: (SQLiteConnection) throws -> Void)?] = []

    init(_ db: SQLiteConnection) { self.db = db }

    func find<R: Record>(_ type: R.Type, _ key: R.Key) throws -> R? {
        guard R.table.isCommon else { return try db.find(type, key) }
        return try common(type).find(key) { try db.find(type, key) }
    }

    func save<R: Record>(_ loaded: R?, _ current: R?) throws {
        guard R.table.isCommon else { return try db.save(loaded, current) }
        common(R.self).save(loaded, current)
    }

    /// Saves what is not written yet.
    func end() throws { for records in common { try records?.save(db) } }

    private func common<R: Record>(_ type: R.Type) -> CommonRecords<R> {
        let number = R.table.number
        while common.count <= number { common.append(nil) }
        // A table is of one type.
        if let known = common[number] { return unsafeDowncast(known.records, to: CommonRecords<R>.self) }
        let records = CommonRecords<R>()
        common[number] = (records, records.save)
        return records
    }

    /// Does work of which nothing is left if it throws, but for what it has changed of common records.
    func isolated<Value>(_ work: () throws -> Value) throws -> Value {
        try db.run("SAVEPOINT operation", [])
        do {
            let value = try work()
            try db.run("RELEASE operation", [])
            return value
        } catch {
            db.generation += 1
            // There is none any more where SQLite has undone the transaction.
            if db.isInTransaction {
                try db.run("ROLLBACK TO operation", [])
                try db.run("RELEASE operation", [])
            }
            throw error
        }
    }

    // MARK: - Queries

    func verifications(of e164: String, since moment: Timestamp, until end: Timestamp) throws -> [Verification] {
        // Nearly always one day. Not several with IN: SQLite would make a table of them for that.
        let first = DayIndex.day(of: moment)
        return try (first...max(first, DayIndex.day(of: end))).flatMap { day -> [Verification] in
            try db.records(where: "\(DayIndex.day(of: "created_at")) = ?1 AND e164 = ?2 AND created_at > ?3") {
                $0.append(day, e164, moment)
            }
        }
    }

    func sessions(of account: Account.ID, limit: Int) throws -> [Session] {
        try db.records(where: "account_id = ?1 ORDER BY created_at, id DESC LIMIT ?2") { $0.append(account, limit) }
    }

    func numberChanges(of account: Account.ID) throws -> [NumberChange] {
        try db.records(where: "account_id = ?1") { $0.append(account) }
    }

    /// Few operators have a rule at all: whether there is one is looked up once in a transaction.
    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule] {
        guard try db.hasGuardRules() else { return [] }
        var prefixes: SQL = "NULL"
        for prefix in GuardRule.prefixes(of: number.e164) { prefixes += ", \(prefix)" }
        return try db.all(GuardRule.self, "WHERE prefix IN (\(prefixes))")
    }
}

/// Records of one type of which many commands of a transaction change the same ones.
private final class CommonRecords<R: Record> {
    /// Changed in place, where a table of pairs would be copied into and out of.
    private final class Entry {
        let stored: R?
        var current: R?

        init(_ stored: R?, _ current: R?) { (self.stored, self.current) = (stored, current) }
    }

    private var entries: [R.Key: Entry] = [:]

    func find(_ key: R.Key, load: () throws -> R?) rethrows -> R? {
        if let known = entries[key] { return known.current }
        let stored = try load()
        entries[key] = Entry(stored, stored)
        return stored
    }

    func save(_ loaded: R?, _ current: R?) {
        guard let key = current?.key ?? loaded?.key else { return }
        let saved = current?.isBlank == true ? nil : current
        if let known = entries[key] {
            known.current = saved
        } else {
            entries[key] = Entry(loaded, saved)
        }
    }

    func save(to db: SQLiteConnection) throws {
        for entry in entries.values where entry.stored != entry.current { try db.save(entry.stored, entry.current) }
    }
}
