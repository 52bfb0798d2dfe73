public import PhoneDomain

extension PostgreSQLStore: EventStore {
    /// Instances share what is due: what one has locked the others pass over.
    public func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim] {
        let (claims, unreadable) = try await transact { transaction in
            var (due, unreadable) = try transaction.readable(
                """
                SELECT \(EventTable.columnNames) FROM event WHERE status = 'queued' AND next_attempt_at <= $1 AND \(EventTable.isKnown)
                ORDER BY next_attempt_at, occurred_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
                """,
                [.integer(now.milliseconds), .integer(max(0, limit))],
                of: EventTable.name
            ) { (row) throws(PostgreSQLStoreError) in try EventTable.read(&row).value }
            let (contents, unreadableSubjects) = try transaction.contents(of: due.map(\.subject))
            var claims: [EventClaim] = []
            var dropped: [EventID] = []
            for var event in due {
                guard !unreadableSubjects.contains(event.subject.description) else {
                    unreadable.append(event.id.description)
                    continue
                }
                guard let content = contents[event.subject], event.isBorneOut(by: content) else {
                    dropped.append(event.id)
                    continue
                }
                guard event.claim(at: now, until: end) else { continue }
                claims.append(EventClaim(event: event, content: content))
            }
            try transaction.run(
                EventTable.updates(claims.map { ($0.event.id.description, $0.event) })
                    + EventTable.deletes(dropped.map(\.description)) + EventTable.postpones(unreadable, until: end)
            )
            return (claims, unreadable)
        }
        report(unreadable, of: EventTable.name)
        return claims
    }

    public func settle(_ command: SettleEvent) async throws -> Bool {
        var keys = RowKeys()
        keys.events = [command.id.description]
        return try await change(needing: keys) { rows in
            var event = try rows.events.find(command.id.description)
            guard command.apply(to: &event) else { return false }
            rows.events.keep(event, under: command.id.description)
            return true
        }
    }

    public func nextEvent() async throws -> Timestamp? {
        try await read(
            """
            SELECT next_attempt_at FROM event WHERE status = 'queued' AND \(EventTable.isKnown)
            ORDER BY next_attempt_at, occurred_at, id LIMIT 1
            """,
            of: EventTable.name
        ) { (row) throws(PostgreSQLStoreError) in try row.nextMoment() }
        .first
    }

    public func events(status: Event.Status?, limit: Int) async throws -> [Event] {
        var found: [Event] = []
        for status in status.map({ [$0] }) ?? Event.Status.allCases {
            found += try await readable(
                """
                SELECT \(EventTable.columnNames) FROM event
                WHERE status = $1 AND \(EventTable.isKnown) ORDER BY occurred_at DESC, id DESC LIMIT $2
                """,
                [.text(status.rawValue), .integer(max(0, limit))],
                of: EventTable.name
            ) { (row) throws(PostgreSQLStoreError) in try EventTable.read(&row).value }
        }
        return found.sorted { ($0.occurredAt, $0.id.description) > ($1.occurredAt, $1.id.description) }
            .prefix(max(0, limit))
            .map(\.self)
    }

    public func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact { transaction in
            // One ordered run per status out of the index.
            let counts = try transaction.run(
                Event.Status.allCases.map { status in
                    Query(
                        Self.purge("event", where: "status = $3 AND occurred_at < $1", by: "occurred_at, id"),
                        [.integer(moment.milliseconds), .integer(max(0, limit)), .text(status.rawValue)]
                    )
                }
            )
            return counts.reduce(0, +)
        }
    }

    public func retry(_ command: RetryEvent) async throws -> RetryEvent.Outcome {
        var keys = RowKeys()
        keys.events = [command.id.description]
        return try await change(needing: keys) { rows in
            let loaded = try rows.events.find(command.id.description)
            var event = loaded
            let outcome = command.apply(to: &event)
            if event != loaded { rows.events.keep(event, under: command.id.description) }
            return outcome
        }
    }
}

extension Transaction {
    /// What events are about, without that which is no more, and the keys of what cannot be read. Nothing is locked: it is sent
    /// as it is at this moment.
    fileprivate func contents(
        of subjects: [EventSubject]
    ) throws -> (contents: [EventSubject: EventContent], unreadable: Set<String>) {
        var unreadable: Set<String> = []
        func rows<T: Table>(_ table: T.Type, _ keys: [String]) throws -> [(key: String, value: T.Value)] {
            guard !keys.isEmpty else { return [] }
            let rows = try readable(
                "SELECT \(T.columnNames) FROM \(T.name) WHERE \(T.columns[0].name) = ANY($1)",
                [.texts(keys)],
                of: T.name
            ) { (row) throws(PostgreSQLStoreError) in try T.read(&row) }
            unreadable.formUnion(rows.unreadable)
            return rows.values
        }
        var (verifications, messages, accounts, prefixes): ([String], [String], [String], [String]) = ([], [], [], [])
        var contents: [EventSubject: EventContent] = [:]
        for subject in subjects {
            switch subject {
            case .verification(let id): verifications.append(id.description)
            case .message(let id): messages.append(id.description)
            case .account(let id): accounts.append(id.description)
            case .prefix(let prefix):
                prefixes.append(prefix)
                contents[subject] = .traffic(prefix: prefix, .none)
            }
        }
        for row in try rows(VerificationTable.self, verifications) {
            contents[.verification(row.value.id)] = .verification(row.value)
        }
        if !messages.isEmpty {
            let claims = try readable(
                "\(OutboxMessageTable.joined) WHERE outbox_message.id = ANY($1)",
                [.texts(messages)],
                of: OutboxMessageTable.name,
                read: OutboxMessageTable.readClaim
            )
            unreadable.formUnion(claims.unreadable)
            for claim in claims.values {
                contents[.message(claim.message.id)] = .message(claim.message, claim.verification)
            }
        }
        for row in try rows(AccountTable.self, accounts) { contents[.account(row.value.id)] = .account(row.value) }
        for row in try rows(TrafficTable.self, prefixes) {
            contents[.prefix(row.key)] = .traffic(prefix: row.key, row.value)
        }
        return (contents, unreadable)
    }
}
