import PhoneDomain
import Records

extension RecordKeys {
    /// The tables whose rows are locked, in the order in which every batch of every instance locks them. A batch
    /// that waits for a row has locked only rows that come before it, so that no two wait for each other.
    ///
    /// The activity of a number is first: its lock covers the number, so that no second verification begins beside one that is
    /// being begun. An account comes after the verification that is used for it, and before its sessions and changes of
    /// number: its lock covers its number and additions to them. What all requests share, the meters and the traffic of the
    /// whole service, is last and locked for the shortest time.
    enum Lock: Int, Comparable, CaseIterable {
        case activity, message, verification, account, session, numberChange, event, signup, request, tenant, safeNumber
        case apiKey, client, authorizationCode, meter, traffic

        /// The kinds of keys for which rows of the table are locked.
        var kinds: [Kind] {
            switch self {
            case .activity: [.begunNumber, .number, .checkedVerification]
            case .message: [.message]
            case .verification: [.begunNumber, .message, .verification, .checkedVerification, .provenVerification]
            case .account:
                [
                    .provenVerification, .holder, .account, .accountWithSessions, .accountWithChanges, .session,
                    .sessionWithOthers,
                ]
            case .session: [.provenVerification, .accountWithSessions, .session, .sessionWithOthers]
            case .numberChange: [.accountWithChanges, .numberChange]
            case .event: [.event]
            case .signup: [.signup]
            case .request: [.request]
            case .tenant: [.tenant]
            case .safeNumber: [.safeNumber]
            case .apiKey: [.apiKey]
            case .client: [.client]
            case .authorizationCode: [.authorizationCode]
            case .meter: [.meter]
            case .traffic: [.traffic]
            }
        }

        static func < (one: Lock, other: Lock) -> Bool { one.rawValue < other.rawValue }
    }

    /// The tables with rows to lock, in order.
    var locks: [Lock] { Lock.allCases.filter { has($0.kinds) } }

    func has(_ kinds: [Kind]) -> Bool { kinds.contains { !self[$0].isEmpty } }

    func all(_ kinds: Kind...) -> Set<SQLValue> {
        kinds.dropFirst().reduce(into: self[kinds[0]]) { $0.formUnion(self[$1]) }
    }
}

/// The statements that load and lock rows in one round trip.
///
/// At READ COMMITTED every statement sees what was committed before it began, and one that waits for a row's lock reads
/// the row again when it has it (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED). So the
/// lock of a number's activity comes first, and what is read after it is what the transaction before has left.
///
/// Missing rows cannot be locked. Of two transactions that both find none and insert the same key, the second waits, fails and
/// begins again (``PostgreSQLStoreError/isRetryable``). Every operation whose rules depend on a row's absence inserts
/// that row, with three exceptions that lose nothing. Test numbers have no activity: two simultaneous requests may begin a
/// verification each, both with the publicly known code. A number may be put on a safe list while a request for it is
/// judged as one that is not. And a number whose activity an operator has just cleared may be
/// approved while its first wrong code is counted: one failure remains, as when the wrong code comes second.
///
/// The lists are arrays, also where they come from other rows, so that the server finds every row by its index.
struct RowLoader {
    private(set) var queries: [Query] = []
    private var steps: [(UnitOfWork, QueryResult) throws -> Void] = []
    private let keys: RecordKeys

    init(_ keys: RecordKeys, source: PreloadedSource) {
        self.keys = keys
        let numbers = keys.all(.number, .begunNumber)
        if keys.has(RecordKeys.Lock.activity.kinds) {
            add(
                ActiveNumber.self,
                "e164 = ANY($1 || ARRAY(SELECT e164 FROM verification WHERE id = ANY($2)))",
                [.array(.text, numbers), .array(.bytes, keys[.checkedVerification])]
            ) { unit, found in unit.activities.load(found, absent: numbers.compactMap(String.init)) }
        }
        add(.message, to: \.messages)
        addVerifications(source)
        addAccounts()
        addSessions()
        addNumberChanges()
        add(.event, to: \.events)
        add(.signup, to: \.signups)
        add(.request, to: \.requests)
        add(.tenant, to: \.tenants)
        add(.safeNumber, to: \.safeNumbers)
        add(.apiKey, to: \.apiKeys)
        // Those of clients: they share their keys, and a revocation applies to what comes after it.
        add(.shownKey, to: \.apiKeys, locking: false)
        add(.client, to: \.clients)
        add(.authorizationCode, to: \.authorizationCodes)
        add(.meter, to: \.meters)
        add(.traffic, to: \.traffic)
        // Not locked: an operator's rule applies to what comes after it.
        add(.guardRule, to: \.guardRules, locking: false)
    }

    private mutating func addVerifications(_ source: PreloadedSource) {
        guard keys.has(RecordKeys.Lock.verification.kinds) else { return }
        let named = keys.all(.verification, .checkedVerification, .provenVerification)
        let (begun, checked) = (keys[.begunNumber], keys[.checkedVerification])
        let zero = Timestamp(milliseconds: 0)
        let since = keys.liveSince ?? zero...zero
        // Number by number: of two lists a server without statistics looks up the days alone, and reads all that began on them.
        // Also those of the day after: of a clock that was ahead then.
        let days = DayIndex.day(of: since.lowerBound)...DayIndex.day(of: since.upperBound) + 1
        add(
            Verification.self,
            """
            id = ANY(
                $1 || ARRAY(SELECT verification_id FROM outbox_message WHERE id = ANY($2))
                || ARRAY(
                    SELECT found.id FROM unnest($3::text[]) AS begun (e164) CROSS JOIN LATERAL (
                        SELECT id FROM verification
                        WHERE \(DayIndex.day(of: "created_at")) = ANY($5) AND verification.e164 = begun.e164 AND created_at > $4
                        OFFSET 0
                    ) AS found
                )
            )
            """,
            [
                .array(.bytes, named), .array(.bytes, keys[.message]), .array(.text, begun),
                Argument(.moment(since.lowerBound)), .array(.integer, days.map { SQLValue.integer($0) }),
            ]
        ) { unit, found in
            unit.verifications.load(found, absent: named.compactMap(Verification.ID.init))
            let byNumber = Dictionary(grouping: found, by: \.phoneNumber.e164)
            for e164 in begun.compactMap(String.init) { unit.verificationsByNumber.know(e164, byNumber[e164] ?? []) }
            // Their numbers were not known before; the server has returned the activity of each together with them.
            for id in checked.compactMap(Verification.ID.init) {
                guard let verification = unit.verifications.known(id) else { continue }
                unit.activities.load([], absent: [verification.phoneNumber.e164])
            }
            for verification in found { source.know(verification.phoneNumber) }
        }
    }

    /// Accounts by ID, by number and by session. While this waited for an account, its number may have gone to another one:
    /// the number then seems free, and a command that takes it fails on the key that exists and begins again.
    private mutating func addAccounts() {
        guard keys.has(RecordKeys.Lock.account.kinds) else { return }
        let named = keys.all(.account, .accountWithSessions, .accountWithChanges)
        let (numbers, proven) = (keys[.holder], keys[.provenVerification])
        add(
            Account.self,
            """
            id = ANY(
                $1 || ARRAY(SELECT account_id FROM account_number WHERE account_number.e164 = ANY(
                    $2 || ARRAY(SELECT e164 FROM verification WHERE id = ANY($3))
                )) || ARRAY(SELECT account_id FROM session WHERE id = ANY($4))
            )
            """,
            [
                .array(.bytes, named), .array(.text, numbers), .array(.bytes, proven),
                .array(.bytes, keys.all(.session, .sessionWithOthers)),
            ]
        ) { unit, found in
            unit.accounts.load(found, absent: named.compactMap(Account.ID.init))
            let provenNumbers = proven.compactMap(Verification.ID.init).compactMap(unit.verifications.known)
            unit.holders.load(
                found.compactMap(\.holder),
                absent: numbers.compactMap(String.init) + provenNumbers.map(\.phoneNumber.e164)
            )
        }
    }

    /// Sessions, after their accounts: an account that is locked gets no new ones.
    private mutating func addSessions() {
        guard keys.has(RecordKeys.Lock.session.kinds) else { return }
        let named = keys.all(.session, .sessionWithOthers)
        let (accounts, withOthers, proven) = (
            keys[.accountWithSessions], keys[.sessionWithOthers], keys[.provenVerification]
        )
        add(
            Session.self,
            """
            id = ANY(
                $1 || ARRAY(
                    SELECT found.id FROM unnest(
                        $2 || ARRAY(SELECT account_id FROM session WHERE id = ANY($3))
                        || ARRAY(SELECT account_id FROM account_number WHERE account_number.e164 = ANY(
                            ARRAY(SELECT e164 FROM verification WHERE id = ANY($4))
                        ))
                    ) AS opening (account) CROSS JOIN LATERAL (
                        SELECT id FROM session WHERE account_id = opening.account
                        ORDER BY created_at, id DESC LIMIT $5
                    ) AS found
                )
            )
            """,
            [
                .array(.bytes, named), .array(.bytes, accounts), .array(.bytes, withOthers), .array(.bytes, proven),
                Argument(.integer(UnitOfWork.mostSessions)),
            ]
        ) { unit, found in
            unit.sessions.load(found, absent: named.compactMap(Session.ID.init))
            let byAccount = Dictionary(grouping: found, by: \.accountID)
            let others = withOthers.compactMap(Session.ID.init).compactMap(unit.sessions.known).map(\.accountID)
            let holders = proven.compactMap(Verification.ID.init).compactMap(unit.verifications.known)
                .compactMap { unit.holders.known($0.phoneNumber.e164)?.account }
            for id in Set(accounts.compactMap(Account.ID.init) + others + holders) {
                unit.sessionsByAccount.know(id, byAccount[id] ?? [])
            }
        }
    }

    private mutating func addNumberChanges() {
        guard keys.has(RecordKeys.Lock.numberChange.kinds) else { return }
        let (named, accounts) = (keys[.numberChange], keys[.accountWithChanges])
        add(
            NumberChange.self,
            "id = ANY($1 || ARRAY(SELECT id FROM number_change WHERE account_id = ANY($2)))",
            [.array(.bytes, named), .array(.bytes, accounts)]
        ) { unit, found in
            unit.numberChanges.load(found, absent: named.compactMap(NumberChange.ID.init))
            let byAccount = Dictionary(grouping: found, by: \.accountID)
            for id in accounts.compactMap(Account.ID.init) { unit.changesByAccount.know(id, byAccount[id] ?? []) }
        }
    }

    func load(_ results: some Collection<QueryResult>, into unit: UnitOfWork) throws {
        for (step, result) in zip(steps, results) { try step(unit, result) }
    }

    /// Rows by their keys.
    private mutating func add<R: Record>(
        _ kind: RecordKeys.Kind,
        to map: KeyPath<UnitOfWork, RecordMap<R>>,
        locking: Bool = true
    ) {
        let named = keys[kind]
        guard !named.isEmpty else { return }
        let arguments = [Argument.array(R.table.columns[0].type, named)]
        add(R.self, "\(R.table.key) = ANY($1)", arguments, locking: locking) { unit, found in
            unit[keyPath: map].load(found, absent: named.compactMap(R.Key.init))
        }
    }

    private mutating func add<R: Record>(
        _ type: R.Type,
        _ condition: String,
        _ arguments: [Argument],
        locking: Bool = true,
        load: @escaping (UnitOfWork, [R]) -> Void
    ) {
        let table = R.table
        let lock = locking ? " ORDER BY \(table.key) FOR UPDATE" : ""
        queries.append(Query("SELECT \(table.columnList) FROM \(table.name) WHERE \(condition)\(lock)", arguments))
        steps.append { unit, result in load(unit, try result.map { try R($0) }) }
    }
}
