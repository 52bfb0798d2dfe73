import PhoneDomain

/// The rows of `api_key`. No batch has them: they are read one by one, and seldom written.
enum APIKeyTable: Table {
    static let name = "api_key"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("name", .text), ("digest", .bytes), ("scopes", .text), ("account", .text),
        ("tenant", .text), ("created_at", .integer), ("last_used_at", .integer), ("revoked_at", .integer),
    ]

    static func keys(of key: String) -> RowKeys { RowKeys() }

    static func write(_ key: APIKey, under id: String, to row: inout RowWriter) {
        row.write(id)
        row.write(key.name.description)
        row.write(key.digest)
        row.write(key.scopes.list)
        row.write(key.account?.description)
        row.write(key.tenant?.description)
        row.write(key.createdAt)
        row.write(key.lastUsedAt)
        row.write(key.revokedAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: APIKey) {
        let key = APIKey(
            id: try row.next(parsedBy: APIKey.ID.init),
            name: try row.next(parsedBy: CallerName.init),
            digest: try row.nextBytes(),
            scopes: try row.next(parsedBy: Set<APIScope>.init(list:)),
            account: try row.nextOptional(parsedBy: TenantAccount.ID.init),
            tenant: try row.nextOptional(parsedBy: Tenant.ID.init),
            createdAt: try row.nextMoment(),
            lastUsedAt: try row.nextOptionalMoment(),
            revokedAt: try row.nextOptionalMoment()
        )
        return (key.id.description, key)
    }
}
