import GRDB
import PhoneDomain
import Synchronization
import Testing

@testable import SQLiteStore

@Suite struct AuditPlanTests {
    private static let digests = [NumberDigest(rawValue: "a:1"), NumberDigest(rawValue: "b:1")]
    private static let queries: [(name: String, change: @Sendable (inout AuditQuery) -> Void)] = [
        ("number", { $0.numberDigests = digests }),
        ("verification", { $0.verificationID = Verification.ID(bits: 0, 1) }),
        ("owner", { $0.owner = .local }),
        ("action", { $0.action = .begin }),
        ("since", { $0.since = Timestamp(seconds: 1) }),
        ("until", { $0.until = Timestamp(seconds: 1) }),
        ("page", { $0.before = AuditCursor(at: Timestamp(seconds: 1), serial: 1) }),
    ]

    @Test func `no query with a filter reads the whole trail, and none sorts`() async throws {
        let store = try SQLiteStore.inMemory()
        let statements = Mutex<Set<String>>([])
        let connection = store.writer.connection
        try await connection.writeWithoutTransaction { db in
            // Of a number is searched in the days that there are.
            try db.execute(
                sql: "INSERT INTO audit_entry (at, action, reasons) VALUES (0, 'begin', ''), (86400000, 'begin', '')"
            )
            db.trace(options: .statement) { event in
                statements.withLock { _ = $0.insert(event.expandedDescription) }
            }
        }
        // Each filter alone, and each with each other.
        for first in Self.queries {
            for second in Self.queries {
                var query = AuditQuery(limit: 10)
                first.change(&query)
                second.change(&query)
                _ = try await store.entries(query)
            }
        }
        _ = try await store.purgeAudit(before: Timestamp(seconds: 1), limit: 10)
        let all = statements.withLock { $0.filter { $0.contains("audit_entry") } }
        let plans = try await connection.writeWithoutTransaction { db in
            db.trace()
            return try all.flatMap { sql in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql).map { "\($0["detail"] as String) IN \(sql)" }
            }
        }
        #expect(plans.count > 28)
        #expect(plans.filter { $0.hasPrefix("SCAN") || $0.hasPrefix("USE TEMP B-TREE") } == [])
    }
}
