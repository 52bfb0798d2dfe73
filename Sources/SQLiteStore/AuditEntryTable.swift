import GRDB
import PhoneDomain

/// The rows of `audit_entry`.
struct AuditEntryTable {
    static let name = "audit_entry"
    private static let columns = """
        at, action, owner, address, verification_id, masked_number, number_digest, prefix_digest, region, verdict, reasons
        """

    private static let insertion = """
        INSERT INTO audit_entry (id, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// An entry and where it is.
    typealias Place = (cursor: AuditCursor, entry: AuditEntry)

    let db: Database
    let journal: AuditJournal

    /// The last entries of a prefix with a verdict, the newest first.
    func verdicts(prefix: NumberDigest, limit: Int) throws -> [Place] {
        try db.all(
            """
            SELECT id, \(Self.columns) FROM audit_entry
            WHERE prefix_digest = ? AND verdict IS NOT NULL ORDER BY id DESC LIMIT ?
            """,
            [prefix.description, limit],
            of: Self.name,
            read: read
        )
    }

    /// Adds what a command wrote, if it wrote anything.
    func append(_ entry: AuditEntry?) throws {
        guard let entry else { return }
        // NULL is the next number.
        try insert(entry, serial: nil)
        journal.append(entry)
    }

    /// Adds an entry at its place. What is appended later comes behind it, since AUTOINCREMENT counts on from the greatest
    /// number that there ever was (https://www.sqlite.org/autoinc.html).
    func insert(_ place: Place) throws {
        try insert(place.entry, serial: place.cursor.serial)
    }

    /// The entries whose numbers come behind this one, in order.
    func page(after serial: Int64, limit: Int) throws -> [Place] {
        try db.all(
            "SELECT id, \(Self.columns) FROM audit_entry WHERE id > ? ORDER BY id LIMIT ?",
            [serial, limit],
            of: Self.name,
            read: read
        )
    }

    private func insert(_ entry: AuditEntry, serial: Int64?) throws {
        try db.run(
            Self.insertion,
            [
                serial, entry.at.milliseconds, entry.action.rawValue, entry.owner?.rawValue, entry.address?.description,
                entry.verificationID?.description, entry.maskedNumber, entry.numberDigest?.description,
                entry.prefixDigest?.description, entry.region?.description, entry.verdict?.rawValue,
                entry.reasons.map(\.rawValue).joined(separator: " "),
            ]
        )
    }

    /// The entries that were asked for, newest first, and one more if there are so many.
    func find(_ query: AuditQuery) throws -> [Place] {
        guard let digests = query.numberDigests else { return try find(query, limit: query.limit + 1) }
        // Statements of their own for each digest: together they would have to be sorted.
        let found = try Set(digests).flatMap { try find(query, digest: $0) }
        return Array(found.sorted { $0.cursor > $1.cursor }.prefix(query.limit + 1))
    }

    private func find(_ query: AuditQuery, digest: NumberDigest) throws -> [Place] {
        var found: [Place] = []
        let last = [query.until, query.before?.at].compactMap(\.self).map(DayIndex.day).min()
        return try DayIndex.auditEntries.first(
            in: db,
            from: query.since.map(DayIndex.day) ?? .min,
            through: last ?? .max
        ) { day in
            found += try find(query, of: (day, digest), limit: query.limit + 1 - found.count)
            return found.count > query.limit ? found : nil
        } ?? found
    }

    /// Every entry of one of these verifications or with one of these digests, in no order.
    func concerning(
        _ verifications: Set<Verification.ID>,
        _ digests: [NumberDigest]
    ) throws -> (places: [Place], unreadable: [String]) {
        let found =
            try verifications.map { try all("verification_id = ?", $0.description) }
            + digests.map { try all("\(DayIndex.auditEntries.everyDay) AND number_digest = ?", $0.description) }
        let places = Dictionary(found.flatMap(\.values).map { ($0.cursor, $0) }) { $1 }
        return (Array(places.values), Array(Set(found.flatMap(\.unreadable))))
    }

    /// Keeps what ``AuditEntry/unlinked`` leaves of an entry.
    func unlink(_ place: Place) throws {
        try db.run(
            """
            UPDATE audit_entry
            SET owner = ?, address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL
            WHERE id = ?
            """,
            [place.entry.unlinked.owner?.rawValue, place.cursor.serial]
        )
    }

    /// Takes whatever may tell of a person out of entries that cannot be read.
    func unlink(unreadable: [String]) throws -> Int {
        try unreadable.reduce(0) { count, serial in
            try count
                + db.run(
                    """
                    UPDATE audit_entry
                    SET owner = NULL, address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL
                    WHERE id = ?
                    """,
                    [Int64(serial)]
                )
        }
    }

    func purge(before moment: Timestamp, limit: Int) throws -> Int {
        try db.run(
            "DELETE FROM audit_entry WHERE id IN (SELECT id FROM audit_entry WHERE at < ? ORDER BY at, id LIMIT ?)",
            [moment.milliseconds, max(0, limit)]
        )
    }

    private func all(_ condition: String, _ text: String) throws -> (values: [Place], unreadable: [String]) {
        try db.readable(
            "SELECT id, \(Self.columns) FROM audit_entry WHERE \(condition)",
            [text],
            of: Self.name,
            read: read
        )
    }

    /// - Parameter number: whose entries of which day, if not everybody's of every day.
    private func find(
        _ query: AuditQuery,
        of number: (day: Int64, digest: NumberDigest)? = nil,
        limit: Int
    ) throws -> [Place] {
        var conditions: [String] = []
        var arguments = Arguments()
        func add(_ condition: String, _ values: (any Bindable)?...) {
            guard values.allSatisfy({ $0 != nil }) else { return }
            conditions.append(condition)
            arguments += Arguments(values)
        }
        add("day = ?", number?.day)
        add("number_digest = ?", number?.digest.description)
        add("verification_id = ?", query.verificationID?.description)
        add("owner = ?", query.owner?.rawValue)
        add("action = ?", query.action?.rawValue)
        add("at >= ?", query.since?.milliseconds)
        add("at < ?", query.until?.milliseconds)
        // The first part is for the index, the second for what is exact.
        add("at <= ?", query.before?.at.milliseconds)
        add("(at < ? OR id < ?)", query.before?.at.milliseconds, query.before?.serial)
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        arguments += [limit]
        return try db.all(
            "SELECT id, \(Self.columns) FROM audit_entry \(condition) ORDER BY at DESC, id DESC LIMIT ?",
            arguments,
            of: Self.name,
            read: read
        )
    }

    /// Reads `id` and the columns.
    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Place {
        let serial: Int64 = try row.next()
        let at = try row.nextMoment()
        return (
            AuditCursor(at: at, serial: serial),
            AuditEntry(
                at: at,
                action: try row.next(parsedBy: AuditEntry.Action.init(rawValue:)),
                owner: try row.nextOptional(parsedBy: Owner.init(rawValue:)),
                address: try row.nextOptional(parsedBy: ClientAddress.init),
                verificationID: try row.nextOptional(parsedBy: Verification.ID.init),
                maskedNumber: try row.next(),
                numberDigest: try row.nextOptional(parsedBy: NumberDigest.init(rawValue:)),
                prefixDigest: try row.nextOptional(parsedBy: NumberDigest.init(rawValue:)),
                region: try row.nextOptional(parsedBy: Region.init),
                verdict: try row.nextOptional(parsedBy: GuardVerdict.Action.init(rawValue:)),
                reasons: try row.next(parsedBy: Self.reasons)
            )
        )
    }

    private static func reasons(_ text: String) -> [GuardVerdict.Reason]? {
        let names = text.split(separator: " ")
        let reasons = names.compactMap { GuardVerdict.Reason(rawValue: String($0)) }
        return reasons.count == names.count ? reasons : nil
    }
}
