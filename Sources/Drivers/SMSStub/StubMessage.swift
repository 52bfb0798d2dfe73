public import PhoneDomain

/// A message that the SMS stub accepted.
public struct StubMessage: Hashable, Sendable {
    /// Raw values are those of Twilio's Messages API.
    public enum Status: String, Sendable, CaseIterable {
        /// Accepted by a messaging service, which has not chosen a sender yet.
        case accepted
        /// Accepted, to be sent later.
        case scheduled
        case queued, sending, sent, delivered
        /// Lost, with an error code.
        case undelivered
        /// Never sent, with an error code.
        case failed
        case canceled

        public var isFinal: Bool {
            switch self {
            case .delivered, .undelivered, .failed, .canceled: true
            case .accepted, .scheduled, .queued, .sending, .sent: false
            }
        }
    }

    /// `SM`, or `CA` for a phone call, and 32 hexadecimal digits, as Twilio has it.
    public let sid: String
    public var isCall: Bool { sid.hasPrefix("CA") }
    /// The sequence number among all that the stub accepted, from 1.
    public let serial: Int
    /// The number in the form in which the sender wrote it.
    public let to: String
    /// The number or sender name; nil while the messaging service has not chosen one.
    public internal(set) var from: String?
    public internal(set) var messagingService: String?
    /// Empty once its sender had it redacted.
    public internal(set) var body: String
    public internal(set) var status: Status
    /// The Twilio error code of a message that was lost or not sent.
    public internal(set) var errorCode: Int?
    /// The number of SMS parts that it would take.
    public let segments: Int
    public let createdAt: Timestamp
    public internal(set) var updatedAt: Timestamp
    /// Nil if it was not sent, or not yet.
    public internal(set) var sentAt: Timestamp?

    public var sender: String { from ?? messagingService ?? "" }
}

/// A query over the messages that the SMS stub accepted. A nil field matches any message.
public struct StubFilter: Hashable, Sendable {
    /// Compared character by character.
    public var to: String?
    public var from: String?
    public var isCall: Bool?
    /// Inclusive.
    public var sentSince: Timestamp?
    /// Exclusive.
    public var sentBefore: Timestamp?
    /// Accepted before the one of this ``StubMessage/serial``.
    public var olderThan: Int?
    /// Accepted after the one of this ``StubMessage/serial``; of several, the first.
    public var newerThan: Int?

    public init(to: String? = nil) { self.to = to }

    func matches(_ message: StubMessage) -> Bool {
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
    /// The matching messages of this collection, which is oldest first; newest first, and none for a negative limit.
    func matching(_ filter: StubFilter, limit: Int) -> [StubMessage] {
        let limit = Swift.max(0, limit)
        return filter.newerThan == nil
            ? Array(reversed().lazy.filter(filter.matches).prefix(limit))
            : Array(lazy.filter(filter.matches).prefix(limit)).reversed()
    }
}
