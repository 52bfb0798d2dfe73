/// A message and its verification: what Twilio calls a verification attempt
/// (https://www.twilio.com/docs/verify/api/list-verification-attempts).
public struct DeliveryAttempt: Hashable, Sendable {
    public let message: OutboxMessage
    public let verification: Verification

    public init(message: OutboxMessage, verification: Verification) {
        (self.message, self.verification) = (message, verification)
    }

    public var isConverted: Bool { verification.recordedStatus == .approved }
}

public struct SentVerification: Hashable, Sendable {
    public let verification: Verification
    /// Oldest first.
    public let messages: [OutboxMessage]
}

/// A query for messages of an account's tenants. Notices and messages of no tenant never match.
public struct AttemptQuery: Hashable, Sendable {
    /// A place in the list, which goes from the newest to the oldest.
    public struct Cursor: Hashable, Sendable, Comparable {
        public let at: Timestamp
        public let id: OutboxMessage.ID
        public init(at: Timestamp, id: OutboxMessage.ID) { (self.at, self.id) = (at, id) }

        public static func < (one: Cursor, other: Cursor) -> Bool {
            (one.at, one.id.description) < (other.at, other.id.description)
        }
    }

    public var account: TenantAccount.ID
    public var tenant: Tenant.ID?
    public var verification: Verification.ID?
    public var message: OutboxMessage.ID?
    /// The recipient, in E.164.
    public var e164: String?
    /// The beginning of the recipient, in E.164.
    public var prefix: String?
    public var region: Region?
    public var isConverted: Bool?
    /// Queued at this time or later.
    public var since: Timestamp?
    /// Queued at this time or earlier.
    public var until: Timestamp?
    public var after: Cursor?
    public init(account: TenantAccount.ID) { self.account = account }

    public func covers(_ attempt: DeliveryAttempt) -> Bool {
        let (message, proof) = (attempt.message, attempt.verification)
        return message.account == account && (tenant.map { proof.owner == .tenant($0, of: account) } ?? true)
            && (verification.map { $0 == proof.id } ?? true) && (self.message.map { $0 == message.id } ?? true)
            && (e164.map { $0 == proof.phoneNumber.e164 } ?? true)
            && (prefix.map { proof.phoneNumber.e164.hasPrefix($0) } ?? true)
            && (region.map { $0 == proof.phoneNumber.region } ?? true)
            && (isConverted.map { $0 == attempt.isConverted } ?? true)
            && (since.map { $0 <= message.createdAt } ?? true) && (until.map { message.createdAt <= $0 } ?? true)
            && (after.map { Cursor(at: message.createdAt, id: message.id) < $0 } ?? true)
    }
}

public struct AttemptSummary: Hashable, Sendable {
    public let total: Int
    public let converted: Int
    public init(total: Int, converted: Int) { (self.total, self.converted) = (total, converted) }
}

/// A number that the tenants of an account may send to whatever its country, and whatever the guard thinks of its
/// traffic (https://www.twilio.com/docs/verify/api/safe-list). What an operator has blocked stays blocked.
public struct SafeNumber: Identified, Hashable, Sendable {
    public static let identifierPrefix = "saf"
    public let id: ID
    public let account: TenantAccount.ID
    /// With its `+`.
    public let e164: String
    public let createdAt: Timestamp

    public init(id: ID, account: TenantAccount.ID, e164: String, createdAt: Timestamp) {
        (self.id, self.account, self.e164, self.createdAt) = (id, account, e164, createdAt)
    }

    /// The stores' key: an account has a number once.
    public var key: String { Self.key(e164, of: account) }
    public static func key(_ e164: String, of account: TenantAccount.ID) -> String { "\(account) \(e164)" }
}
