public import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup
import Synchronization

/// A store on a database that speaks SQL, with all in one place, so that what belongs together is kept in one
/// transaction. What the ports ask of it is written once, here and in the files beside this one: commands over a
/// ``CommandSession``, and statements. An engine does the methods below.
public protocol SQLStore: VerificationStore, AccountStore, SignupStore, OutboxStore, EventStore, LimitStore, GuardStore,
    APIKeyStore, IdempotencyStore, OpenIDStore, StoreMaintenance, PortableStore, SigningKeyStore, AdministrationStore
{
    var dialect: any SQLDialect { get }
    var events: EventSubscription { get }
    var observer: (any StoreObserver)? { get }
    var scans: PurgeScans { get }

    /// Runs a command, together with others that arrive at the same time (group commit), and calls back when what it left
    /// is committed. If it fails, nothing of it is kept.
    ///
    /// - Parameter work: it may run again, and must do nothing but use what it is given.
    func submit<Value: Sendable>(
        _ kind: CommandKind,
        then answer: @escaping Callback<Value>,
        _ work: @escaping @Sendable (CommandSession) throws -> Value
    )

    func find<R: Record>(_ type: R.Type, _ key: R.Key) async throws -> R?

    /// Does work in a transaction of its own. It may run again, if nothing of it was kept.
    ///
    /// - Parameter isReadOnly: whether it changes nothing, and all its statements are to see the same moment.
    func run<Value: Sendable>(
        isReadOnly: Bool,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value
    func rows<Value: Sendable>(
        _ sql: SQL,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value]
}

/// What an acknowledged operation survives.
public enum Durability: Sendable {
    /// The loss of power: every commit is on the disk before it is acknowledged. Of PostgreSQL, what its
    /// `synchronous_commit` says.
    case full
    /// The end of the process. The loss of power, or PostgreSQL's crash, may cost the last operations, never the
    /// database. Several times as fast where the disk is slow.
    case normal
}

/// How far the slow scans have come that purge what is not in the order of time: a stretch of keys at a time.
public final class PurgeScans: Sendable {
    private let positions = Mutex<[String: SQLValue]>([:])

    public init() {}

    private static let stretch = 10_000

    /// Deletes rows of the next stretch of a table, and returns how many.
    func purge(_ table: Table, where condition: SQL, limit: Int, in session: any SQLSession) throws -> Int {
        let start = positions.withLock { $0[table.name] } ?? table.leastKey
        let key = SQL(raw: table.key)
        var end: SQLValue?
        try session.forEach(
            "SELECT \(key) FROM \(table) WHERE \(key) > \(start) ORDER BY \(key) LIMIT 1 OFFSET \(limit: Self.stretch)"
        ) { end = $0[0] }
        let last: SQL = end.map { " AND \(key) <= \($0)" } ?? ""
        let keys: SQL =
            "SELECT \(key) FROM \(table) WHERE \(key) > \(start) AND (\(condition))\(last) ORDER BY \(key) LIMIT \(limit: limit)"
        let count = try session.run("DELETE FROM \(table) WHERE \(key) \(session.dialect.inKeys(keys))")
        if count < max(0, limit) { positions.withLock { $0[table.name] = end } }
        return count
    }
}

// MARK: - Transactions and reads

extension SQLStore {
    /// Does work in a transaction of its own, and notifies observers of its effects afterwards.
    public func transact<Value: Sendable>(
        isReadOnly: Bool = false,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        let (value, effects) = try await run(isReadOnly: isReadOnly) { (try work($0), $0.effects) }
        effects.notify(observer, events)
        return value
    }

    public func read<Value: Sendable>(
        _ sql: SQL,
        of table: Table,
        _ read: @escaping @Sendable (inout RowReader) throws -> Value
    ) async throws -> [Value] {
        try await rows(sql) { try $0.read(of: table, read) }
    }

    /// - Parameter condition: what comes after `FROM table`.
    public func all<R: Record>(_ type: R.Type, _ condition: SQL = "") async throws -> [R] {
        try await read(R.select(condition), of: R.table) { try R(from: &$0) }
    }
}

// MARK: - Sessions, limits, the guard, signing keys

extension SQLStore {
    public func signedIn(_ id: Session.ID) async throws -> SignedIn? {
        let sql: SQL = """
            SELECT \(raw: Session.table.columnList), \(raw: Account.table.columnList)
            FROM session JOIN account ON account.id = session.account_id AND session_generation = generation
            WHERE session.id = \(id)
            """
        return try await read(sql, of: Session.table) {
            SignedIn(session: try Session(from: &$0), account: try Account(from: &$0))
        }
        .first
    }

    public func account(of number: PhoneNumber) async throws -> Account? {
        try await all(
            Account.self,
            "WHERE id = (SELECT account_id FROM account_number WHERE account_number.e164 = \(number.e164))"
        ).first
    }

    public func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session] {
        try await all(
            Session.self,
            """
            WHERE account_id = \(id) AND generation = (SELECT session_generation FROM account WHERE account.id = \(id))
                AND expires_at > \(now) AND idle_until > \(now)
            ORDER BY created_at DESC, id LIMIT \(limit: limit)
            """
        )
    }

    public func numberChange(undoDigest: [UInt8]) async throws -> NumberChange? {
        try await all(NumberChange.self, "WHERE undo_digest = \(.bytes(undoDigest))").first
    }

    public func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID] {
        let sql: SQL =
            "SELECT id FROM account WHERE deletion_due_at <= \(now) ORDER BY deletion_due_at, id LIMIT \(limit: limit)"
        return try await rows(sql) { Account.ID($0[0]) }.compactMap(\.self)
    }

    public func liveVerification(
        of number: PhoneNumber,
        owner: Owner,
        at now: Timestamp
    ) async throws -> Verification? {
        let start = now - Verification.longestLife
        let days = DayIndex.days(start, now + Verification.clockTolerance)
        return try await all(
            Verification.self,
            "WHERE \(days)e164 = \(number.e164) AND owner = \(owner.rawValue) AND created_at > \(start)"
        )
        .live(of: owner, at: now)
    }

    public func clients() async throws -> [OAuthClient] { try await all(OAuthClient.self, "ORDER BY created_at, id") }

    public func apiKeys() async throws -> [APIKey] { try await all(APIKey.self, "ORDER BY created_at, id") }

    public func metersInUse(
        of policy: String,
        at now: Timestamp,
        after place: MeterInUse?,
        limit: Int
    ) async throws -> [MeterInUse] {
        // Keys are the policy, or the policy, a space and a subject.
        let isOfPolicy: SQL = "key >= \(policy) AND key < \(policy + "!")"
        var isBehind: SQL = ""
        if let place {
            let (fullAt, key): (SQLValue, SQLValue) = (.integer(place.meter.fullAt), place.key.value)
            isBehind = " AND (full_at < \(fullAt) OR full_at = \(fullAt) AND key > \(key))"
        }
        return try await all(
            MeterInUse.self,
            """
            WHERE \(isOfPolicy) AND full_at > \(RateMeter.fullAt(now))\(isBehind)
            ORDER BY full_at DESC, key LIMIT \(limit: limit)
            """
        )
    }

    public func limitPolicies() async throws -> [LimitKey] {
        try await transact(isReadOnly: true) { try $0.limitPolicies() }
    }

    /// No index has these: it reads on until there are so many, which only an operator's question does.
    public func activeNumbers(
        sends: Int,
        failures: Int,
        after e164: String,
        limit: Int
    ) async throws -> [ActiveNumber] {
        let isFull: SQL =
            "consecutive_failures >= \(.integer(failures)) OR recent_send_count >= \(.integer(sends))"
        return try await all(
            ActiveNumber.self,
            "WHERE e164 > \(e164) AND (\(isFull)) ORDER BY e164 LIMIT \(limit: limit)"
        )
    }

    public func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic] {
        // A pass over a small table: an index by what every message changes would cost each of them.
        try await all(
            KeyedTraffic.self,
            """
            WHERE silent_since > \(now - .seconds(86_400))
            ORDER BY CASE WHEN blocked_until > \(now) THEN 0 ELSE 1 END, requested DESC, key LIMIT \(limit: limit)
            """
        )
    }

    public func traffic(before key: TrafficKey?, at now: Timestamp, limit: Int) async throws -> [KeyedTraffic] {
        let place: SQL = key.map { "key < \($0) AND " } ?? ""
        let day: SQL = "silent_since > \(now - .seconds(86_400))"
        return try await all(KeyedTraffic.self, "WHERE \(place)\(day) ORDER BY key DESC LIMIT \(limit: limit)")
    }

    public func guardRules() async throws -> [GuardRule] { try await all(GuardRule.self, "ORDER BY prefix") }

    public func guardRules(of prefixes: Set<String>) async throws -> [GuardRule] {
        let keys = prefixes.sorted().map(\.value)
        return try await transact(isReadOnly: true) { try $0.all(GuardRule.self, where: "prefix", isAnyOf: keys) }
    }

    public func unblock(_ key: TrafficKey, audit entry: AuditEntry) async throws -> [TrafficKey] {
        let text = key.description
        let isWanted: SQL =
            if case .prefix = key {
                "substr(key, 1, length(\(text))) = \(text) AND blocked_until IS NOT NULL"
            } else {
                "key = \(text)"
            }
        return try await transact { session in
            let blocked = try session.all(
                KeyedTraffic.self,
                "WHERE \(isWanted) ORDER BY key\(session.dialect.forUpdate)"
            )
            for loaded in blocked {
                var traffic = loaded.traffic
                traffic.unblock()
                let current = KeyedTraffic(key: loaded.key, traffic: traffic)
                try session.save(loaded, current.isBlank ? nil : current)
            }
            if !blocked.isEmpty { try session.append(entry) }
            return blocked.map(\.key)
        }
    }

    public func signingKeys() async throws -> SigningKeys { SigningKeys(try await all(SigningKey.self)) }

    public func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys {
        try await changeSigningKeys { command.apply(to: &$0) }
    }

    public func rotate(_ command: RotateSigningKey, audit entry: AuditEntry) async throws -> SigningKeys {
        try await changeSigningKeys(audit: entry) { command.apply(to: &$0) }
    }

    private func changeSigningKeys(
        audit entry: AuditEntry? = nil,
        _ change: @escaping @Sendable (inout SigningKeys) -> Void
    ) async throws -> SigningKeys {
        try await transact { session in
            // What nobody has inserted yet cannot be locked row by row.
            try session.lock(SigningKey.table)
            let loaded = SigningKeys(try session.all(SigningKey.self))
            var keys = loaded
            change(&keys)
            let changed = Set(keys.all).subtracting(loaded.all)
            try session.delete(SigningKey.table, where: "id", isAnyOf: changed.map(\.id.value))
            if !changed.isEmpty { try session.restore(changed.map(Row.init), in: SigningKey.table) }
            if let entry { try session.append(entry) }
            return keys
        }
    }
}
