public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// Schedules the deletion of an account after a grace period, at the request of one of its sessions. All of its
/// sessions end; signing in again within the period cancels it.
public struct RequestDeletion: Command {
    public struct State: Sendable {
        /// Nil if the session or its account does not exist.
        public var signedIn: SignedIn?
        public var audit: AuditEntry?
        public init(signedIn: SignedIn?) { self.signedIn = signedIn }
    }

    public let sessionID: Session.ID
    let accountPolicy: AccountPolicy
    let auditor: Auditor
    public let now: Timestamp

    public func apply(to state: inout State) throws -> Result<Account, PhoneFailure> {
        guard let signedIn = state.signedIn, signedIn.session.id == sessionID, signedIn.holds(at: now)
        else { return .failure(.notSignedIn) }
        var account = signedIn.account
        // A client that changed the number and deletes the account may be a thief: the change can be undone first.
        let end = now + max(accountPolicy.deletionGrace, accountPolicy.undoTime)
        account.deletionDueAt = min(account.deletionDueAt ?? end, end)
        account.endSessions()
        state.signedIn = SignedIn(session: signedIn.session, account: account)
        state.audit = try auditor.entry(.requestDeletion, account.phoneNumber, nil, at: now)
        return .success(account)
    }
}

/// Deletes an account that is due, and the data of its owner.
///
/// Deleted are the account, its sessions, its changes of number with their notices, the verifications that were used
/// for it or were of its number, with their messages, guided signups with one of these, events about any of them, and
/// answers stored for idempotency keys. Entries of the audit log about these stay and are unlinked.
///
/// Unlike `EraseNumber`, it leaves the number's activity, its limits and operator's rules about it: anyone can have
/// their account deleted as often as they like, and must not get more messages or checks by it. These expire by
/// themselves.
public struct DeleteAccount: Sendable {
    public let id: Account.ID
    /// The audit entry: neither the number nor its digest.
    public let entry: AuditEntry
    public let now: Timestamp
    private let digester: any NumberDigester

    public init(_ id: Account.ID, digester: any NumberDigester, now: Timestamp) {
        (self.id, self.digester, self.now) = (id, digester, now)
        entry = AuditEntry(at: now, action: .deleteAccount, owner: .local)
    }

    /// Whether the account is deleted: it may have been restored since it was found to be due.
    public func covers(_ account: Account) -> Bool { account.id == id && account.isDue(at: now) }

    /// The digests of its number in the audit log. Throws what ``NumberDigester/digests(of:)`` throws.
    public func digests(of account: Account) throws -> [NumberDigest] {
        try account.phoneNumber.map { try digester.digests(of: $0.e164) } ?? []
    }

    /// Whether the verification is deleted: it was used for the account, or is of its number and has ended.
    public func covers(_ verification: Verification, of account: Account) -> Bool {
        if verification.consumedBy == account.id { return true }
        // One in progress may be of a person who has the number now.
        return verification.phoneNumber == account.phoneNumber && verification.status(at: now) != .pending
            && verification.consumedBy == nil
            // An approval may be used for an hour at most (``VerificationPolicy/approvalTTL``).
            && max(verification.end, verification.updatedAt + .seconds(3600)) <= now
    }

    /// Whether the entry is to be unlinked. `verifications` are those that are deleted, and the one that created the
    /// account; `digests` those of its number.
    public func covers(
        _ entry: AuditEntry,
        of verifications: Set<Verification.ID>,
        _ digests: [NumberDigest],
        _ account: Account
    ) -> Bool {
        entry != entry.unlinked && PersonalData.covers(entry, of: verifications, digests, account)
    }
}

/// All data of the owner of an account (Regulation (EU) 2016/679, article 15), except secrets and their digests.
public struct PersonalData: Hashable, Sendable {
    public let account: Account
    /// Including expired ones that are still stored, but for those that were all ended together; the newest first and
    /// then by ID.
    public var sessions: [Session] = []
    /// Oldest first, as all that follow.
    public var changes: [NumberChange] = []
    /// The verifications that were used for it, and those of its number since it has it.
    public var verifications: [Verification] = []
    public var messages: [OutboxMessage] = []
    public var signups: [Signup] = []
    public var activity = NumberActivity.none
    /// Undelivered events about the account.
    public var events: [Event] = []
    /// Audit entries about those verifications, and about the number since the account has it.
    public var audit: [AuditEntry] = []
    /// What docks have stored with the account.
    public var others: [OwnedRecord] = []
    public init(of account: Account) { self.account = account }

    /// Whether the verification is the account's: it was used for it, or is of the number since the account has it.
    public static func covers(_ verification: Verification, of account: Account) -> Bool {
        verification.consumedBy == account.id || verification.id == account.createdBy
            || verification.phoneNumber == account.phoneNumber && verification.createdAt >= account.phoneNumberSince
    }

    /// Whether the entry is about the account: about one of its verifications, or about the number since the account
    /// has it. Before that time the number was somebody else's. `verifications` include the one that created the
    /// account, which may be long deleted; `digests` are those of its number.
    public static func covers(
        _ entry: AuditEntry,
        of verifications: Set<Verification.ID>,
        _ digests: [NumberDigest],
        _ account: Account
    ) -> Bool {
        if let id = entry.verificationID, verifications.contains(id) { return true }
        return entry.at >= account.phoneNumberSince && entry.numberDigest.map(digests.contains) ?? false
    }
}

/// A record of a dock's with an account, for the account's owner: what has a meaning for people, by the names of its
/// columns.
public struct OwnedRecord: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int64)
        case flag(Bool)
        case moment(Timestamp)
    }

    public struct Field: Hashable, Sendable {
        public let name: String
        /// Nil for none.
        public let value: Value?
        public init(_ name: String, _ value: Value?) { (self.name, self.value) = (name, value) }
    }

    /// The name of its table.
    public let kind: String
    public let fields: [Field]
    public init(kind: String, fields: [Field]) { (self.kind, self.fields) = (kind, fields) }
}
