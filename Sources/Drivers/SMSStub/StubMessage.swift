import PhoneDelivery
import PhoneDomain
import PhoneSignup

/// A message in the SMS stub from its acceptance to its final status, one status after the other.
///
/// | status | is followed by |
/// |---|---|
/// | `accepted`, `scheduled` | `queued`, with a sender; `canceled` |
/// | `queued` | `sending`; `failed` if it waited longer than it may; `canceled` |
/// | `sending` | `sent` |
/// | `sent` | `delivered`, `undelivered` |
///
/// Source: https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks.
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
    }

    /// The sender that a messaging service chooses: Twilio's test sender
    /// (https://www.twilio.com/docs/iam/test-credentials#test-sms-messages).
    private static let chosenSender = "+15005550006"

    /// `SM`, or `CA` for a phone call, and 32 hexadecimal digits, as Twilio has it.
    public let sid: String
    /// The sequence number among all that the stub accepted, from 1.
    package let serial: Int
    /// What was asked for, with the sender once one is chosen, and without the text once that is redacted.
    private(set) var request: StubRequest
    public private(set) var status: Status
    /// The Twilio error code of a message that was lost or not sent.
    private(set) var errorCode: Int?
    let createdAt: Timestamp
    private(set) var updatedAt: Timestamp
    /// Nil if it was not sent, or not yet.
    private(set) var sentAt: Timestamp?
    /// When it changes next by itself, which may be in the past; nil once it is final.
    private(set) var nextChangeAt: Timestamp?
    private let step: Duration
    /// Why it will be lost; nil if it will arrive.
    private let lossCode: Int?

    public var to: String { request.to }
    public var body: String { request.body }
    /// The number of SMS parts that it would take. Counted when it is asked for, since counting costs more than keeping.
    var segments: Int { SegmentCount(of: body).segments }
    var sender: String { request.from ?? request.messagingService ?? "" }

    init(_ request: StubRequest, sid: String, serial: Int, behavior: StubBehavior, at now: Timestamp) {
        (self.request, self.sid, self.serial, createdAt, updatedAt) = (request, sid, serial, now, now)
        status = request.sendAt != nil ? .scheduled : request.messagingService != nil ? .accepted : .queued
        step = behavior.step
        nextChangeAt = request.sendAt ?? now + step
        lossCode = behavior.mode == .fail ? behavior.errorCode ?? 30008 : nil
    }

    /// The final outcome; nil while it is in transit.
    var outcome: RecordReceipt.Outcome? {
        switch status {
        case .delivered: .delivered
        case .undelivered, .failed, .canceled: .undelivered(code: errorCode)
        case .accepted, .scheduled, .queued, .sending, .sent: nil
        }
    }

    /// Makes all the changes that are due. Returns the message as it was after each, in order.
    mutating func advance(to now: Timestamp) -> [StubMessage] {
        var changes: [StubMessage] = []
        while let moment = nextChangeAt, moment <= now {
            change(at: moment)
            nextChangeAt = outcome == nil ? moment + step : nil
            changes.append(self)
        }
        return changes
    }

    private mutating func change(at moment: Timestamp) {
        updatedAt = moment
        switch status {
        case .accepted, .scheduled:
            status = .queued
            request.from = request.from ?? Self.chosenSender
        // https://www.twilio.com/docs/api/errors/30036
        case .queued where moment > (request.sendAt ?? createdAt) + request.validity:
            (status, errorCode) = (.failed, 30036)
        case .queued: status = .sending
        case .sending: (status, sentAt) = (.sent, moment)
        case .sent: (status, errorCode) = (lossCode == nil ? .delivered : .undelivered, lossCode)
        case .delivered, .undelivered, .failed, .canceled: break
        }
    }

    /// Throws ``StubRefusal`` once it is being sent (https://www.twilio.com/docs/api/errors/30409).
    mutating func cancel(at now: Timestamp) throws(StubRefusal) {
        guard [.accepted, .scheduled, .queued].contains(status) else {
            throw StubRefusal(30409, "This message cannot be canceled: it is \(status.rawValue).")
        }
        (status, updatedAt, nextChangeAt) = (.canceled, now, nil)
    }

    mutating func redact(at now: Timestamp) { (request.body, updatedAt) = ("", now) }
}

/// A query over the messages that the SMS stub accepted. A nil field matches any message.
struct StubFilter: Hashable, Sendable {
    /// Compared character by character.
    var to: String?
    var from: String?
    var isCall: Bool?
    /// Inclusive.
    var sentSince: Timestamp?
    /// Exclusive.
    var sentBefore: Timestamp?
    /// Accepted before the one of this ``StubMessage/serial``.
    var olderThan: Int?
    /// Accepted after the one of this ``StubMessage/serial``; of several, the first.
    var newerThan: Int?

    func matches(_ message: StubMessage) -> Bool {
        if let to, message.to != to { return false }
        if let from, message.request.from != from { return false }
        if let isCall, message.request.isCall != isCall { return false }
        if let olderThan, message.serial >= olderThan { return false }
        if let newerThan, message.serial <= newerThan { return false }
        if sentSince == nil, sentBefore == nil { return true }
        // What was not sent has no date to compare.
        guard let sentAt = message.sentAt else { return false }
        return sentSince.map { sentAt >= $0 } ?? true && sentBefore.map { sentAt < $0 } ?? true
    }

    /// The matching ones of messages, which are oldest first; newest first, and none for a negative limit.
    func matches(in messages: some BidirectionalCollection<StubMessage>, limit: Int) -> [StubMessage] {
        let limit = max(0, limit)
        return newerThan == nil
            ? Array(messages.reversed().lazy.filter(matches).prefix(limit))
            : Array(messages.lazy.filter(matches).prefix(limit)).reversed()
    }
}
