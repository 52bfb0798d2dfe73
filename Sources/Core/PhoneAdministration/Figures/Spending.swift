public import PhoneDomain

/// What messages of one day to numbers that begin alike cost, by one gateway and channel.
public struct Spending: Hashable, Sendable {
    /// The beginning of the day, in UTC.
    public let day: Timestamp
    /// One of the numbers, which says the country.
    public let e164: String
    /// Nil for messages that no gateway accepted.
    public let gateway: String?
    public let channel: Channel
    /// The number of those that count as sent (``OutboxMessage/countsAsSent``).
    public let messages: Int
    /// How many of them were the last before their verification's approval.
    public let approved: Int
    /// The sum in millionths of the currency; messages whose price is not known cost nothing here.
    public let cost: Int

    public init(
        day: Timestamp,
        e164: String,
        gateway: String?,
        channel: Channel,
        messages: Int,
        approved: Int,
        cost: Int
    ) {
        (self.day, self.e164, self.gateway, self.channel) = (day, e164, gateway, channel)
        (self.messages, self.approved, self.cost) = (messages, approved, cost)
    }
}

/// What the guard suppressed on a day to numbers of a region, by the audit log.
public struct Suppression: Hashable, Sendable {
    public let day: Timestamp
    public let region: Region?
    public let messages: Int

    public init(day: Timestamp, region: Region?, messages: Int) {
        (self.day, self.region, self.messages) = (day, region, messages)
    }
}
