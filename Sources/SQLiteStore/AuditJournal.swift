import PhoneDomain

/// What observers are notified of once an operation is kept.
final class AuditJournal {
    /// The audit entries that it has added.
    private(set) var entries: [AuditEntry] = []
    /// The rows that it has passed over.
    private(set) var unreadable: [UnreadableRow] = []

    func append(_ entry: AuditEntry) {
        entries.append(entry)
    }

    func append(_ keys: [String], of table: String) {
        unreadable += keys.map { UnreadableRow(table: table, key: $0) }
    }
}
