/// One line of the audit trail: who did what to which verification, and when. It holds no number and no code.
public struct AuditEntry: Hashable, Sendable {
    /// What was done. The raw values are what stores keep and what operators filter by.
    public enum Action: String, Sendable, CaseIterable {
        /// A verification was begun, and its message queued.
        case begin
        /// The message of a live verification was queued once more.
        case resend
        /// A message was asked for, and the guard held it back.
        case holdBack = "hold_back"
        /// The right code came.
        case approve
        /// The right code, or the wish to be signed up by it, came once more from the one who had done so a moment ago.
        case repeatApproval = "repeat"
        /// A wrong code came.
        case mismatch
        /// The verification was called off.
        case cancel
        /// The approval was used.
        case signUp = "sign_up"
        /// An operator has had a message of it tried once more.
        case retry
        /// An operator has erased the number.
        case erase
        /// An account's number went to whoever proved it now, since nobody had been heard of for long.
        case unlink
        /// A program decided that whoever proved a dormant account's number is its holder.
        case decideSignIn = "decide_sign_in"
        /// It was decided, by a program or by whoever proved it, that a dormant account's number gets a new account.
        case decideNewAccount = "decide_new_account"
        /// A refresh token was used that had been used before: its session was ended.
        case reuse
        /// A session was ended by its holder.
        case signOut = "sign_out"
        /// An account got this number in place of another.
        case changeNumber = "change_number"
        /// A change of number was undone: the account has this number again.
        case undoChange = "undo_change"
        /// An account got another number in place of this one, or its old one back.
        case leaveNumber = "leave_number"
        /// The holder of an account asked for its deletion.
        case requestDeletion = "request_deletion"
        /// An account was deleted.
        case deleteAccount = "delete_account"
    }

    /// When.
    public let at: Timestamp
    /// What.
    public let action: Action
    /// Who asked; nil where nobody did, or who it was has been erased.
    public let owner: Owner?
    /// From where, if that is known and not erased.
    public let address: ClientAddress?
    /// The verification, if there is one.
    public let verificationID: Verification.ID?
    /// The number, masked (``PhoneNumber/masked``); nil once it is erased.
    public let maskedNumber: String?
    /// The number's digest; nil once it is erased.
    public let numberDigest: NumberDigest?
    /// The digest of its prefix; nil once it is erased. Not the prefix: with what the mask leaves it would be the number.
    public let prefixDigest: NumberDigest?
    /// The number's country.
    public let region: Region?
    /// What the guard said, if it was asked.
    public let verdict: GuardVerdict.Action?
    /// Why the guard said so.
    public let reasons: [GuardVerdict.Reason]

    /// An entry as a store kept it.
    public init(
        at: Timestamp,
        action: Action,
        owner: Owner?,
        address: ClientAddress?,
        verificationID: Verification.ID?,
        maskedNumber: String?,
        numberDigest: NumberDigest?,
        prefixDigest: NumberDigest?,
        region: Region?,
        verdict: GuardVerdict.Action? = nil,
        reasons: [GuardVerdict.Reason] = []
    ) {
        self.at = at
        self.action = action
        self.owner = owner
        self.address = address
        self.verificationID = verificationID
        self.maskedNumber = maskedNumber
        self.numberDigest = numberDigest
        self.prefixDigest = prefixDigest
        self.region = region
        self.verdict = verdict
        self.reasons = reasons
    }

    /// The entry without what tells whom it concerns: what was done, when and why stays, and so does the program that
    /// asked. The name of the verification stays too: with its verification gone it leads nowhere.
    public var unlinked: AuditEntry {
        AuditEntry(
            at: at,
            action: action,
            owner: owner.flatMap { $0.isPerson ? nil : $0 },
            address: nil,
            verificationID: verificationID,
            maskedNumber: nil,
            numberDigest: nil,
            prefixDigest: nil,
            region: region,
            verdict: verdict,
            reasons: reasons
        )
    }
}
