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
