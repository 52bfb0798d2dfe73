/// What a signup gives: a person known by a proven number. No two accounts hold one number.
public struct Account: Identified, Hashable, Sendable {
    public static let identifierPrefix = "acc"

    /// Its name, which stays when the number changes.
    public let id: ID
    /// The number that was proven.
    public let phoneNumber: PhoneNumber
    /// When it was made.
    public let createdAt: Timestamp
    /// The verification by which it was made.
    public let createdBy: Verification.ID

    /// An account as a store kept it.
    public init(id: ID, phoneNumber: PhoneNumber, createdAt: Timestamp, createdBy: Verification.ID) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.createdAt = createdAt
        self.createdBy = createdBy
    }
}
