import Foundation
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

    @Test func `accounts of version 7 come through, with what was used for them, and can lose their numbers`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("phone.db")
        let old = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(old, upTo: "7")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO account VALUES
                        ('acc_00000000000000000000000000000003', '+821011111111', 1000,
                            'ver_00000000000000000000000000000001'),
                        ('acc_00000000000000000000000000000004', '+821022222222', 2000,
                            'ver_00000000000000000000000000000002');
                    INSERT INTO verification (
                        id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at,
                        next_send_at, sends_left, checks_left, status, updated_at, consumed_by
                    ) VALUES (
                        'ver_00000000000000000000000000000001', '+821011111111', 'alice', 'sms', 'ko', 'k', x'01', x'02',
                        1000, 601000, 31000, 4, 5, 'approved', 1000, 'acc_00000000000000000000000000000003'
                    );
                    INSERT INTO outbox_message (
                        id, verification_id, created_at, status, attempts, next_attempt_at
                    ) VALUES (
                        'msg_00000000000000000000000000000005', 'ver_00000000000000000000000000000001', 1000, 'sent', 1, 5000
                    );
                    INSERT INTO signup VALUES (
                        'sgn_00000000000000000000000000000006', x'01', 'KR', 'ko', 1000, 2000, '', '',
                        'ver_00000000000000000000000000000001', 1
                    );
                    INSERT INTO event VALUES (
                        'evt_account_created_00000000000000000000000000000003', 'account.created',
                        'acc_00000000000000000000000000000003', 1000, 'queued', 0, 0, 1000, NULL, NULL
                    )
                    """
            )
        }
        let start = try #require(
            try await old.read { try Int64.fetchOne($0, sql: "SELECT CAST(strftime('%s', 'now') AS INTEGER)") }
        )
        try old.close()

        let store = try SQLiteStore(path: path)
        let kept = try await store.records(of: .account, after: nil, limit: 9).compactMap { record in
            if case .account(let account) = record { account } else { nil }
        }
        let lastActiveAt = try #require(kept.first).lastActiveAt
        // Nobody has been silent for long because nobody counted.
        #expect(lastActiveAt >= Timestamp(seconds: start))
        let accounts = [
            Account(
                id: Account.ID(bits: 0, 3),
                phoneNumber: try PhoneNumber(e164: "+821011111111"),
                phoneNumberSince: Timestamp(seconds: 1),
                createdAt: Timestamp(seconds: 1),
                createdBy: Verification.ID(bits: 0, 1),
                lastActiveAt: lastActiveAt,
                metadata: AccountMetadata(json: "{}"),
                deletionDueAt: nil
            ),
            Account(
                id: Account.ID(bits: 0, 4),
                phoneNumber: try PhoneNumber(e164: "+821022222222"),
                createdAt: Timestamp(seconds: 2),
                createdBy: Verification.ID(bits: 0, 2),
                lastActiveAt: lastActiveAt
            ),
        ]
        #expect(kept == accounts)
        let verification = try await store.verification(Verification.ID(bits: 0, 1))
        #expect(verification?.consumedBy == accounts[0].id)
        let signup = try await store.signup(Signup.ID(bits: 0, 6))
        #expect(signup?.verificationID == verification?.id)
        #expect(signup?.decision == nil)
        #expect(try await store.messages(status: .sent, limit: 9).map(\.message.numberChangeID) == [nil])
        #expect(try await store.events(status: nil, limit: 9).count == 1)

        try await store.writer.connection.write { db in
            // To the table that was made anew, and not to the one that is gone.
            let tables = try String.fetchAll(db, sql: "SELECT \"table\" FROM pragma_foreign_key_list('verification')")
            #expect(tables == ["account"])
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
            #expect(throws: DatabaseError.self) {
                try db.execute(sql: "DELETE FROM account WHERE e164 = '+821011111111'")
            }
            try db.execute(sql: "UPDATE account SET e164 = NULL")
        }
        #expect(try await store.account(accounts[0].id)?.phoneNumber == nil)
        #expect(try await store.account(accounts[1].id)?.phoneNumber == nil)
    }

    @Test func `messages and keys of version 9 come through, and are nobody's tenant's`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("phone.db")
        let old = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(old, upTo: "9")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO verification (
                        id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at,
                        next_send_at, sends_left, checks_left, status, updated_at
                    ) VALUES (
                        'ver_00000000000000000000000000000001', '+821011111111', 'alice', 'sms', 'ko', 'k', x'01', x'02',
                        1000, 601000, 31000, 4, 5, 'pending', 1000
                    );
                    INSERT INTO outbox_message (
                        id, verification_id, created_at, status, attempts, next_attempt_at
                    ) VALUES (
                        'msg_00000000000000000000000000000005', 'ver_00000000000000000000000000000001', 1000, 'queued', 1, 5000
                    );
                    INSERT INTO api_key VALUES (
                        'key_00000000000000000000000000000006', 'shop', x'07', 'verifications', 1000, NULL, NULL
                    )
                    """
            )
        }
        try old.close()
        let store = try SQLiteStore(path: path)
        let message = OutboxMessage(
            id: OutboxMessage.ID(bits: 0, 5),
            verificationID: Verification.ID(bits: 0, 1),
            createdAt: Timestamp(seconds: 1),
            status: .queued,
            attempts: 1,
            nextAttemptAt: Timestamp(seconds: 5),
            gateway: nil,
            gatewayMessageID: nil
        )
        #expect(try await store.records(of: .message, after: nil, limit: 9) == [.message(message)])
        let key = APIKey(
            id: APIKey.ID(bits: 0, 6),
            name: try #require(CallerName("shop")),
            digest: [7],
            scopes: [.verifications],
            createdAt: Timestamp(seconds: 1)
        )
        #expect(try await store.apiKeys() == [key])
    }

    @Test func `what is in a database of version 10 is found by number, digest and receipt`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("phone.db")
        let old = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(old, upTo: "10")
        let day: Int64 = 86_400_000
        try await old.write { db in
            for number in 1...3 {
                let (at, name) = (day * Int64(number), "0000000000000000000000000000000\(number)")
                try db.execute(
                    sql: """
                        INSERT INTO verification (
                            id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at,
                            expires_at, next_send_at, sends_left, checks_left, status, updated_at
                        ) VALUES (
                            'ver_\(name)', '+821011111111', 'alice', 'sms', 'ko', 'k', x'01', x'02', \(at),
                            \(at + 600_000), \(at), 4, 5, 'pending', \(at)
                        );
                        INSERT INTO outbox_message (
                            id, verification_id, created_at, status, attempts, next_attempt_at, gateway, gateway_message_id
                        ) VALUES ('msg_\(name)', 'ver_\(name)', \(at), 'sent', 1, \(at), 'stub', 'SM\(number)');
                        INSERT INTO audit_entry (at, action, number_digest, reasons) VALUES (\(at), 'begin', 'k:1', '')
                        """
                )
            }
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    INSERT INTO audit_entry (at, action, number_digest, reasons)
                    SELECT 0, 'begin', 'k:' || hex(randomblob(16)), '' FROM n
                    """
            )
        }
        try old.close()

        let store = try SQLiteStore(path: path)
        // What the migration wrote is no more for others to copy.
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).count < 100_000)
        let now = Timestamp(milliseconds: day * 3 + 1)
        var query = AuditQuery(limit: 9)
        query.numberDigests = [NumberDigest(rawValue: "k:1")]
        #expect(try await store.entries(query).entries.map(\.at.milliseconds) == [day * 3, day * 2, day])
        #expect(
            try await store.record(
                RecordReceipt(gateway: "stub", gatewayMessageID: "SM1", outcome: .delivered, now: now)
            )
        )
        let found = try await store.writer.connection.read { db in
            let tables = Tables(reading: Batch(db), plans: .builtIn)
            return (
                try tables.verifications.live(e164: "+821011111111", owner: Owner(rawValue: "alice"), at: now)?.id,
                try tables.verifications.ids(e164: "+821011111111").count
            )
        }
        #expect(found == (Verification.ID(bits: 0, 3), 3))
    }
}
