/// A message in the SMS stub from the moment it is taken to its end, one status after the other.
///
/// | status | is followed by |
/// |---|---|
/// | `accepted`, `scheduled` | `queued`, with a sender; `canceled` |
/// | `queued` | `sending`; `failed` if it waited longer than it may; `canceled` |
/// | `sending` | `sent` |
/// | `sent` | `delivered`, `undelivered` |
///
/// Source: https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks.
public struct StubJourney: Hashable, Sendable {
    /// The sender that a messaging service chooses: the one that Twilio keeps for trying things out
    /// (https://www.twilio.com/docs/iam/test-credentials#test-sms-messages).
    public static let chosenSender = "+15005550006"

    /// The message as it stands.
    public private(set) var message: StubMessage
    /// Who is told of each change; nil for nobody.
    public let callback: StubCallback?
    /// When it changes next by itself, which may be past; nil once it does not any more.
    public private(set) var nextChangeAt: Timestamp?

    private let step: Duration
    private let lastMoment: Timestamp
    /// Why it will be lost; nil if it will arrive.
    private let lossCode: Int?

    /// A message that is taken now.
    ///
    /// - Parameters:
    ///   - order: what is to be sent.
    ///   - sid: its name.
    ///   - serial: its place among all.
    ///   - segments: of how many parts it consists.
    ///   - behavior: how it fares.
    ///   - now: the moment.
    public init(
        _ order: StubOrder,
        sid: String,
        serial: Int,
        segments: Int,
        behavior: StubBehavior,
        at now: Timestamp
    ) {
        let status: StubMessage.Status =
            order.sendAt != nil ? .scheduled : order.messagingService != nil ? .accepted : .queued
        message = StubMessage(
            sid: sid,
            serial: serial,
            to: order.to,
            from: order.from,
            messagingService: order.messagingService,
            body: order.body,
            status: status,
            segments: segments,
            createdAt: now,
            updatedAt: now,
            sentAt: nil
        )
        callback = order.callback
        step = behavior.step
        let dueAt = order.sendAt ?? now
        lastMoment = dueAt + order.validity
        nextChangeAt = order.sendAt ?? now + behavior.step
        lossCode = behavior.mode == .fail ? behavior.errorCode ?? 30008 : nil
    }

    /// Makes all the changes that are due.
    ///
    /// - Returns: the message as it was after each, in order.
    public mutating func advance(to now: Timestamp) -> [StubMessage] {
        var changes: [StubMessage] = []
        while let moment = nextChangeAt, moment <= now {
            change(at: moment)
            nextChangeAt = message.status.isFinal ? nil : moment + step
            changes.append(message)
        }
        return changes
    }

    /// Calls the message back.
    ///
    /// - Throws: ``StubRefusal`` once it is being sent (https://www.twilio.com/docs/api/errors/30409).
    public mutating func cancel(at now: Timestamp) throws(StubRefusal) {
        guard [.accepted, .scheduled, .queued].contains(message.status) else {
            throw StubRefusal(
                errorCode: 30409,
                detail: "This message cannot be canceled: it is \(message.status.rawValue)."
            )
        }
        message.status = .canceled
        message.updatedAt = now
        nextChangeAt = nil
    }

    /// Says whether the message may be forgotten.
    ///
    /// - Throws: ``StubRefusal`` while it is on its way (https://www.twilio.com/docs/api/errors/20009).
    public func requireEnd() throws(StubRefusal) {
        guard message.status.isFinal else {
            throw StubRefusal(errorCode: 20009, detail: "This message cannot be deleted before it is at its end.")
        }
    }

    /// Forgets the text.
    public mutating func redact(at now: Timestamp) {
        message.body = ""
        message.updatedAt = now
    }

    private mutating func change(at moment: Timestamp) {
        message.updatedAt = moment
        switch message.status {
        case .accepted, .scheduled:
            message.status = .queued
            message.from = message.from ?? Self.chosenSender
        case .queued where moment > lastMoment:
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
