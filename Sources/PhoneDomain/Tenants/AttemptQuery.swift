/// Which of the messages of an account's tenants are wanted. Notices and messages to nobody's tenant are none of them.
public struct AttemptQuery: Hashable, Sendable {
    /// A place in the list, which goes from the newest to the oldest.
    public struct Cursor: Hashable, Sendable, Comparable {
        /// When the message was queued.
        public let at: Timestamp
        /// Which of those of the same moment.
        public let id: OutboxMessage.ID

        /// The place of this message.
        public init(at: Timestamp, id: OutboxMessage.ID) {
            self.at = at
            self.id = id
        }

        public static func < (one: Cursor, other: Cursor) -> Bool {
            (one.at, one.id.description) < (other.at, other.id.description)
        }
    }

    /// Whose.
    public var account: TenantAccount.ID
    /// Only this tenant's.
    public var tenant: Tenant.ID?
    /// Only this verification's.
    public var verification: Verification.ID?
    /// Only this one.
    public var message: OutboxMessage.ID?
    /// Only those to this number, in E.164.
    public var e164: String?
    /// Only those to numbers that begin so, in E.164.
    public var prefix: String?
    /// Only those to this country.
    public var region: Region?
    /// Only those that led to an approval, or only those that did not.
    public var isConverted: Bool?
    /// Only those queued at this moment or later.
    public var since: Timestamp?
    /// Only those queued at this moment or earlier.
    public var until: Timestamp?
    /// Only those behind this place.
    public var after: Cursor?

    /// All of an account.
    public init(account: TenantAccount.ID) {
        self.account = account
    }

    /// Whether this is one of them.
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
