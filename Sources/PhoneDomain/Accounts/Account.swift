/// What a signup gives: a person known by a proven number. No two accounts hold one number.
public struct Account: Identified, Hashable, Sendable {
    public static let identifierPrefix = "acc"

    /// Its name, which stays when the number changes.
    public let id: ID
    /// The number that was proven; nil since it was unlinked, because somebody else has it now.
    public internal(set) var phoneNumber: PhoneNumber?
    /// Since when it holds that number, or since when it holds none; of two changes in one millisecond the second is a
    /// millisecond later.
    public internal(set) var phoneNumberSince: Timestamp
    /// When it was made.
    public let createdAt: Timestamp
    /// The verification by which it was made.
    public let createdBy: Verification.ID
    /// When its holder was last heard of, to within ``activityInterval``: signed in, or had a session go on.
    public internal(set) var lastActiveAt: Timestamp
    /// What the programs that use the service keep with it.
    public internal(set) var metadata: AccountMetadata
    /// From when on it is to be deleted; nil for one that stays.
    public internal(set) var deletionDueAt: Timestamp?

    /// How long signs of life may go unrecorded after one that was: an account that is used a hundred times a day is not
    /// written as often.
    public static let activityInterval: Duration = .seconds(3600)

    /// An account as a store kept it.
    ///
    /// - Parameters:
    ///   - phoneNumberSince: nil for `createdAt`.
    ///   - lastActiveAt: nil for `createdAt`.
    public init(
        id: ID,
        phoneNumber: PhoneNumber?,
        phoneNumberSince: Timestamp? = nil,
        createdAt: Timestamp,
        createdBy: Verification.ID,
        lastActiveAt: Timestamp? = nil,
        metadata: AccountMetadata = .empty,
        deletionDueAt: Timestamp? = nil
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.phoneNumberSince = phoneNumberSince ?? createdAt
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.lastActiveAt = lastActiveAt ?? createdAt
        self.metadata = metadata
        self.deletionDueAt = deletionDueAt
    }

    /// Whether it is to be deleted by now.
    public func isDue(at now: Timestamp) -> Bool {
        deletionDueAt.map { $0 <= now } ?? false
    }

    /// Whether nobody has been heard of for so long that its number may have gone to somebody else.
    public func isDormant(at now: Timestamp, policy: AccountPolicy) -> Bool {
        guard let time = policy.dormantAfter else { return false }
        return lastActiveAt + time <= now
    }

    /// Records a sign of life, if it is worth it.
    mutating func recordActivity(at now: Timestamp) {
        // A clock that was set back must not make it look older.
        if lastActiveAt + Self.activityInterval <= now { lastActiveAt = now }
    }

    /// Its holder has proven the number and is back: nothing of a deletion that was asked for remains.
    mutating func recordSignIn(at now: Timestamp) {
        lastActiveAt = max(lastActiveAt, now)
        deletionDueAt = nil
    }

    /// Takes the number from it and holds it for whoever still has a session of it; then it is deleted.
    mutating func unlink(at now: Timestamp, policy: AccountPolicy) {
        phoneNumber = nil
        phoneNumberSince = next(now)
        let end = now + policy.holdTime
        deletionDueAt = min(deletionDueAt ?? end, end)
    }

    /// Gives it a number that was proven for it.
    mutating func take(_ number: PhoneNumber, at now: Timestamp) {
        // One that was held because its number was gone is no longer.
        if phoneNumber == nil { deletionDueAt = nil }
        phoneNumber = number
        phoneNumberSince = next(now)
    }

    /// The moment of a change of number, later than that of the one before in any case: undoing one ends those that were
    /// made after it and no other, though they come within a millisecond or by the clock of another instance.
    private func next(_ now: Timestamp) -> Timestamp {
        max(now, phoneNumberSince + .milliseconds(1))
    }
}
