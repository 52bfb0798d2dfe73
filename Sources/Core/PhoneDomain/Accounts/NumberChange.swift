public import PhoneNumbers
public import PhoneSignup

/// An account's change from one number to another, which the owner of the old one can undo.
///
/// The old number gets a message with a link. The link's secret is derived from the change's ID under the service's
/// keys (`UndoTokens`), so it is stored nowhere in clear.
public struct NumberChange: Identified, Hashable, Sendable {
    public static let identifierPrefix = "chg"
    public let id: ID
    public let accountID: Account.ID
    public let sessionID: Session.ID
    public let verificationID: Verification.ID
    /// Nil if the account had none: then no message is sent, and nothing can be undone.
    public let oldNumber: PhoneNumber?
    public let newNumber: PhoneNumber
    public let language: LanguageTag
    /// Distinct for all changes of an account (``Account/phoneNumberSince``).
    public let changedAt: Timestamp
    public let undoableUntil: Timestamp
    public let undoDigest: [UInt8]
    /// When it became final early: it was undone, or an earlier one was.
    public package(set) var closedAt: Timestamp?

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
        (self.id, self.accountID, self.sessionID, self.verificationID) = (id, accountID, sessionID, verificationID)
        (self.oldNumber, self.newNumber, self.language, self.changedAt) = (oldNumber, newNumber, language, changedAt)
        (self.undoableUntil, self.undoDigest, self.closedAt) = (undoableUntil, undoDigest, closedAt)
    }

    /// How many changes an account may have whose time to be undone is not over (``AccountPolicy/undoTime``). All of
    /// them are read whenever its number changes.
    public static let most = 20

    public func isUndoable(at now: Timestamp) -> Bool { oldNumber != nil && closedAt == nil && now < undoableUntil }
}
