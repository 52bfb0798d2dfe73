import PhoneAccounts
public import PhoneAdministration
import PhoneDomain
public import PhoneSignup

/// Puts an earlier state in the place of all that a store holds, in one transaction: a crash leaves what was there
/// before.
///
/// What is restored forgets what happened since. So nothing comes back that was good for one use, and may have been
/// used:
/// - codes and approvals that are still valid expire: they may have been accepted already;
/// - messages that were waiting are `unknown`: they may have been sent, and an operator may retry them;
/// - sessions end, since tokens that were replaced since, and devices that were signed out, would be valid again, and
///   the theft of a token would not show;
/// - signing keys go, since one that was withdrawn would sign again; the service makes a new one.
///
/// Webhooks are delivered at least once anyway. API keys that were revoked since, and persons who were erased since,
/// are there again, which only the operator can know.
public struct Restoration: Sendable {
    private let now: Timestamp
    private let isReplacing: Bool
    private let keepsSessions: Bool
    private let copy: TableCopy

    /// - Parameters:
    ///   - isReplacing: whether what the store holds may be lost; otherwise it must be empty.
    ///   - keepsSessions: whether sessions and signing keys stay, because nothing has happened since.
    public init(at now: Timestamp, isReplacing: Bool, keepsSessions: Bool, copy: TableCopy) {
        (self.now, self.isReplacing, self.keepsSessions, self.copy) = (now, isReplacing, keepsSessions, copy)
    }

    public struct Result: Sendable {
        public let copied: CopyResult
        /// How many records of each kind were there before.
        public let replaced: [(kind: String, count: Int)]
        public let expiredCodes: Int
        public let expiredApprovals: Int
        public let unknownMessages: Int
        public let endedSessions: Int
        public let validAPIKeys: Int
    }

    /// An approval may be used for an hour at most (``VerificationPolicy/approvalTTL``).
    private static let longestApproval: Duration = .seconds(3600) + Verification.clockTolerance

    /// - Throws: ``RestorationError``, and what the sessions throw; the transaction must be rolled back then.
    public func apply(_ source: any SQLSession, to target: any SQLSession) throws -> Result {
        let tables = copy.types.tables
        for table in tables { try target.lock(table) }
        let replaced = try tables.map { (kind: $0.name, count: try target.count(of: "\($0)")) }.filter { $0.count > 0 }
        guard replaced.isEmpty || isReplacing else { throw RestorationError.targetNotEmpty(replaced.map { ($0, $1) }) }
        for table in tables { try target.run("DELETE FROM \(table)") }
        let copied = try copy.copy(from: source) { try target.restore($0, in: $1) }
        let found = try copy.tallies(of: target)
        guard copied == found else { throw RestorationError.different }
        let codes = try target.run("UPDATE verification SET status = 'expired' WHERE status = 'pending'")
        let approvals = try target.run(
            """
            UPDATE verification SET status = 'expired'
            WHERE status = 'approved' AND consumed_by IS NULL AND updated_at > \(now - Self.longestApproval)
            """
        )
        try target.run("UPDATE verification SET repeatable_by = NULL WHERE repeatable_by IS NOT NULL")
        let messages = try target.run("UPDATE outbox_message SET status = 'unknown' WHERE status = 'queued'")
        let sessions = try keepsSessions ? 0 : target.run("DELETE FROM \(Session.table)")
        if !keepsSessions { try target.run("DELETE FROM \(SigningKey.table)") }
        return Result(
            copied: copy.result(copied: copied, found: found),
            replaced: replaced,
            expiredCodes: codes,
            expiredApprovals: approvals,
            unknownMessages: messages,
            endedSessions: sessions,
            validAPIKeys: try target.all(APIKey.self, "WHERE revoked_at IS NULL").count
        )
    }
}

public enum RestorationError: Error {
    /// Nothing was changed.
    case targetNotEmpty([(String, Int)])
    /// The target has not kept what it was given. Nothing was changed.
    case different
}
