import GRDB
import PhoneDomain

/// The rows of `audit_entry`.
struct AuditEntryTable {
    static let name = "audit_entry"
    private static let columns = """
        at, action, owner, address, verification_id, masked_number, number_digest, prefix_digest, region, verdict, reasons
        """

    let db: Database

    /// The last entries of a prefix with a verdict, the newest first.
    func verdicts(prefix: NumberDigest, limit: Int) throws -> [(id: Int64, entry: AuditEntry)] {
        try db.all(
            """
            SELECT id, \(Self.columns) FROM audit_entry
            WHERE prefix_digest = ? AND verdict IS NOT NULL ORDER BY id DESC LIMIT ?
            """,
            [prefix.description, limit],
            of: Self.name
        ) { row in
            (id: try row.next(), entry: try Self.read(&row))
        }
    }

    private static func read(_ row: inout RowReader) throws(SQLiteStoreError) -> AuditEntry {
        AuditEntry(
            at: try row.nextMoment(),
            action: try row.next(parsedBy: AuditEntry.Action.init(rawValue:)),
            owner: try row.next(as: String?.self).map(Owner.init(rawValue:)),
            address: try row.nextOptional(parsedBy: { ClientAddress($0) }),
            verificationID: try row.nextOptional(parsedBy: { Verification.ID($0) }),
            maskedNumber: try row.next(),
            numberDigest: try row.next(as: String?.self).map(NumberDigest.init(rawValue:)),
            prefixDigest: try row.next(as: String?.self).map(NumberDigest.init(rawValue:)),
            region: try row.nextOptional(parsedBy: { Region($0) }),
            verdict: try row.nextOptional(parsedBy: GuardVerdict.Action.init(rawValue:)),
            reasons: try row.next(parsedBy: reasons)
        )
    }

    private static func reasons(_ text: String) -> [GuardVerdict.Reason]? {
        let words = text.split(separator: " ")
        let reasons = words.compactMap { GuardVerdict.Reason(rawValue: String($0)) }
        return reasons.count == words.count ? reasons : nil
    }

    /// Adds what a command wrote, if it wrote anything.
    func append(_ entry: AuditEntry?) throws {
        guard let entry else { return }
        try db.run(
            "INSERT INTO audit_entry (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                entry.at.milliseconds, entry.action.rawValue, entry.owner?.rawValue, entry.address?.description,
                entry.verificationID?.description, entry.maskedNumber, entry.numberDigest?.description,
                entry.prefixDigest?.description, entry.region?.description, entry.verdict?.rawValue,
                entry.reasons.map(\.rawValue).joined(separator: " "),
            ]
        )
    }
}
