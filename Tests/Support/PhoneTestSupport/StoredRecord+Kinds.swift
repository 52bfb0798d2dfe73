public import PhoneDomain
public import PhoneStore

/// Records of each kind, as tests write them.
extension StoredRecord {
    public static func account(_ account: Account) -> StoredRecord { StoredRecord(account) }
    public static func session(_ session: Session) -> StoredRecord { StoredRecord(session) }
    public static func numberChange(_ change: NumberChange) -> StoredRecord { StoredRecord(change) }
    public static func verification(_ verification: Verification) -> StoredRecord { StoredRecord(verification) }
    public static func message(_ message: OutboxMessage) -> StoredRecord { StoredRecord(message) }
    public static func event(_ event: Event) -> StoredRecord { StoredRecord(event) }
    public static func signup(_ signup: Signup) -> StoredRecord { StoredRecord(signup) }
    public static func meter(_ meter: MeterInUse) -> StoredRecord { StoredRecord(meter) }
    public static func guardRule(_ rule: GuardRule) -> StoredRecord { StoredRecord(rule) }

    public static func auditEntry(_ serial: Int64, _ entry: AuditEntry) -> StoredRecord {
        StoredRecord(AuditRecord(serial: serial, entry: entry))
    }

    /// The record, if it is of this type.
    public func record<R: Record>(as type: R.Type = R.self) throws -> R? {
        kind == R.table.name ? try R(row) : nil
    }
}
