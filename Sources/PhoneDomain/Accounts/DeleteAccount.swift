/// Deletes an account whose time is over, and what is kept of its holder.
///
/// Deleted are the account, its sessions, its changes of number with their notices, the verifications that were used for
/// it or were of its number, with their messages, guided signups that have one of these, events about any of them, and
/// answers that are kept for requests that come again. Entries of the audit trail about these stay and are unlinked.
///
/// Unlike ``EraseNumber``, it leaves what the number has been through, its limits and operator's rules about it: anyone can
/// have their account deleted as often as they like, and must not have more messages or tries for it. These go by
/// themselves.
public struct DeleteAccount: Sendable {
    /// Which.
    public let id: Account.ID
    /// What the trail keeps of it: neither the number nor its digest.
    public let entry: AuditEntry
    /// The moment.
    public let now: Timestamp
    private let digester: any NumberDigester

    /// The deletion of this account.
    public init(_ id: Account.ID, digester: any NumberDigester, now: Timestamp) {
        self.id = id
        self.digester = digester
        self.now = now
        entry = AuditEntry(
            at: now,
            action: .deleteAccount,
            owner: .local,
            address: nil,
            verificationID: nil,
            maskedNumber: nil,
            numberDigest: nil,
            prefixDigest: nil,
            region: nil
        )
    }

    /// Whether the account goes: it may have been taken back since it was found to be due.
    public func covers(_ account: Account) -> Bool {
        account.id == id && account.isDue(at: now)
    }

    /// The digests of its number by which the audit trail knows it.
    ///
    /// - Throws: what ``NumberDigester/digests(of:)`` throws.
    public func digests(of account: Account) throws -> [NumberDigest] {
        try account.phoneNumber.map { try digester.digests(of: $0.e164) } ?? []
    }

    /// Whether the verification goes: one that was used for the account, or is of its number and over.
    public func covers(_ verification: Verification, of account: Account) -> Bool {
        if verification.consumedBy == account.id { return true }
        // One that is under way may be of somebody who has the number now.
        return verification.phoneNumber == account.phoneNumber && verification.status(at: now) != .pending
            && verification.consumedBy == nil
            // An approval may be used for an hour at most (``VerificationPolicy/approvalTTL``).
            && max(verification.end, verification.updatedAt + .seconds(3600)) <= now
    }

    /// Whether the entry is to be unlinked.
    ///
    /// - Parameters:
    ///   - verifications: those that go, and the one that made the account.
    ///   - digests: of its number.
    ///   - account: the account.
    public func covers(
        _ entry: AuditEntry,
        of verifications: Set<Verification.ID>,
        _ digests: [NumberDigest],
        _ account: Account
    ) -> Bool {
        entry != entry.unlinked && PersonalData.covers(entry, of: verifications, digests, account)
    }

    /// What events are about that go.
    public func subjects(verifications: Set<Verification.ID>, messages: some Sequence<OutboxMessage.ID>)
        -> [EventSubject]
    {
        verifications.map(EventSubject.verification) + messages.map(EventSubject.message) + [.account(id)]
    }
}
