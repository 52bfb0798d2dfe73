/// The SMS stub: accepts messages in place of a carrier and shows them to anyone who asks.
public protocol StubInbox: Sendable {
    /// Accepts a message by the current behavior. Returns the message as it was then; see ``message(sid:)`` for its
    /// later status. Throws ``StubRefusal`` where it rejects the message.
    func accept(_ order: StubRequest) async throws(StubRefusal) -> StubMessage
    func messages(matching filter: StubFilter, limit: Int) async -> [StubMessage]
    func message(sid: String) async -> StubMessage?
    /// Deletes the text of a message. Returns what is left of the message, or nil if it does not exist.
    func redact(sid: String) async -> StubMessage?
    /// Returns the message, or nil if it does not exist. Throws ``StubRefusal`` if it is too late to cancel it.
    func cancel(sid: String) async throws(StubRefusal) -> StubMessage?
    /// Returns whether the message existed. Throws ``StubRefusal`` while it is on its way.
    func delete(sid: String) async throws(StubRefusal) -> Bool
    func clear() async
    /// Sets how the next messages are treated; messages that hang are answered by the new behavior.
    func setBehavior(_ behavior: StubBehavior) async
}

extension StubInbox {
    /// A message to be sent at once, by no messaging service, without a status callback. Throws ``StubRefusal`` where
    /// it rejects the message.
    public func accept(to: String, from: String, body: String) async throws(StubRefusal) -> StubMessage {
        try await accept(StubRequest(to: to, from: from, body: body))
    }

    public func messages(to: String?, limit: Int) async -> [StubMessage] {
        await messages(matching: StubFilter(to: to), limit: limit)
    }
}

/// How the SMS stub treats the next messages, for testing failures.
public struct StubBehavior: Hashable, Sendable {
    public enum Mode: String, Sendable, CaseIterable {
        case deliver
        /// Accepted and then lost.
        case fail
        case reject
        /// The stub does not answer until its behavior is changed.
        case hang
    }

    public let mode: Mode
    /// How long the stub takes to answer. Standard: 0; at most a minute.
    public let delay: Duration
    /// The Twilio error code of a message that is lost or rejected. Standard: 30008 (unknown error) for a lost one,
    /// 21610 (recipient does not want messages) for a rejected one.
    public let errorCode: Int?
    /// Only numbers that begin with this are affected; nil for all.
    public let toPrefix: String?
    /// How long a message stays in each status on its way. Standard: 0, final as soon as accepted; at most an hour.
    public let step: Duration
    public static let deliver = StubBehavior(mode: .deliver, delay: .zero, errorCode: nil, toPrefix: nil)

    public init(mode: Mode, delay: Duration, errorCode: Int?, toPrefix: String?, step: Duration = .zero) {
        (self.mode, self.delay, self.errorCode, self.toPrefix, self.step) = (mode, delay, errorCode, toPrefix, step)
    }
}

/// A query over the messages that the SMS stub accepted. A nil field matches any message.
public struct StubFilter: Hashable, Sendable {
    /// Compared character by character.
    public var to: String?
    /// Compared character by character.
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
    public static let all = StubFilter()
    public init(to: String? = nil) { self.to = to }

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
    /// The matching messages of this collection, which is oldest first; newest first, and none for a negative limit.
    public func matching(_ filter: StubFilter, limit: Int) -> [StubMessage] {
        let limit = Swift.max(0, limit)
        return filter.newerThan == nil
            ? Array(reversed().lazy.filter(filter.matches).prefix(limit))
            : Array(lazy.filter(filter.matches).prefix(limit)).reversed()
    }
}
