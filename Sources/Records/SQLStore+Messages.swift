public import PhoneDomain

// Messages and events: what is due, what operators and tenants ask for.

extension OutboxMessage {
    /// Messages with the verification of each, and with the change of number that a notice is about.
    fileprivate static func claims(from table: String = "outbox_message") -> String {
        """
        SELECT \(OutboxMessage.table.columnList), \(Verification.table.columnList), \(NumberChange.table.columnList)
        FROM \(table) JOIN verification ON verification.id = outbox_message.verification_id
        LEFT JOIN number_change ON number_change.id = outbox_message.number_change_id
        """
    }
}

extension OutboxClaim {
    fileprivate init(from row: inout RowReader) throws(UnreadableRecord) {
        let message = try OutboxMessage(from: &row)
        let verification = try Verification(from: &row)
        let change = row.isNextNull ? nil : try NumberChange(from: &row)
        self.init(message: message, verification: verification, change: change)
    }

    fileprivate var order: (Timestamp, String) { (message.createdAt, message.id.description) }
}

extension SQLStore {
    /// Instances share what is due: what one has locked the others pass over.
    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        try await transact { session in
            let dialect = session.dialect
            // The index has them in this order, so that a backlog is not sorted anew for every claim.
            let due = try session.readable(
                """
                \(OutboxMessage.claims(from: "outbox_message \(dialect.indexedBy("outbox_message_due"))"))
                WHERE outbox_message.status = 'queued' AND outbox_message.next_attempt_at <= $1
                ORDER BY outbox_message.next_attempt_at, outbox_message.created_at, outbox_message.id LIMIT $2
                \(dialect.skippingLocked.isEmpty ? "" : "FOR UPDATE OF outbox_message SKIP LOCKED")
                """,
                [.moment(now), .integer(max(0, limit))],
                of: OutboxMessage.table
            ) { try OutboxClaim(from: &$0) }
            let claims = due.values.compactMap { loaded in
                var message = loaded.message
                guard message.claim(at: now, until: end) else { return nil as (OutboxMessage, OutboxClaim)? }
                let claim = OutboxClaim(message: message, verification: loaded.verification, change: loaded.change)
                return (loaded.message, claim)
            }
            try session.update(claims.map { ($0.0, $0.1.message) })
            try session.postpone(due.unreadable, of: OutboxMessage.table, until: end)
            return claims.map(\.1)
        }
    }

    public func record(_ command: RecordReceipt) async throws -> Bool {
        let named = try await read(
            """
            SELECT id FROM outbox_message
            WHERE \(dialect.everyDay("outbox_message"))gateway = $1 AND gateway_message_id = $2
            ORDER BY created_at DESC, id DESC LIMIT 1
            """,
            [.text(command.gateway), .text(command.gatewayMessageID)],
            isSafe: false
        ) { OutboxMessage.ID($0[0]) }
        guard case let id?? = named.first else { return false }
        return try await perform(.change, needing: { RecordKeys(.message, .id(id)) }) { try $0.record(command, id) }
    }

    public func nextAttempt() async throws -> Timestamp? {
        try await read(
            "SELECT min(next_attempt_at) FROM outbox_message \(dialect.indexedBy("outbox_message_due")) WHERE status = 'queued'",
            [],
            isSafe: false
        ) { $0.optionalMoment }
        .first ?? nil
    }

    /// Reads no row: the index has all of them, and nothing else.
    public func backlog() async throws -> OutboxBacklog {
        try await read(
            """
            SELECT count(*), min(created_at) FROM outbox_message \(dialect.indexedBy("outbox_message_due"))
            WHERE status = 'queued'
            """,
            [],
            isSafe: false
        ) { [plans] row in
            var reader = RowReader(row, of: OutboxMessage.table.name, plans: plans)
            return OutboxBacklog(count: try reader.count(), oldest: try reader.optionalMoment())
        }
        .first ?? OutboxBacklog(count: 0, oldest: nil)
    }

    public func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim] {
        var found: [OutboxClaim] = []
        for status in status.map({ [$0] }) ?? OutboxMessage.Status.allCases {
            // Of the many, the newest lie at the end. Of the others there are few, in an index of their own.
            let (order, index) =
                switch status {
                case .sent, .delivered: ("outbox_message.id DESC", "")
                case .queued: ("outbox_message.created_at DESC, outbox_message.id DESC", "outbox_message_due")
                default: ("outbox_message.created_at DESC, outbox_message.id DESC", "outbox_message_few")
                }
            let table = index.isEmpty ? "outbox_message" : "outbox_message \(dialect.indexedBy(index))"
            // As literals: an engine uses a partial index for what it knows when it compiles the statement.
            let few = index == "outbox_message_few" ? " AND \(OutboxMessage.fewCondition)" : ""
            found += try await readable(
                """
                \(OutboxMessage.claims(from: table))
                WHERE outbox_message.status = '\(status.rawValue)'\(few) ORDER BY \(order) LIMIT $1
                """,
                [.integer(max(0, limit))],
                of: OutboxMessage.table
            ) { try OutboxClaim(from: &$0) }
        }
        return Array(found.sorted { $0.order > $1.order }.prefix(max(0, limit)))
    }

    public func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage] {
        let last = question.last
        let first = last?.createdAt ?? question.after
        return try await read(
            """
            SELECT id, created_at, gateway_message_id FROM outbox_message
            WHERE \(dialect.days(OutboxMessage.table.name, first, question.through))gateway = $5 AND status = 'sent'
                AND created_at > $1 AND created_at <= $2 AND (created_at > $3 OR created_at = $3 AND id > $4)
                AND gateway_message_id IS NOT NULL
            ORDER BY created_at, id LIMIT $6
            """,
            [
                .moment(question.after), .moment(question.through), .moment(first),
                last.map { .id($0.id) } ?? .bytes([]), .text(question.gateway), .integer(max(0, question.limit)),
            ],
            isSafe: true
        ) { [plans] row in
            var reader = RowReader(row, of: OutboxMessage.table.name, plans: plans)
            return SentMessage(
                id: try reader.id(),
                createdAt: try reader.moment(),
                gatewayMessageID: try reader.text()
            )
        }
    }
}

extension OutboxMessage {
    /// Of the partial index on the few that are neither queued nor sent nor delivered.
    static let fewCondition = "outbox_message.status NOT IN ('queued', 'sent', 'delivered')"
}

extension Row {
    fileprivate var optionalMoment: Timestamp? {
        columns[0].kind == .integer ? Timestamp(milliseconds: columns[0].integer) : nil
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
    /// Passes over rows of a queue that cannot be read, so that they are not the first to be claimed again until this moment.
    /// They are not moved to failed: a newer program may have written them.
    func postpone(_ unreadable: [SQLValue], of table: Table, until moment: Timestamp) throws {
        for key in unreadable {
            try run("UPDATE \(table.name) SET next_attempt_at = $1 WHERE \(table.key) = $2", [.moment(moment), key])
        }
    }
}

// MARK: - Events

extension Event {
    /// Of a kind that this program knows; a newer one may have announced others.
    static let isKnown =
        "kind IN (" + Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
}

extension SQLStore {
    public func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim] {
        try await transact { session in
            let dialect = session.dialect
            let due = try session.readable(
                Event.self,
                """
                \(dialect.indexedBy("event_due"))
                WHERE status = 'queued' AND next_attempt_at <= $1 AND \(Event.isKnown)
                ORDER BY next_attempt_at, occurred_at, id LIMIT $2\(dialect.skippingLocked)
                """,
                [.moment(now), .integer(max(0, limit))]
            )
            let (contents, unreadableSubjects) = try session.contents(of: due.values.map(\.subject))
            var changes = RecordChanges<Event>()
            var claims: [EventClaim] = []
            var unreadable: [SQLValue] = []
            for loaded in due.values {
                guard !unreadableSubjects.contains(loaded.subject) else {
                    unreadable.append(loaded.id.value)
                    continue
                }
                guard let content = contents[loaded.subject], loaded.isConfirmed(by: content) else {
                    changes.deleted.append(loaded.id)
                    continue
                }
                var event = loaded
                guard event.claim(at: now, until: end) else { continue }
                changes.updated.append((loaded, event))
                claims.append(EventClaim(event: event, content: content))
            }
            if !changes.isEmpty { try session.save(changes) }
            session.report(unreadable, of: Event.table)
            try session.postpone(due.unreadable + unreadable, of: Event.table, until: end)
            return claims
        }
    }

    public func nextEvent() async throws -> Timestamp? {
        try await read(
            """
            SELECT min(next_attempt_at) FROM event \(dialect.indexedBy("event_due"))
            WHERE status = 'queued' AND \(Event.isKnown)
            """,
            [],
            isSafe: true
        ) { $0.optionalMoment }
        .first ?? nil
    }

    public func events(status: Event.Status?, limit: Int) async throws -> [Event] {
        var found: [Event] = []
        for status in status.map({ [$0] }) ?? Event.Status.allCases {
            found += try await readable(
                """
                SELECT \(Event.table.columnList) FROM event
                WHERE status = $1 AND \(Event.isKnown) ORDER BY occurred_at DESC, id DESC LIMIT $2
                """,
                [.text(status.rawValue), .integer(max(0, limit))],
                of: Event.table
            ) { try Event(from: &$0) }
        }
        return found.sorted { ($0.occurredAt, $0.id.description) > ($1.occurredAt, $1.id.description) }
            .prefix(max(0, limit))
            .map(\.self)
    }
}

extension SQLSession {
    /// What events are about, without that which is no more, and what cannot be read. Nothing is locked: it is sent as it is at
    /// this moment.
    fileprivate func contents(
        of subjects: [EventSubject]
    ) throws -> (contents: [EventSubject: EventContent], unreadable: Set<EventSubject>) {
        var contents: [EventSubject: EventContent] = [:]
        var unreadable: Set<EventSubject> = []
        var (verifications, messages, accounts, prefixes): ([SQLValue], [SQLValue], [SQLValue], [SQLValue]) =
            ([], [], [], [])
        for subject in subjects {
            switch subject {
            case .verification(let id): verifications.append(.id(id))
            case .message(let id): messages.append(.id(id))
            case .account(let id): accounts.append(.id(id))
            case .prefix(let prefix):
                prefixes.append(.text(prefix))
                contents[subject] = .traffic(prefix: prefix, .none)
            }
        }
        func load(
            _ select: String,
            _ table: Table,
            _ key: String,
            _ keys: [SQLValue],
            subject: (SQLValue) -> EventSubject?,
            _ read: (inout RowReader) throws -> (EventSubject, EventContent)
        ) throws {
            try forEach(select, where: key, isAnyOf: keys, locking: false) { row in
                do {
                    var reader = reader(row, of: table.name)
                    let (subject, content) = try read(&reader)
                    contents[subject] = content
                } catch is UnreadableRecord {
                    if let subject = subject(row[0]) { unreadable.insert(subject) }
                }
            }
        }
        func select(_ table: Table) -> String { "SELECT \(table.columnList) FROM \(table.name)" }
        try load(select(Verification.table), Verification.table, "id", verifications) {
            Verification.ID($0).map(EventSubject.verification)
        } _: {
            let verification = try Verification(from: &$0)
            return (.verification(verification.id), .verification(verification))
        }
        try load(OutboxMessage.claims(), OutboxMessage.table, "outbox_message.id", messages) {
            OutboxMessage.ID($0).map(EventSubject.message)
        } _: {
            let claim = try OutboxClaim(from: &$0)
            return (.message(claim.message.id), .message(claim.message, claim.verification))
        }
        try load(select(Account.table), Account.table, "id", accounts) {
            Account.ID($0).map(EventSubject.account)
        } _: {
            let account = try Account(from: &$0)
            return (.account(account.id), .account(account))
        }
        try load(select(KeyedTraffic.table), KeyedTraffic.table, "key", prefixes) {
            String($0).map(EventSubject.prefix)
        } _: {
            let traffic = try KeyedTraffic(from: &$0)
            let prefix = traffic.key.description
            return (.prefix(prefix), .traffic(prefix: prefix, traffic.traffic))
        }
        return (contents, unreadable)
    }
}

// MARK: - Attempts, as tenants ask for them

extension SQLStore {
    /// How many messages are read at a time where not all that are read are wanted.
    private var attemptsPageSize: Int { 500 }

    /// The messages that a query covers, newest first.
    ///
    /// No column has the country of a number. Where one is asked for, the numbers that begin with its calling code are read
    /// page by page, and those of others that share the code are passed over.
    public func attempts(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        let limit = max(0, limit)
        guard query.region != nil else { return try await attemptsPage(query, limit: limit) }
        var (query, attempts): (AttemptQuery, [DeliveryAttempt]) = (query, [])
        while attempts.count < limit {
            let page = try await attemptsPage(query, limit: attemptsPageSize)
            attempts += page.filter(query.covers)
            guard page.count == attemptsPageSize, let last = page.last?.message else { break }
            query.after = AttemptQuery.Cursor(at: last.createdAt, id: last.id)
        }
        return Array(attempts.prefix(limit))
    }

    private func attemptsPage(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        var selection = AttemptSelection(query, plans: plans, dialect)
        let sql = """
            SELECT \(OutboxMessage.table.columnList), \(Verification.table.columnList) FROM \(selection.tables)
            WHERE \(selection.condition)
            ORDER BY outbox_message.created_at DESC, outbox_message.id DESC LIMIT \(selection.mark(.integer(limit)))
            """
        return try await read(sql, selection.arguments, isSafe: true) { [plans] row in
            var reader = RowReader(row, of: OutboxMessage.table.name, plans: plans)
            return DeliveryAttempt(
                message: try OutboxMessage(from: &reader),
                verification: try Verification(from: &reader)
            )
        }
    }

    public func summary(of query: AttemptQuery) async throws -> AttemptSummary {
        var query = query
        query.after = nil
        let selection = AttemptSelection(query, plans: plans, dialect)
        let counts = "count(*), count(*) FILTER (WHERE verification.status = 'approved')"
        let condition = "FROM \(selection.tables) WHERE \(selection.condition)"
        let summaries: [AttemptSummary]
        if let region = query.region {
            let sql = "SELECT verification.e164, \(counts) \(condition) GROUP BY verification.e164"
            summaries = try await read(sql, selection.arguments, isSafe: true) { [plans] row in
                var reader = RowReader(row, of: Verification.table.name, plans: plans)
                let number = try reader.number()
                let summary = AttemptSummary(total: try reader.count(), converted: try reader.count())
                return number.region == region ? summary : nil
            }
            .compactMap(\.self)
        } else {
            summaries = try await read("SELECT \(counts) \(condition)", selection.arguments, isSafe: true) {
                [plans] row in
                var reader = RowReader(row, of: OutboxMessage.table.name, plans: plans)
                return AttemptSummary(total: try reader.count(), converted: try reader.count())
            }
        }
        return AttemptSummary(
            total: summaries.reduce(0) { $0 + $1.total },
            converted: summaries.reduce(0) { $0 + $1.converted }
        )
    }
}

/// Which rows an ``AttemptQuery`` asks for. The index that leaves the fewest is named where the engine knows nothing of the rows.
private struct AttemptSelection {
    let tables: String
    private(set) var condition = ""
    private(set) var arguments: [SQLValue] = []

    init(_ query: AttemptQuery, plans: NumberingPlans, _ dialect: SQLDialect) {
        func messages(by index: String) -> String {
            "outbox_message \(dialect.indexedBy(index)) JOIN verification ON verification.id = outbox_message.verification_id"
        }
        if query.message != nil {
            tables = "outbox_message JOIN verification ON verification.id = outbox_message.verification_id"
        } else if query.verification != nil {
            tables = messages(by: "outbox_message_verification")
        } else if query.e164 != nil {
            tables = """
                verification \(dialect.indexedBy("verification_live")) \(dialect.orderedJoin)
                outbox_message \(dialect.indexedBy("outbox_message_verification"))
                ON verification.id = outbox_message.verification_id
                """
        } else {
            tables = messages(by: "outbox_message_account")
        }
        condition = "outbox_message.account = \(mark(.id(query.account)))"
        add("outbox_message.id =", query.message.map { .id($0) })
        add("outbox_message.verification_id =", query.verification.map { .id($0) })
        add("verification.owner =", query.tenant.map { .text(Owner.tenant($0, of: query.account).rawValue) })
        add("\(dialect.everyDay("verification"))verification.e164 =", query.e164.map { .text($0) })
        for prefix in [query.prefix, query.region.flatMap(plans.plan(for:)).map { "+" + $0.callingCode }] {
            // As a CASE, of which PostgreSQL expects that half of the rows pass: a range or a comparison it would take for a few
            // numbers, look for these first and sort what it finds, and it may be a whole country's.
            guard let prefix else { continue }
            let text = mark(.text(prefix))
            condition +=
                " AND CASE WHEN substr(verification.e164, 1, length(\(text))) = \(text) THEN TRUE ELSE FALSE END"
        }
        if let isConverted = query.isConverted {
            condition += " AND verification.status \(isConverted ? "=" : "<>") 'approved'"
        }
        add("outbox_message.created_at >=", query.since.map { .moment($0) })
        add("outbox_message.created_at <=", query.until.map { .moment($0) })
        if let after = query.after {
            let (moment, id) = (mark(.moment(after.at)), mark(.id(after.id)))
            condition += " AND (outbox_message.created_at, outbox_message.id) < (\(moment), \(id))"
        }
    }

    /// Takes in an argument.
    ///
    /// - Returns: what stands for it in the statement.
    mutating func mark(_ argument: SQLValue) -> String {
        arguments.append(argument)
        return "$\(arguments.count)"
    }

    private mutating func add(_ comparison: String, _ value: SQLValue?) {
        if let value { condition += " AND \(comparison) \(mark(value))" }
    }
}
