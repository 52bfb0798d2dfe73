import PhoneDomain

/// The rows of `tenant`.
enum TenantTable: Table {
    static let name = "tenant"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("account", .text), ("name", .text), ("code_length", .integer), ("options", .integer),
        ("default_template", .text), ("limits", .text), ("created_at", .integer), ("updated_at", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.tenants = [key]
        return keys
    }

    static func write(_ tenant: Tenant, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(tenant.account.description)
        row.write(tenant.name.description)
        row.write(tenant.codeLength)
        row.write(tenant.options.rawValue)
        row.write(tenant.defaultTemplate?.description)
        row.write(tenant.limits.rawText)
        row.write(tenant.createdAt)
        row.write(tenant.updatedAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Tenant) {
        let tenant = Tenant(
            id: try row.next(parsedBy: Tenant.ID.init),
            account: try row.next(parsedBy: TenantAccount.ID.init),
            name: try row.next(parsedBy: TenantName.init),
            codeLength: try row.nextCount(),
            options: TenantOptions(rawValue: try row.nextCount()),
            defaultTemplate: try row.nextOptional(parsedBy: TemplateName.init(_:)),
            limits: try row.next { [TenantLimit](rawText: $0) },
            createdAt: try row.nextMoment(),
            updatedAt: try row.nextMoment()
        )
        return (tenant.id.description, tenant)
    }
}
