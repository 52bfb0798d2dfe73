import PhoneDomain

/// The audit entries that an operation has added, to be told of when they are kept.
final class AuditJournal {
    private(set) var entries: [AuditEntry] = []

    func append(_ entry: AuditEntry) {
        entries.append(entry)
    }
}
