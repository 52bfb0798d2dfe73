public import PhoneDomain

// Closing and purging, and copies.

extension SQLStore {
    /// A verification has ended when its time has run out and its status has not changed since, so `moment` must be
    /// further back than an approval can be used, and for the activity of numbers further than a number stays closed.
    ///
    /// Rows of verifications lie in the order of time, so that the oldest are found without an index. Those that were made
    /// less than ``Verification/longestLife`` before `moment` wait: most of them have not ended.
    public func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        let limit = max(0, limit)
        return try await transact { [scans] session in
            try session.purgeVerifications(before: moment, limit: limit)
                + session.purgeSignups(before: moment, limit: limit)
                + scans.purge(
                    ActiveNumber.table,
                    where: "silent_since < $3",
                    [.moment(moment)],
                    limit: limit,
                    in: session
                )
        }
    }

    public func close(at now: Timestamp, limit: Int) async throws -> Int {
        let kinds = events.kinds
        return try await transact { session in
            var count = 0
            // Those whose time has run out, and those that a clock made which was ahead.
            for (condition, moment) in [
                ("expires_at <= $1 AND (accepted_at >= sent_at OR created_at <= $2)", now - Verification.longestLife),
                ("expires_at > $1 AND created_at >= $2", now + Verification.clockTolerance),
            ] where count < limit {
                let ended = try session.readable(
                    Verification.self,
                    "WHERE status = 'pending' AND \(condition) LIMIT $3\(session.dialect.skippingLocked)",
                    [.moment(now), .moment(moment), .integer(limit - count)]
                )
                var changes = RecordChanges<Verification>()
                var announced: [Event] = []
                for loaded in ended.values {
                    var verification = loaded
                    guard verification.close(at: now) else { continue }
                    changes.updated.append((loaded, verification))
                    if let event = Event(verification, was: loaded, at: now), kinds.contains(event.kind) {
                        announced.append(event)
                    }
                }
                if !changes.isEmpty { try session.save(changes) }
                try session.insert(announced)
                if !announced.isEmpty { session.effects.hasAnnounced = true }
                // What cannot be read expires as well, and announces nothing.
                try session.run("UPDATE verification SET status = 'expired'", where: "id", isAnyOf: ended.unreadable)
                count += changes.updated.count + ended.unreadable.count
            }
            return count
        }
    }

    public func purgeSignups(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { try $0.purgeSignups(before: moment, limit: limit) }
    }

    public func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { [scans] session in
            try scans.purge(
                Session.table,
                where: "expires_at < $3 OR idle_until < $3",
                [.moment(moment)],
                limit: limit,
                in: session
            )
                + scans.purge(
                    NumberChange.table,
                    where: "undoable_until < $3",
                    [.moment(moment)],
                    limit: limit,
                    in: session
                )
        }
    }

    /// Silence counts from the end of a block as well, so that nothing that is blocked goes.
    public func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int {
        try await transact { [scans] session in
            let full = SQLValue.integer(RateMeter.fullAt(now))
            let silent = SQLValue.moment(now - Traffic.longestMemory)
            return try scans.purge(MeterInUse.table, where: "full_at <= $3", [full], limit: limit, in: session)
                + scans.purge(KeyedTraffic.table, where: "silent_since <= $3", [silent], limit: limit, in: session)
                + session.deleteFirst(GuardRule.table, where: "until <= $1", by: "until", [.moment(now)], limit: limit)
        }
    }

    public func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { session in
            let end = SQLValue.integer(AuditRecord.serial(at: moment, 0))
            return try session.deleteFirst(AuditRecord.table, where: "id < $1", by: nil, [end], limit: limit)
        }
    }

    public func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { session in
            // One ordered run per status out of the index.
            try Event.Status.allCases.reduce(0) { count, status in
                try count
                    + session.deleteFirst(
                        Event.table,
                        where: "status = '\(status.rawValue)' AND occurred_at < $1",
                        by: "occurred_at",
                        [.moment(moment)],
                        limit: limit
                    )
            }
        }
    }

    public func purgeRequests(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { session in
            try session.deleteFirst(
                IdempotentRequest.table,
                where: "expires_at < $1",
                by: "expires_at",
                [.moment(moment)],
                limit: limit
            )
        }
    }

    public func purgeSigningKeys(at now: Timestamp, limit: Int) async throws -> Int {
        try await transact { session in
            try session.deleteFirst(
                SigningKey.table,
                where: "gone_at <= $1",
                by: "gone_at",
                [.moment(now)],
                limit: limit
            )
        }
    }
}

extension SQLSession {
    fileprivate func purgeVerifications(before moment: Timestamp, limit: Int) throws -> Int {
        let ended =
            "SELECT id FROM verification WHERE id < $1 AND expires_at < $2 AND updated_at < $2 ORDER BY id LIMIT $3"
        let arguments: [SQLValue] = [
            .id(Verification.ID.earliest(at: moment - Verification.longestLife)), .moment(moment), .integer(limit),
        ]
        // Where nobody else changes rows meanwhile, two statements do it all.
        guard dialect.isShared else {
            return try run(
                """
                DELETE FROM outbox_message WHERE id IN (
                    SELECT outbox_message.id FROM (\(ended)) AS ended
                    \(dialect.orderedJoin) outbox_message ON outbox_message.verification_id = ended.id
                    ORDER BY ended.id, outbox_message.id LIMIT $3
                )
                """,
                arguments
            )
                + run(
                    """
                    DELETE FROM verification WHERE id IN (\(ended))
                        AND NOT EXISTS (SELECT 1 FROM outbox_message WHERE verification_id = verification.id)
                    """,
                    arguments
                )
        }
        // Verifications are locked before their messages are looked for: nobody adds one then.
        let found: [Verification.ID] = try keys(ended + dialect.skippingLocked, arguments)
        var messages: [Verification.ID: [SQLValue]] = [:]
        try forEach(
            "SELECT outbox_message.id, outbox_message.verification_id FROM outbox_message",
            where: "verification_id",
            isAnyOf: found.map { .id($0) },
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
            if own.count <= left { gone.append(.id(id)) }
        }
        return try run("DELETE FROM outbox_message", where: "id", isAnyOf: goneMessages)
            + run("DELETE FROM verification", where: "id", isAnyOf: gone)
    }

    fileprivate func purgeSignups(before moment: Timestamp, limit: Int) throws -> Int {
        try deleteFirst(Signup.table, where: "expires_at < $1", by: "expires_at", [.moment(moment)], limit: limit)
    }

    /// Deletes the first rows in an order whose last part is the key.
    ///
    /// The condition is looked at anew when a row is locked, so that nothing goes that was used a moment ago.
    fileprivate func deleteFirst(
        _ table: Table,
        where condition: String,
        by order: String?,
        _ arguments: [SQLValue],
        limit: Int
    ) throws -> Int {
        let order = (order.map { $0 + ", " } ?? "") + table.key
        let keys = """
            SELECT \(table.key) FROM \(table.name) WHERE \(condition) ORDER BY \(order) LIMIT $\(arguments.count + 1)
            """
        return try run(
            "DELETE FROM \(table.name) WHERE \(table.key) \(dialect.inKeys(keys))",
            arguments + [.integer(max(0, limit))]
        )
    }
}

// MARK: - Copies

extension SQLStore {
    public func count(of kind: RecordKind) async throws -> Int {
        try await read("SELECT count(*) FROM \(kind.table.name)", [], isSafe: true) { Int($0.columns[0].integer) }
            .first ?? 0
    }

    public func records(of kind: RecordKind, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        let table = kind.table
        return try await read(
            """
            SELECT \(table.columnList) FROM \(table.name)
            WHERE \(table.key) > $1 ORDER BY \(table.key) LIMIT $2
            """,
            [key ?? table.leastKey, .integer(limit)],
            isSafe: true
        ) { [plans] row in
            let record = StoredRecord(kind: kind, row: row)
            try record.validate(plans)
            return record
        }
    }

    public func restore(_ records: [StoredRecord]) async throws {
        try await transact { [plans] session in
            for kind in RecordKind.allCases {
                let rows = records.filter { $0.kind == kind }.map(\.row)
                if !rows.isEmpty { try session.insert(rows, into: kind.table) }
            }
            let accounts = try records.compactMap { try $0.record(as: Account.self, plans: plans) }
            let holders = accounts.compactMap { account in
                account.phoneNumber.map { NumberHolder(e164: $0.e164, account: account.id) }
            }
            if !holders.isEmpty { try session.insert(holders.map(Row.init), into: NumberHolder.table) }
        }
    }
}

extension StoredRecord {
    /// - Throws: ``UnreadableRecord`` if it makes no sense.
    func validate(_ plans: NumberingPlans) throws {
        func read<R: CopiedRecord>(_ type: R.Type) throws { _ = try record(as: R.self, plans: plans) }
        try read(kind.type)
    }
}
