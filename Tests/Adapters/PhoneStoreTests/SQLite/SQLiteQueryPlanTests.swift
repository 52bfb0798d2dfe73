import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import StoreSuite
import Testing

@testable import PhoneStore

@Suite struct SQLiteQueryPlanTests {
    /// What is read whole or sorted all the same: there is little of it, or an operator asks for it now and then.
    private static let accepted = [
        // Few operators have a rule at all.
        "FROM guard_rule",
        // Never more than a few.
        "FROM signing_key", "FROM instance",
        // They last for minutes.
        "FROM signup WHERE verification_id IS NOT NULL",
        // For an operator who lists them.
        "FROM rate_meter WHERE key >= ?1 AND", "FROM traffic WHERE substr",
        // From the newest on, until there are as many as were asked for.
        "FROM audit_entry WHERE prefix_digest", "ORDER BY outbox_message.id DESC LIMIT",
        // What has ended, as far as the limit goes.
        "IN DELETE FROM outbox_message WHERE id IN (\n    SELECT outbox_message.id FROM (SELECT id FROM verification WHERE id < ",
        // The index of what is queued, and nothing else.
        "INDEXED BY outbox_message_due",
        // Of one subject, of one name, and what a gateway is still to report.
        "FROM event WHERE subject", "WHERE awaits_receipt AND gateway = ?1",
    ]

    @Test func `no statement reads a whole table or sorts a backlog`() async throws {
        let events = EventSubscription(to: Set(Event.Kind.standard + [.messageFeedback]))
        let store = try SQLiteStore.inMemory(announcing: events)
        let useCase = try VerificationUseCase.plain(over: store)
        let context = RequestContext(
            owner: .local,
            region: .korea,
            language: .korean,
            address: ClientAddress("203.0.113.7")
        )
        // What is searched by day is searched in the days that there are.
        let first = try await useCase.requestCode(for: "010-8765-4321", context: context)
        for claim in try await store.claim(limit: 1, at: first.createdAt, until: first.expiresAt) {
            let result = DeliveryResult.sent(gateway: "a", gatewayMessageID: "1")
            _ = try await store.settle(
                SettleMessage(id: claim.message.id, attempt: 1, result: result, now: first.createdAt)
            )
        }
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        _ = try await useCase.check("123456", for: .id(begun.id), context: context)
        let account = try await useCase.signUp("123456", for: begun.id, context: context).account
        _ = try await store.account(account.id)
        try await store.insert(sampleSignup(1))
        _ = try await store.update(Signup.ID(bits: 0, 1)) { $0.phoneText = "1" }
        for claim in try await store.claim(limit: 1, at: begun.createdAt, until: begun.expiresAt) {
            let result = DeliveryResult.retry(at: begun.createdAt, failure: "busy")
            _ = try await store.settle(
                SettleMessage(id: claim.message.id, attempt: 1, result: result, now: begun.createdAt)
            )
        }
        try await store.useQueues(at: begun.createdAt, until: begun.expiresAt)
        try await store.useKeysAndRequests(at: begun.createdAt)
        _ = try await store.metersInUse(at: begun.createdAt, limit: 10)
        _ = try await store.guardRules(of: ["+8210"])
        _ = try await store.clear(LimitKey(rawValue: "service-sends-1h"))
        _ = try await store.unblock(.prefix("+8210"))
        _ = try await store.removeGuardRule(prefix: "+8210")
        try await store.useAccounts(at: begun.createdAt)
        try await store.useMessages(at: begun.createdAt)
        for type in RecordTypes.core.all { _ = try await store.records(of: type, after: nil, limit: 10) }
        _ = try await store.verdicts(prefix: [NumberDigest(rawValue: "test:+82101234")], limit: 10)

        let statements = store.writer.connection.sync { $0.compiledTexts }
        let plans = try store.plans(of: statements.filter { $0.contains("WHERE") || $0.contains("SELECT") })
        #expect(plans.count > 60)
        for search in ["verification_live (<expr>=? AND e164=?", "outbox_message_receipt (gateway=?"] {
            #expect(plans.contains { $0.hasPrefix("SEARCH") && $0.contains("INDEX \(search)") })
        }
        // Not "FOR RIGHT PART OF ORDER BY": that sorts the few messages of one verification, as where those of one, or
        // of a number, or a single one are asked for. Nor `days`: as many as rows are kept.
        let slow = plans.filter { plan in
            plan.hasPrefix("SCAN") && !plan.hasPrefix("SCAN days IN")
                || plan.hasPrefix("USE TEMP B-TREE FOR ORDER BY")
                    && !plan.contains("INDEXED BY outbox_message_verification")
                    && !plan.contains("AND outbox_message.id = ")
        }
        .filter { plan in !Self.accepted.contains { plan.contains($0) } }
        #expect(slow == [])
    }
}

extension SQLiteQueryPlanTests {
    @Test func `what gateways are to be told is in no index that webhooks read, and the other way round`() throws {
        let store = try SQLiteStore.inMemory()
        func count(_ index: String, _ kind: String) throws -> [SQLValue] {
            try store.column("SELECT count(*) FROM event INDEXED BY \(index) WHERE status = 'queued' AND kind \(kind)")
        }
        let (ofWebhooks, ofGateways) = ("<> 'message.feedback'", "= 'message.feedback'")
        #expect(try count("event_due", ofWebhooks) == [.integer(0 as Int64)])
        #expect(try count("event_feedback_due", ofGateways) == [.integer(0 as Int64)])
        // An index that is to be used and cannot be is an error: it does not have these.
        #expect(throws: (any Error).self) { try count("event_due", ofGateways) }
        #expect(throws: (any Error).self) { try count("event_feedback_due", ofWebhooks) }
    }

    private static let queries: [@Sendable (inout AuditQuery) -> Void] = [
        { $0.verificationID = Verification.ID(bits: 1 << 40, 1) },
        { $0.owner = .local },
        { $0.numberDigests = [NumberDigest(rawValue: "a:1"), NumberDigest(rawValue: "b:1")] },
        { $0.action = .begin },
        { $0.since = Timestamp(seconds: 1) },
        { $0.until = Timestamp(seconds: 1) },
        { $0.before = 1 },
    ]

    @Test func `of the audit log a time is found by its place, and nothing sorts`() async throws {
        let store = try SQLiteStore.inMemory()
        // Each filter alone, and each with each other.
        for first in Self.queries {
            for second in Self.queries {
                var query = AuditQuery(limit: 10)
                first(&query)
                second(&query)
                _ = try await store.entries(query)
            }
        }
        _ = try await store.purgeAudit(before: Timestamp(seconds: 1), limit: 10)
        let statements = store.writer.connection.sync { $0.compiledTexts }.filter { $0.contains("FROM audit_entry") }
        let plans = try store.plans(of: statements)
        #expect(plans.count > 24)
        #expect(plans.filter { $0.hasPrefix("USE TEMP B-TREE") } == [])
        #expect(plans.filter { $0.hasPrefix("SCAN") && ($0.contains("id <") || $0.contains("id >")) } == [])
    }

    @Test func `the days that are searched are those that SQLite computes`() throws {
        let moments: [Int64] = [
            -86_400_001, -86_400_000, -1, 0, 1, 86_399_999, 86_400_000, 1_767_225_599_999, 1_767_225_600_000,
        ]
        let store = try SQLiteStore.inMemory()
        let rows = moments.map { "(\($0))" }.joined(separator: ", ")
        let days = try store.column("SELECT \(DayIndex.day(of: "column1")) FROM (VALUES \(rows))")
        #expect(days == moments.map { .integer(DayIndex.day(of: Timestamp(milliseconds: $0))) })
        #expect(days == [-1, -1, 0, 0, 0, 0, 1, 20_453, 20_454].map { .integer($0 as Int64) })
    }
}
