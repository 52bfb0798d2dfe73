public import CoreEncodings
public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// A query for entries of the audit log. A nil field matches any entry.
public struct AuditQuery: Hashable, Sendable {
    /// Those of the number with one of these digests (``NumberDigester/digests(of:)``).
    public var numberDigests: [NumberDigest]?
    public var verificationID: Verification.ID?
    public var owner: Owner?
    public var action: AuditEntry.Action?
    /// Whether only what operators did and looked at is shown: ``AuditEntry/Action/isOfOperators``, and whatever has a
    /// reason.
    public var hasOperatorsOnly = false
    /// Inclusive.
    public var since: Timestamp?
    /// Exclusive.
    public var until: Timestamp?
    /// Those older than this place (``AuditPage/next``).
    public var before: Int64?
    /// How many entries, at least 1.
    public var limit: Int { didSet { limit = max(1, limit) } }
    public init(limit: Int) { self.limit = max(1, limit) }
}

public struct AuditPage: Hashable, Sendable {
    public let entries: [AuditEntry]
    /// Where the next page begins; nil after the last one.
    public let next: Int64?

    /// A page of what a store found: newest first, and one more than `limit` if there are more.
    public init(_ found: [(serial: Int64, entry: AuditEntry)], limit: Int) {
        entries = found.prefix(limit).map(\.entry)
        next = found.count > limit ? found.prefix(limit).last?.serial : nil
    }
}

extension AuditEntry.Action {
    /// Whether operators alone do it. Some of the others they do, too.
    public var isOfOperators: Bool {
        switch self {
        case .begin, .resend, .suppress, .approve, .repeatApproval, .mismatch, .cancel, .signUp, .unlink, .decideSignIn,
            .decideNewAccount, .reuse, .signOut, .changeNumber, .undoChange, .leaveNumber, .requestDeletion,
            .deleteAccount, .addSignInKey, .removeSignInKey, .signInByKey:
            false
        case .retry, .erase, .importAccount, .exportAccount, .exportAccounts, .suspendAccount, .restoreAccount,
            .updateAccount, .allowPrefix,
            .blockPrefix,
            .removeRule, .unblockPrefix, .clearLimit, .clearNumber, .createKey, .revokeKey, .rotateSealingKey,
            .rotateSigningKey, .retryEvent, .createClient, .updateClient, .rotateClientSecret, .revokeClient,
            .pauseGateway,
            .resumeGateway, .testGateway, .setGuardMode, .reloadSettings, .signInToConsole, .viewPerson:
            true
        }
    }

    public var title: String {
        switch self {
        case .suppress: "suppressed by the guard"
        case .mismatch: "wrong code"
        case .repeatApproval: "approval repeated"
        case .reuse: "refresh token used twice"
        case .leaveNumber: "number left"
        case .retry: "message sent again"
        case .retryEvent: "event delivered again"
        case .signInToConsole: "signed in to the console"
        case .viewPerson: "looked at a person"
        default: String(rawValue.map { $0 == "_" ? " " : $0 })
        }
    }
}

extension AuditEntry {
    /// The entry as operators and their programs see it.
    public var json: JSON {
        [
            "at": .string(at.description), "action": .string(action.rawValue), "owner": .string(owner?.rawValue),
            "address": .string(address?.description), "verification_id": .string(verificationID?.description),
            "masked_number": .string(maskedNumber), "region": .string(region?.description),
            "verdict": .string(verdict?.rawValue), "reasons": .array(reasons.map { .string($0.rawValue) }),
            "subject": .string(subject), "reason": .string(reason?.description),
            "number_digest": .string(numberDigest?.description), "prefix_digest": .string(prefixDigest?.description),
            "measure": measure?.json ?? .null, "reference": .string(labels.reference?.description),
            "tags": labels.tags?.json ?? .null,
        ]
    }
}

extension GuardMeasure {
    public var json: JSON { ["prefix": prefix.json, "country": country.json] }
}

extension GuardMeasure.Part {
    fileprivate var json: JSON {
        ["sent": .integer(sent), "approved": .integer(approved), "budget": .integer(budget)]
    }
}

extension Labels.Tags {
    public var json: JSON { .object(all.map { JSON.Member($0.key, .string($0.value)) }) }
}
