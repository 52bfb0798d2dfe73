public import PhoneDomain

/// Every instance sees to the same rows. What another has locked is passed over, so that they share the work.
extension PostgreSQLStore: StoreMaintenance {
    /// Reads, and finds out whether the server lets us write. Nothing is written, unless its disk was full: then it must take a
    /// batch's worth before all is well. A single row is too little to go by, as there may be room for it in a page.
    public func ping() async throws {
        let inUse = options.servers.inUse
        if let failure = inUse.diskFailure {
            // Before the write, so that a failure from here on is not forgotten.
            inUse.diskFailure = nil
            do {
                _ = try await transact { transaction in
                    try transaction.run(
                        "CREATE TEMP TABLE phoneproof_probe ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, 256)"
                    )
                }
            } catch {
                inUse.diskFailure = failure
                throw error
            }
        }
        _ = try await read(Self.isReadOnly, of: "pg_settings", read: Self.requireWritable)
        try await transact { _ = try $0.all(Self.isReadOnly, of: "pg_settings", read: Self.requireWritable) }
        // Every way that an operation may go: whoever is told that all is well must not be refused a moment later.
        try await request(needing: RowKeys()) { _ in }
        try await change(needing: RowKeys()) { _ in }
    }

    /// A verification has ended when its time has run out and its status has not changed since, so `moment` must be
    /// further back than an approval can be used, and for the activity of numbers further than a number stays closed.
    /// What ended first goes first.
    ///
    /// `OFFSET 0` has the server look for the messages of each verification by their index, instead of joining all
    /// messages there are with all verifications.
    public func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        let arguments: [Argument] = [.integer(moment.milliseconds), .integer(max(0, limit))]
        return try await transact { transaction in
            // The verifications are locked before their messages are looked for: nobody adds one then. And they are named
            // to the statements after this one, which else would go through a whole backlog for the few that they want.
            let ended = try transaction.all(
                """
                SELECT id FROM verification WHERE greatest(expires_at, updated_at) < $1
                ORDER BY greatest(expires_at, updated_at), id LIMIT $2 FOR UPDATE SKIP LOCKED
                """,
                arguments,
                of: VerificationTable.name
            ) { (row) throws(PostgreSQLStoreError) in try row.nextText() }
            let counts = try transaction.run(
                [
                    Query(
                        """
                        DELETE FROM outbox_message WHERE id = ANY(ARRAY(
                            SELECT outbox_message.id FROM unnest($1) WITH ORDINALITY AS ended (id, place)
                            JOIN outbox_message ON verification_id = ended.id
                            ORDER BY place, outbox_message.id LIMIT $2
                        ))
                        """,
                        [.texts(ended), .integer(max(0, limit))]
                    ),
                    Query(
                        """
                        DELETE FROM verification WHERE id = ANY($1)
                            AND NOT EXISTS (SELECT 1 FROM outbox_message WHERE verification_id = verification.id OFFSET 0)
                        """,
                        [.texts(ended)]
                    ),
                    Query(Self.signupPurge, arguments),
                    Query(
                        Self.purge("number_activity", where: "silent_since < $1", by: "silent_since, e164"),
                        arguments
                    ),
                ])
            return counts.reduce(0, +)
        }
    }

    public func close(at now: Timestamp, limit: Int) async throws -> Int {
        let kinds = events.kinds
        let (count, announced, unreadable) = try await transact { transaction in
            let ended = try transaction.readable(
                """
                SELECT \(VerificationTable.columnNames) FROM verification WHERE status = 'pending' AND (
                    expires_at <= $1 AND (accepted_at >= sent_at OR created_at <= $2)
                    OR expires_at > $1 AND created_at >= $3
                ) LIMIT $4 FOR UPDATE SKIP LOCKED
                """,
                [
                    .integer(now.milliseconds), .integer((now - Verification.longestLife).milliseconds),
                    .integer((now + Verification.clockTolerance).milliseconds), .integer(max(0, limit)),
                ],
                of: VerificationTable.name
            ) { (row) throws(PostgreSQLStoreError) in try VerificationTable.read(&row) }
            var closed: [(key: String, value: Verification)] = []
            var announced: [Event] = []
            for row in ended.values {
                var verification = row.value
                guard verification.close(at: now) else { continue }
                closed.append((row.key, verification))
                if let event = Event(verification, was: row.value, at: now), kinds.contains(event.kind) {
                    announced.append(event)
                }
            }
            try transaction.run(
                VerificationTable.updates(closed)
                    + EventTable.inserts(announced.map { ($0.id.description, $0) })
                    // What cannot be read expires as well, and announces nothing.
                    + [
                        Query(
                            "UPDATE verification SET status = 'expired' WHERE id = ANY($1)",
                            [.texts(ended.unreadable)]
                        )
                    ]
            )
            return (closed.count + ended.unreadable.count, announced.count, ended.unreadable)
        }
        report(unreadable, of: VerificationTable.name)
        if announced > 0 { events.announced() }
        return count
    }

    public func purgeSignups(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { try $0.run(Self.signupPurge, [.integer(moment.milliseconds), .integer(max(0, limit))]) }
    }

    public func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int {
        let limit = Argument.integer(max(0, limit))
        return try await transact { transaction in
            let counts = try transaction.run([
                Query(
                    Self.purge("rate_meter", where: "full_at <= $1", by: "full_at, key"),
                    [.integer(RateMeter.fullAt(now)), limit]
                ),
                // Silence counts from the end of a block as well, so that nothing that is blocked goes.
                Query(
                    Self.purge("traffic", where: "silent_since <= $1", by: "silent_since, key"),
                    [.integer((now - Traffic.longestMemory).milliseconds), limit]
                ),
                Query(
                    Self.purge("guard_rule", where: "until <= $1", by: "until, prefix"),
                    [.integer(now.milliseconds), limit]
                ),
            ])
            return counts.reduce(0, +)
        }
    }

    private static let signupPurge = purge("signup", where: "expires_at < $1", by: "expires_at, id")

    /// Deletes the first rows in an order whose last part is the key, `$2` of them at most.
    ///
    /// The condition is looked at anew when a row is locked, so that nothing goes that was used a moment ago. An array
    /// is made once; what stands behind IN the server may run again for every row, and pass over other rows each time.
    static func purge(_ table: String, where condition: String, by order: String) -> String {
        let key = order.split(separator: " ").last ?? ""
        return """
            DELETE FROM \(table) WHERE \(key) = ANY(ARRAY(
                SELECT \(key) FROM \(table) WHERE \(condition) ORDER BY \(order) LIMIT $2 FOR UPDATE SKIP LOCKED
            ))
            """
    }

    private static let isReadOnly = "SELECT current_setting('transaction_read_only')"

    private static func requireWritable(_ row: inout RowReader) throws(PostgreSQLStoreError) {
        guard try row.nextText() == "off" else { throw .readOnly }
    }
}
