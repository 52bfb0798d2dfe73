import PhoneAccounts
import PhoneAdministration
import PhoneDomain
public import PhoneSignup

// Closing and purging, and copies.

extension SQLStore {
    /// A verification has ended when its time has run out and its status has not changed since, so `moment` must be
    /// further back than an approval can be used, and for the activity of numbers further than a number stays closed.
    ///
    /// Rows of verifications lie in the order of time, so that the oldest are found without an index. Those that were
    /// made less than ``Verification/longestLife`` before `moment` wait: most of them have not ended.
    public func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        let limit = max(0, limit)
        return try await transact { [scans] session in
            try session.purgeVerifications(before: moment, limit: limit)
                + session.deleteFirst(Signup.table, where: "expires_at < \(moment)", by: "expires_at, id", limit: limit)
                + scans.purge(ActiveNumber.table, where: "silent_since < \(moment)", limit: limit, in: session)
        }
    }

    public func close(at now: Timestamp, limit: Int) async throws -> Int {
        let kinds = events.kinds
        return try await transact { session in
            var count = 0
            // Those whose time has run out, and those that a clock made which was ahead.
            let (oldest, latest) = (now - Verification.longestLife, now + Verification.clockTolerance)
            let conditions: [SQL] = [
                "expires_at <= \(now) AND (accepted_at >= sent_at OR created_at <= \(oldest))",
                "expires_at > \(now) AND created_at >= \(latest)",
            ]
            for condition in conditions where count < limit {
                let end: SQL = "LIMIT \(limit: limit - count)\(session.dialect.skippingLocked)"
                let ended = try session.readable(Verification.self, "WHERE status = 'pending' AND \(condition) \(end)")
                for loaded in ended.values {
                    var verification = loaded
                    guard verification.close(at: now) else { continue }
                    try session.save(loaded, verification)
                    count += 1
                    if let event = Event(verification, was: loaded, at: now), kinds.contains(event.kind) {
                        try session.save(nil, event)
                        session.effects.hasAnnounced = true
                    }
                }
                // What cannot be read expires as well, and announces nothing.
                try session.run(
                    "UPDATE verification SET status = 'expired'",
                    in: Verification.table,
                    where: "id",
                    isAnyOf: ended.unreadable
                )
                count += ended.unreadable.count
            }
            return count
        }
    }

    public func hasten(at now: Timestamp, limit: Int) async throws -> Int {
        let queues = [
            (OutboxMessage.table, "outbox_message_due", OutboxMessage.latestAttempt(at: now), "" as SQL),
            (Event.table, "event_due", Event.latestAttempt(at: now), " AND kind <> 'message.feedback'"),
            (Event.table, "event_feedback_due", Event.latestAttempt(at: now), " AND kind = 'message.feedback'"),
        ]
        return try await transact { [dialect] session in
            try queues.reduce(0) { count, queue in
                let (table, index, latest, part) = queue
                let (key, indexed) = (SQL(raw: table.key), dialect.indexedBy(index))
                let isLate: SQL = "status = 'queued' AND next_attempt_at > \(latest)\(part)"
                let keys: SQL = "SELECT \(key) FROM \(table) \(indexed) WHERE \(isLate) LIMIT \(limit: limit)"
                // Another instance may have hastened and claimed it meanwhile.
                return try count
                    + session.run(
                        """
                        UPDATE \(table) SET next_attempt_at = \(now)
                        WHERE \(key) \(dialect.inKeys(keys)) AND \(isLate)
                        """
                    )
            }
        }
    }

    public func purgeExpired(at now: Timestamp, limit: Int) async throws -> Int {
        let tables = recordTypes.tables
        return try await transact { [dialect] session in
            let dead: SQL = "NOT (\(Instance.isLive(dialect)))"
            let instances = try session.deleteFirst(Instance.table, where: dead, by: "id", limit: limit)
            return try tables.reduce(instances) { count, table in
                guard let expiry = table.expiry else { return count }
                let condition: SQL = "\(raw: expiry) <= \(now)"
                let order = SQL(raw: "\(expiry), \(table.key)")
                return try count + session.deleteFirst(table, where: condition, by: order, limit: limit)
            }
        }
    }

    public func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { [scans] session in
            // By a subselect for each row, of which there are few: as a join, all accounts might be read.
            let generation: SQL = "SELECT session_generation FROM account WHERE account.id = account_id"
            let ended: SQL = """
                expires_at < \(moment) OR idle_until < \(moment) OR generation <> coalesce((\(generation)), -1)
                """
            let undoable: SQL = "undoable_until < \(moment)"
            let forgotten: SQL = """
                expires_at < \(moment) AND (used_at IS NULL OR expires_at < \(moment - AuthorizationCode.memory))
                """
            return try scans.purge(Session.table, where: ended, limit: limit, in: session)
                + scans.purge(NumberChange.table, where: undoable, limit: limit, in: session)
                + scans.purge(AuthorizationCode.table, where: forgotten, limit: limit, in: session)
        }
    }

    /// Silence counts from the end of a block as well, so that nothing that is blocked goes.
    public func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int {
        try await transact { [scans] session in
            let full: SQL = "full_at <= \(RateMeter.fullAt(now))"
            let silent: SQL = """
                silent_since <= \(now - Traffic.longestMemory)
                AND (remembered_until IS NULL OR remembered_until <= \(now))
                """
            return try scans.purge(MeterInUse.table, where: full, limit: limit, in: session)
                + scans.purge(KeyedTraffic.table, where: silent, limit: limit, in: session)
        }
    }

    public func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int {
        let condition: SQL = "id < \(AuditRecord.serial(at: moment, 0))"
        return try await transact { try $0.deleteFirst(AuditRecord.table, where: condition, by: "id", limit: limit) }
    }

    public func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { session in
            // One ordered run per status out of the index.
            try Event.Status.allCases.reduce(0) { count, status in
                let condition: SQL = "status = '\(raw: status.rawValue)' AND occurred_at < \(moment)"
                return try count
                    + session.deleteFirst(Event.table, where: condition, by: "occurred_at, id", limit: limit)
            }
        }
    }

}

extension SQLSession {
    fileprivate func purgeVerifications(before moment: Timestamp, limit: Int) throws -> Int {
        let first = Verification.ID.earliest(at: moment - Verification.longestLife)
        let ended: SQL = """
            SELECT id FROM verification WHERE id < \(first) AND expires_at < \(moment) AND updated_at < \(moment)
            ORDER BY id LIMIT \(limit: limit)
            """
        // Where nobody else changes rows meanwhile, two statements do it all.
        guard dialect.isShared else {
            return try run(
                """
                DELETE FROM outbox_message WHERE id IN (
                    SELECT outbox_message.id FROM (\(ended)) AS ended
                    \(dialect.orderedJoin) outbox_message ON outbox_message.verification_id = ended.id
                    ORDER BY ended.id, outbox_message.id LIMIT \(limit: limit)
                )
                """
            )
                + run(
                    """
                    DELETE FROM verification WHERE id IN (\(ended))
                        AND NOT EXISTS (SELECT 1 FROM outbox_message WHERE verification_id = verification.id)
                    """
                )
        }
        // Verifications are locked before their messages are looked for: nobody adds one then.
        let found: [Verification.ID] = try keys("\(ended)\(dialect.skippingLocked)")
        var messages: [Verification.ID: [SQLValue]] = [:]
        try forEach(
            "SELECT outbox_message.id, outbox_message.verification_id FROM outbox_message",
            in: OutboxMessage.table,
            where: "verification_id",
            isAnyOf: found.map(\.value),
            locking: false
        ) { row in
            if let id = Verification.ID(row[1]) { messages[id, default: []].append(row[0]) }
        }
        // A verification goes when all its messages have gone.
        var goneMessages: [SQLValue] = []
        var gone: [SQLValue] = []
        for id in found {
            let left = limit - goneMessages.count
            let own = messages[id] ?? []
            goneMessages += own.prefix(left)
            if own.count <= left { gone.append(id.value) }
        }
        return try delete(OutboxMessage.table, where: "id", isAnyOf: goneMessages)
            + delete(Verification.table, where: "id", isAnyOf: gone)
    }

    /// Deletes the first rows in an order whose last part is the key.
    ///
    /// The condition is looked at anew when a row is locked, so that nothing goes that was used a moment ago.
    fileprivate func deleteFirst(_ table: Table, where condition: SQL, by order: SQL, limit: Int) throws -> Int {
        let key = SQL(raw: table.key)
        let keys: SQL = "SELECT \(key) FROM \(table) WHERE \(condition) ORDER BY \(order) LIMIT \(limit: limit)"
        return try run("DELETE FROM \(table) WHERE \(key) \(dialect.inKeys(keys))")
    }
}

// MARK: - Copies

extension SQLStore {
    public func count(of type: any Record.Type) async throws -> Int {
        let table = type.table
        return try await read("SELECT count(*) FROM \(table)", of: table) { try $0.count() }.first ?? 0
    }

    public func records(of type: any Record.Type, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        let (table, name) = (type.table, SQL(raw: type.table.key))
        let sql: SQL = """
            SELECT \(raw: table.columnList) FROM \(table)
            WHERE \(name) > \(key ?? table.leastKey) ORDER BY \(name) LIMIT \(limit: limit)
            """
        return try await rows(sql) { row in
            // What makes no sense is an error.
            _ = try type.init(row)
            return StoredRecord(row, of: table)
        }
    }

    public func restore(_ records: [StoredRecord]) async throws {
        let tables = recordTypes.tables
        try await transact { session in
            for table in tables {
                let rows = records.filter { $0.kind == table.name }.map(\.row)
                if !rows.isEmpty { try session.restore(rows, in: table) }
            }
        }
    }
}
