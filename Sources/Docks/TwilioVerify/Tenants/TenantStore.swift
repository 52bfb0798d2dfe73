import PhoneAccounts
import PhoneDomain
import PhoneStore

extension Tenant: IdentifiedRecord {
    static let table = Table(
        "tenant",
        [
            .column("id", .id("ten")), .column("account", .id("tac")), .column("name", .text),
            .column("code_length", .integer), .column("options", .integer), .optional("default_template", .text),
            // A line for each limit and bucket.
            .column("limits", .text), .column("created_at", .integer), .column("updated_at", .integer),
        ],
        indexes: [("tenant_account", "(account, created_at, id)")]
    )

    func write(to row: inout some ColumnWriter) {
        row.append(id, account, name.description, codeLength)
        row.append(options.rawValue, defaultTemplate?.description, limits.rawText, createdAt)
        row.append(updatedAt)
    }

    init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            account: try row.id(),
            name: try row.parsed(DisplayName.init),
            codeLength: try row.count(),
            options: TenantOptions(rawValue: try row.count()),
            defaultTemplate: try row.optionalParsed(TemplateName.init(_:)),
            limits: try row.parsed { [TenantLimit](rawText: $0) },
            createdAt: try row.moment(),
            updatedAt: try row.moment()
        )
    }
}

extension SafeNumber: Record {
    /// `key` is the account and the number, which is what keeps an account from having a number twice.
    static let table = Table(
        "safe_number",
        [
            .column("key", .text), .column("id", .id("saf")), .column("account", .id("tac")), .column("e164", .text),
            .column("created_at", .integer),
        ],
        indexes: [("safe_number_e164", "(e164)")],
        erasedNumber: "e164"
    )

    func write(to row: inout some ColumnWriter) {
        row.append(key, id, account, e164)
        row.append(createdAt)
    }

    init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let key = try row.text()
        self.init(id: try row.id(), account: try row.id(), e164: try row.text(), createdAt: try row.moment())
        guard self.key == key else { throw UnreadableRecord(table: Self.table.name, column: 0) }
    }
}

extension UpdateTenant: OneRecordCommand {
    typealias Stored = Tenant
    var key: Tenant.ID { id }
}

extension SQLStore {
    func insert(_ tenant: Tenant) async throws { try await execute(.change) { try $0.put(tenant) } }

    func tenant(_ id: Tenant.ID) async throws -> Tenant? { try await find(Tenant.self, id) }

    func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure> {
        try await execute(.change, command.run)
    }

    /// Deletes a tenant of this account. Its verifications stay until they are purged, and nobody can ask for them.
    /// Returns whether there was one.
    func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool {
        try await execute(.change) { records in
            guard try records.find(Tenant.self, id)?.account == account else { return false }
            try records.remove(Tenant.self, id)
            return true
        }
    }

    /// Adds a number to an account's safe list. Returns false if it is there already; then nothing changes.
    func insert(_ number: SafeNumber) async throws -> Bool {
        try await execute(.change) { records in
            guard try records.find(SafeNumber.self, number.key) == nil else { return false }
            try records.put(number)
            return true
        }
    }

    func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber? {
        try await find(SafeNumber.self, SafeNumber.key(e164, of: account))
    }

    func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool {
        let key = SafeNumber.key(e164, of: account)
        return try await execute(.change) { try $0.remove(SafeNumber.self, key, audit: nil) != nil }
    }

    /// The tenants of an account, newest first (then by ID, backwards), without the first `offset`.
    func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try await all(
            Tenant.self,
            "WHERE account = \(account) ORDER BY created_at DESC, id DESC LIMIT \(limit: limit) OFFSET \(limit: offset)"
        )
    }
}
