public import PhoneDomain

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

/// What only operators ask for.
public protocol AdministrationStore: Sendable {
    func act(_ command: ActOnAccount) async throws -> Account
    /// Newest first.
    func accounts(before id: Account.ID?, limit: Int) async throws -> Page<Account>
    func verifications(_ query: VerificationQuery) async throws -> Page<Verification>
    func messages(_ search: MessageSearch) async throws -> Page<OutboxClaim>
    /// Of the newest messages of each status but `queued`, `sent` and `delivered`, as many as `limit`; the largest
    /// groups first.
    func failureGroups(since moment: Timestamp, limit: Int) async throws -> [FailureGroup]
    /// The newest messages with a code that were queued since a moment.
    func sentSamples(since moment: Timestamp, limit: Int) async throws -> [SentSample]
    /// How many keys of each kind have each ``Traffic/kept``, of those with traffic since a moment.
    func trafficCounts(since moment: Timestamp) async throws -> [TrafficKey.Kind: [Traffic.Sample: Int]]
    func overrides() async throws -> [Override]
    /// Returns false, and changes nothing, if there is one of this name and value.
    func insert(_ override: Override, audit entry: AuditEntry) async throws -> Bool
    /// Returns whether there was one.
    func removeOverride(_ name: String, audit entry: AuditEntry) async throws -> Bool
    func facts() async throws -> StoreFacts
    /// Those that have said within ``Instance/patience`` that they run, in order of their start.
    func instances() async throws -> [Instance]
    /// Says that this one runs.
    func record(_ instance: Instance) async throws
    func remove(_ id: Instance.ID) async throws
    /// Changes of an account's number, newest first.
    func numberChanges(of id: Account.ID) async throws -> [NumberChange]
    /// Counts what no roll-up has counted yet, up to `limit` verifications (``DailyFigure``). Returns how many.
    func rollUp(_ command: RollUp) async throws -> Int
    /// The figures of these days, counted from 1970-01-01, both included.
    func dailyFigures(from first: Int64, through last: Int64) async throws -> [DailyFigure]
}

extension OverridesInForce {
    /// Throws what the store does; those of before stay in force then.
    public func read(from store: any AdministrationStore) async throws {
        replace(by: Overrides(try await store.overrides()))
    }
}
