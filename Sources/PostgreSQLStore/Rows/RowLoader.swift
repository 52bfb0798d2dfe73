import PhoneDomain

/// The statements that load and lock rows, all for one way to the server.
///
/// At READ COMMITTED every statement sees what was committed before it began, and one that waits for a row's lock reads
/// the row anew when it has it (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED). So the
/// lock of a number's activity is waited for first, and what is read after it is what the one before has left.
///
/// Rows that are not there cannot be locked. Two that both find none and insert the same key: the second waits, fails,
/// and begins anew (``PostgreSQLStoreError/isWorthAnotherTry``). Every operation whose rules hang on a row's absence
/// inserts that row: a message sent to a number is in its activity, an account's number is in `account_number`. Two cases are without: test
/// numbers have no activity, and two requests at the same moment may begin a verification each, both with the code that
/// everybody knows; and a number whose activity an operator has cleared a moment ago may be approved while its first
/// wrong code is counted. Neither sees the other, and what is left is what the wrong code leaves when it comes second: one
/// failure. So nothing is lost, and no lock is needed.
///
/// The lists are arrays, also where they come from other rows, so that the server finds every row by its index.
struct RowLoader {
    private(set) var queries: [Query] = []
    private var steps: [(inout Rows, QueryResult) throws(PostgreSQLStoreError) -> Void] = []

    init(_ keys: RowKeys, plans: NumberingPlans) {
        let numbers = keys.numbers.union(keys.begunNumbers)
        if !numbers.isEmpty || !keys.checkedVerifications.isEmpty {
            add(
                """
                SELECT \(NumberActivityTable.columnNames) FROM number_activity
                WHERE e164 = ANY($1 || ARRAY(SELECT e164 FROM verification WHERE id = ANY($2)))
                ORDER BY e164 FOR UPDATE
                """,
                [.texts(numbers), .texts(keys.checkedVerifications)]
            ) { (rows, result) throws(PostgreSQLStoreError) in
                let found = try result.rows(of: NumberActivityTable.self, plans: plans)
                rows.activities.load(found, of: numbers)
            }
        }
        if !keys.messages.isEmpty {
            add(
                "SELECT \(OutboxMessageTable.columnNames) FROM outbox_message WHERE id = ANY($1) ORDER BY id FOR UPDATE",
                [.texts(keys.messages)]
            ) { (rows, result) throws(PostgreSQLStoreError) in
                let found = try result.rows(of: OutboxMessageTable.self, plans: plans)
                rows.messages.load(found, of: keys.messages)
            }
        }
        if keys.locks.contains(.verification) {
            add(
                """
                SELECT \(VerificationTable.columnNames) FROM verification WHERE id = ANY(
                    $1 || ARRAY(SELECT verification_id FROM outbox_message WHERE id = ANY($2))
                    || ARRAY(SELECT id FROM verification WHERE e164 = ANY($3) AND expires_at > $4)
                ) ORDER BY id FOR UPDATE
                """,
                [
                    .texts(keys.allVerifications), .texts(keys.messages), .texts(keys.begunNumbers),
                    .integer(keys.liveSince?.milliseconds ?? 0),
                ]
            ) { (rows, result) throws(PostgreSQLStoreError) in
                rows.load(try result.rows(of: VerificationTable.self, plans: plans), for: keys)
            }
        }
        addAccounts(keys, plans)
        addSessions(keys, plans)
        addNumberChanges(keys, plans)
        add(EventTable.self, keys.events, plans) { $0.events.load($1, of: keys.events) }
        add(SignupTable.self, keys.signups, plans) { $0.signups.load($1, of: keys.signups) }
        add(IdempotentRequestTable.self, keys.requests, plans) { $0.requests.load($1, of: keys.requests) }
        add(TenantTable.self, keys.tenants, plans) { $0.tenants.load($1, of: keys.tenants) }
        add(SafeNumberTable.self, keys.safeNumbers, plans) { $0.safeNumbers.load($1, of: keys.safeNumbers) }
        add(RateMeterTable.self, keys.meters, plans) { $0.meters.load($1, of: keys.meters) }
        add(TrafficTable.self, keys.traffic, plans) { $0.traffic.load($1, of: keys.traffic) }
        // Not locked: an operator's rule holds for what comes after it.
        add(GuardRuleTable.self, keys.guardRules, plans, locking: false) { $0.guardRules.load($1, of: keys.guardRules) }
    }

    /// Accounts by name, by number and by session. One that was waited for may have lost its number meanwhile: then nobody
    /// is known to hold it, and whoever goes by that and takes the number finds that it is taken, and begins anew.
    private mutating func addAccounts(_ keys: RowKeys, _ plans: NumberingPlans) {
        guard keys.locks.contains(.account) else { return }
        add(
            """
            SELECT \(AccountTable.columnNames) FROM account WHERE id = ANY(
                $1 || ARRAY(SELECT account_id FROM account_number WHERE e164 = ANY(
                    $2 || ARRAY(SELECT e164 FROM verification WHERE id = ANY($3))
                )) || ARRAY(SELECT account_id FROM session WHERE id = ANY($4))
            ) ORDER BY id FOR UPDATE
            """,
            [
                .texts(keys.allAccounts), .texts(keys.holders), .texts(keys.provenVerifications),
                .texts(keys.allSessions),
            ]
        ) { (rows, result) throws(PostgreSQLStoreError) in
            let numbers = keys.holders.union(rows.numbers(of: keys.provenVerifications))
            rows.accounts.load(try result.rows(of: AccountTable.self, plans: plans), for: keys, holding: numbers)
        }
    }

    /// Sessions, after their accounts: nobody adds one of an account that is locked.
    private mutating func addSessions(_ keys: RowKeys, _ plans: NumberingPlans) {
        guard keys.locks.contains(.session) else { return }
        add(
            """
            SELECT \(SessionTable.columnNames) FROM session WHERE id = ANY(
                $1 || ARRAY(SELECT id FROM session WHERE account_id = ANY(
                    $2 || ARRAY(SELECT account_id FROM session WHERE id = ANY($3))
                ))
            ) ORDER BY id FOR UPDATE
            """,
            [.texts(keys.allSessions), .texts(keys.accountsWithSessions), .texts(keys.sessionsWithOthers)]
        ) { (rows, result) throws(PostgreSQLStoreError) in
            rows.accounts.load(try result.rows(of: SessionTable.self, plans: plans), for: keys)
        }
    }

    private mutating func addNumberChanges(_ keys: RowKeys, _ plans: NumberingPlans) {
        guard keys.locks.contains(.numberChange) else { return }
        add(
            """
            SELECT \(NumberChangeTable.columnNames) FROM number_change WHERE id = ANY(
                $1 || ARRAY(SELECT id FROM number_change WHERE account_id = ANY($2))
            ) ORDER BY id FOR UPDATE
            """,
            [.texts(keys.numberChanges), .texts(keys.accountsWithChanges)]
        ) { (rows, result) throws(PostgreSQLStoreError) in
            rows.accounts.load(try result.rows(of: NumberChangeTable.self, plans: plans), for: keys)
        }
    }

    /// Takes in what the queries returned.
    func load(_ results: some Collection<QueryResult>, into rows: inout Rows) throws(PostgreSQLStoreError) {
        for (step, result) in zip(steps, results) { try step(&rows, result) }
    }

    private mutating func add<T: Table>(
        _ table: T.Type,
        _ keys: Set<String>,
        _ plans: NumberingPlans,
        locking: Bool = true,
        load: @escaping (inout Rows, [(key: String, value: T.Value)]) -> Void
    ) {
        guard !keys.isEmpty else { return }
        let key = T.columns[0].name
        let lock = locking ? " ORDER BY \(key) FOR UPDATE" : ""
        add("SELECT \(T.columnNames) FROM \(T.name) WHERE \(key) = ANY($1)\(lock)", [.texts(keys)]) {
            (rows, result) throws(PostgreSQLStoreError) in
            load(&rows, try result.rows(of: T.self, plans: plans))
        }
    }

    private mutating func add(
        _ sql: String,
        _ arguments: [Argument],
        load: @escaping (inout Rows, QueryResult) throws(PostgreSQLStoreError) -> Void
    ) {
        queries.append(Query(sql, arguments))
        steps.append(load)
    }
}

extension QueryResult {
    func rows<T: Table>(
        of table: T.Type,
        plans: NumberingPlans
    ) throws(PostgreSQLStoreError) -> [(key: String, value: T.Value)] {
        try rows(of: T.name, plans: plans) { (row) throws(PostgreSQLStoreError) in try T.read(&row) }
    }
}
