public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// Some elements of a list, and where the next ones begin.
public struct Page<Item: Sendable>: Sendable {
    public let items: [Item]
    /// The cursor of the next page; nil at the end of the list. A page may have fewer items than were asked for, even
    /// none, and a next one: a search reads a bounded number of rows, however few of them match.
    public let next: String?
    public init(_ items: [Item], next: String?) { (self.items, self.next) = (items, next) }

    /// A page of all that there is, in its order. The cursor is the ID of the last item of a page.
    ///
    /// Throws ``AdministrationFailure/invalid(field:_:)`` for a cursor that is no item's.
    public init(of all: [Item], after cursor: String?, limit: Int, id: (Item) -> String) throws {
        var rest = all[...]
        if let cursor {
            guard let last = all.firstIndex(where: { id($0) == cursor }) else { throw AdministrationFailure.noCursor }
            rest = all[(last + 1)...]
        }
        items = Array(rest.prefix(max(1, limit)))
        next = rest.count > items.count ? items.last.map(id) : nil
    }
}

extension AdministrationFailure {
    public static let noCursor = AdministrationFailure.invalid(
        field: "cursor",
        "is of another list, or its item is gone: begin anew without it"
    )
}

/// A query for verifications, newest first. A nil field matches any.
public struct VerificationQuery: Hashable, Sendable {
    public var number: PhoneNumber?
    /// The account that they were used for.
    public var account: Account.ID?
    public var owner: Owner?
    public var reference: Labels.Reference?
    public var tag: Labels.Tag?
    /// The recorded one: upkeep records an expiry within a minute.
    public var status: VerificationStatus?
    public var since: Timestamp?
    public var until: Timestamp?
    public var before: Verification.ID?
    /// The most items of a page, at least 1.
    public var limit: Int
    public init(limit: Int) { self.limit = max(1, limit) }
}

/// A query for messages, newest first. A nil field matches any.
public struct MessageSearch: Hashable, Sendable {
    public var number: PhoneNumber?
    /// The account that their verification was used for.
    public var account: Account.ID?
    public var verification: Verification.ID?
    public var status: OutboxMessage.Status?
    public var gateway: String?
    public var failure: String?
    public var since: Timestamp?
    public var until: Timestamp?
    public var before: OutboxMessage.ID?
    /// The most items of a page, at least 1.
    public var limit: Int
    public init(limit: Int) { self.limit = max(1, limit) }
}

/// Messages that went wrong in the same way.
public struct FailureGroup: Hashable, Sendable {
    public let status: OutboxMessage.Status
    public let gateway: String?
    public let failure: String?
    public let count: Int
    /// When the last of them was queued.
    public let lastAt: Timestamp

    public init(status: OutboxMessage.Status, gateway: String?, failure: String?, count: Int, lastAt: Timestamp) {
        (self.status, self.gateway, self.failure, self.count, self.lastAt) = (status, gateway, failure, count, lastAt)
    }
}

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
