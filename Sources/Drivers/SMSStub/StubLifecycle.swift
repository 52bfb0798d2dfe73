import PhoneDomain

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
struct StubLifecycle: Hashable, Sendable {
    /// The sender that a messaging service chooses: Twilio's test sender
    /// (https://www.twilio.com/docs/iam/test-credentials#test-sms-messages).
    static let chosenSender = "+15005550006"
    private(set) var message: StubMessage
    let callback: StubCallback?
    /// When it changes next by itself, which may be in the past; nil once it is final.
    private(set) var nextChangeAt: Timestamp?
    private let step: Duration
    private let deadline: Timestamp
    /// Why it will be lost; nil if it will arrive.
    private let lossCode: Int?

    init(_ order: StubRequest, sid: String, serial: Int, segments: Int, behavior: StubBehavior, at now: Timestamp) {
        message = StubMessage(
            sid: sid,
            serial: serial,
            to: order.to,
            from: order.from,
            messagingService: order.messagingService,
            body: order.body,
            status: order.sendAt != nil ? .scheduled : order.messagingService != nil ? .accepted : .queued,
            segments: segments,
            createdAt: now,
            updatedAt: now,
            sentAt: nil
        )
        callback = order.callback
        step = behavior.step
        deadline = (order.sendAt ?? now) + order.validity
        nextChangeAt = order.sendAt ?? now + behavior.step
        lossCode = behavior.mode == .fail ? behavior.errorCode ?? 30008 : nil
    }

    /// Makes all the changes that are due. Returns the message as it was after each, in order.
    mutating func advance(to now: Timestamp) -> [StubMessage] {
        var changes: [StubMessage] = []
        while let moment = nextChangeAt, moment <= now {
            change(at: moment)
            nextChangeAt = message.status.isFinal ? nil : moment + step
            changes.append(message)
        }
        return changes
    }

    /// Throws ``StubRefusal`` once it is being sent (https://www.twilio.com/docs/api/errors/30409).
    mutating func cancel(at now: Timestamp) throws(StubRefusal) {
        guard [.accepted, .scheduled, .queued].contains(message.status) else {
            throw StubRefusal(30409, "This message cannot be canceled: it is \(message.status.rawValue).")
        }
        message.status = .canceled
        message.updatedAt = now
        nextChangeAt = nil
    }

    /// Throws ``StubRefusal`` while it is on its way (https://www.twilio.com/docs/api/errors/20009).
    func requireEnd() throws(StubRefusal) {
        guard message.status.isFinal
        else { throw StubRefusal(20009, "This message cannot be deleted before it is at its end.") }
    }

    mutating func redact(at now: Timestamp) {
        message.body = ""
        message.updatedAt = now
    }

    private mutating func change(at moment: Timestamp) {
        message.updatedAt = moment
        switch message.status {
        case .accepted, .scheduled:
            message.status = .queued
            message.from = message.from ?? Self.chosenSender
        case .queued where moment > deadline:
            message.status = .failed
            // https://www.twilio.com/docs/api/errors/30036
            message.errorCode = 30036
        case .queued: message.status = .sending
        case .sending:
            message.status = .sent
            message.sentAt = moment
        case .sent:
            message.status = lossCode == nil ? .delivered : .undelivered
            message.errorCode = lossCode
        case .delivered, .undelivered, .failed, .canceled: break
        }
    }
}
