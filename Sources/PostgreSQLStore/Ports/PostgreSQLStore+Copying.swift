public import PhoneDomain

extension PostgreSQLStore: PortableStore {
    public func count(of kind: RecordKind) async throws -> Int {
        try await read("SELECT count(*) FROM \(kind.table)", of: kind.table) {
            (row) throws(PostgreSQLStoreError) in try row.nextCount()
        }.first ?? 0
    }

    public func records(of kind: RecordKind, after key: RecordKey?, limit: Int) async throws -> [StoredRecord] {
        switch kind {
        case .account: try await page(AccountTable.self, key, limit) { _, account in .account(account) }
        case .session: try await page(SessionTable.self, key, limit) { _, session in .session(session) }
        case .numberChange: try await page(NumberChangeTable.self, key, limit) { _, value in .numberChange(value) }
        case .verification: try await page(VerificationTable.self, key, limit) { _, value in .verification(value) }
        case .message: try await page(OutboxMessageTable.self, key, limit) { _, message in .message(message) }
        case .event: try await page(EventTable.self, key, limit) { _, event in .event(event) }
        case .signup: try await page(SignupTable.self, key, limit) { _, signup in .signup(signup) }
        case .idempotentRequest:
            try await page(IdempotentRequestTable.self, key, limit) { _, request in .idempotentRequest(request) }
        case .activity:
            try await page(NumberActivityTable.self, key, limit) { .activity(BusyNumber(e164: $0, activity: $1)) }
        case .meter:
            try await page(RateMeterTable.self, key, limit) {
                .meter(MeterInUse(key: LimitKey(rawValue: $0), meter: $1))
            }
        case .traffic:
            try await page(TrafficTable.self, key, limit) { key, traffic in
                guard let key = TrafficKey(key) else {
                    throw PostgreSQLStoreError.unreadable(table: TrafficTable.name, column: 0)
                }
                return .traffic(KeyedTraffic(key: key, traffic: traffic))
            }
        case .guardRule: try await page(GuardRuleTable.self, key, limit) { _, rule in .guardRule(rule) }
        case .apiKey: try await page(APIKeyTable.self, key, limit) { _, key in .apiKey(key) }
        case .tenant: try await page(TenantTable.self, key, limit) { _, tenant in .tenant(tenant) }
        case .safeNumber: try await page(SafeNumberTable.self, key, limit) { _, number in .safeNumber(number) }
        case .signingKey: try await page(SigningKeyTable.self, key, limit) { _, key in .signingKey(key) }
        case .auditEntry:
            try await read(
                "SELECT \(AuditEntryTable.columnNames) FROM audit_entry WHERE id > $1 ORDER BY id LIMIT $2",
                [.integer(key?.serial ?? .min), .integer(limit)],
                of: AuditEntryTable.name,
                read: AuditEntryTable.read
            ).map(StoredRecord.auditEntry)
        }
    }

    public func restore(_ records: [StoredRecord]) async throws {
        try await transact { _ = try $0.run(Self.inserts(records)) }
    }

    private func page<T: Table>(
        _ table: T.Type,
        _ key: RecordKey?,
        _ limit: Int,
        _ record: (String, T.Value) throws -> StoredRecord
    ) async throws -> [StoredRecord] {
        // As the index has it (``Schema``). Every key comes behind the empty text.
        let column = "\(T.columns[0].name) COLLATE \"C\""
        return try await read(
            "SELECT \(T.columnNames) FROM \(T.name) WHERE \(column) > $1 ORDER BY \(column) LIMIT $2",
            [.text(key?.text ?? ""), .integer(limit)],
            of: T.name,
            read: { (row) throws(PostgreSQLStoreError) in try T.read(&row) }
        ).map(record)
    }

    private static func inserts(_ records: [StoredRecord]) -> [Query] {
        func rows<Value>(_ row: (StoredRecord) -> (key: String, value: Value)?) -> [(key: String, value: Value)] {
            records.compactMap(row)
        }
        let accounts = records.compactMap { if case .account(let account) = $0 { account } else { nil } }
        return AccountTable.inserts(accounts.map { ($0.id.description, $0) })
            + AccountNumberTable.inserts(AccountNumberTable.rows(of: accounts))
            + SessionTable.inserts(
                rows { if case .session(let session) = $0 { (session.id.description, session) } else { nil } }
            )
            + VerificationTable.inserts(
                rows { if case .verification(let value) = $0 { (value.id.description, value) } else { nil } }
            )
            + NumberChangeTable.inserts(
                rows { if case .numberChange(let change) = $0 { (change.id.description, change) } else { nil } }
            )
            + OutboxMessageTable.inserts(
                rows { if case .message(let message) = $0 { (message.id.description, message) } else { nil } }
            )
            + EventTable.restores(
                rows { if case .event(let event) = $0 { (event.id.description, event) } else { nil } }
            )
            + SignupTable.inserts(
                rows { if case .signup(let signup) = $0 { (signup.id.description, signup) } else { nil } }
            )
            + IdempotentRequestTable.inserts(
                rows { if case .idempotentRequest(let value) = $0 { (value.name.rawValue, value) } else { nil } }
            )
            // What says nothing has no row.
            + NumberActivityTable.inserts(
                rows {
                    guard case .activity(let number) = $0, number.activity.silentSince != nil else { return nil }
                    return (number.e164, number.activity)
                }
            )
            + RateMeterTable.inserts(
                rows { if case .meter(let meter) = $0 { (meter.key.description, meter.meter) } else { nil } }
            )
            + TrafficTable.inserts(
                rows {
                    guard case .traffic(let keyed) = $0, keyed.traffic.silentSince != nil else { return nil }
                    return (keyed.key.description, keyed.traffic)
                }
            )
            + GuardRuleTable.inserts(rows { if case .guardRule(let rule) = $0 { (rule.prefix, rule) } else { nil } })
            + APIKeyTable.inserts(rows { if case .apiKey(let key) = $0 { (key.id.description, key) } else { nil } })
            + TenantTable.inserts(
                rows { if case .tenant(let tenant) = $0 { (tenant.id.description, tenant) } else { nil } }
            )
            + SafeNumberTable.inserts(
                rows { if case .safeNumber(let number) = $0 { (number.key, number) } else { nil } }
            )
            + SigningKeyTable.inserts(
                rows { if case .signingKey(let key) = $0 { (key.id.description, key) } else { nil } }
            )
            + AuditEntryTable.inserts(
                at: records.compactMap {
                    if case .auditEntry(let cursor, let entry) = $0 { (cursor, entry) } else { nil }
                }
            )
    }
}

extension RecordKind {
    fileprivate var table: String {
        switch self {
        case .account: AccountTable.name
        case .session: SessionTable.name
        case .numberChange: NumberChangeTable.name
        case .verification: VerificationTable.name
        case .message: OutboxMessageTable.name
        case .event: EventTable.name
        case .signup: SignupTable.name
        case .idempotentRequest: IdempotentRequestTable.name
        case .activity: NumberActivityTable.name
        case .meter: RateMeterTable.name
        case .traffic: TrafficTable.name
        case .guardRule: GuardRuleTable.name
        case .apiKey: APIKeyTable.name
        case .tenant: TenantTable.name
        case .safeNumber: SafeNumberTable.name
        case .signingKey: SigningKeyTable.name
        case .auditEntry: AuditEntryTable.name
        }
    }
}
