import GRDB
import PhoneDomain
import Testing

@testable import SQLiteStore

/// A database of an earlier version, rows and all, opened by this one.
@Suite struct MigrationTests {
    @Test func `messages of version 1 come through, and can be sent, listed and settled`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("phone.db")
        let old = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(old, upTo: "1")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO verification VALUES (
                        'ver_00000000000000000000000000000001', '+821012345678', 'alice', 'sms', 'ko', 'k', x'01', x'02',
                        1000, 601000, 31000, 4, 5, 'pending', 1000, NULL
                    );
                    INSERT INTO outbox_message VALUES
                        ('msg_00000000000000000000000000000002', 'ver_00000000000000000000000000000001', 1000,
                            'queued', 2, 5000, NULL, NULL),
                        ('msg_00000000000000000000000000000003', 'ver_00000000000000000000000000000001', 2000,
                            'sent', 1, 5000, 'stub', 'SM1'),
                        ('msg_00000000000000000000000000000004', 'ver_00000000000000000000000000000001', 3000,
                            'failed', 24, 5000, NULL, NULL)
                    """
            )
        }
        try old.close()
        #expect(throws: SQLiteStoreError.olderSchema(path: path)) { try SQLiteStore(path: path, migrating: false) }

        let store = try SQLiteStore(path: path)
        let verification = Verification.ID(bits: 0, 1)
        let loaded = try await store.messages(status: nil, limit: 10).map(\.message)
        #expect(
            loaded == [
                OutboxMessage(
                    id: OutboxMessage.ID(bits: 0, 4),
                    verificationID: verification,
                    createdAt: Timestamp(seconds: 3),
                    status: .failed,
                    attempts: 24,
                    nextAttemptAt: Timestamp(seconds: 5),
                    gateway: nil,
                    gatewayMessageID: nil
                ),
                OutboxMessage(
                    id: OutboxMessage.ID(bits: 0, 3),
                    verificationID: verification,
                    createdAt: Timestamp(seconds: 2),
                    status: .sent,
                    attempts: 1,
                    nextAttemptAt: Timestamp(seconds: 5),
                    gateway: "stub",
                    gatewayMessageID: "SM1"
                ),
                OutboxMessage(
                    id: OutboxMessage.ID(bits: 0, 2),
                    verificationID: verification,
                    createdAt: Timestamp(seconds: 1),
                    status: .queued,
                    attempts: 2,
                    nextAttemptAt: Timestamp(seconds: 5),
                    gateway: nil,
                    gatewayMessageID: nil
                ),
            ]
        )
        let now = Timestamp(seconds: 6)
        #expect(try await store.claim(limit: 9, at: now, until: now).map(\.message.countedAttempts) == [3])
        let receipt = RecordReceipt(gateway: "stub", gatewayMessageID: "SM1", outcome: .delivered, now: now)
        #expect(try await store.record(receipt))
        guard case .queued(let retried) = try await store.retry(RetryMessage(id: loaded[0].id, now: now)) else {
            Issue.record("not retried")
            return
        }
        #expect(retried.countedAttempts == 0)
    }
}
