/// Which of the messages that the SMS stub took are asked for. What is nil, any message fulfils.
public struct StubFilter: Hashable, Sendable {
    /// The number they went to, letter by letter.
    public var to: String?
    /// The sender, letter by letter.
    public var from: String?
    /// They are phone calls, or are not.
    public var isCall: Bool?
    /// They were sent then or later.
    public var sentSince: Timestamp?
    /// They were sent before.
    public var sentBefore: Timestamp?
    /// They were taken before the one of this ``StubMessage/serial``.
    public var olderThan: Int?
    /// They were taken after the one of this ``StubMessage/serial``; of several, those that came first.
    public var newerThan: Int?

    /// All messages.
    public static let all = StubFilter()

    /// All messages, or those to one number.
    public init(to: String? = nil) {
        self.to = to
    }

    /// Whether a message is asked for.
    public func matches(_ message: StubMessage) -> Bool {
        if let to, message.to != to { return false }
        if let from, message.from != from { return false }
        if let isCall, message.isCall != isCall { return false }
        if let olderThan, message.serial >= olderThan { return false }
        if let newerThan, message.serial <= newerThan { return false }
        if sentSince == nil, sentBefore == nil { return true }
        // What was not sent has no date to compare.
        guard let sentAt = message.sentAt else { return false }
        return sentSince.map { sentAt >= $0 } ?? true && sentBefore.map { sentAt < $0 } ?? true
    }
}

extension BidirectionalCollection<StubMessage> {
    /// Those of these messages, given oldest first, that a filter asks for, newest first.
    ///
    /// - Parameter limit: no more than so many; none if it is negative.
    public func matching(_ filter: StubFilter, limit: Int) -> [StubMessage] {
        let limit = Swift.max(0, limit)
        return filter.newerThan == nil
            ? Array(reversed().lazy.filter(filter.matches).prefix(limit))
            : Array(lazy.filter(filter.matches).prefix(limit)).reversed()
    }
}
