/// Calls a verification off.
public struct CancelVerification: Sendable {
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
    /// The moment.
    public let now: Timestamp

    /// A cancellation of these parts.
    public init(
        id: Verification.ID,
        owner: Owner,
        now: Timestamp
    ) {
        self.id = id
        self.owner = owner
        self.now = now
    }

    /// Cancels a pending verification; one that is canceled already stays so, since the caller has what was asked.
    /// One whose checks are used up stays locked: to call it off would be a way to new checks.
    public func apply(to verification: inout Verification?) -> Outcome {
        guard var found = verification, found.owner == owner else { return .refused(.verificationNotFound) }
        switch found.status(at: now) {
        case .pending:
            found.cancel(at: now)
            verification = found
            return .canceled(found)
        case .canceled:
            return .canceled(found)
        case .expired:
            return .refused(.codeExpired)
        case .approved, .failed, .maxAttemptsReached:
            return .refused(.verificationClosed)
        }
    }
}
