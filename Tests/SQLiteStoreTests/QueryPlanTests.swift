import GRDB
import PhoneDomain
import PhoneTestSupport
import Synchronization
import Testing

@testable import SQLiteStore

@Suite struct QueryPlanTests {
    @Test func `no statement reads a whole table or sorts a backlog`() async throws {
        let store = try SQLiteStore.inMemory(announcing: EventSubscription(to: Set(Event.Kind.allCases)))
        let statements = StatementLog()
        try await store.writer.connection.writeWithoutTransaction { db in
            db.trace(options: .statement) { statements.append($0.expandedDescription) }
        }
        let useCase = LivePhoneUseCase(
            store: store,
            vault: FixedCodeVault(code: try #require(VerificationCode("123456"))),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(),
            clock: ManualClock()
        )
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
        _ = try await useCase.verify("123456", for: begun.id, context: context)
        let account = try await useCase.signUp("123456", for: begun.id, context: context).get().account
        _ = try await store.account(account.id)
        try await store.insert(sampleSignup(1))
        _ = try await store.update(Signup.ID(bits: 0, 1)) { $0.codeText = "1" }
        for claim in try await store.claim(limit: 1, at: begun.createdAt, until: begun.expiresAt) {
            let result = DeliveryResult.retry(at: begun.createdAt, failure: "busy")
            _ = try await store.settle(
                SettleMessage(id: claim.message.id, attempt: 1, result: result, now: begun.createdAt)
            )
        }
        for claim in try await store.claimEvents(limit: 10, at: begun.createdAt, until: begun.expiresAt) {
            _ = try await store.settle(SettleEvent(id: claim.event.id, attempt: 1, result: .failed("gone")))
            _ = try await store.retry(RetryEvent(id: claim.event.id, now: begun.createdAt))
        }
        _ = try await store.nextEvent()
        _ = try await store.events(status: nil, limit: 10)
        _ = try await store.nextAttempt()
        _ = try await store.backlog()
        _ = try await store.messages(status: nil, limit: 10)
        _ = try await store.retry(RetryMessage(id: OutboxMessage.ID(bits: 0, 2), now: begun.createdAt))
        _ = try await store.record(
            RecordReceipt(gateway: "a", gatewayMessageID: "1", outcome: .delivered, now: begun.createdAt)
        )
        _ = try await store.awaitingReceipts(
            AwaitedReceipts(gateway: "a", after: begun.createdAt, through: begun.expiresAt, limit: 10)
        )
        _ = try await store.close(at: begun.createdAt, limit: 10)
        _ = try await store.purge(before: begun.createdAt, limit: 10)
        _ = try await store.purgeEvents(before: begun.createdAt, limit: 10)
        _ = try await store.purgeSignups(before: begun.createdAt, limit: 10)
        _ = try await store.purgeTraffic(at: begun.createdAt, limit: 10)
        try await store.useKeysAndRequests(at: begun.createdAt)
        _ = try await store.metersInUse(at: begun.createdAt, limit: 10)
        _ = try await store.clear(LimitKey(rawValue: "service-sends-1h"))
        _ = try await store.unblock(beginning: "+8210")
        _ = try await store.removeGuardRule(prefix: "+8210")
        try await store.useAccounts(at: begun.createdAt)
        try await store.useTenants(at: begun.createdAt)
        for kind in RecordKind.allCases { _ = try await store.records(of: kind, after: nil, limit: 10) }
        _ = try await store.verdicts(prefix: [NumberDigest(rawValue: "test:+82101234")], limit: 10)

        let plans = try await store.writer.connection.writeWithoutTransaction { db in
            db.trace()
            let queries = statements.distinct.filter { $0.contains("WHERE") || $0.contains("SELECT") }
            return try queries.flatMap { sql in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map { "\($0["detail"] as String) IN \(sql)" }
            }
        }
        #expect(plans.count > 60)
        for index in ["verification_live", "outbox_message_receipt", "audit_entry_number"] {
            #expect(
                plans.contains { $0.hasPrefix("SEARCH") && $0.contains("INDEX \(index) (") && $0.contains("day=?") }
            )
        }
        // Not "FOR RIGHT PART OF ORDER BY": that sorts the few messages of one verification, as where those of one, or of a
        // number, or a single one are asked for. Nor what is done to `ended`: that has as many verifications as a purge takes at a time.
        // Nor `days`: as many as rows are kept.
        let slow = plans.filter { plan in
            plan.hasPrefix("SCAN") && !plan.hasPrefix("SCAN ended IN") && !plan.hasPrefix("SCAN days IN")
                || plan.hasPrefix("USE TEMP B-TREE FOR ORDER BY") && !plan.contains("AS ended JOIN")
                    && !plan.contains("INDEXED BY outbox_message_verification")
                    && !plan.contains("AND outbox_message.id = ")
        }
        #expect(slow == [])
    }

    private final class StatementLog: Sendable {
        private let log = Mutex<Set<String>>([])

        var distinct: [String] { log.withLock { $0.sorted() } }

        func append(_ statement: String) {
            _ = log.withLock { $0.insert(statement) }
        }
    }
}
