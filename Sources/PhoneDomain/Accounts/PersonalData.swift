/// All that is held on the person who has an account (Regulation (EU) 2016/679, article 15), but for secrets and their
/// digests.
public struct PersonalData: Hashable, Sendable {
    /// The account.
    public var account: Account
    /// The devices that are signed in, and those whose sessions are over and still kept; the youngest first and then by name.
    public var sessions: [Session]
    /// Its changes of number, oldest first.
    public var changes: [NumberChange]
    /// The verifications that were used for it, and those of its number since it has it, oldest first.
    public var verifications: [Verification]
    /// Their messages, oldest first.
    public var messages: [OutboxMessage]
    /// Guided signups with one of those verifications, oldest first.
    public var signups: [Signup]
    /// What its number has been through.
    public var activity: NumberActivity
    /// Events about the account that are still to be told or could not be, oldest first.
    public var events: [Event]
    /// What the audit trail has about those verifications, and about the number since the account has it, oldest first.
    public var audit: [AuditEntry]

    /// Data of these parts.
    public init(
        account: Account,
        sessions: [Session],
        changes: [NumberChange],
        verifications: [Verification],
        messages: [OutboxMessage],
        signups: [Signup],
        activity: NumberActivity,
        events: [Event],
        audit: [AuditEntry]
    ) {
        self.account = account
        self.sessions = sessions
        self.changes = changes
        self.verifications = verifications
        self.messages = messages
        self.signups = signups
        self.activity = activity
        self.events = events
        self.audit = audit
    }

    /// Whether the verification is the account's: it was used for it, or it is of the number since the account has it.
    public static func covers(_ verification: Verification, of account: Account) -> Bool {
        verification.consumedBy == account.id || verification.id == account.createdBy
            || verification.phoneNumber == account.phoneNumber && verification.createdAt >= account.phoneNumberSince
    }

    /// Whether the entry is about the account: about one of its verifications, or about the number since the account has it.
    /// Before that time the number was somebody else's.
    ///
    /// - Parameters:
    ///   - verifications: those of the account, and the one that made it, which may be long gone.
    ///   - digests: of its number.
    ///   - account: the account.
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
