public import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain
public import PhoneNumbers
import PhoneSignup

// What is stored of a person: what goes with an account or a number, and what is exported.

// MARK: - What goes with a person

/// What goes with a person: found first, then locked in the order of all commands, and found to be all of it.
private struct PersonalRows: Equatable {
    var account: Account.ID?
    var createdBy: Verification.ID?
    /// The number of the account.
    var e164: String?
    var externalID: String?
    var verifications: Set<Verification.ID> = []
    var numberChanges: Set<NumberChange.ID> = []
    var messages: Set<OutboxMessage.ID> = []

    /// Those whose entries in the audit log are the person's: the one that made the account may be long gone, and its
    /// entries still there.
    var auditedVerifications: Set<Verification.ID> { verifications.union([createdBy].compactMap(\.self)) }

    var accounts: [SQLValue] { account.map { [$0.value] } ?? [] }

    /// The subjects of events about them; what is about the number's prefix stays.
    var subjects: [EventSubject] {
        verifications.map(EventSubject.verification) + messages.map(EventSubject.message)
            + [account.map(EventSubject.account)].compactMap(\.self)
    }
}

extension SQLSession {
    /// Locks what is found. While it was waited for, something may have come or gone: then all begins anew.
    private func locked(_ find: () throws -> PersonalRows) throws -> PersonalRows {
        let rows = try find()
        guard dialect.isShared else { return rows }
        func lock(_ table: Table, _ keys: [SQLValue]) throws {
            let select: SQL = "SELECT \(table).id FROM \(table)"
            try forEach(select, in: table, where: "id", isAnyOf: keys, locking: true) { _ in }
        }
        try lock(OutboxMessage.table, rows.messages.map(\.value))
        try lock(Verification.table, rows.verifications.map(\.value))
        // Nobody else changes an account's sessions while it is locked.
        try lock(Account.table, rows.accounts)
        try lock(NumberChange.table, rows.numberChanges.map(\.value))
        guard try find() == rows else { throw serializationConflict() }
        return rows
    }

    /// The keys of records.
    private func keys<R: Record>(_ type: R.Type, where column: String, isAnyOf values: [SQLValue]) throws -> Set<R.Key>
    {
        var keys: Set<R.Key> = []
        let select: SQL = "SELECT \(R.table).\(raw: R.table.key) FROM \(R.table)"
        try forEach(select, in: R.table, where: column, isAnyOf: values, locking: false) { row in
            if let key = R.Key(row[0]) { keys.insert(key) }
        }
        return keys
    }

    /// The messages of verifications, and the notices of changes.
    private func messages(of rows: PersonalRows) throws -> Set<OutboxMessage.ID> {
        let messages = OutboxMessage.self
        return try keys(messages, where: "verification_id", isAnyOf: rows.verifications.map(\.value))
            .union(try keys(messages, where: "number_change_id", isAnyOf: rows.numberChanges.map(\.value)))
    }

    /// Deletes what was locked, with events about it and the answers that are kept of it, and counts it as far as it is
    /// known here.
    private func delete(_ rows: PersonalRows, in tables: [Table]) throws -> Erasure {
        let (verifications, changes) = (rows.verifications.map(\.value), rows.numberChanges.map(\.value))
        var erasure = Erasure()
        for table in tables {
            guard let column = table.account else { continue }
            let count = try delete(table, where: column, isAnyOf: rows.accounts)
            if count > 0 { erasure.rows[table.name] = count }
        }
        try delete(Event.table, where: "subject", isAnyOf: rows.subjects.map { .text($0.description) })
        erasure.answers = try delete(IdempotentRequest.table, where: "verification_id", isAnyOf: verifications)
        erasure.messages = try delete(OutboxMessage.table, where: "id", isAnyOf: rows.messages.map(\.value))
        erasure.numberChanges = try delete(NumberChange.table, where: "id", isAnyOf: changes)
        erasure.verifications = try delete(Verification.table, where: "id", isAnyOf: verifications)
        erasure.sessions = try delete(Session.table, where: "account_id", isAnyOf: rows.accounts)
        erasure.accounts = try delete(Account.table, where: "id", isAnyOf: rows.accounts)
        if let e164 = rows.e164 { try run("DELETE FROM account_number WHERE e164 = \(e164)") }
        if let id = rows.externalID { try run("DELETE FROM account_external_id WHERE external_id = \(id)") }
        return erasure
    }

    func find<R: Record>(_ type: R.Type, _ key: R.Key) throws -> R? {
        try all(R.self, "WHERE \(raw: R.table.key) = \(key)").first
    }

    /// The verifications that were used for the account, those of its number, and the one that made it; oldest first.
    func verifications(of account: Account) throws -> [Verification] {
        var found = Set(try all(Verification.self, "WHERE consumed_by = \(account.id)"))
        if let id = account.createdBy { found.formUnion(try all(Verification.self, "WHERE id = \(id)")) }
        if let number = account.phoneNumber {
            let days = dialect.everyDay
            found.formUnion(try all(Verification.self, "WHERE \(days)e164 = \(number.e164)"))
        }
        return found.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    /// Oldest first.
    private func numberChanges(of id: Account.ID) throws -> [NumberChange] {
        try all(NumberChange.self, "WHERE account_id = \(id) ORDER BY changed_at, id")
    }

    /// Guided signups with one of these verifications, oldest first. Those whose time is over are deleted soon, so that
    /// there are not many.
    private func signups(of verifications: Set<Verification.ID>) throws -> [Signup] {
        try readable(Signup.self, "WHERE verification_id IS NOT NULL ORDER BY created_at, id").values
            .filter { $0.verificationID.map(verifications.contains) ?? false }
    }
}

// MARK: - Deletion and export of an account

extension SQLStore {
    public func delete(_ command: DeleteAccount) async throws -> Bool {
        let tables = recordTypes.tables
        return try await transact(auditing: { try $0.auditSearch(of: command.id, command.digests) }) {
            try $0.delete(command, in: tables, $1)
        }
    }

    public func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData? {
        let ofAccount: @Sendable (Account) throws -> [NumberDigest] = { try $0.phoneNumber.map(digests) ?? [] }
        let tables = recordTypes.tables
        return try await transact(isReadOnly: true, auditing: { try $0.auditSearch(of: id, ofAccount) }) {
            try $0.personalData(of: id, in: tables, ofAccount, $1)
        }
    }
}

extension SQLSession {
    /// - Returns: whether the account was to be deleted.
    fileprivate func delete(_ command: DeleteAccount, in tables: [Table], _ search: AuditSearch) throws -> Bool {
        try overwriteDeleted()
        let rows = try locked { try personalRows(of: command) }
        guard let id = rows.account, let account = try find(Account.self, id) else { return false }
        let digests = try command.digests(of: account)
        let known = rows.auditedVerifications
        let entries = try auditRecords(of: known, digests, search)
        try unlink(
            entries.values.filter { command.covers($0.entry, of: known, digests, account) },
            unreadable: entries.unreadable
        )
        let signups = try signups(of: rows.verifications)
        try delete(Signup.table, where: "id", isAnyOf: signups.map(\.id.value))
        _ = try delete(rows, in: tables)
        try append(command.entry)
        return true
    }

    /// Nothing, if the account is not to be deleted.
    private func personalRows(of command: DeleteAccount) throws -> PersonalRows {
        var rows = PersonalRows()
        guard let account = try find(Account.self, command.id), command.covers(account) else { return rows }
        rows.account = account.id
        rows.createdBy = account.createdBy
        rows.e164 = account.phoneNumber?.e164
        rows.externalID = account.externalID?.description
        rows.verifications = Set(try verifications(of: account).filter { command.covers($0, of: account) }.map(\.id))
        rows.numberChanges = Set(try numberChanges(of: account.id).map(\.id))
        rows.messages = try messages(of: rows)
        return rows
    }

    fileprivate func personalData(
        of id: Account.ID,
        in tables: [Table],
        _ digests: (Account) throws -> [NumberDigest],
        _ search: AuditSearch
    ) throws -> PersonalData? {
        guard let account = try find(Account.self, id) else { return nil }
        let covered = try verifications(of: account).filter { PersonalData.covers($0, of: account) }
        let ids = Set(covered.map(\.id))
        let (known, digests) = (ids.union([account.createdBy].compactMap(\.self)), try digests(account))
        let entries = try auditRecords(of: known, digests, search)
        guard entries.unreadable.isEmpty else { throw UnreadableRecord(table: AuditRecord.table.name, column: 0) }
        var data = PersonalData(of: account)
        let generation: SQL = "generation = \(.integer(account.sessionGeneration))"
        data.sessions = try all(
            Session.self,
            "WHERE account_id = \(id) AND \(generation) ORDER BY created_at DESC, id"
        )
        data.changes = try numberChanges(of: id)
        data.verifications = covered
        data.messages = try all(OutboxMessage.self, where: "verification_id", isAnyOf: ids.map(\.value))
            .sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
        data.signups = try signups(of: ids)
        data.activity = try account.phoneNumber.flatMap { try find(ActiveNumber.self, $0.e164) }?.activity ?? .none
        data.events = try all(
            Event.self,
            "WHERE subject = \(EventSubject.account(id).description) AND \(Event.isKnown) ORDER BY occurred_at, id"
        )
        data.audit = entries.values.map(\.entry).filter { PersonalData.covers($0, of: known, digests, account) }
        for table in tables {
            guard let column = table.account else { continue }
            try forEach(
                "SELECT \(raw: table.columnList) FROM \(table) WHERE \(raw: column) = \(id) ORDER BY \(raw: table.key)"
            ) { data.others.append(table.owned($0)) }
        }
        return data
    }
}

extension Table {
    /// A row for the owner of the account that it belongs to. What is bytes, a key or a digest, means nothing to people.
    fileprivate func owned(_ row: Row) -> OwnedRecord {
        let fields = columns.indices.compactMap { index -> OwnedRecord.Field? in
            let column = columns[index]
            guard column.name != account else { return nil }
            let value: OwnedRecord.Value?
            switch (column.type, row[index]) {
            case (.bytes, _): return nil
            case (.boolean, .integer(let number)): value = .flag(number != 0)
            case (_, .integer(let number)):
                let isMoment = column.name.hasSuffix("_at")
                value = isMoment ? .moment(Timestamp(milliseconds: number)) : .integer(number)
            case (_, .text(let text)): value = .text(text)
            case (.id(let prefix), .bytes(let bytes)): value = .text("\(prefix)_\(bytes.hexadecimal)")
            case (_, .null), (_, .bytes): value = nil
            }
            return OwnedRecord.Field(column.name, value)
        }
        return OwnedRecord(kind: name, fields: fields)
    }
}

// MARK: - Erasure of a number

extension SQLStore {
    public func erase(_ command: EraseNumber) async throws -> Erasure {
        let tables = recordTypes.tables
        let mentions = try await mentions(of: command)
        return try await transact(
            auditing: { AuditSearch(of: try $0.personalRows(of: command.number).auditedVerifications, command.digests) }
        ) { try $0.erase(command, mentions, in: tables, $1) }
    }

    /// Where the number is written within a text, which no index says: signups and accounts. All of them are read for
    /// that, a page at a time, and searched neither in the transaction, which others wait for, nor on the thread of the
    /// caller. What is written meanwhile is as what is written after the erasure.
    @concurrent private func mentions(of command: EraseNumber) async throws -> NumberMentions {
        let signups = try await found(Signup.self) { command.covers($0, of: []) }
        let accounts = try await found(Account.self, "metadata <> '{}'") { command.redacted($0) != nil }
        return NumberMentions(signups: signups, accounts: accounts)
    }

    @concurrent private func found<R: IdentifiedRecord>(
        _ type: R.Type,
        _ condition: SQL = "TRUE",
        where isFound: (R) -> Bool
    ) async throws -> [SQLValue] where R.Key: RecordKey {
        var (found, last) = ([SQLValue](), SQLValue.bytes([]))
        while true {
            let page = try await transact(isReadOnly: true) { [last] session in
                try session.readable(R.self, "WHERE id > \(last) AND \(condition) ORDER BY id LIMIT 100")
            }
            let keys = page.values.map(\.key.value) + page.unreadable
            guard let end = keys.max(by: { $0.precedes($1) }) else { return found }
            found += page.values.filter(isFound).map(\.key.value)
            last = end
        }
    }
}

/// The keys of rows with a number in a text.
private struct NumberMentions: Sendable {
    var signups: [SQLValue] = []
    var accounts: [SQLValue] = []
}

extension SQLSession {
    fileprivate func erase(
        _ command: EraseNumber,
        _ mentions: NumberMentions,
        in tables: [Table],
        _ search: AuditSearch
    ) throws -> Erasure {
        try overwriteDeleted()
        let e164 = command.number.e164
        // First, those transactions that work on the number have to end.
        try forEach("SELECT e164 FROM number_activity WHERE e164 = \(e164)\(dialect.forUpdate)") { _ in }
        let rows = try locked { try personalRows(of: command.number) }
        let known = rows.auditedVerifications
        let entries = try auditRecords(of: known, command.digests, search)
        let audited = entries.values.filter { command.covers($0.entry, of: known) }
        try unlink(audited, unreadable: entries.unreadable)
        let signups =
            try signups(where: "verification_id", isAnyOf: rows.verifications.map(\.value))
            + signups(where: "id", isAnyOf: mentions.signups)
        let covered = Set(signups.filter { command.covers($0, of: rows.verifications) }.map(\.id))
        let signupCount = try delete(Signup.table, where: "id", isAnyOf: covered.map(\.value))
        var erasure = try delete(rows, in: tables)
        erasure.auditEntries = audited.count + entries.unreadable.count
        erasure.signups = signupCount
        let meters = try limitPolicies().map { LimitKey(policy: $0.policyName, subject: e164) }
        erasure.limitMeters = try delete(
            MeterInUse.table,
            where: "key",
            isAnyOf: meters.filter(command.covers).map(\.value)
        )
        erasure.metadata = try eraseFromMetadata(command, mentions.accounts)
        for table in tables {
            guard let column = table.erasedNumber else { continue }
            let count = try run("DELETE FROM \(table) WHERE \(raw: column) = \(e164)")
            if count > 0 { erasure.rows[table.name] = count }
        }
        if !erasure.isEmpty { try append(command.entry) }
        return erasure
    }

    fileprivate func personalRows(of number: PhoneNumber) throws -> PersonalRows {
        let e164 = number.e164
        var rows = PersonalRows()
        rows.e164 = e164
        // No more of it than is needed, however the rest of the row may be.
        let accounts = try self.rows(
            """
            SELECT id, created_by, external_id FROM account
            WHERE id = (SELECT account_id FROM account_number WHERE account_number.e164 = \(e164))
            """,
            of: Account.table
        ) { (try $0.id(Account.ID.self), try $0.optionalID(Verification.ID.self), try $0.optionalText()) }
        if let (account, createdBy, externalID) = accounts.first {
            (rows.account, rows.createdBy, rows.externalID) = (account, createdBy, externalID)
        }
        let days = dialect.everyDay
        rows.verifications = try keys(Verification.self, where: "consumed_by", isAnyOf: rows.accounts)
        rows.verifications.formUnion(try keys("SELECT id FROM verification WHERE \(days)e164 = \(e164)"))
        rows.numberChanges = try keys(NumberChange.self, where: "account_id", isAnyOf: rows.accounts)
        for column in ["old_e164", "new_e164"] {
            rows.numberChanges.formUnion(try keys(NumberChange.self, where: column, isAnyOf: [e164.value]))
        }
        rows.messages = try messages(of: rows)
        return rows
    }

    /// The signups that can be read; the others are deleted soon, when their time is over.
    private func signups(where column: String, isAnyOf values: [SQLValue]) throws -> [Signup] {
        var found: [Signup] = []
        try forEach(Signup.select(), in: Signup.table, where: column, isAnyOf: values, locking: false) { row in
            if let signup = try? Signup(row) { found.append(signup) }
        }
        return found
    }

    private func eraseFromMetadata(_ command: EraseNumber, _ accounts: [SQLValue]) throws -> Int {
        var count = 0
        for account in try all(Account.self, where: "id", isAnyOf: accounts) {
            guard let redacted = command.redacted(account) else { continue }
            let changed = try run(
                """
                UPDATE account SET metadata = \(redacted.metadata.json)
                WHERE id = \(account.id) AND metadata = \(account.metadata.json)
                """
            )
            guard changed == 1 else { throw serializationConflict() }
            count += 1
        }
        return count
    }

    /// One key of each policy, from one policy to the next by the primary key, so that the meters of each are not read.
    func limitPolicies() throws -> [LimitKey] {
        var (found, place) = ([LimitKey](), "")
        while true {
            let next: [LimitKey] = try keys("SELECT key FROM rate_meter WHERE key >= \(place) ORDER BY key LIMIT 1")
            guard let key = next.first else { return found }
            found.append(key)
            place = key.policyName + "!"
        }
    }
}
