public import PhoneNumbers
public import PhoneSignup

/// One entry of the audit log: who did what, when and to what. It contains no number and no code.
public struct AuditEntry: Hashable, Sendable {
    /// Raw values are stored, and operators filter by them.
    public enum Action: String, Sendable, CaseIterable {
        case begin
        case resend
        case suppress = "hold_back"
        case approve
        /// An approval, or a signup by it, was repeated to the client that had it a moment ago.
        case repeatApproval = "repeat"
        case mismatch, cancel
        case signUp = "sign_up"
        case retry
        case erase
        /// An inactive account lost its number to the person who proved it now.
        case unlink
        /// A program decided that the person who proved a dormant account's number is its owner.
        case decideSignIn = "decide_sign_in"
        /// A program, or the person who proved it, decided that a dormant account's number gets a new account.
        case decideNewAccount = "decide_new_account"
        /// A refresh token was used a second time: its session was ended.
        case reuse
        case signOut = "sign_out"
        /// An account got this number in place of another.
        case changeNumber = "change_number"
        case undoChange = "undo_change"
        /// An account got another number in place of this one, or its old one back.
        case leaveNumber = "leave_number"
        case requestDeletion = "request_deletion"
        case deleteAccount = "delete_account"
        /// A device got a key that signs in to an account.
        case addSignInKey = "add_sign_in_key"
        case removeSignInKey = "remove_sign_in_key"
        case signInByKey = "sign_in_by_key"
        // Acts of operators alone.
        case exportAccount = "export_account"
        case suspendAccount = "suspend_account"
        case restoreAccount = "restore_account"
        case updateAccount = "update_account"
        case importAccount = "import_account"
        /// All accounts were exported, or a page of them.
        case exportAccounts = "export_accounts"
        case allowPrefix = "allow_prefix"
        case blockPrefix = "block_prefix"
        case removeRule = "remove_rule"
        case unblockPrefix = "unblock_prefix"
        case clearLimit = "clear_limit"
        case clearNumber = "clear_number"
        case createKey = "create_key"
        case revokeKey = "revoke_key"
        case rotateSealingKey = "rotate_sealing_key"
        case rotateSigningKey = "rotate_signing_key"
        case retryEvent = "retry_event"
        case createClient = "create_client"
        case updateClient = "update_client"
        case rotateClientSecret = "rotate_client_secret"
        case revokeClient = "revoke_client"
        case pauseGateway = "pause_gateway"
        case resumeGateway = "resume_gateway"
        case testGateway = "test_gateway"
        case setGuardMode = "set_guard_mode"
        case reloadSettings = "reload_settings"
        case signInToConsole = "console_sign_in"
        /// The console has shown what is stored of a person.
        case viewPerson = "view_person"
    }

    public let at: Timestamp
    public let action: Action
    /// Nil where nobody asked, or the owner has been erased.
    public private(set) var owner: Owner?
    /// Nil if unknown or erased.
    public private(set) var address: ClientAddress?
    public let verificationID: Verification.ID?
    /// ``PhoneNumber/masked``; nil once it is erased.
    public private(set) var maskedNumber: String?
    /// Nil once it is erased.
    public private(set) var numberDigest: NumberDigest?
    /// The digest of its prefix; nil where the guard was not asked, and once it is erased. The prefix and the masked
    /// number would reveal the number.
    public private(set) var prefixDigest: NumberDigest?
    public let region: Region?
    public let verdict: GuardVerdict.Action?
    /// Why the guard decided so.
    public let reasons: [GuardVerdict.Reason]
    /// What it judged by, whatever it decided; nil where it was not asked.
    public let measure: GuardMeasure?
    /// Those of the verification; none once its number is erased.
    public private(set) var labels: Labels
    /// What an operator's act was about, if not a number: an ID, a limit, a prefix of at least ten thousand numbers.
    public let subject: String?
    /// Why an operator did it; nil once the number is erased, which it may name.
    public private(set) var reason: AuditReason?

    public init(
        at: Timestamp,
        action: Action,
        owner: Owner?,
        address: ClientAddress? = nil,
        verificationID: Verification.ID? = nil,
        maskedNumber: String? = nil,
        numberDigest: NumberDigest? = nil,
        prefixDigest: NumberDigest? = nil,
        region: Region? = nil,
        verdict: GuardVerdict.Action? = nil,
        reasons: [GuardVerdict.Reason] = [],
        subject: String? = nil,
        reason: AuditReason? = nil,
        measure: GuardMeasure? = nil,
        labels: Labels = .none
    ) {
        (self.at, self.action, self.owner, self.address) = (at, action, owner, address)
        (self.verificationID, self.maskedNumber, self.numberDigest) = (verificationID, maskedNumber, numberDigest)
        (self.prefixDigest, self.region, self.verdict, self.reasons) = (prefixDigest, region, verdict, reasons)
        (self.subject, self.reason, self.measure, self.labels) = (subject, reason, measure, labels)
    }

    /// The entry without what identifies a person: what was done, when and why stays, and so does the program that
    /// asked. The ID of the verification stays too: with its verification deleted it leads nowhere.
    public var unlinked: AuditEntry {
        var entry = self
        if owner?.isPerson == true { entry.owner = nil }
        (entry.address, entry.maskedNumber, entry.numberDigest, entry.prefixDigest) = (nil, nil, nil, nil)
        (entry.reason, entry.labels) = (nil, .none)
        return entry
    }
}

/// Why an operator did something, in their own words: one line of 1 to 200 characters, none of them a control or format
/// character. It is stored as written.
public struct AuditReason: Hashable, Sendable, LosslessStringConvertible {
    public static let longest = 200
    /// What a text is that is none.
    public static let requirement = "must be one line of 1 to \(longest) characters"
    public let description: String

    public init?(_ description: String) {
        guard description.isLine(of: Self.longest) else { return nil }
        self.description = description
    }
}

/// Makes the audit entries of one command: it knows who asks and from where, and makes the digests.
public struct Auditor: Sendable {
    private let digester: any NumberDigester
    private let owner: Owner
    private let address: ClientAddress?
    private let reason: AuditReason?
    private var prepared: (number: PhoneNumber, traces: Traces)?

    /// What entries have of a number.
    private struct Traces {
        let masked: String
        let digest: NumberDigest
        let prefixDigest: NumberDigest?
    }

    public init(digester: any NumberDigester, owner: Owner, address: ClientAddress?, reason: AuditReason? = nil) {
        (self.digester, self.owner, self.address, self.reason) = (digester, owner, address, reason)
    }

    /// This auditor, which has made the digests of a number already: within a transaction all others would wait for them.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` throws.
    func prepared(for number: PhoneNumber) throws -> Auditor {
        var auditor = self
        auditor.prepared = (number, try traces(of: number, withPrefix: true))
        return auditor
    }

    private func traces(of number: PhoneNumber, withPrefix: Bool) throws -> Traces {
        if let prepared, prepared.number == number { return prepared.traces }
        return Traces(
            masked: number.masked,
            digest: try digester.digest(of: number.e164),
            prefixDigest: withPrefix ? try digester.digest(of: number.prefix) : nil
        )
    }

    /// Throws what ``NumberDigester/digest(of:)`` throws; then the action may not be saved, since it would leave no
    /// trace.
    package func entry(
        _ action: AuditEntry.Action,
        _ number: PhoneNumber?,
        _ verificationID: Verification.ID?,
        verdict: GuardVerdict? = nil,
        measure: GuardMeasure? = nil,
        labels: Labels = .none,
        at now: Timestamp
    ) throws -> AuditEntry {
        let traces = try number.map { try self.traces(of: $0, withPrefix: verdict != nil) }
        return AuditEntry(
            at: now,
            action: action,
            owner: owner,
            address: address,
            verificationID: verificationID,
            maskedNumber: traces?.masked,
            numberDigest: traces?.digest,
            // What is looked for by prefix is what the guard has said.
            prefixDigest: verdict == nil ? nil : traces?.prefixDigest,
            region: number?.region,
            verdict: verdict?.action,
            reasons: verdict?.reasons ?? [],
            reason: reason,
            measure: measure,
            labels: labels
        )
    }

    /// The entry of something that happened to a verification.
    package func entry(
        _ action: AuditEntry.Action,
        _ verification: Verification,
        verdict: GuardVerdict? = nil,
        measure: GuardMeasure? = nil,
        at now: Timestamp
    ) throws -> AuditEntry {
        try entry(
            action,
            verification.phoneNumber,
            verification.id,
            verdict: verdict,
            measure: measure,
            labels: verification.labels,
            at: now
        )
    }
}

/// A keyed digest of a number or of its prefix: the same number gives the same digest, and without the key nobody can
/// find the number of a digest. The audit log is joined and searched by it without containing a number.
public struct NumberDigest: Hashable, Sendable, CustomStringConvertible {
    /// The text form, as it is stored: the ID of the key, a colon, and the digest.
    public let description: String
    public init(rawValue: String) { description = rawValue }
}
