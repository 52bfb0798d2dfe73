import GRDB
public import PhoneDomain
import Synchronization

extension SQLiteStore: StoreMaintenance {
    /// Reads, and locks the database for writing: a lock that another process does not give back, a file that became
    /// read-only and a failing disk show. Nothing is written, unless the disk did not take what was written last: then it
    /// must take a batch's worth, a small file and a row, before all is well.
    public func ping() async throws {
        if let failure = writer.diskFailure.withLock({ $0 }) {
            guard files?.canGrow() ?? true else { throw failure }
            // Before the write, so that a failure from here on is not forgotten.
            writer.diskFailure.withLock { $0 = nil }
            do {
                try await write { _ = try $0.db.run("UPDATE grdb_migrations SET identifier = identifier") }
            } catch {
                writer.diskFailure.withLock { $0 = failure }
                throw error
            }
        }
        _ = try await read { try $0.db.run("SELECT 1 FROM grdb_migrations LIMIT 1") }
        _ = try await write { try $0.db.run("SELECT 1 FROM grdb_migrations LIMIT 1") }
    }

    /// A verification has ended when its time has run out and its status has not changed since, so `moment` must be
    /// further back than an approval can be used, and for the activity of numbers further than a number stays closed.
    /// What ended first goes first.
    public func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write { tables in
            // Messages first, since they refer to verifications.
            try Self.purges.reduce(0) { count, sql in
                try count + tables.db.run(sql, [moment.milliseconds, max(0, limit)])
            }
        }
    }

    public func close(at now: Timestamp, limit: Int) async throws -> Int {
        try await write { tables in
            let ended = try tables.verifications.ended(at: now, limit: limit)
            try tables.verifications.close(ended.unreadable)
            tables.journal.append(ended.unreadable, of: VerificationTable.name)
            var count = ended.unreadable.count
            for loaded in ended.values {
                var verification = loaded
                guard verification.close(at: now) else { continue }
                try tables.verifications.save(verification, loaded: loaded, at: now)
                count += 1
            }
            return count
        }
    }

    public func purgeSignups(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write { try $0.db.run(Self.signupPurge, [moment.milliseconds, max(0, limit)]) }
    }

    public func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int {
        try await write { tables in
            let limit = max(0, limit)
            return try tables.meters.purge(at: now, limit: limit) + tables.traffic.purge(at: now, limit: limit)
                + tables.guardRules.purge(at: now, limit: limit)
        }
    }

    private static let signupPurge = """
        DELETE FROM signup WHERE id IN (
            SELECT id FROM signup WHERE expires_at < ? ORDER BY expires_at, id LIMIT ?
        )
        """

    private static let purges = [
        """
        DELETE FROM outbox_message WHERE id IN (
            SELECT outbox_message.id FROM (
                SELECT id, max(expires_at, updated_at) AS ended_at FROM verification
                WHERE max(expires_at, updated_at) < ?1 ORDER BY max(expires_at, updated_at), id LIMIT ?2
            ) AS ended JOIN outbox_message ON verification_id = ended.id
            ORDER BY ended_at, ended.id, outbox_message.id LIMIT ?2
        )
        """,
        """
        DELETE FROM verification WHERE id IN (
            SELECT id FROM verification
            WHERE max(expires_at, updated_at) < ? ORDER BY max(expires_at, updated_at), id LIMIT ?
        ) AND NOT EXISTS (SELECT 1 FROM outbox_message WHERE verification_id = verification.id)
        """,
        signupPurge,
        """
        DELETE FROM number_activity WHERE e164 IN (
            SELECT e164 FROM number_activity WHERE silent_since < ? ORDER BY silent_since, e164 LIMIT ?
        )
        """,
    ]
}
