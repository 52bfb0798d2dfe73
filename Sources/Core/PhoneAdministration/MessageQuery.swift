public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// A query for the messages of an owner group (``Owner/group``). Notices, and messages of owners without a group, never
/// match.
public struct MessageQuery: Hashable, Sendable {
    /// A place in the list, which goes from the newest to the oldest.
    public struct Cursor: Hashable, Sendable {
        public let at: Timestamp
        public let id: OutboxMessage.ID
        public init(at: Timestamp, id: OutboxMessage.ID) { (self.at, self.id) = (at, id) }
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
}

/// How many messages a query finds, and how many of them led to an approval.
public struct MessageCount: Hashable, Sendable {
    public let total: Int
    public let approved: Int
    public init(total: Int, approved: Int) { (self.total, self.approved) = (total, approved) }
}

extension OutboxMessage {
    /// What a queued message waits for, in words; nil for others. Why gateways did not accept it is its ``failure``.
    public func waitsFor(at now: Timestamp) -> String? {
        guard status == .queued else { return nil }
        if attempts == 0 { return now - createdAt > .seconds(10) ? "a running service" : "its turn" }
        guard nextAttemptAt > now else { return "its turn" }
        return failure == nil ? "the answer of a gateway" : "the next attempt"
    }
}
