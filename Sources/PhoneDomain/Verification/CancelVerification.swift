/// Calls a verification off.
public struct CancelVerification: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The verification, or nil if there is none of that name.
        public var verification: Verification?
        /// The line for the audit trail, set by the command.
        public var audit: AuditEntry?

        /// The state before the command.
        public init(verification: Verification?) {
            self.verification = verification
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// It is canceled, now or already before.
        case canceled(Verification)
        /// It is not there, or has ended otherwise.
        case refused(PhoneFailure)
    }

    /// The verification's name.
    public let id: Verification.ID
    /// Who calls it off; a verification of another owner is as good as none.
    public let owner: Owner
    /// Writes the audit trail.
    public let auditor: Auditor
    /// The moment.
    public let now: Timestamp

    /// A cancellation of these parts.
    public init(
        id: Verification.ID,
        owner: Owner,
        auditor: Auditor,
        now: Timestamp
    ) {
        self.id = id
        self.owner = owner
        self.auditor = auditor
        self.now = now
    }

    /// Cancels a pending verification; one that is canceled already stays so, since the caller has what was asked. To a
    /// tenant it no longer exists by then, as in the interface that tenants use.
    /// One whose checks are used up stays locked: to call it off would be a way to new checks.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        guard var found = state.verification, found.owner == owner else { return .refused(.verificationNotFound) }
        switch found.status(at: now) {
        case .pending:
            found.cancel(at: now)
            state.verification = found
            state.audit = try auditor.entry(.cancel, found.phoneNumber, id, at: now)
            return .canceled(found)
        case .canceled:
            return owner.tenant == nil ? .canceled(found) : .refused(.verificationClosed)
        case .expired:
            return .refused(.codeExpired)
        case .approved, .failed, .maxAttemptsReached:
            return .refused(.verificationClosed)
        }
    }
}
