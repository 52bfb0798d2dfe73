import GRDB
import PhoneDomain

/// The rows of `tenant`.
struct TenantTable {
    static let name = "tenant"
    private static let columns = """
        id, account, name, code_length, options, default_template, limits, created_at, updated_at
        """

    let db: Database

    func find(_ id: Tenant.ID) throws -> Tenant? {
        try db.first("SELECT \(Self.columns) FROM tenant WHERE id = ?", [id.description], of: Self.name, read: read)
    }

    /// Those of an account, newest first.
    func all(of account: TenantAccount.ID, offset: Int, limit: Int) throws -> [Tenant] {
        try db.all(
            """
            SELECT \(Self.columns) FROM tenant WHERE account = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?
            """,
            [account.description, max(0, limit), max(0, offset)],
            of: Self.name,
            read: read
        )
    }

    /// The tenants whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [Tenant] {
        try db.all(
            "SELECT \(Self.columns) FROM tenant WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func insert(_ tenant: Tenant) throws {
        try db.run(
            "INSERT INTO tenant (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                tenant.id.description, tenant.account.description, tenant.name.description, tenant.codeLength,
                tenant.options.rawValue, tenant.defaultTemplate?.description, tenant.limits.rawText,
                tenant.createdAt.milliseconds, tenant.updatedAt.milliseconds,
            ]
        )
    }

    /// Keeps what a command left of the tenant that was loaded.
    func save(_ tenant: Tenant?, loaded: Tenant?) throws {
        guard let tenant, tenant != loaded else { return }
        try db.run(
            """
            UPDATE tenant SET name = ?, code_length = ?, options = ?, default_template = ?, limits = ?, updated_at = ?
            WHERE id = ?
            """,
            [
                tenant.name.description, tenant.codeLength, tenant.options.rawValue,
                tenant.defaultTemplate?.description, tenant.limits.rawText, tenant.updatedAt.milliseconds,
                tenant.id.description,
            ]
        )
    }

    func delete(_ id: Tenant.ID, of account: TenantAccount.ID) throws -> Bool {
        try db.run("DELETE FROM tenant WHERE id = ? AND account = ?", [id.description, account.description]) > 0
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Tenant {
        Tenant(
            id: try row.next(parsedBy: Tenant.ID.init),
            account: try row.next(parsedBy: TenantAccount.ID.init),
            name: try row.next(parsedBy: TenantName.init),
            codeLength: try row.next(),
            options: TenantOptions(rawValue: try row.next()),
            defaultTemplate: try row.nextOptional(parsedBy: TemplateName.init(_:)),
            limits: try row.next(parsedBy: { [TenantLimit](rawText: $0) }),
            createdAt: try row.nextMoment(),
            updatedAt: try row.nextMoment()
        )
    }
}
