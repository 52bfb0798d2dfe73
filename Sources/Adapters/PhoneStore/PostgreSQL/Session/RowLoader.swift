import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// The statements that load and lock rows in one round trip.
///
/// At READ COMMITTED every statement sees what was committed before it began, and one that waits for a row's lock reads
/// the row again when it has it (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED). So
/// the lock of a number's activity comes first, and what is read after it is what the transaction before has left.
///
/// Missing rows cannot be locked. Of two transactions that both find none and insert the same key, the second waits,
/// fails and begins again (``PostgreSQLStoreError/isRetryable``). Every operation whose rules depend on a row's absence
/// inserts that row, with two exceptions that lose nothing. Test numbers have no activity: two simultaneous requests
/// may begin a verification each, both with the publicly known code. And a number whose activity an operator has just
/// cleared may be approved while its first wrong code is counted: one failure remains, as when the wrong code comes
/// second.
///
/// The lists are arrays, also where they come from other rows, so that the server finds every row by its index.
struct RowLoader {
    private(set) var queries: [Query] = []
    private var steps: [(UnitOfWork, QueryResult) throws -> Void] = []
    private let keys: RecordKeys

    init(_ keys: RecordKeys, of types: RecordTypes) {
        self.keys = keys
        for type in types.all {
            switch type.table.name {
            case ActiveNumber.table.name: addActivities()
            case Verification.table.name: addVerifications()
            case Account.table.name: addAccounts()
            // Together with their accounts.
            case NumberHolder.table.name: break
            case Session.table.name: addSessions()
            case NumberChange.table.name: addNumberChanges()
            case GuardRule.table.name:
                add(GuardRule.self)
                addGuardRules()
            default: add(type)
            }
        }
    }

    private mutating func addActivities() {
        let numbers = rows(of: ActiveNumber.self)
        add(
            ActiveNumber.self,
            "e164 = ANY($1 || ARRAY(SELECT e164 FROM verification WHERE id = ANY($2)))",
            [(.text, numbers), (.bytes, keys[.related(.activityOfVerification)])]
        ) { unit, found in unit.records(ActiveNumber.self).load(found, absent: numbers.compactMap(String.init)) }
    }

    private mutating func addVerifications() {
        let checked = keys[.related(.activityOfVerification)]
        let named = rows(of: Verification.self).union(checked).union(keys[.related(.accountOfVerification)])
        let begun = keys[.liveVerifications]
        let zero = Timestamp(milliseconds: 0)
        let since = keys.liveSince ?? zero...zero
        // Number by number: of two lists a server without statistics looks up the days alone, and reads all that began
        // on them. Also those of the day after: of a clock that was ahead then.
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
            [(.bytes, named), (.bytes, rows(of: OutboxMessage.self)), (.text, begun)],
            [Argument(.moment(since.lowerBound)), .array(.integer, days.map { SQLValue.integer($0) })]
        ) { unit, found in
            let verifications = unit.records(Verification.self)
            verifications.load(found, absent: named.compactMap(Verification.ID.init))
            let byNumber = Dictionary(grouping: found, by: \.phoneNumber.e164)
            for e164 in begun.compactMap(String.init) { unit.verificationsByNumber.know(e164, byNumber[e164] ?? []) }
            // Their numbers were not known before; the server has returned the activity of each together with them.
            for id in checked.compactMap(Verification.ID.init) {
                guard let verification = verifications.known(id) else { continue }
                unit.records(ActiveNumber.self).load([], absent: [verification.phoneNumber.e164])
            }
        }
    }

    /// Accounts by ID, by number and by session. While this waited for an account, its number may have gone to another
    /// one: the number then seems free, and a command that takes it fails on the key that exists and begins again.
    private mutating func addAccounts() {
        let named = rows(of: Account.self).union(keys.all(.sessions, .changes))
        let (numbers, proven) = (rows(of: NumberHolder.self), keys[.related(.accountOfVerification)])
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
                (.bytes, named), (.text, numbers), (.bytes, proven),
                (.bytes, rows(of: Session.self).union(keys[.related(.othersOfSession)])),
            ]
        ) { unit, found in
            unit.records(Account.self).load(found, absent: named.compactMap(Account.ID.init))
            let provenNumbers = proven.compactMap(Verification.ID.init)
                .compactMap(unit.records(Verification.self).known)
            unit.records(NumberHolder.self).load(
                found.compactMap(\.holder),
                absent: numbers.compactMap(String.init) + provenNumbers.map(\.phoneNumber.e164)
            )
        }
    }

    /// Sessions, after their accounts: an account that is locked gets no new ones.
    private mutating func addSessions() {
        let (accounts, withOthers) = (keys[.sessions], keys[.related(.othersOfSession)])
        let named = rows(of: Session.self).union(withOthers)
        let proven = keys[.related(.accountOfVerification)]
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
            [(.bytes, named), (.bytes, accounts), (.bytes, withOthers), (.bytes, proven)],
            [Argument(.integer(CommandSession.mostSessions))]
        ) { unit, found in
            let sessions = unit.records(Session.self)
            sessions.load(found, absent: named.compactMap(Session.ID.init))
            let byAccount = Dictionary(grouping: found, by: \.accountID)
            let others = withOthers.compactMap(Session.ID.init).compactMap(sessions.known).map(\.accountID)
            let holders = proven.compactMap(Verification.ID.init).compactMap(unit.records(Verification.self).known)
                .compactMap { unit.records(NumberHolder.self).known($0.phoneNumber.e164)?.account }
            for id in Set(accounts.compactMap(Account.ID.init) + others + holders) {
                unit.sessionsByAccount.know(id, byAccount[id] ?? [])
            }
        }
    }

    private mutating func addNumberChanges() {
        let (named, accounts) = (rows(of: NumberChange.self), keys[.changes])
        add(
            NumberChange.self,
            "id = ANY($1 || ARRAY(SELECT id FROM number_change WHERE account_id = ANY($2)))",
            [(.bytes, named), (.bytes, accounts)]
        ) { unit, found in
            unit.records(NumberChange.self).load(found, absent: named.compactMap(NumberChange.ID.init))
            let byAccount = Dictionary(grouping: found, by: \.accountID)
            for id in accounts.compactMap(Account.ID.init) { unit.changesByAccount.know(id, byAccount[id] ?? []) }
        }
    }

    /// Few operators have a rule at all: the server looks for beginnings of numbers only if there is one.
    private mutating func addGuardRules() {
        let numbers = keys[.guardRules]
        add(
            GuardRule.self,
            """
            EXISTS (SELECT FROM guard_rule) AND prefix = ANY(ARRAY(
                SELECT left(number, length)
                FROM unnest($1::text[]) AS number CROSS JOIN generate_series(2, 16) AS length
            ))
            """,
            [(.text, numbers)],
            locking: false
        ) { unit, found in
            for number in numbers.compactMap(String.init) {
                unit.rulesByNumber[number] = found.filter { number.utf8.starts(with: $0.prefix.utf8) }
            }
        }
    }

    private func rows<R: Record>(of type: R.Type) -> Set<SQLValue> { keys[.row(R.table.number)] }

    /// Rows by their keys.
    private mutating func add<R: Record>(_ type: R.Type) {
        for kind in [RecordKeys.Kind.row(R.table.number), .shared(R.table.number)] {
            let named = keys[kind]
            let keyType = R.table.columns[0].type
            let isLocking = kind == .row(R.table.number)
            add(type, "\(R.table.key) = ANY($1)", [(keyType, named)], locking: isLocking) { unit, found in
                unit.records(type).load(found, absent: named.compactMap(R.Key.init))
            }
        }
    }

    /// - Parameter lists: what the rows are found by; if all are empty, nothing is loaded.
    private mutating func add<R: Record>(
        _ type: R.Type,
        _ condition: String,
        _ lists: [(Table.ColumnType, Set<SQLValue>)],
        _ arguments: [Argument] = [],
        locking: Bool = true,
        load: @escaping (UnitOfWork, [R]) -> Void
    ) {
        guard lists.contains(where: { !$0.1.isEmpty }) else { return }
        let table = R.table
        let lock = locking ? " ORDER BY \(table.key) FOR UPDATE" : ""
        queries.append(
            Query(
                "SELECT \(table.columnList) FROM \(table.name) WHERE \(condition)\(lock)",
                lists.map { Argument.array($0.0, $0.1) } + arguments
            )
        )
        steps.append { unit, result in load(unit, try result.map { try R($0) }) }
    }

    func load(_ results: some Collection<QueryResult>, into unit: UnitOfWork) throws {
        for (step, result) in zip(steps, results) { try step(unit, result) }
    }
}
