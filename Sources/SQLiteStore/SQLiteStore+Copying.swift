public import PhoneDomain

extension SQLiteStore: PortableStore {
    public func count(of kind: RecordKind) async throws -> Int {
        try await read { tables in
            try tables.db.first("SELECT count(*) FROM \(kind.table)", of: kind.table) { try $0.next() } ?? 0
        }
    }

    public func records(of kind: RecordKind, after key: RecordKey?, limit: Int) async throws -> [StoredRecord] {
        try await read { tables in
            // Every text key comes behind the empty text.
            let text = key?.text ?? ""
            return switch kind {
            case .account: try tables.accounts.page(after: text, limit: limit).map(StoredRecord.account)
            case .session: try tables.sessions.page(after: text, limit: limit).map(StoredRecord.session)
            case .numberChange: try tables.changes.page(after: text, limit: limit).map(StoredRecord.numberChange)
            case .verification: try tables.verifications.page(after: text, limit: limit).map(StoredRecord.verification)
            case .message: try tables.messages.page(after: text, limit: limit).map(StoredRecord.message)
            case .event: try tables.events.page(after: text, limit: limit).map(StoredRecord.event)
            case .signup: try tables.signups.page(after: text, limit: limit).map(StoredRecord.signup)
            case .idempotentRequest:
                try tables.requests.page(after: text, limit: limit).map(StoredRecord.idempotentRequest)
            case .activity: try tables.activities.page(after: text, limit: limit).map(StoredRecord.activity)
            case .meter: try tables.meters.page(after: text, limit: limit).map(StoredRecord.meter)
            case .traffic: try tables.traffic.page(after: text, limit: limit).map(StoredRecord.traffic)
            case .guardRule: try tables.guardRules.page(after: text, limit: limit).map(StoredRecord.guardRule)
            case .apiKey: try tables.apiKeys.page(after: text, limit: limit).map(StoredRecord.apiKey)
            case .tenant: try tables.tenants.page(after: text, limit: limit).map(StoredRecord.tenant)
            case .safeNumber: try tables.safeNumbers.page(after: text, limit: limit).map(StoredRecord.safeNumber)
            case .signingKey: try tables.signingKeys.page(after: text, limit: limit).map(StoredRecord.signingKey)
            case .auditEntry:
                try tables.audit.page(after: key?.serial ?? .min, limit: limit).map(StoredRecord.auditEntry)
            }
        }
    }

    /// KiB. Records come in the order of their keys, and so all over the indexes: with SQLite's usual 2 MB each page of them
    /// would be read and written many times over.
    private static let restoringCache = 65_536

    public func restore(_ records: [StoredRecord]) async throws {
        try await write { tables in
            try tables.db.run("PRAGMA cache_size = -\(Self.restoringCache)")
            for record in records { try tables.insert(record) }
        }
    }
}

extension Tables {
    fileprivate func insert(_ record: StoredRecord) throws {
        switch record {
        case .account(let account): try accounts.insert(account)
        case .session(let session): try sessions.insert(session)
        case .numberChange(let change): try changes.insert(change)
        case .verification(let verification): try verifications.insert(verification)
        case .message(let message): try messages.insert(message)
        case .event(let event): try events.insert(event)
        case .signup(let signup): try signups.insert(signup)
        case .idempotentRequest(let request): try requests.insert(request)
        case .activity(let number): try activities.insert(number)
        case .meter(let meter): try meters.insert(meter)
        case .traffic(let keyed): try traffic.insert(keyed)
        case .guardRule(let rule): try guardRules.insert(rule)
        case .apiKey(let key): try apiKeys.insert(key)
        case .tenant(let tenant): try tenants.insert(tenant)
        case .safeNumber(let number): try safeNumbers.insert(number)
        case .signingKey(let key): try signingKeys.insert(key)
        case .auditEntry(let cursor, let entry): try audit.insert((cursor, entry))
        }
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
