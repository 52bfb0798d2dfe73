/// An account's change from one number to another, and how it can be undone by whoever has the old one.
///
/// The old number is told, by a message with a link. The link's secret is derived from the change's name under the
/// service's keys (``UndoTokens``), so it stands nowhere in clear.
public struct NumberChange: Identified, Hashable, Sendable {
    public static let identifierPrefix = "chg"

    /// Its name.
    public let id: ID
    /// Whose number it is.
    public let accountID: Account.ID
    /// The session in which it was made.
    public let sessionID: Session.ID
    /// The verification that proved the new number.
    public let verificationID: Verification.ID
    /// The number of before; nil if the account had none: then nobody is told, and nothing can be undone.
    public let oldNumber: PhoneNumber?
    /// The number from then on.
    public let newNumber: PhoneNumber
    /// The language of the message to the old number.
    public let language: LanguageTag
    /// When it was made; no two of an account were made at one moment (``Account/phoneNumberSince``).
    public let changedAt: Timestamp
    /// Until when it can be undone.
    public let undoableUntil: Timestamp
    /// The digest of the secret that undoes it.
    public let undoDigest: [UInt8]
    /// When it could no longer be undone before its time: it was, or an earlier one was.
    public internal(set) var closedAt: Timestamp?

    /// A change as a store kept it.
    public init(
        id: ID,
        accountID: Account.ID,
        sessionID: Session.ID,
        verificationID: Verification.ID,
        oldNumber: PhoneNumber?,
        newNumber: PhoneNumber,
        language: LanguageTag,
        changedAt: Timestamp,
        undoableUntil: Timestamp,
        undoDigest: [UInt8],
        closedAt: Timestamp? = nil
    ) {
        self.id = id
        self.accountID = accountID
        self.sessionID = sessionID
        self.verificationID = verificationID
        self.oldNumber = oldNumber
        self.newNumber = newNumber
        self.language = language
        self.changedAt = changedAt
        self.undoableUntil = undoableUntil
        self.undoDigest = undoDigest
        self.closedAt = closedAt
    }

    /// Whether it can be undone.
    public func isUndoable(at now: Timestamp) -> Bool {
        oldNumber != nil && closedAt == nil && now < undoableUntil
    }
}
