public import PhoneDomain

// What is stored of a person: the audit log, exports, deletions and erasures.

// MARK: - Audit log

extension SQLStore {
    /// The log lies in the order of time. What asks for a number goes by an index; everything else reads a stretch of time.
    public func entries(_ query: AuditQuery) async throws -> AuditPage {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        func add(_ condition: String, _ argument: SQLValue?) {
            guard let argument else { return }
            arguments.append(argument)
            conditions.append("\(condition) $\(arguments.count)")
        }
        add("verification_id =", query.verificationID.map { .id($0) })
        add("owner =", query.owner.map { .text($0.rawValue) })
        add("action =", query.action.map { .text($0.rawValue) })
        add("id >=", query.since.map { .integer(AuditRecord.serial(at: $0, 0)) })
        // A verification's entries come after it; the clock that it was made by may have been a little ahead.
        add("id >=", query.verificationID.map { .integer(AuditRecord.serial(at: $0.moment - .seconds(600), 0)) })
        add("id <", query.until.map { .integer(AuditRecord.serial(at: $0, 0)) })
        add("id <", query.before.map { .integer($0.serial) })
        guard let digests = query.numberDigests else {
            let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            let found = try await all(
                AuditRecord.self,
                "\(condition) ORDER BY id DESC LIMIT $\(arguments.count + 1)",
                arguments + [.integer(query.limit + 1)]
            )
            return AuditPage(found.map { ($0.cursor, $0.entry) }, limit: query.limit)
        }
        var found: [AuditRecord] = []
        for digest in Set(digests) {
            let ofNumber = "\(dialect.everyDay("audit_entry"))number_digest = $\(arguments.count + 1)"
            let condition = ([ofNumber] + conditions).joined(separator: " AND ")
            found += try await all(
                AuditRecord.self,
                "WHERE \(condition) ORDER BY id DESC LIMIT $\(arguments.count + 2)",
                arguments + [.text(digest.description), .integer(query.limit + 1)]
            )
        }
        found.sort { $0.cursor > $1.cursor }
        return AuditPage(found.prefix(query.limit + 1).map { ($0.cursor, $0.entry) }, limit: query.limit)
    }

    public func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry] {
        var found: [AuditRecord] = []
        for digest in prefix {
            found += try await all(
                AuditRecord.self,
                "WHERE prefix_digest = $1 AND verdict IS NOT NULL ORDER BY id DESC LIMIT $2",
                [.text(digest.description), .integer(max(0, limit))]
            )
        }
        return found.sorted { $0.cursor.serial > $1.cursor.serial }.prefix(max(0, limit)).map(\.entry)
    }
}

extension SQLSession {
    /// Every entry of one of these verifications or with one of these digests, in order.
    fileprivate func auditRecords(
        of verifications: Set<Verification.ID>,
        _ digests: [NumberDigest]
    ) throws -> ReadableRows<AuditRecord> {
        var found: [Int64: AuditRecord] = [:]
        var unreadable: Set<SQLValue> = []
        func add(_ rows: ReadableRows<AuditRecord>) {
            for record in rows.values { found[record.key] = record }
            unreadable.formUnion(rows.unreadable)
        }
        for digest in Set(digests) {
            let condition = "WHERE \(dialect.everyDay("audit_entry"))number_digest = $1"
            add(try rowsWithoutReport(condition, [.text(digest.description)]))
        }
        if let first = verifications.map(\.moment).min() {
            // One reading of the log, from the first of them on, however many there are.
            let names = verifications.map { SQLValue.id($0) }
            let marks = names.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
            let start = AuditRecord.serial(at: first - .seconds(600), 0)
            add(
                try rowsWithoutReport("WHERE id >= $1 AND verification_id IN (\(marks))", [.integer(start)] + names)
            )
        }
        report(Array(unreadable), of: AuditRecord.table)
        return ReadableRows(
            values: found.values.sorted { $0.cursor < $1.cursor },
            unreadable: Array(unreadable)
        )
    }

    private func rowsWithoutReport(_ condition: String, _ arguments: [SQLValue]) throws -> ReadableRows<AuditRecord> {
        var rows = ReadableRows<AuditRecord>()
        let table = AuditRecord.table
        try forEach("SELECT \(table.columnList) FROM \(table.name) \(condition)", arguments) { row in
            try rows.add(row) { try record($0) }
        }
        return rows
    }

    /// - Parameter unreadable: the keys of entries that cannot be read, from which all personal data is removed.
    fileprivate func unlink(_ records: [AuditRecord], unreadable: [SQLValue]) throws {
        for (owner, key) in records.map({ ($0.entry.unlinked.owner?.rawValue, $0.key.value) })
            + unreadable.map({ (nil, $0) })
        {
            try run(
                """
                UPDATE audit_entry
                SET owner = $1, address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL
                WHERE id = $2
                """,
                [.text(owner), key]
            )
        }
    }

    fileprivate func append(_ entry: AuditEntry) throws {
        try append([entry])
        effects.auditEntries.append(entry)
    }
}

// MARK: - What goes with a person

/// What goes with a person: found first, then locked in the order of all commands, and found to be all of it.
private struct PersonalRows: Equatable {
    var account: Account.ID?
    var createdBy: Verification.ID?
    /// The number of the account.
    var e164: String?
    var verifications: Set<Verification.ID> = []
    var numberChanges: Set<NumberChange.ID> = []
    var messages: Set<OutboxMessage.ID> = []

    /// Those whose entries in the audit log are the person's: the one that made the account may be long gone, and its entries
    /// still there.
    var auditedVerifications: Set<Verification.ID> { verifications.union([createdBy].compactMap(\.self)) }

    var accounts: [SQLValue] { [account.map { .id($0) }].compactMap(\.self) }
}

extension SQLSession {
    /// Locks what is found. While it was waited for, something may have come or gone: then all begins anew.
    private func locked(_ find: () throws -> PersonalRows) throws -> PersonalRows {
        let rows = try find()
        guard dialect.isShared else { return rows }
        func lock(_ table: String, _ column: String, _ keys: [SQLValue]) throws {
            try forEach("SELECT \(table).id FROM \(table)", where: column, isAnyOf: keys, locking: true) { _ in }
        }
        try lock("outbox_message", "id", rows.messages.map { .id($0) })
        try lock("verification", "id", rows.verifications.map { .id($0) })
        try lock("account", "id", rows.accounts)
        try lock("session", "account_id", rows.accounts)
        try lock("number_change", "id", rows.numberChanges.map { .id($0) })
        guard try find() == rows else { throw overtaken() }
        return rows
    }

    private func keys<Key: RecordKey>(_ table: Table, where column: String, isAnyOf values: [SQLValue]) throws -> Set<
        Key
    > {
        var keys: Set<Key> = []
        let select = "SELECT \(table.name).\(table.key) FROM \(table.name)"
        try forEach(select, where: column, isAnyOf: values, locking: false) { row in
            if let key = Key(row[0]) { keys.insert(key) }
        }
        return keys
    }

    /// The messages of verifications, and the notices of changes.
    private func messages(of rows: PersonalRows) throws -> Set<OutboxMessage.ID> {
        let table = OutboxMessage.table
        let messages: Set<OutboxMessage.ID> = try keys(
            table,
            where: "verification_id",
            isAnyOf: rows.verifications.map { .id($0) }
        )
        return messages.union(
            try keys(table, where: "number_change_id", isAnyOf: rows.numberChanges.map { .id($0) })
        )
    }

    /// Deletes what was locked, with events about it and the answers that are kept of it.
    ///
    /// - Returns: how many of it were there, as far as it is counted here.
    private func delete(_ rows: PersonalRows, subjects: [EventSubject]) throws -> Erasure {
        let verifications = rows.verifications.map { SQLValue.id($0) }
        var erasure = Erasure()
        try run("DELETE FROM event", where: "subject", isAnyOf: subjects.map { .text($0.description) })
        erasure.answers = try run("DELETE FROM idempotent_request", where: "verification_id", isAnyOf: verifications)
        erasure.messages = try run("DELETE FROM outbox_message", where: "id", isAnyOf: rows.messages.map { .id($0) })
        erasure.numberChanges = try run(
            "DELETE FROM number_change",
            where: "id",
            isAnyOf: rows.numberChanges.map { .id($0) }
        )
        erasure.verifications = try run("DELETE FROM verification", where: "id", isAnyOf: verifications)
        erasure.sessions = try run("DELETE FROM session", where: "account_id", isAnyOf: rows.accounts)
        erasure.accounts = try run("DELETE FROM account", where: "id", isAnyOf: rows.accounts)
        if let e164 = rows.e164 { try run("DELETE FROM account_number WHERE e164 = $1", [.text(e164)]) }
        return erasure
    }

    private func find<R: Record>(_ type: R.Type, _ key: R.Key) throws -> R? {
        try all(R.self, "WHERE \(R.table.key) = $1", [key.value]).first
    }

    /// Those that were used for the account, those of its number, and the one that made it; oldest first.
    private func verifications(of account: Account) throws -> [Verification] {
        var found = Set(try all(Verification.self, "WHERE consumed_by = $1", [.id(account.id)]))
        found.formUnion(try all(Verification.self, "WHERE id = $1", [.id(account.createdBy)]))
        if let number = account.phoneNumber {
            let condition = "WHERE \(dialect.everyDay("verification"))e164 = $1"
            found.formUnion(try all(Verification.self, condition, [.text(number.e164)]))
        }
        return found.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    /// Oldest first.
    private func numberChanges(of id: Account.ID) throws -> [NumberChange] {
        try all(NumberChange.self, "WHERE account_id = $1 ORDER BY changed_at, id", [.id(id)])
    }

    /// Guided signups with one of these verifications, oldest first. Those whose time is over are deleted soon, so that there
    /// are not many.
    private func signups(of verifications: Set<Verification.ID>) throws -> [Signup] {
        try readable(Signup.self, "WHERE verification_id IS NOT NULL ORDER BY created_at, id").values
            .filter { $0.verificationID.map(verifications.contains) ?? false }
    }
}

// MARK: - Deletion and export of an account

extension SQLStore {
    public func delete(_ command: DeleteAccount) async throws -> Bool {
        try await transact { try $0.delete(command) }
    }

    public func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData? {
        try await snapshot { try $0.personalData(of: id, digests: digests) }
    }
}

extension SQLSession {
    /// - Returns: whether the account was to be deleted.
    fileprivate func delete(_ command: DeleteAccount) throws -> Bool {
        try overwriteDeleted()
        let rows = try locked { try personalRows(of: command) }
        guard let id = rows.account, let account = try find(Account.self, id) else { return false }
        let digests = try command.digests(of: account)
        let known = rows.auditedVerifications
        let entries = try auditRecords(of: known, digests)
        try unlink(
            entries.values.filter { command.covers($0.entry, of: known, digests, account) },
            unreadable: entries.unreadable
        )
        let signups = try signups(of: rows.verifications)
        try run("DELETE FROM signup", where: "id", isAnyOf: signups.map { .id($0.id) })
        let subjects = command.subjects(verifications: rows.verifications, messages: rows.messages)
        _ = try delete(rows, subjects: subjects)
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
        rows.verifications = Set(
            try verifications(of: account).filter { command.covers($0, of: account) }.map(\.id)
        )
        rows.numberChanges = Set(try numberChanges(of: account.id).map(\.id))
        rows.messages = try messages(of: rows)
        return rows
    }

    fileprivate func personalData(
        of id: Account.ID,
        digests: (PhoneNumber) throws -> [NumberDigest]
    ) throws -> PersonalData? {
        guard let account = try find(Account.self, id) else { return nil }
        let covered = try verifications(of: account).filter { PersonalData.covers($0, of: account) }
        let ids = Set(covered.map(\.id))
        let (known, digests) = (ids.union([account.createdBy]), try account.phoneNumber.map(digests) ?? [])
        let entries = try auditRecords(of: known, digests)
        guard entries.unreadable.isEmpty else {
            throw UnreadableRecord(table: AuditRecord.table.name, column: 0)
        }
        var data = PersonalData(of: account)
        data.sessions = try all(Session.self, "WHERE account_id = $1 ORDER BY created_at DESC, id", [.id(id)])
        data.changes = try numberChanges(of: id)
        data.verifications = covered
        data.messages = try all(OutboxMessage.self, where: "verification_id", isAnyOf: ids.map { .id($0) })
            .sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
        data.signups = try signups(of: ids)
        data.activity = try account.phoneNumber.flatMap { try find(ActiveNumber.self, $0.e164) }?.activity ?? .none
        data.events = try all(
            Event.self,
            "WHERE subject = $1 AND \(Event.isKnown) ORDER BY occurred_at, id",
            [.text(EventSubject.account(id).description)]
        )
        data.audit = entries.values.map(\.entry).filter { PersonalData.covers($0, of: known, digests, account) }
        return data
    }
}

// MARK: - Erasure of a number

extension SQLStore {
    public func erase(_ command: EraseNumber) async throws -> Erasure {
        try await transact { try $0.erase(command) }
    }
}

extension SQLSession {
    fileprivate func erase(_ command: EraseNumber) throws -> Erasure {
        try overwriteDeleted()
        let e164 = SQLValue.text(command.number.e164)
        // First, those transactions that work on the number have to end.
        if dialect.isShared {
            let select = "SELECT number_activity.e164 FROM number_activity"
            try forEach(select, where: "e164", isAnyOf: [e164], locking: true) { _ in }
        }
        let rows = try locked { try personalRows(of: command.number) }
        let known = rows.auditedVerifications
        let entries = try auditRecords(of: known, command.digests)
        let covered = entries.values.filter { command.covers($0.entry, of: known) }
        try unlink(covered, unreadable: entries.unreadable)
        // Signups whose time is over are deleted soon, those that cannot be read among them, so that there are not many.
        let signups = try readable(Signup.self).values.filter { command.covers($0, of: rows.verifications) }
        let signupCount = try run("DELETE FROM signup", where: "id", isAnyOf: signups.map { .id($0.id) })
        // No index has the subject of a limit, since nothing that is done often asks for it.
        let meters: [LimitKey] = try keys(
            "SELECT key FROM rate_meter WHERE substr(key, length(key) - length($1) + 1) = $1 ORDER BY key",
            [e164]
        )
        let subjects = command.subjects(
            verifications: rows.verifications,
            messages: rows.messages,
            account: rows.account
        )
        var erasure = try delete(rows, subjects: subjects)
        erasure.auditEntries = covered.count + entries.unreadable.count
        erasure.signups = signupCount
        erasure.safeNumbers = try run("DELETE FROM safe_number WHERE e164 = $1", [e164])
        erasure.limitMeters = try run(
            "DELETE FROM rate_meter",
            where: "key",
            isAnyOf: meters.filter(command.covers).map(\.value)
        )
        // Other rules that fit the number are of more numbers than this.
        erasure.guardRules = try run("DELETE FROM guard_rule WHERE prefix = $1", [e164])
        erasure.metadata = try eraseFromMetadata(command)
        erasure.activities = try run("DELETE FROM number_activity WHERE e164 = $1", [e164])
        if !erasure.isEmpty { try append(command.entry) }
        return erasure
    }

    private func personalRows(of number: PhoneNumber) throws -> PersonalRows {
        let e164 = SQLValue.text(number.e164)
        var rows = PersonalRows()
        rows.e164 = number.e164
        // No more of it than is needed, however the rest of the row may be.
        let accounts = try self.rows(
            """
            SELECT id, created_by FROM account
            WHERE id = (SELECT account_id FROM account_number WHERE account_number.e164 = $1)
            """,
            [e164],
            of: Account.table.name
        ) { row in (try row.id(Account.ID.self), try row.id(Verification.ID.self)) }
        if let (account, createdBy) = accounts.first { (rows.account, rows.createdBy) = (account, createdBy) }
        rows.verifications = try keys(Verification.table, where: "consumed_by", isAnyOf: rows.accounts)
        rows.verifications.formUnion(
            try keys("SELECT id FROM verification WHERE \(dialect.everyDay("verification"))e164 = $1", [e164])
        )
        rows.numberChanges = try keys(NumberChange.table, where: "account_id", isAnyOf: rows.accounts)
        rows.numberChanges.formUnion(try keys(NumberChange.table, where: "old_e164", isAnyOf: [e164]))
        rows.numberChanges.formUnion(try keys(NumberChange.table, where: "new_e164", isAnyOf: [e164]))
        rows.messages = try messages(of: rows)
        return rows
    }

    /// Other accounts with the number in their metadata are found by reading all metadata.
    ///
    /// - Returns: how many had.
    private func eraseFromMetadata(_ command: EraseNumber) throws -> Int {
        var (count, last) = (0, SQLValue.bytes([]))
        while true {
            let page = try readable(
                Account.self,
                "WHERE id > $1 AND metadata <> '{}' ORDER BY id LIMIT 1000",
                [last]
            )
            let keys = page.values.map(\.id.value) + page.unreadable
            guard let end = keys.max(by: { $0.precedes($1) }) else { return count }
            for account in page.values {
                guard let redacted = command.redacted(account) else { continue }
                let changed = try run(
                    "UPDATE account SET metadata = $2 WHERE id = $1 AND metadata = $3",
                    [account.id.value, .text(redacted.metadata.json), .text(account.metadata.json)]
                )
                guard changed == 1 else { throw overtaken() }
                count += 1
            }
            last = end
        }
    }
}

extension SQLValue {
    /// Whether a key comes before another of its type, in the order of every store.
    public func precedes(_ other: SQLValue) -> Bool {
        switch (self, other) {
        case (.integer(let one), .integer(let two)): one < two
        case (.text(let one), .text(let two)): one.utf8.lexicographicallyPrecedes(two.utf8)
        case (.bytes(let one), .bytes(let two)): one.lexicographicallyPrecedes(two)
        default: false
        }
    }
}
