public import PhoneDomain

extension SQLiteStore: AuditStore {
    public func entries(_ query: AuditQuery) async throws -> AuditPage {
        try await read { AuditPage(try $0.audit.find(query), limit: query.limit) }
    }

    public func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write { try $0.audit.purge(before: moment, limit: limit) }
    }
}
