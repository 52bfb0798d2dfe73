import GRDB
import PhoneDomain

/// The rows of `audit_entry`.
struct AuditEntryTable {
    static let name = "audit_entry"
    private static let columns = """
        at, action, owner, address, verification_id, masked_number, number_digest, prefix_digest, region, verdict, reasons
        """

    let db: Database

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
