public import PhoneDomain

/// Messages as tenants ask for them.
extension PostgreSQLStore {
    /// How many messages are read at a time where not all that are read are wanted.
    private static let pageSize = 500

    /// The messages that a query covers, newest first.
    ///
    /// No column has the country of a number. Where one is asked for, the numbers that begin with its calling code are read
    /// page by page, and those of others that share the code are passed over.
    public func attempts(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        let limit = max(0, limit)
        guard query.region != nil else { return try await page(query, limit: limit) }
        var (query, attempts): (AttemptQuery, [DeliveryAttempt]) = (query, [])
        while attempts.count < limit {
            let page = try await page(query, limit: Self.pageSize)
            attempts += page.filter(query.covers)
            guard page.count == Self.pageSize, let last = page.last?.message else { break }
            query.after = AttemptQuery.Cursor(at: last.createdAt, id: last.id)
        }
        return Array(attempts.prefix(limit))
    }

    private func page(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        var selection = AttemptSelection(query, plans: plans)
        return try await read(
            """
            SELECT \(OutboxMessageTable.columnNames), \(VerificationTable.columnNames) FROM \(AttemptSelection.tables)
            WHERE \(selection.condition)
            ORDER BY outbox_message.created_at DESC, outbox_message.id DESC LIMIT \(selection.mark(.integer(limit)))
            """,
            selection.arguments,
            of: OutboxMessageTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            DeliveryAttempt(
                message: try OutboxMessageTable.read(&row).value,
                verification: try VerificationTable.read(&row).value
            )
        }
    }

    public func summary(of query: AttemptQuery) async throws -> AttemptSummary {
        var query = query
        query.after = nil
        let selection = AttemptSelection(query, plans: plans)
        let counts = "count(*), count(*) FILTER (WHERE verification.status = 'approved')"
        let condition = "FROM \(AttemptSelection.tables) WHERE \(selection.condition)"
        guard let region = query.region else {
            return try await read("SELECT \(counts) \(condition)", selection.arguments, of: OutboxMessageTable.name) {
                (row) throws(PostgreSQLStoreError) in
                AttemptSummary(total: try row.nextCount(), converted: try row.nextCount())
            }
            .first ?? AttemptSummary(total: 0, converted: 0)
        }
        let byNumber = try await read(
            "SELECT verification.e164, \(counts) \(condition) GROUP BY verification.e164",
            selection.arguments,
            of: VerificationTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            let plans = row.plans
            let number = try row.next { try PhoneNumber(e164: $0, plans: plans) }
            return (
                region: number.region,
                summary: AttemptSummary(total: try row.nextCount(), converted: try row.nextCount())
            )
        }
        .filter { $0.region == region }
        .map(\.summary)
        return AttemptSummary(
            total: byNumber.reduce(0) { $0 + $1.total },
            converted: byNumber.reduce(0) { $0 + $1.converted }
        )
    }
}

/// Which rows an ``AttemptQuery`` asks for.
private struct AttemptSelection {
    static let tables =
        "outbox_message JOIN verification ON verification.id = outbox_message.verification_id"

    private(set) var condition = ""
    private(set) var arguments: [Argument] = []

    init(_ query: AttemptQuery, plans: NumberingPlans) {
        condition = "outbox_message.account = \(mark(.text(query.account.description)))"
        add("outbox_message.id =", query.message?.description)
        add("outbox_message.verification_id =", query.verification?.description)
        add("verification.owner =", query.tenant.map { Owner.tenant($0, of: query.account).rawValue })
        add("verification.e164 =", query.e164)
        for prefix in [query.prefix, query.region.flatMap(plans.plan(for:)).map { "+" + $0.callingCode }] {
            // As a CASE, of which the server expects that half of the rows pass: a range or a comparison it would take for a few
            // numbers, look for these first and sort what it finds, and it may be a whole country's.
            guard let mark = prefix.map({ mark(.text($0)) }) else { continue }
            condition += " AND CASE WHEN left(verification.e164, length(\(mark))) = \(mark) THEN true ELSE false END"
        }
        if let isConverted = query.isConverted {
            condition += " AND verification.status \(isConverted ? "=" : "<>") 'approved'"
        }
        if let since = query.since {
            condition += " AND outbox_message.created_at >= \(mark(.integer(since.milliseconds)))"
        }
        if let until = query.until {
            condition += " AND outbox_message.created_at <= \(mark(.integer(until.milliseconds)))"
        }
        if let after = query.after {
            let (moment, id) = (mark(.integer(after.at.milliseconds)), mark(.text(after.id.description)))
            condition += " AND (outbox_message.created_at, outbox_message.id) < (\(moment), \(id))"
        }
    }

    /// Takes in an argument.
    ///
    /// - Returns: what stands for it in the statement.
    mutating func mark(_ argument: Argument) -> String {
        arguments.append(argument)
        return "$\(arguments.count)"
    }

    private mutating func add(_ comparison: String, _ text: String?) {
        if let text { condition += " AND \(comparison) \(mark(.text(text)))" }
    }
}
