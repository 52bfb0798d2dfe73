public import PhoneAdministration
public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

// Messages and events: what is due, what operators and clients ask for.

extension OutboxMessage {
    /// Messages with the verification of each, and with the change of number that a notice is about.
    static func claims(from table: SQL = "outbox_message") -> SQL {
        let columns = [OutboxMessage.table, Verification.table, NumberChange.table].map(\.columnList)
        return """
            SELECT \(raw: columns.joined(separator: ", "))
            FROM \(table) JOIN verification ON verification.id = outbox_message.verification_id
            LEFT JOIN number_change ON number_change.id = outbox_message.number_change_id
            """
    }

    /// The condition of the partial index on the few that are neither queued nor sent nor delivered.
    static let fewCondition: SQL = """
        outbox_message.status <> 'queued' AND outbox_message.status <> 'sent' AND outbox_message.status <> 'delivered'
        """
}

extension OutboxClaim {
    convenience init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let message = try OutboxMessage(from: &row)
        let verification = try Verification(from: &row)
        let change = row.isNextNull ? nil : try NumberChange(from: &row)
        self.init(message: message, verification: verification, change: change)
    }
}

extension SQLSession {
    /// The messages with their verifications, those that can be read.
    ///
    /// - Parameter index: the one to find them by, where an engine would choose another.
    func claims(by index: String? = nil, _ condition: SQL) throws -> ReadableRows<OutboxClaim> {
        let table: SQL = "outbox_message \(index.map(dialect.indexedBy) ?? "")"
        return try readable("\(OutboxMessage.claims(from: table)) \(condition)", of: OutboxMessage.table) {
            try OutboxClaim(from: &$0)
        }
    }

    fileprivate var skippingLocked: SQL { dialect.isShared ? " FOR UPDATE OF outbox_message SKIP LOCKED" : "" }
}

extension SQLStore {
    /// Instances share what is due: what one has locked the others pass over.
    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        try await transact { session in
            // The index has them in this order, so that a backlog is not sorted anew for every claim.
            let due = try session.claims(
                by: "outbox_message_due",
                """
                WHERE outbox_message.status = 'queued' AND outbox_message.next_attempt_at <= \(now)
                ORDER BY outbox_message.next_attempt_at, outbox_message.created_at, outbox_message.id
                LIMIT \(limit: limit)\(session.skippingLocked)
                """
            )
            var claims: [OutboxClaim] = []
            for loaded in due.values {
                var message = loaded.message
                guard message.claim(at: now, until: end) else { continue }
                try session.save(loaded.message, message)
                claims.append(OutboxClaim(message: message, verification: loaded.verification, change: loaded.change))
            }
            try session.postpone(due.unreadable, of: OutboxMessage.table, until: end)
            return claims
        }
    }

    public func record(_ command: RecordReceipt) async throws -> Bool {
        let named = try await rows(
            """
            SELECT id FROM outbox_message
            WHERE awaits_receipt AND gateway = \(command.gateway) AND gateway_message_id = \(command.gatewayMessageID)
            ORDER BY created_at DESC, id DESC LIMIT 1
            """
        ) { OutboxMessage.ID($0[0]) }
        guard case let id?? = named.first else { return false }
        return try await run(RecordFoundReceipt(command: command, id: id))
    }

    public func nextAttempt() async throws -> Timestamp? {
        try await read(
            """
            SELECT min(next_attempt_at) FROM outbox_message \(dialect.indexedBy("outbox_message_due"))
            WHERE status = 'queued'
            """,
            of: OutboxMessage.table
        ) { try $0.optionalMoment() }
        .first ?? nil
    }

    /// Reads no row: the index has all of them, and nothing else.
    public func backlog() async throws -> OutboxBacklog {
        try await read(
            """
            SELECT count(*), min(created_at) FROM outbox_message \(dialect.indexedBy("outbox_message_due"))
            WHERE status = 'queued'
            """,
            of: OutboxMessage.table
        ) { OutboxBacklog(count: try $0.count(), oldest: try $0.optionalMoment()) }
        .first ?? OutboxBacklog(count: 0, oldest: nil)
    }

    /// IDs of messages and entries begin with the time at which they were made, so that those are read from there on.
    public func takeFallbacks(limit: Int, at now: Timestamp) async throws -> [OutboxClaim] {
        try await transact { session in
            let due = try session.claims(
                by: "outbox_message_fallback",
                """
                WHERE outbox_message.fallback_at IS NOT NULL AND outbox_message.fallback_at <= \(now)
                ORDER BY outbox_message.fallback_at LIMIT \(limit: limit)\(session.skippingLocked)
                """
            )
            return try due.values.filter { claim in
                var message = claim.message
                let isDue = message.takeFallback(of: claim.verification, at: now)
                try session.save(claim.message, message)
                return isDue
            }
        }
    }

    public func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage] {
        let last = question.last
        let first = last?.createdAt ?? question.after
        let lastID = last?.id.value ?? .bytes([])
        return try await read(
            """
            SELECT id, created_at, COALESCE(polling_id, gateway_message_id) FROM outbox_message
            WHERE awaits_receipt AND gateway = \(question.gateway)
                AND created_at > \(question.after) AND created_at <= \(question.through)
                AND (created_at > \(first) OR created_at = \(first) AND id > \(lastID))
            ORDER BY created_at, id LIMIT \(limit: question.limit)
            """,
            of: OutboxMessage.table
        ) { SentMessage(id: try $0.id(), createdAt: try $0.moment(), gatewayMessageID: try $0.text()) }
    }

    public func routeSamples(from first: Timestamp, to end: Timestamp, limit: Int) async throws -> [RouteSample] {
        try await read(
            """
            SELECT gateway, e164, outbox_message.channel, outbox_message.created_at,
                CASE WHEN verification.status = 'approved' AND sent_at = outbox_message.created_at
                    AND verification.channel = coalesce(outbox_message.channel, 'sms') THEN updated_at - sent_at END
            FROM outbox_message JOIN verification ON verification.id = outbox_message.verification_id
            WHERE outbox_message.id >= \(OutboxMessage.ID.earliest(at: first))
                AND outbox_message.id < \(OutboxMessage.ID.earliest(at: end))
                AND outbox_message.status <> 'queued' AND gateway IS NOT NULL AND number_change_id IS NULL
            ORDER BY outbox_message.id DESC LIMIT \(limit: limit)
            """,
            of: OutboxMessage.table
        ) { row in
            let (gateway, number) = (try row.text(), try row.number())
            return RouteSample(
                by: gateway,
                try row.optionalParsed(Channel.init(rawValue:)) ?? .sms,
                to: number,
                createdAt: try row.moment(),
                approvedAfter: try row.optionalInteger().map { .milliseconds($0) }
            )
        }
    }

    public func gatewaysUsed(by id: Verification.ID) async throws -> [String] {
        try await read(
            """
            SELECT gateway FROM outbox_message \(dialect.indexedBy("outbox_message_verification"))
            WHERE verification_id = \(id) AND status <> 'queued' AND gateway IS NOT NULL
            ORDER BY created_at DESC, id DESC
            """,
            of: OutboxMessage.table
        ) { try $0.text() }
    }
}

extension Identifier {
    /// Less than every identifier that was made at this moment or later (``OrderedIdentifiers``).
    static func earliest(at moment: Timestamp) -> Identifier {
        Identifier(bits: UInt64(max(0, min(moment.milliseconds, 1 << 48 - 1))) << 16, 0)
    }

    /// When it was made, if it has the time in front; some day in 1970 otherwise.
    var moment: Timestamp { Timestamp(milliseconds: Int64(bits.high >> 16)) }
}

extension SQLSession {
    /// Passes over rows of a queue that cannot be read, so that they are not the first to be claimed again until this
    /// moment. They are not moved to failed: a newer program may have written them.
    func postpone(_ unreadable: [SQLValue], of table: Table, until moment: Timestamp) throws {
        for key in unreadable {
            try run("UPDATE \(table) SET next_attempt_at = \(moment) WHERE \(raw: table.key) = \(key)")
        }
    }
}

// MARK: - Events

extension Event {
    /// Whether an event is for a webhook and of a kind that this program knows; a newer one may have announced others.
    static let isKnown: SQL = {
        let kinds = Kind.ofWebhooks.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        // The first part is that of the index.
        return SQL(raw: "kind <> 'message.feedback' AND kind IN (\(kinds))")
    }()
}

extension EventReader {
    fileprivate var index: String { self == .gateways ? "event_feedback_due" : "event_due" }
    /// The condition in the words of the partial index, which serves no other.
    fileprivate var condition: SQL { self == .gateways ? "kind = 'message.feedback'" : Event.isKnown }
}

extension SQLStore {
    public func claimEvents(
        for reader: EventReader,
        limit: Int,
        at now: Timestamp,
        until end: Timestamp
    ) async throws -> [EventClaim] {
        try await transact { session in
            let dialect = session.dialect
            let due = try session.readable(
                Event.self,
                """
                \(dialect.indexedBy(reader.index))
                WHERE status = 'queued' AND next_attempt_at <= \(now) AND \(reader.condition)
                ORDER BY next_attempt_at, occurred_at, id LIMIT \(limit: limit)\(dialect.skippingLocked)
                """
            )
            let subjects = due.values.map(\.subject)
            let (contents, unreadableSubjects) =
                reader == .gateways ? (try session.carriers(of: subjects), []) : try session.contents(of: subjects)
            var claims: [EventClaim] = []
            var unreadable: [SQLValue] = []
            for loaded in due.values {
                guard !unreadableSubjects.contains(loaded.subject) else {
                    unreadable.append(loaded.id.value)
                    continue
                }
                guard let content = contents[loaded.subject], loaded.isConfirmed(by: content) else {
                    try session.save(loaded, nil)
                    continue
                }
                var event = loaded
                guard event.claim(at: now, until: end) else { continue }
                try session.save(loaded, event)
                claims.append(EventClaim(event: event, content: content))
            }
            session.report(unreadable, of: Event.table)
            try session.postpone(due.unreadable + unreadable, of: Event.table, until: end)
            return claims
        }
    }

    public func nextEvent(for reader: EventReader) async throws -> Timestamp? {
        try await read(
            """
            SELECT min(next_attempt_at) FROM event \(dialect.indexedBy(reader.index))
            WHERE status = 'queued' AND \(reader.condition)
            """,
            of: Event.table
        ) { try $0.optionalMoment() }
        .first ?? nil
    }

    public func events(status: Event.Status?, limit: Int) async throws -> [Event] {
        try await transact(isReadOnly: true) { session in
            try (status.map { [$0] } ?? Event.Status.allCases).flatMap { status in
                try session.readable(
                    Event.self,
                    """
                    WHERE status = \(status.rawValue) AND \(Event.isKnown)
                    ORDER BY occurred_at DESC, id DESC LIMIT \(limit: limit)
                    """
                ).values
            }
            .sorted { ($0.occurredAt, $0.id.description) > ($1.occurredAt, $1.id.description) }
            .prefix(max(0, limit))
            .map(\.self)
        }
    }
}

extension EventSubject {
    /// The table and the key of the row that it is.
    fileprivate var place: (Table, SQLValue) {
        switch self {
        case .verification(let id): (Verification.table, id.value)
        case .message(let id): (OutboxMessage.table, id.value)
        case .account(let id): (Account.table, id.value)
        case .prefix(let prefix): (KeyedTraffic.table, .text(prefix))
        case .auditEntry(let serial): (AuditRecord.table, .integer(serial))
        }
    }
}

extension SQLSession {
    /// What events are about, without that which is no more, and what cannot be read. Nothing is locked: it is sent as
    /// it is at this moment.
    fileprivate func contents(
        of subjects: [EventSubject]
    ) throws -> (contents: [EventSubject: EventContent], unreadable: Set<EventSubject>) {
        var contents: [EventSubject: EventContent] = [:]
        var unreadable: Set<EventSubject> = []
        var wanted: [ObjectIdentifier: [SQLValue: EventSubject]] = [:]
        for subject in subjects {
            let (table, key) = subject.place
            wanted[ObjectIdentifier(table), default: [:]][key] = subject
            if case .prefix(let prefix) = subject { contents[subject] = .traffic(prefix: prefix, .none) }
        }
        func load(
            _ select: SQL,
            _ table: Table,
            by column: String,
            _ read: (inout RowReader) throws -> EventContent
        ) throws {
            let wanted = wanted[ObjectIdentifier(table), default: [:]]
            try forEach(select, in: table, where: column, isAnyOf: Array(wanted.keys), locking: false) { row in
                guard let subject = wanted[row[0]] else { return }
                do {
                    contents[subject] = try row.read(of: table, read)
                } catch is UnreadableRecord {
                    unreadable.insert(subject)
                }
            }
        }
        try load(Verification.select(), Verification.table, by: "id") { .verification(try Verification(from: &$0)) }
        try load(OutboxMessage.claims(), OutboxMessage.table, by: "outbox_message.id") {
            let claim = try OutboxClaim(from: &$0)
            return .message(claim.message, claim.verification)
        }
        try load(Account.select(), Account.table, by: "id") { .account(try Account(from: &$0)) }
        try load(KeyedTraffic.select(), KeyedTraffic.table, by: "key") {
            let traffic = try KeyedTraffic(from: &$0)
            return .traffic(prefix: traffic.key.description, traffic.traffic)
        }
        try load(AuditRecord.select(), AuditRecord.table, by: "id") {
            let record = try AuditRecord(from: &$0)
            return .auditEntry(serial: record.serial, record.entry)
        }
        return (contents, unreadable)
    }

    /// The messages by which the codes of verifications travelled, the last of each, as far as they can be read.
    fileprivate func carriers(of subjects: [EventSubject]) throws -> [EventSubject: EventContent] {
        var carriers: [EventSubject: EventContent] = [:]
        let keys = subjects.map(\.place.1)
        try forEach(
            OutboxMessage.claims(),
            in: OutboxMessage.table,
            where: "outbox_message.verification_id",
            isAnyOf: keys,
            locking: false
        ) { row in
            let read = try? row.read(of: OutboxMessage.table) { try OutboxClaim(from: &$0) }
            guard let claim = read, claim.message.mayHaveCarriedCode else { return }
            let subject = EventSubject.verification(claim.message.verificationID)
            if case .message(let other, _) = carriers[subject], other.createdAt > claim.message.createdAt { return }
            carriers[subject] = .message(claim.message, claim.verification)
        }
        return carriers
    }
}

// MARK: - Messages, as their owners ask for them

extension SQLStore {
    /// How many messages are read at a time where not all that are read are wanted.
    private var messagePageSize: Int { 500 }

    /// The messages that a query covers, newest first.
    ///
    /// No column has the country of a number. Where one is asked for, the numbers that begin with its calling code are
    /// read page by page, and those of others that share the code are passed over.
    public func messages(_ query: MessageQuery, limit: Int) async throws -> [OutboxClaim] {
        let limit = max(0, limit)
        guard query.region != nil else { return try await messagePage(query, limit: limit) }
        var (query, found): (MessageQuery, [OutboxClaim]) = (query, [])
        while found.count < limit {
            let page = try await messagePage(query, limit: messagePageSize)
            found += page.filter { $0.verification.phoneNumber.region == query.region }
            guard page.count == messagePageSize, let last = page.last?.message else { break }
            query.after = MessageQuery.Cursor(at: last.createdAt, id: last.id)
        }
        return Array(found.prefix(limit))
    }

    private func messagePage(_ query: MessageQuery, limit: Int) async throws -> [OutboxClaim] {
        try await read(
            """
            SELECT \(raw: OutboxMessage.table.columnList), \(raw: Verification.table.columnList)
            \(selection(query)) ORDER BY outbox_message.created_at DESC, outbox_message.id DESC LIMIT \(limit: limit)
            """,
            of: OutboxMessage.table
        ) { OutboxClaim(message: try OutboxMessage(from: &$0), verification: try Verification(from: &$0)) }
    }

    public func count(_ query: MessageQuery) async throws -> MessageCount {
        var query = query
        query.after = nil
        let counts: SQL = "count(*), count(*) FILTER (WHERE verification.status = 'approved')"
        let parts: [MessageCount?]
        if let region = query.region {
            let sql: SQL = "SELECT verification.e164, \(counts) \(selection(query)) GROUP BY verification.e164"
            parts = try await read(sql, of: Verification.table) {
                let number = try $0.number()
                let part = MessageCount(total: try $0.count(), approved: try $0.count())
                return number.region == region ? part : nil
            }
        } else {
            parts = try await read("SELECT \(counts) \(selection(query))", of: OutboxMessage.table) {
                MessageCount(total: try $0.count(), approved: try $0.count())
            }
        }
        return MessageCount(
            total: parts.reduce(0) { $0 + ($1?.total ?? 0) },
            approved: parts.reduce(0) { $0 + ($1?.approved ?? 0) }
        )
    }

    /// Which rows a query asks for, from `FROM` on. The index that leaves the fewest is named where the engine knows
    /// nothing of the rows.
    private func selection(_ query: MessageQuery) -> SQL {
        let joined: SQL = "JOIN verification ON verification.id = outbox_message.verification_id"
        func messages(by index: String) -> SQL { "outbox_message \(dialect.indexedBy(index)) \(joined)" }
        let tables: SQL =
            if query.message != nil {
                "outbox_message \(joined)"
            } else if query.verification != nil {
                messages(by: "outbox_message_verification")
            } else if query.e164 != nil {
                """
                verification \(dialect.indexedBy("verification_live")) \(dialect.orderedJoin)
                outbox_message \(dialect.indexedBy("outbox_message_verification"))
                ON verification.id = outbox_message.verification_id
                """
            } else {
                messages(by: "outbox_message_group")
            }
        var sql: SQL = "FROM \(tables) WHERE outbox_message.owner_group = \(query.group)"
        if let message = query.message { sql += " AND outbox_message.id = \(message)" }
        if let channel = query.channel { sql += " AND coalesce(outbox_message.channel, 'sms') = \(channel.rawValue)" }
        if let verification = query.verification { sql += " AND outbox_message.verification_id = \(verification)" }
        if let owner = query.owner { sql += " AND verification.owner = \(owner.rawValue)" }
        if let e164 = query.e164 { sql += " AND \(dialect.everyDay)verification.e164 = \(e164)" }
        for prefix in [
            query.prefix, query.region.flatMap(NumberingPlans.builtIn.plan(for:)).map { "+" + $0.callingCode },
        ] {
            // As a CASE, of which PostgreSQL expects that half of the rows pass: a range or a comparison it would take
            // for a few numbers, look for these first and sort what it finds, and it may be a whole country's.
            guard let prefix else { continue }
            sql += """
                 AND CASE WHEN substr(verification.e164, 1, length(\(prefix))) = \(prefix) THEN TRUE ELSE FALSE END
                """
        }
        if let isApproved = query.isApproved {
            sql += isApproved ? " AND verification.status = 'approved'" : " AND verification.status <> 'approved'"
        }
        if let since = query.since { sql += " AND outbox_message.created_at >= \(since)" }
        if let until = query.until { sql += " AND outbox_message.created_at <= \(until)" }
        if let after = query.after {
            sql += " AND (outbox_message.created_at, outbox_message.id) < (\(after.at), \(after.id))"
        }
        return sql
    }
}
