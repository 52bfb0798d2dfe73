import GRDB
import PhoneDomain

/// The rows of `api_key`.
struct APIKeyTable {
    static let name = "api_key"
    private static let columns = "id, name, digest, scopes, account, tenant, created_at, last_used_at, revoked_at"

    let db: Database

    func find(_ id: APIKey.ID) throws -> APIKey? {
        try db.first(
            "SELECT \(Self.columns) FROM api_key WHERE id = ?",
            [id.description],
            of: Self.name,
            read: read
        )
    }

    func all() throws -> [APIKey] {
        try db.all("SELECT \(Self.columns) FROM api_key ORDER BY created_at, id", of: Self.name, read: read)
    }

    /// The keys whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [APIKey] {
        try db.all(
            "SELECT \(Self.columns) FROM api_key WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func insert(_ key: APIKey) throws {
        try db.run(
            "INSERT INTO api_key (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                key.id.description, key.name.description, Blob(key.digest), key.scopes.list,
                key.account?.description, key.tenant?.description, key.createdAt.milliseconds,
                key.lastUsedAt?.milliseconds, key.revokedAt?.milliseconds,
            ]
        )
    }

    /// Keeps what a key may change.
    func update(_ key: APIKey) throws {
        try db.run(
            "UPDATE api_key SET last_used_at = ?, revoked_at = ? WHERE id = ?",
            [key.lastUsedAt?.milliseconds, key.revokedAt?.milliseconds, key.id.description]
        )
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> APIKey {
        APIKey(
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
    }
}
