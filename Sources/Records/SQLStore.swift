public import PhoneDomain
import Synchronization

/// A ``RecordStore`` on a database that speaks SQL. What is asked of it beyond commands is written once, here and in the files
/// beside this one; an engine does ``transact(_:)``, ``snapshot(_:)`` and ``read(_:_:_:)``.
public protocol SQLStore: RecordStore, StoreMaintenance, AuditStore, ErasureStore, PortableStore, SigningKeyStore {
    var dialect: SQLDialect { get }
    var plans: NumberingPlans { get }
    var observer: (any StoreObserver)? { get }
    var events: EventSubscription { get }
    var scans: PurgeScans { get }

    /// Does work in a transaction of its own, and notifies observers of its effects afterwards.
    ///
    /// - Parameter work: it may run again, if nothing of it was kept.
    func transact<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value

    /// Reads with several statements that all see the same moment.
    func snapshot<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value

    /// Reads every row of one statement.
    ///
    /// - Parameter isSafe: whether what is read must be on the disk before it is returned.
    func read<Value: Sendable>(
        _ sql: String,
        _ arguments: [SQLValue],
        isSafe: Bool,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value]
}

/// How far the slow scans have come that purge what is not in the order of time: a stretch of keys at a time.
public final class PurgeScans: Sendable {
    private let positions = Mutex<[String: SQLValue]>([:])

    public init() {}

    /// How many rows are looked at by one call.
    private static let stretch = 10_000

    /// Deletes rows of the next stretch of a table.
    ///
    /// - Parameters:
    ///   - condition: of the rows that go, with parameters from `$3` on.
    ///   - limit: the most rows that are deleted.
    /// - Returns: how many were deleted.
    func purge(
        _ table: Table,
        where condition: String,
        _ arguments: [SQLValue],
        limit: Int,
        in session: any SQLSession
    ) throws -> Int {
        let limit = max(0, limit)
        let start = positions.withLock { $0[table.name] } ?? table.leastKey
        let key = table.key
        var end: SQLValue?
        try session.forEach(
            "SELECT \(key) FROM \(table.name) WHERE \(key) > $1 ORDER BY \(key) LIMIT 1 OFFSET $2",
            [start, .integer(Self.stretch)]
        ) { end = $0[0] }
        let last = end.map { _ in " AND \(key) <= $\(arguments.count + 3)" } ?? ""
        let count = try session.run(
            """
            DELETE FROM \(table.name) WHERE \(key) \(session.dialect.inKeys(
                "SELECT \(key) FROM \(table.name) WHERE \(key) > $1 AND (\(condition))\(last) ORDER BY \(key) LIMIT $2"
            ))
            """,
            [start, .integer(limit)] + arguments + [end].compactMap(\.self)
        )
        if count < limit { positions.withLock { $0[table.name] = end } }
        return count
    }
}

extension Table {
    /// Less than every key.
    public var leastKey: SQLValue {
        switch columns[0].type {
        case .integer, .boolean: .integer(Int64.min)
        case .text: .text("")
        case .id, .bytes: .bytes([])
        }
    }
}

// MARK: - Sessions, tenants, limits, the guard, signing keys

extension SQLStore {
    /// Every record that a statement returns.
    func all<R: Record>(
        _ type: R.Type,
        _ condition: String,
        _ arguments: [SQLValue] = [],
        isSafe: Bool = true
    ) async throws -> [R] {
        let sql = "SELECT \(R.table.columnList) FROM \(R.table.name) \(condition)"
        return try await read(sql, arguments, isSafe: isSafe) { [plans] row in
            var reader = RowReader(row, of: R.table.name, plans: plans)
            return try R(from: &reader)
        }
    }

    /// Every row that can be read; observers are notified of the others.
    func readable<Value: Sendable>(
        _ sql: String,
        _ arguments: [SQLValue],
        of table: Table,
        _ read: @escaping @Sendable (inout RowReader) throws -> Value
    ) async throws -> [Value] {
        let rows = try await self.read(sql, arguments, isSafe: true) { [plans] row in
            var rows = ReadableRows<Value>()
            try rows.add(row) { row in
                var reader = RowReader(row, of: table.name, plans: plans)
                return try read(&reader)
            }
            return (rows.values.first, rows.unreadable.first)
        }
        for case (_, let key?) in rows {
            observer?.observe(UnreadableRow(table: table.name, key: table.text(ofKey: key)))
        }
        return rows.compactMap(\.0)
    }

    public func signedIn(_ id: Session.ID) async throws -> SignedIn? {
        try await read(
            """
            SELECT \(Session.table.columnList), \(Account.table.columnList)
            FROM session JOIN account ON account.id = session.account_id WHERE session.id = $1
            """,
            [.id(id)],
            isSafe: true
        ) { [plans] row in
            var reader = RowReader(row, of: Session.table.name, plans: plans)
            return SignedIn(session: try Session(from: &reader), account: try Account(from: &reader))
        }
        .first
    }

    public func account(of number: PhoneNumber) async throws -> Account? {
        let condition = "WHERE id = (SELECT account_id FROM account_number WHERE account_number.e164 = $1)"
        return try await all(Account.self, condition, [.text(number.e164)]).first
    }

    public func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session] {
        try await all(
            Session.self,
            "WHERE account_id = $1 AND expires_at > $2 AND idle_until > $2 ORDER BY created_at DESC, id LIMIT $3",
            [.id(id), .moment(now), .integer(max(0, limit))]
        )
    }

    public func numberChange(undoDigest: [UInt8]) async throws -> NumberChange? {
        try await all(NumberChange.self, "WHERE undo_digest = $1", [.bytes(undoDigest)]).first
    }

    public func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID] {
        try await read(
            "SELECT id FROM account WHERE deletion_due_at <= $1 ORDER BY deletion_due_at, id LIMIT $2",
            [.moment(now), .integer(max(0, limit))],
            isSafe: true
        ) { Account.ID($0[0]) }
        .compactMap(\.self)
    }

    public func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try await all(
            Tenant.self,
            "WHERE account = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
            [.id(account), .integer(max(0, limit)), .integer(max(0, offset))]
        )
    }

    public func liveVerification(
        of number: PhoneNumber,
        owner: Owner,
        at now: Timestamp
    ) async throws -> Verification? {
        let start = now - Verification.longestLife
        let days = dialect.days(Verification.table.name, start, now + Verification.clockTolerance)
        return try await all(
            Verification.self,
            "WHERE \(days)e164 = $1 AND owner = $2 AND created_at > $3",
            [.text(number.e164), .text(owner.rawValue), .moment(start)]
        )
        .filter { $0.isLive(at: now) }
        .max { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
    }

    public func apiKeys() async throws -> [APIKey] { try await all(APIKey.self, "ORDER BY created_at, id") }

    public func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse] {
        try await all(
            MeterInUse.self,
            "WHERE full_at > $1 ORDER BY full_at DESC, key LIMIT $2",
            [.integer(RateMeter.fullAt(now)), .integer(max(0, limit))]
        )
    }

    /// It reads the whole table, which only an operator's question does.
    public func activeNumbers(sends: Int, failures: Int, limit: Int) async throws -> [ActiveNumber] {
        try await all(
            ActiveNumber.self,
            "WHERE consecutive_failures >= $1 OR recent_send_count >= $2 ORDER BY e164 LIMIT $3",
            [.integer(failures), .integer(sends), .integer(max(0, limit))]
        )
    }

    public func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic] {
        Array(KeyedTraffic.ranked(try await all(KeyedTraffic.self, ""), at: now).prefix(max(0, limit)))
    }

    public func guardRules() async throws -> [GuardRule] { try await all(GuardRule.self, "ORDER BY prefix") }

    public func unblock(beginning: String) async throws -> [String] {
        try await transact { session in
            let blocked = try session.all(
                KeyedTraffic.self,
                """
                WHERE substr(key, 1, length($1)) = $1 AND blocked_until IS NOT NULL
                ORDER BY key\(session.dialect.forUpdate)
                """,
                [.text(beginning)]
            )
            var changes = RecordChanges<KeyedTraffic>()
            for loaded in blocked {
                var traffic = loaded.traffic
                traffic.unblock()
                let current = KeyedTraffic(key: loaded.key, traffic: traffic)
                if current.isBlank {
                    changes.deleted.append(loaded.key)
                } else {
                    changes.updated.append((loaded, current))
                }
            }
            if !changes.isEmpty { try session.save(changes) }
            return blocked.map(\.key.description)
        }
    }

    public func signingKeys() async throws -> SigningKeys { SigningKeys(try await all(SigningKey.self, "")) }

    public func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys {
        try await changeSigningKeys { command.apply(to: &$0) }
    }

    public func rotate(_ command: RotateSigningKey) async throws -> SigningKeys {
        try await changeSigningKeys { command.apply(to: &$0) }
    }

    private func changeSigningKeys(_ change: @escaping @Sendable (inout SigningKeys) -> Void) async throws
        -> SigningKeys
    {
        try await transact { session in
            // What nobody has inserted yet cannot be locked row by row.
            try session.lock(SigningKey.table)
            let loaded = SigningKeys(try session.all(SigningKey.self))
            var keys = loaded
            change(&keys)
            let changed = Set(keys.all).subtracting(loaded.all)
            try session.run("DELETE FROM signing_key", where: "id", isAnyOf: changed.map { .id($0.id) })
            if !changed.isEmpty { try session.insert(changed.map(Row.init), into: SigningKey.table) }
            return keys
        }
    }
}
