import PhoneDomain
import Records

/// The rows of whatever type, as they are stored.
private protocol AnyMemoryTable {
    var table: Table { get }
    var stored: [Row] { get }
    subscript(_ key: SQLValue) -> Row? { get }
    func set(_ row: Row) throws
    func remove(_ key: SQLValue)
}

/// The rows of one type.
final class MemoryTable<R: Record>: AnyMemoryTable {
    var rows: [R.Key: R] = [:]

    fileprivate var table: Table { R.table }
    fileprivate var stored: [Row] { rows.values.map(Row.init) }
    fileprivate subscript(_ key: SQLValue) -> Row? { R.Key(key).flatMap { rows[$0] }.map(Row.init) }

    fileprivate func set(_ row: Row) throws {
        let record = try R(row)
        rows[record.key] = record
    }

    fileprivate func remove(_ key: SQLValue) { if let key = R.Key(key) { rows[key] = nil } }

    var values: Dictionary<R.Key, R>.Values { rows.values }

    /// - Returns: how many there were.
    func remove(where isCovered: (R) -> Bool) -> Int {
        let kept = rows.filter { !isCovered($0.value) }
        defer { rows = kept }
        return rows.count - kept.count
    }

    /// Removes those of before a moment, the earliest first and of equals the one with the first key.
    ///
    /// - Returns: how many were removed.
    func purge(_ hasEnded: (R) -> Bool, limit: Int) -> Int {
        let over = values.filter(hasEnded).map { (key: $0.key, value: $0.key.value) }
            .sorted { $0.value.precedes($1.value) }
            .prefix(max(0, limit))
        for row in over { rows[row.key] = nil }
        return over.count
    }
}

/// Where ``MemoryStore`` has its records: an engine of dictionaries under a ``UnitOfWork``.
final class MemoryTables: RecordSource, RecordSink {
    let accounts = MemoryTable<Account>()
    let holders = MemoryTable<NumberHolder>()
    let sessions = MemoryTable<Session>()
    let changes = MemoryTable<NumberChange>()
    let verifications = MemoryTable<Verification>()
    let messages = MemoryTable<OutboxMessage>()
    let events = MemoryTable<Event>()
    let signups = MemoryTable<Signup>()
    let requests = MemoryTable<IdempotentRequest>()
    let activities = MemoryTable<ActiveNumber>()
    let meters = MemoryTable<MeterInUse>()
    let traffic = MemoryTable<KeyedTraffic>()
    let rules = MemoryTable<GuardRule>()
    let keys = MemoryTable<APIKey>()
    let clients = MemoryTable<OAuthClient>()
    let codes = MemoryTable<AuthorizationCode>()
    let tenants = MemoryTable<Tenant>()
    let safeNumbers = MemoryTable<SafeNumber>()
    let signers = MemoryTable<SigningKey>()
    let audit = MemoryTable<AuditRecord>()
    /// The verifications of each number, so that many numbers are no slower than few.
    private var begun: [String: Set<Verification.ID>] = [:]

    private lazy var all: [any AnyMemoryTable] = [
        accounts, holders, sessions, changes, verifications, messages, events, signups, requests, activities, meters,
        traffic, rules, keys, clients, codes, tenants, safeNumbers, signers, audit,
    ]

    private func rows(of table: Table) -> any AnyMemoryTable {
        guard let rows = all.first(where: { $0.table === table }) else { preconditionFailure("no such table") }
        return rows
    }

    // MARK: - RecordSource

    func load(_ key: Row, of table: Table, into row: inout Row) -> Bool {
        guard let found = rows(of: table)[key[0]] else { return false }
        row = found
        return true
    }

    func verifications(of e164: String, since moment: Timestamp) -> [Verification] {
        begun[e164, default: []].compactMap { verifications.rows[$0] }
    }

    func sessions(of account: Account.ID, limit: Int) -> [Session] {
        sessions.values.filter { $0.accountID == account }
            .sorted { ($0.createdAt, $1.id.description) < ($1.createdAt, $0.id.description) }
            .prefix(limit)
            .map(\.self)
    }

    func numberChanges(of account: Account.ID) -> [NumberChange] { changes.values.filter { $0.accountID == account } }

    func message(gateway: String, gatewayMessageID: String) -> OutboxMessage.ID? {
        messages.values.first { $0.gateway == gateway && $0.gatewayMessageID == gatewayMessageID }?.id
    }

    func guardRules(fitting number: PhoneNumber) -> [GuardRule] {
        GuardRule.prefixes(of: number).compactMap { rules.rows[$0] }
    }

    // MARK: - RecordSink

    func insert(_ row: Row, into table: Table) throws {
        if table.keepsFirst, rows(of: table)[row[0]] != nil { return }
        try rows(of: table).set(row)
        if table === Verification.table {
            let verification = try Verification(row)
            begun[verification.phoneNumber.e164, default: []].insert(verification.id)
        }
    }

    func update(_ loaded: Row, to current: Row, in table: Table) throws { try rows(of: table).set(current) }

    func delete(_ key: Row, from table: Table) { rows(of: table).remove(key[0]) }

    func append(_ entries: [AuditEntry]) {
        for entry in entries {
            let first = AuditRecord.serial(at: entry.at, 0)
            var serial = first
            while audit.rows[serial] != nil { serial += 1 }
            audit.rows[serial] = AuditRecord(cursor: AuditCursor(at: entry.at, serial: serial), entry: entry)
        }
    }

    // MARK: - Copies

    func records(of kind: RecordKind) -> [StoredRecord] { rows(of: kind.table).stored.map { StoredRecord(kind, $0) } }

    func restore(_ record: StoredRecord) throws {
        try insert(record.row, into: record.kind.table)
        if let holder = try record.record(as: Account.self)?.holder {
            try insert(Row(holder), into: NumberHolder.table)
        }
    }
}

extension AuditQuery {
    /// Whether an entry at this place matches.
    func covers(_ entry: AuditEntry, at cursor: AuditCursor) -> Bool {
        numberDigests.map { digests in entry.numberDigest.map(digests.contains) ?? false } ?? true
            && verificationID.map { $0 == entry.verificationID } ?? true
            && owner.map { $0 == entry.owner } ?? true
            && action.map { $0 == entry.action } ?? true
            && since.map { $0 <= entry.at } ?? true
            && until.map { entry.at < $0 } ?? true
            && before.map { cursor < $0 } ?? true
    }
}

extension AwaitedReceipts {
    /// The message, if the query matches it, whatever the limit.
    func match(_ message: OutboxMessage) -> SentMessage? {
        guard message.status == .sent, message.gateway == gateway, let name = message.gatewayMessageID,
            after < message.createdAt, message.createdAt <= through
        else { return nil }
        let sent = SentMessage(id: message.id, createdAt: message.createdAt, gatewayMessageID: name)
        if let last, sent.order <= last.order { return nil }
        return sent
    }
}
