public import PhoneDomain

extension PostgreSQLStore: OutboxStore {
    /// Instances share what is due: what one has locked the others pass over, instead of waiting for it only to find
    /// that it is gone.
    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        let (claims, unreadable) = try await transact { transaction in
            let due = try transaction.readable(
                """
                \(OutboxMessageTable.joined) WHERE outbox_message.status = 'queued' AND next_attempt_at <= $1
                ORDER BY next_attempt_at, outbox_message.created_at, outbox_message.id LIMIT $2
                FOR UPDATE OF outbox_message SKIP LOCKED
                """,
                [.integer(now.milliseconds), .integer(max(0, limit))],
                of: OutboxMessageTable.name,
                read: OutboxMessageTable.readClaim
            )
            let claims = due.values.compactMap { due in
                var message = due.message
                guard message.claim(at: now, until: end) else { return nil as OutboxClaim? }
                return OutboxClaim(message: message, verification: due.verification, change: due.change)
            }
            try transaction.run(
                OutboxMessageTable.updates(claims.map { ($0.message.id.description, $0.message) })
                    + OutboxMessageTable.postpones(due.unreadable, until: end)
            )
            return (claims, due.unreadable)
        }
        report(unreadable, of: OutboxMessageTable.name)
        return claims
    }

    public func settle(_ command: SettleMessage) async throws -> Bool {
        var keys = RowKeys()
        keys.messages = [command.id.description]
        return try await change(needing: keys) { rows in
            guard let loaded = try rows.messages.find(command.id.description),
                let loadedVerification = try rows.verification(loaded.verificationID)
            else { return false }
            var message = loaded
            var verification = loadedVerification
            guard command.apply(to: &message, &verification) else { return false }
            rows.keep(message, loaded: loaded, at: command.now)
            rows.keep(verification, loaded: loadedVerification, at: command.now)
            try rows.follow(message, loaded: loaded, of: verification, at: command.now)
            return true
        }
    }

    public func nextAttempt() async throws -> Timestamp? {
        try await read(
            """
            SELECT next_attempt_at FROM outbox_message WHERE status = 'queued'
            ORDER BY next_attempt_at, created_at, id LIMIT 1
            """,
            of: OutboxMessageTable.name
        ) { (row) throws(PostgreSQLStoreError) in try row.nextMoment() }
        .first
    }

    public func backlog() async throws -> OutboxBacklog {
        try await read(
            "SELECT count(*), min(created_at) FROM outbox_message WHERE status = 'queued'",
            of: OutboxMessageTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            OutboxBacklog(count: try row.nextCount(), oldest: try row.nextOptionalMoment())
        }
        .first ?? OutboxBacklog(count: 0, oldest: nil)
    }

    public func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim] {
        var found: [OutboxClaim] = []
        // One ordered run per status out of the index, instead of an index of its own for a rare question.
        for status in status.map({ [$0] }) ?? OutboxMessage.Status.allCases {
            found += try await readable(
                """
                \(OutboxMessageTable.joined) WHERE outbox_message.status = $1
                ORDER BY outbox_message.created_at DESC, outbox_message.id DESC LIMIT $2
                """,
                [.text(status.rawValue), .integer(max(0, limit))],
                of: OutboxMessageTable.name,
                read: OutboxMessageTable.readClaim
            )
        }
        return Array(found.sorted { $0.order > $1.order }.prefix(max(0, limit)))
    }

    public func retry(_ command: RetryMessage) async throws -> RetryMessage.Outcome {
        var keys = RowKeys()
        keys.messages = [command.id.description]
        return try await change(needing: keys) { rows in
            let loaded = try rows.messages.find(command.id.description)
            let loadedVerification = try loaded.flatMap { try rows.verification($0.verificationID) }
            var message = loaded
            var verification = loadedVerification
            let change = try loaded?.numberChangeID.flatMap { try rows.accounts.numberChange($0) }
            let outcome = command.apply(to: &message, &verification, change)
            if let loaded, let message, message != loaded, let loadedVerification {
                rows.keep(message, loaded: loaded, at: command.now)
                try rows.follow(message, loaded: loaded, of: loadedVerification, at: command.now)
                rows.append(command.entry(for: outcome, of: loadedVerification))
            }
            rows.keep(verification, loaded: loadedVerification, at: command.now)
            return outcome
        }
    }

    public func record(_ command: RecordReceipt) async throws -> Bool {
        let named = try await read(
            OutboxMessageTable.self,
            "WHERE gateway = $1 AND gateway_message_id = $2",
            [.text(command.gateway), .text(command.gatewayMessageID)]
        )
        guard let id = named.first?.id.description else { return false }
        var keys = RowKeys()
        keys.messages = [id]
        return try await change(needing: keys) { rows in
            // It may have got another name since.
            guard let loaded = try rows.messages.find(id), loaded.gateway == command.gateway,
                loaded.gatewayMessageID == command.gatewayMessageID
            else { return false }
            var message = loaded
            guard command.apply(to: &message) else { return false }
            rows.keep(message, loaded: loaded, at: command.now)
            return true
        }
    }

    public func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage] {
        let (moment, id) = question.last?.order ?? (question.after, "")
        return try await read(
            """
            SELECT id, created_at, gateway_message_id FROM outbox_message
            WHERE status = 'sent' AND created_at > $1 AND created_at <= $2 AND (created_at, id) > ($3, $4)
            AND gateway = $5 AND gateway_message_id IS NOT NULL ORDER BY created_at, id LIMIT $6
            """,
            [
                .integer(question.after.milliseconds), .integer(question.through.milliseconds),
                .integer(moment.milliseconds), .text(id), .text(question.gateway), .integer(max(0, question.limit)),
            ],
            of: OutboxMessageTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            SentMessage(
                id: try row.next(parsedBy: OutboxMessage.ID.init),
                createdAt: try row.nextMoment(),
                gatewayMessageID: try row.nextText()
            )
        }
    }
}

extension OutboxMessageTable {
    /// Messages with the verification of each, and with the change of number that a notice tells of.
    static let joined = """
        SELECT \(columnNames), \(VerificationTable.columnNames), \(NumberChangeTable.columnNames)
        FROM outbox_message JOIN verification ON verification.id = outbox_message.verification_id
        LEFT JOIN number_change ON number_change.id = number_change_id
        """

    static func readClaim(_ row: inout RowReader) throws(PostgreSQLStoreError) -> OutboxClaim {
        let message = try read(&row).value
        let verification = try VerificationTable.read(&row).value
        let change = row.isNextNull ? nil : try NumberChangeTable.read(&row).value
        return OutboxClaim(message: message, verification: verification, change: change)
    }
}

extension OutboxClaim {
    fileprivate var order: (Timestamp, String) { (message.createdAt, message.id.description) }
}
