public import PhoneDomain

extension MemoryStore: AuditStore {
    public func entries(_ query: AuditQuery) throws -> AuditPage {
        try reach()
        let found = audit.filter { query.covers($0.entry, at: $0.cursor) }.sorted { $0.cursor > $1.cursor }
        return AuditPage(found, limit: query.limit)
    }

    public func purgeAudit(before moment: Timestamp, limit: Int) throws -> Int {
        try reach()
        let old = audit.map(\.cursor).filter { $0.at < moment }.sorted().prefix(limit)
        audit.removeAll { old.contains($0.cursor) }
        return old.count
    }
}
