import GRDB
import PhoneDomain

/// Messages as tenants ask for them.
extension OutboxMessageTable {
    /// How many messages are read at a time where not all that are read are wanted.
    private static let pageSize = 500

    /// The messages that a query covers, newest first.
    ///
    /// No column has the country of a number. Where one is asked for, the numbers that begin with its calling code are read
    /// page by page, and those of others that share the code are passed over.
    func attempts(_ query: AttemptQuery, limit: Int) throws -> [DeliveryAttempt] {
        guard query.region != nil else { return try page(query, limit: limit) }
        var (query, attempts): (AttemptQuery, [DeliveryAttempt]) = (query, [])
        while attempts.count < limit {
            let page = try page(query, limit: Self.pageSize)
            attempts += page.filter(query.covers)
            guard page.count == Self.pageSize, let last = page.last?.message else { break }
            query.after = AttemptQuery.Cursor(at: last.createdAt, id: last.id)
        }
        return Array(attempts.prefix(limit))
    }

    private func page(_ query: AttemptQuery, limit: Int) throws -> [DeliveryAttempt] {
        let selection = AttemptSelection(query, plans: verifications.plans)
        return try db.all(
            """
            SELECT \(Self.columns), \(VerificationTable.columns) FROM \(selection.tables)
            WHERE \(selection.condition)
            ORDER BY outbox_message.created_at DESC, outbox_message.id DESC LIMIT ?
            """,
            selection.arguments + [limit],
            of: Self.name
        ) { row in
            DeliveryAttempt(message: try readMessage(&row), verification: try verifications.read(&row))
        }
    }

    func summary(of query: AttemptQuery) throws -> AttemptSummary {
        var query = query
        query.after = nil
        let selection = AttemptSelection(query, plans: verifications.plans)
        let counts = "count(*), coalesce(sum(verification.status = 'approved'), 0)"
        guard let region = query.region else {
            return try db.first(
                "SELECT \(counts) FROM \(selection.tables) WHERE \(selection.condition)",
                selection.arguments,
                of: Self.name
            ) { row in
                AttemptSummary(total: try row.next(), converted: try row.next())
            } ?? AttemptSummary(total: 0, converted: 0)
        }
        let byNumber = try db.all(
            """
            SELECT verification.e164, \(counts) FROM \(selection.tables) WHERE \(selection.condition)
            GROUP BY verification.e164
            """,
            selection.arguments,
            of: Self.name
        ) { row in
            let number = try row.next { try PhoneNumber(e164: $0, plans: verifications.plans) }
            return (region: number.region, summary: AttemptSummary(total: try row.next(), converted: try row.next()))
        }
        .filter { $0.region == region }
        .map(\.summary)
        return AttemptSummary(
            total: byNumber.reduce(0) { $0 + $1.total },
            converted: byNumber.reduce(0) { $0 + $1.converted }
        )
    }
}

/// Which rows an ``AttemptQuery`` asks for. The index that leaves the fewest is named: SQLite, which knows nothing of the rows,
/// would take one for another.
private struct AttemptSelection {
    private(set) var tables: String
    private(set) var condition: String
    private(set) var arguments: Arguments

    private static let join = "JOIN verification ON verification.id = outbox_message.verification_id"

    init(_ query: AttemptQuery, plans: NumberingPlans) {
        (condition, arguments) = ("account = ?", [query.account.description])
        if query.message != nil {
            tables = "outbox_message \(Self.join)"
        } else if query.verification != nil {
            tables = "outbox_message INDEXED BY outbox_message_verification \(Self.join)"
        } else if query.e164 != nil {
            tables = """
                verification INDEXED BY verification_live CROSS JOIN outbox_message INDEXED BY outbox_message_verification \
                ON verification.id = outbox_message.verification_id
                """
        } else {
            tables = "outbox_message INDEXED BY outbox_message_account \(Self.join)"
        }
        add("outbox_message.id = ?", query.message?.description)
        add("verification_id = ?", query.verification?.description)
        add("verification.owner = ?", query.tenant.map { Owner.tenant($0, of: query.account).rawValue })
        add("\(DayIndex.verifications.everyDay) AND verification.e164 = ?", query.e164)
        for prefix in [query.prefix, query.region.flatMap(plans.plan(for:)).map { "+" + $0.callingCode }] {
            // Nothing but digits follows in a number, and `:` is behind all of them.
            add("verification.e164 >= ?", prefix)
            add("verification.e164 < ?", prefix.map { $0 + ":" })
        }
        if let isConverted = query.isConverted {
            condition += " AND verification.status \(isConverted ? "=" : "<>") 'approved'"
        }
        add("outbox_message.created_at >= ?", query.since?.milliseconds)
        add("outbox_message.created_at <= ?", query.until?.milliseconds)
        if let after = query.after {
            condition += " AND (outbox_message.created_at, outbox_message.id) < (?, ?)"
            arguments += [after.at.milliseconds, after.id.description]
        }
    }

    private mutating func add(_ condition: String, _ value: (some Bindable)?) {
        guard let value else { return }
        self.condition += " AND " + condition
        arguments += [value]
    }
}
