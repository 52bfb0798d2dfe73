public import PhoneDomain

/// A query for the messages of an owner group (``Owner/group``). Notices, and messages of owners without a group, never
/// match.
public struct MessageQuery: Hashable, Sendable {
    /// A place in the list, which goes from the newest to the oldest.
    public struct Cursor: Hashable, Sendable, Comparable {
        public let at: Timestamp
        public let id: OutboxMessage.ID
        public init(at: Timestamp, id: OutboxMessage.ID) { (self.at, self.id) = (at, id) }

        public static func < (one: Cursor, other: Cursor) -> Bool {
            (one.at, one.id.description) < (other.at, other.id.description)
        }
    }

    public var group: String
    /// The verification's.
    public var owner: Owner?
    public var verification: Verification.ID?
    public var message: OutboxMessage.ID?
    public var channel: Channel?
    /// The recipient, in E.164.
    public var e164: String?
    /// The beginning of the recipient, in E.164.
    public var prefix: String?
    public var region: Region?
    /// Whether the verification was approved.
    public var isApproved: Bool?
    /// Queued at this time or later.
    public var since: Timestamp?
    /// Queued at this time or earlier.
    public var until: Timestamp?
    public var after: Cursor?
    public init(group: String) { self.group = group }

    public func covers(_ found: OutboxClaim) -> Bool {
        let (message, proof) = (found.message, found.verification)
        return message.group == group && (owner.map { $0 == proof.owner } ?? true)
            && (verification.map { $0 == proof.id } ?? true) && (self.message.map { $0 == message.id } ?? true)
            && (channel.map { $0 == message.channel } ?? true)
            && (e164.map { $0 == proof.phoneNumber.e164 } ?? true)
            && (prefix.map { proof.phoneNumber.e164.hasPrefix($0) } ?? true)
            && (region.map { $0 == proof.phoneNumber.region } ?? true)
            && (isApproved.map { $0 == (proof.recordedStatus == .approved) } ?? true)
            && (since.map { $0 <= message.createdAt } ?? true) && (until.map { message.createdAt <= $0 } ?? true)
            && (after.map { Cursor(at: message.createdAt, id: message.id) < $0 } ?? true)
    }
}

/// How many messages a query finds, and how many of them led to an approval.
public struct MessageCount: Hashable, Sendable {
    public let total: Int
    public let approved: Int
    public init(total: Int, approved: Int) { (self.total, self.approved) = (total, approved) }
}
