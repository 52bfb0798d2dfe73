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
    /// Whether it was a phone call (``StubRequest/isCall``).
    public var isCall: Bool { sid.hasPrefix("CA") }
    /// The sequence number among all that the stub accepted, from 1.
    public let serial: Int
    /// As the sender wrote it.
    public let to: String
    /// The number or sender name; nil while the messaging service has not chosen one.
    public internal(set) var from: String?
    public let messagingService: String?
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

    public init(
        sid: String,
        serial: Int,
        to: String,
        from: String?,
        messagingService: String? = nil,
        body: String,
        status: Status,
        errorCode: Int? = nil,
        segments: Int,
        createdAt: Timestamp,
        updatedAt: Timestamp,
        sentAt: Timestamp?
    ) {
        (self.sid, self.serial, self.to, self.from, self.messagingService) = (sid, serial, to, from, messagingService)
        (self.body, self.status, self.errorCode, self.segments) = (body, status, errorCode, segments)
        (self.createdAt, self.updatedAt, self.sentAt) = (createdAt, updatedAt, sentAt)
    }

    /// The number or sender name, else the messaging service.
    public var sender: String { from ?? messagingService ?? "" }
}

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
public struct StubLifecycle: Hashable, Sendable {
    /// The sender that a messaging service chooses: Twilio's test sender
    /// (https://www.twilio.com/docs/iam/test-credentials#test-sms-messages).
    public static let chosenSender = "+15005550006"
    public private(set) var message: StubMessage
    public let callback: StubCallback?
    /// When it changes next by itself, which may be in the past; nil once it is final.
    public private(set) var nextChangeAt: Timestamp?
    private let step: Duration
    private let deadline: Timestamp
    /// Why it will be lost; nil if it will arrive.
    private let lossCode: Int?

    public init(
        _ order: StubRequest,
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
        deadline = dueAt + order.validity
        nextChangeAt = order.sendAt ?? now + behavior.step
        lossCode = behavior.mode == .fail ? behavior.errorCode ?? 30008 : nil
    }

    /// Makes all the changes that are due. Returns the message as it was after each, in order.
    public mutating func advance(to now: Timestamp) -> [StubMessage] {
        var changes: [StubMessage] = []
        while let moment = nextChangeAt, moment <= now {
            change(at: moment)
            nextChangeAt = message.status.isFinal ? nil : moment + step
            changes.append(message)
        }
        return changes
    }

    /// Throws ``StubRefusal`` once it is being sent (https://www.twilio.com/docs/api/errors/30409).
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

    /// Throws ``StubRefusal`` while it is on its way (https://www.twilio.com/docs/api/errors/20009).
    public func requireEnd() throws(StubRefusal) {
        guard message.status.isFinal
        else { throw StubRefusal(errorCode: 20009, detail: "This message cannot be deleted before it is at its end.") }
    }

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
