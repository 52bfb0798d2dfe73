/// What was erased, by kind.
public struct Erasure: Hashable, Sendable {
    /// Accounts of the number: one or none.
    public var accounts = 0
    /// Sessions of that account: devices that were signed in.
    public var sessions = 0
    /// Changes from or to the number.
    public var numberChanges = 0
    /// Verifications of the number or used for its account, in progress and ended.
    public var verifications = 0
    /// Messages of those verifications and changes, sent and owed.
    public var messages = 0
    /// Whether the number's sends and failures were known: 1 or 0.
    public var activities = 0
    /// Guided signups with the number.
    public var signups = 0
    /// Operator's rules for this one number.
    public var guardRules = 0
    /// Safe lists that had the number.
    public var safeNumbers = 0
    /// Limits that were counted by the number.
    public var limitMeters = 0
    /// Answers that were kept for requests that come again.
    public var answers = 0
    /// Accounts of others in whose metadata the number was.
    public var metadata = 0
    /// Entries of the audit trail that no longer tell whom they concern.
    public var auditEntries = 0

    /// Nothing.
    public init() {}

    /// Whether there was nothing to erase.
    public var isEmpty: Bool { self == Erasure() }
}
