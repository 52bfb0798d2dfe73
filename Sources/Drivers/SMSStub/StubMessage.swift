import PhoneDelivery
import PhoneDomain
import PhoneSignup

/// A message in the SMS stub, which has its final status as soon as it is accepted.
public struct StubMessage: Hashable, Sendable {
    /// Raw values are those of Twilio's Messages API. A message goes from one to the next, in this order. Source:
    /// https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks.
    public enum Status: String, Sendable {
        /// Accepted by a messaging service, which has not chosen a sender yet.
        case accepted
        case queued, sending, sent, delivered
        /// Lost, with an error code.
        case undelivered
    }

    /// The sender that a messaging service chooses: Twilio's test sender
    /// (https://www.twilio.com/docs/iam/test-credentials#test-sms-messages).
    private static let chosenSender = "+15005550006"

    /// `SM`, or `CA` for a phone call, and 32 hexadecimal digits, as Twilio has it.
    public let sid: String
    /// The sequence number among all that the stub accepted, from 1.
    package let serial: Int
    let request: StubRequest
    public private(set) var status: Status
    let createdAt: Timestamp
    /// Why it is lost; nil if it arrives.
    private let lossCode: Int?

    public var to: String { request.to }
    public var body: String { request.body }
    /// Nil while a messaging service has not chosen it.
    var from: String? { request.from ?? (status == .accepted ? nil : Self.chosenSender) }
    /// The Twilio error code of a message that was lost.
    var errorCode: Int? { status == .undelivered ? lossCode : nil }
    /// Nil if it is not sent yet.
    var sentAt: Timestamp? { [.sent, .delivered, .undelivered].contains(status) ? createdAt : nil }
    /// The number of SMS parts that it would take. Counted when it is asked for, since counting costs more than keeping.
    var segments: Int { SegmentCount(of: body).segments }

    init(_ request: StubRequest, sid: String, serial: Int, lossCode: Int?, at now: Timestamp) {
        (self.request, self.sid, self.serial, createdAt, self.lossCode) = (request, sid, serial, now, lossCode)
        status = lossCode == nil ? .delivered : .undelivered
    }

    /// The message as it was when it was accepted, and after each change since.
    var history: [StubMessage] {
        let first: [Status] = request.messagingService == nil ? [.queued] : [.accepted, .queued]
        return (first + [.sending, .sent, status]).map { status in
            var message = self
            message.status = status
            return message
        }
    }

    var outcome: RecordReceipt.Outcome { lossCode == nil ? .delivered : .undelivered(code: lossCode) }
}

/// A message that the SMS stub is asked to send.
struct StubRequest: Hashable, Sendable {
    /// The number in the form in which the sender writes it.
    var to: String
    /// The number or sender name; nil to leave it to the messaging service.
    var from: String?
    /// `MG` and 32 hexadecimal digits.
    var messagingService: String?
    var body: String
    var callback: StubCallback?
    /// Whether it is a phone call. Nobody is called: the ``body`` is what the call would have said, or the URL of that.
    var isCall = false
}
