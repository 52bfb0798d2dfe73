import PhoneDomain
import Records

/// The rows of one type.
final class MemoryTable<R: Record> {
    var rows: [R.Key: R] = [:]

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
    let tenants = MemoryTable<Tenant>()
    let safeNumbers = MemoryTable<SafeNumber>()
    let signers = MemoryTable<SigningKey>()
    let audit = MemoryTable<AuditRecord>()
    /// The verifications of each number, so that many numbers are no slower than few.
    private var begun: [String: Set<Verification.ID>] = [:]

    /// By the type of what is in them.
    private lazy var all: [ObjectIdentifier: AnyObject] = [
        ObjectIdentifier(Account.self): accounts, ObjectIdentifier(NumberHolder.self): holders,
        ObjectIdentifier(Session.self): sessions, ObjectIdentifier(NumberChange.self): changes,
        ObjectIdentifier(Verification.self): verifications, ObjectIdentifier(OutboxMessage.self): messages,
        ObjectIdentifier(Event.self): events, ObjectIdentifier(Signup.self): signups,
        ObjectIdentifier(IdempotentRequest.self): requests, ObjectIdentifier(ActiveNumber.self): activities,
        ObjectIdentifier(MeterInUse.self): meters, ObjectIdentifier(KeyedTraffic.self): traffic,
        ObjectIdentifier(GuardRule.self): rules, ObjectIdentifier(APIKey.self): keys,
        ObjectIdentifier(Tenant.self): tenants, ObjectIdentifier(SafeNumber.self): safeNumbers,
        ObjectIdentifier(SigningKey.self): signers, ObjectIdentifier(AuditRecord.self): audit,
    ]

    func table<R: Record>(_ type: R.Type = R.self) -> MemoryTable<R> {
        guard let table = all[ObjectIdentifier(R.self)] as? MemoryTable<R> else { preconditionFailure("no such table") }
        return table
    }

    // MARK: - RecordSource

    func load<R: TrackedRecord>(_ type: R.Type, _ key: R.Key) -> R? { table(R.self).rows[key] }

    func verifications(of e164: String, since moment: Timestamp) -> [Verification] {
        begun[e164, default: []].compactMap { verifications.rows[$0] }
    }

    func sessions(of account: Account.ID) -> [Session] { sessions.values.filter { $0.accountID == account } }

    func numberChanges(of account: Account.ID) -> [NumberChange] { changes.values.filter { $0.accountID == account } }

    func message(gateway: String, gatewayMessageID: String) -> OutboxMessage.ID? {
        messages.values.first { $0.gateway == gateway && $0.gatewayMessageID == gatewayMessageID }?.id
    }

    func guardRules(fitting number: PhoneNumber) -> [GuardRule] {
        GuardRule.prefixes(of: number).compactMap { rules.rows[$0] }
    }

    // MARK: - RecordSink

    func save<R: TrackedRecord>(_ changes: RecordChanges<R>) {
        let table = table(R.self)
        for record in changes.inserted { insert(record, table) }
        for (_, record) in changes.updated { table.rows[record.key] = record }
        for key in changes.deleted { table.rows[key] = nil }
    }

    func append(_ entries: [AuditEntry]) {
        for entry in entries {
            let first = AuditRecord.serial(at: entry.at, 0)
            var serial = first
            while audit.rows[serial] != nil { serial += 1 }
            audit.rows[serial] = AuditRecord(cursor: AuditCursor(at: entry.at, serial: serial), entry: entry)
        }
    }

    func insert<R: Record>(_ record: R, _ table: MemoryTable<R>) {
        if R.table.keepsFirst, table.rows[record.key] != nil { return }
        table.rows[record.key] = record
        if let verification = record as? Verification {
            begun[verification.phoneNumber.e164, default: []].insert(verification.id)
        }
    }

    // MARK: - Copies

    func records(of kind: RecordKind) -> [StoredRecord] {
        func all<R: CopiedRecord>(_ type: R.Type) -> [StoredRecord] { table(R.self).values.map { StoredRecord($0) } }
        return all(kind.type)
    }

    func restore(_ record: StoredRecord) throws {
        func restore<R: CopiedRecord>(_ type: R.Type) throws {
            if let record = try record.record(as: R.self) { insert(record, table(R.self)) }
        }
        try restore(record.kind.type)
        if let account = try record.record(as: Account.self), let number = account.phoneNumber {
            insert(NumberHolder(e164: number.e164, account: account.id), holders)
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
