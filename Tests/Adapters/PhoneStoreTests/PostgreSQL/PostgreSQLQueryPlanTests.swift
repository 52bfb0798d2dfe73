import PhoneDomain
import PhoneTestSupport
import StoreSuite
import Synchronization
import Testing

@testable import PhoneStore

@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct PostgreSQLQueryPlanTests {
    @Test func `no statement reads a whole table or sorts a backlog`() async throws {
        let database = try await TestDatabase()
        try PostgreSQLStore.migrate(url: database.url, timeout: .seconds(60))
        let log = StatementLog()
        let options = ConnectionOptions(
            servers: try ServerAddresses(url: database.url),
            isDurable: false,
            timeout: .seconds(60),
            didSend: { log.append($0.joined()) }
        )
        let events = EventSubscription(to: Set(Event.Kind.standard + [.messageFeedback]))
        let store = PostgreSQLStore(options, announcing: events)
        let scene = try ServerScene(store, limits: try Self.limits(), address: "203.0.113.7")
        let begun = try await scene.request()
        try await scene.check(begun.id)
        let account = try await scene.useCase.signUp("123456", for: begun.id, context: scene.context).account
        _ = try await store.account(account.id)
        _ = try await store.verification(begun.id)
        let other = try await scene.request("010-8765-4321")
        _ = try await scene.useCase.cancel(other.id, owner: .local)
        try await store.insert(ServerScene.signup(1))
        _ = try await store.signup(Signup.ID(bits: 0, 1))
        _ = try await store.update(Signup.ID(bits: 0, 1)) { $0.phoneText = "1" }
        for claim in try await store.claim(limit: 1, at: begun.createdAt, until: begun.expiresAt) {
            let result = DeliveryResult.sent(gateway: "a", gatewayMessageID: "1")
            _ = try await store.settle(
                SettleMessage(id: claim.message.id, attempt: 1, result: result, now: begun.createdAt)
            )
        }
        try await store.restore([
            .event(
                Event(.guardBlocked, of: .prefix("+82101234"), occurredAt: begun.createdAt, at: begun.createdAt)
            )
        ])
        try await store.useQueues(at: begun.createdAt, until: begun.expiresAt)
        _ = try await store.purgeAudit(before: begun.createdAt, limit: 10)
        try await store.useKeysAndRequests(at: begun.createdAt)
        try await store.useAccounts(at: begun.createdAt)
        try await store.useMessages(at: begun.createdAt)
        _ = try await store.metersInUse(at: begun.createdAt, limit: 10)
        _ = try await store.guardRules(of: ["+8210"])
        _ = try await store.clear(LimitKey(rawValue: "service-sends-1h"))
        _ = try await store.clearActivity(of: begun.phoneNumber)
        _ = try await store.removeGuardRule(prefix: "+8210")
        for type in RecordTypes.core.all { _ = try await store.records(of: type, after: nil, limit: 10) }
        _ = try await store.verdicts(prefix: [NumberDigest(rawValue: "test:+82101234")], limit: 10)
        store.close()

        let side = try database.connect()
        for setting in options.optionalSettings { try side.run(setting) }
        func plans() throws -> [(sql: String, plan: [String])] {
            try log.distinct.map { sql, types in
                let parameters = types.isEmpty ? "" : "(\(types.joined(separator: ", ")))"
                let nulls = types.isEmpty ? "" : "(\(types.map { _ in "NULL" }.joined(separator: ", ")))"
                try side.run("PREPARE statement \(parameters) AS \(sql)")
                let plan = try side.run("EXPLAIN (COSTS OFF) EXECUTE statement\(nulls)")
                try side.run("DEALLOCATE statement")
                return (sql, plan)
            }
        }
        // A new server has no statistics yet: by the day alone it would read all that began on that day.
        let lines = try plans().map(\.plan).joined()
        let ofDays = lines.filter { $0.contains("Index Cond") && $0.contains("86400000") }
        #expect(ofDays.contains { $0.contains("e164") })
        for condition in ofDays where condition.contains("ANY") { #expect(condition.contains(" AND "), "\(condition)") }
        try Self.fill(database)
        let plansOfMany = try plans()
        #expect(plansOfMany.count > 40)
        for (sql, plan) in plansOfMany where !Self.accepted.contains(where: sql.contains) {
            #expect(!plan.contains { $0.contains("Seq Scan") }, "\(sql)\n\(plan.joined(separator: "\n"))")
            // Rows that are named are sorted by their keys to be locked, and the few messages of the verifications that
            // have ended, or of one, or of a number, or a single one; a backlog is not, but for rows of one moment
            // among themselves ("Incremental Sort").
            guard sql.contains("LIMIT"), !sql.contains("JOIN outbox_message"),
                !["verification_id = $", "e164 = $", "outbox_message.id = $"].contains(where: sql.contains)
            else { continue }
            let sorts = plan.filter { $0.contains("Sort") && !$0.contains("Sort Key") && !$0.contains("Incremental") }
            #expect(sorts == [], "\(sql)\n\(plan.joined(separator: "\n"))")
        }
    }

    /// What may read more than it returns, or sort it.
    private static let accepted = [
        // Few operators have a rule at all.
        "FROM guard_rule",
        // Never more than a few.
        "FROM signing_key", "FROM instance",
        // They last for minutes.
        "FROM signup WHERE verification_id IS NOT NULL",
        // For an operator who lists them.
        "FROM rate_meter WHERE key >= $1 AND", "WHERE outbox_message.status = 'queued' ORDER BY",
        // From the newest on, until there are as many as were asked for.
        "FROM audit_entry WHERE prefix_digest",
        // One of a name, and what a gateway is still to report.
        "WHERE awaits_receipt AND gateway = $1",
    ]

    private static func limits() throws -> LimitPolicy {
        var limits = LimitPolicy.none
        let limit = [try #require(RateLimit("1000/1h"))]
        (limits.sendsByAddress, limits.sendsByPrefix, limits.sendsByCountry) = (limit, limit, limit)
        (limits.sendsByService, limits.checksByAddress) = (limit, limit)
        return limits
    }

    /// Enough rows for an index to be worth it, all of them counted.
    private static func fill(_ database: TestDatabase) throws {
        let rows = "FROM generate_series(1, 5000) AS n"
        try database.run(
            """
            CREATE FUNCTION pg_temp.id(bigint) RETURNS bytea LANGUAGE sql AS
                $$ SELECT int8send($1 << 16) || int8send($1) $$;
            INSERT INTO account SELECT pg_temp.id(n), '+82' || n, n, n, pg_temp.id(n), n, '{}', NULL, 0 \(rows);
            INSERT INTO account_number SELECT '+82' || n, pg_temp.id(n) \(rows);
            INSERT INTO verification SELECT pg_temp.id(n), '+82' || n, 'shop:1/a', 'sms', 'ko', 'k', '', '', n, n, false, false,
                NULL, n, n, n, n, 1, 1, NULL, CASE WHEN n % 100 = 0 THEN 'pending' ELSE 'approved' END, n, NULL, NULL \(rows);
            INSERT INTO number_activity SELECT '+82' || n, '', 0, '', 0, 0, NULL, n \(rows);
            INSERT INTO outbox_message SELECT pg_temp.id(n), pg_temp.id(n), n,
                CASE WHEN n % 100 = 0 THEN 'queued' ELSE 'sent' END, 1, n, 'a', 'g' || n, 0, NULL, false, NULL,
                CASE WHEN n % 100 = 0 THEN pg_temp.id(n) END, NULL, 'shop:' || n % 5 \(rows);
            INSERT INTO session SELECT pg_temp.id(n), pg_temp.id(n), NULL, n, n, '', NULL, n, n, NULL, NULL, 0, 'code'
                \(rows);
            INSERT INTO number_change SELECT pg_temp.id(n), pg_temp.id(n), pg_temp.id(n), pg_temp.id(n), '+82' || n, '+83' || n,
                'ko', n, n, int8send(n), NULL \(rows);
            UPDATE account SET deletion_due_at = created_at WHERE created_at % 100 = 0;
            INSERT INTO event SELECT 'e' || n, 'account.created', 'a' || n, n,
                CASE WHEN n % 100 = 0 THEN 'queued' ELSE 'failed' END, 1, 0, n, NULL, NULL \(rows);
            INSERT INTO signup SELECT pg_temp.id(n), '', 'KR', 'ko', n, n, '', NULL, false, NULL, NULL, NULL, NULL \(rows);
            INSERT INTO rate_meter SELECT 'r' || n, n \(rows);
            INSERT INTO traffic SELECT 't' || n, '', NULL, 0, 0, 0, n, NULL, NULL \(rows);
            INSERT INTO guard_rule SELECT '+' || n, 'block', n, n \(rows);
            INSERT INTO api_key SELECT pg_temp.id(n), 'shop', '', 'admin', NULL, n, NULL, NULL \(rows);
            INSERT INTO client SELECT pg_temp.id(n), 'Shop', NULL, 'https://a.example/', '', '', '', NULL, NULL, NULL,
                'RS256', true, false, NULL, NULL, n, NULL \(rows);
            INSERT INTO authorization_code SELECT pg_temp.id(n), '', pg_temp.id(n), 'openid', 'https://a.example/', '',
                NULL, pg_temp.id(n), n, NULL \(rows);
            INSERT INTO idempotent_request SELECT 'o' || n, 'd', 1, n, n, 200, '', NULL, '', pg_temp.id(n) \(rows);
            INSERT INTO audit_entry (id, at, action, owner, verification_id, number_digest, prefix_digest, verdict, reasons)
                SELECT (n::bigint + 1000000) << 20, n, 'begin', 'o', pg_temp.id(n), 'd' || n, 'p' || n, 'allow', '' \(rows);
            ANALYZE
            """
        )
    }

    private final class StatementLog: Sendable {
        private let log = Mutex<[String: [String]]>([:])
        private static let types: [UInt32: String] = [
            16: "boolean", 17: "bytea", 20: "bigint", 25: "text", 1000: "boolean[]", 1001: "bytea[]", 1009: "text[]",
            1016: "bigint[]",
        ]

        var distinct: [(sql: String, types: [String])] {
            log.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
        }

        func append(_ queries: some Sequence<Query>) {
            log.withLock { log in
                for query in queries where query.isPrepared {
                    log[query.sql] = query.arguments.map { Self.types[$0.type] ?? "unknown" }
                }
            }
        }
    }
}
