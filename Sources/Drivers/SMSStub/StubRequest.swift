import PhoneDomain
import PhoneSignup

/// A message that the SMS stub is asked to send.
struct StubRequest: Hashable, Sendable {
    /// How long a message waits at most by default, and the longest allowed value: ten hours. Source:
    /// https://www.twilio.com/docs/messaging/api/message-resource, `ValidityPeriod`.
    static let longestValidity: Duration = .seconds(36_000)

    /// The number in the form in which the sender writes it.
    var to: String
    /// The number or sender name; nil to leave it to the messaging service.
    var from: String?
    /// `MG` and 32 hexadecimal digits.
    var messagingService: String?
    var body: String
    /// Nil for at once.
    var sendAt: Timestamp?
    /// How long it may wait once it is due. One that waits longer is not sent.
    var validity = Self.longestValidity
    var callback: StubCallback?
    /// Whether it is a phone call. Nobody is called: the ``body`` is what the call would have said, or the URL of that.
    var isCall = false

    /// Twilio's error for this request's numbers, if they are among its magic numbers for testing errors. Source:
    /// https://www.twilio.com/docs/iam/test-credentials#test-sms-messages. For calls:
    /// https://www.twilio.com/docs/iam/test-credentials#test-calls.
    var magicRefusal: StubRefusal? {
        let sender = from.flatMap { Self.magicSenders[$0] }.flatMap { isCall && $0.errorCode != 21212 ? nil : $0 }
        return sender ?? (isCall ? Self.magicCallRecipients : Self.magicRecipients)[to]
    }

    private static let magicSenders = [
        "+15005550001": StubRefusal(21212, "The 'From' number is not a valid number."),
        "+15005550007": StubRefusal(21606, "The 'From' number is not one that this account can send from."),
        "+15005550008": StubRefusal(21611, "The 'From' number has too many messages in its queue."),
    ]
    private static let magicRecipients = [
        "+15005550001": StubRefusal(21211, "The 'To' number is not a valid phone number."),
        "+15005550002": StubRefusal(21612, "The 'To' number cannot be reached."),
        "+15005550003": StubRefusal(21408, "This account may not send to the region of the 'To' number."),
        "+15005550004": StubRefusal(21610, "The recipient does not want messages from this sender."),
        "+15005550009": StubRefusal(21614, "The 'To' number cannot receive text messages."),
    ]
    private static let magicCallRecipients = [
        "+15005550001": StubRefusal(21217, "The 'To' number is not a valid phone number."),
        "+15005550002": StubRefusal(21214, "The 'To' number cannot be reached."),
        "+15005550003": StubRefusal(21215, "This account may not call the region of the 'To' number."),
        "+15005550004": StubRefusal(21216, "This account may not call the 'To' number."),
    ]
}

/// Why the SMS stub does not do what it is asked.
public struct StubRefusal: Error, Hashable, Sendable {
    /// A Twilio error code.
    public let errorCode: Int
    let detail: String

    init(_ errorCode: Int, _ detail: String) { (self.errorCode, self.detail) = (errorCode, detail) }
}

/// How the SMS stub treats the next messages, for testing failures.
struct StubBehavior: Hashable, Sendable {
    enum Mode: String, Sendable, CaseIterable {
        case deliver
        /// Accepted and then lost.
        case fail
        case reject
        /// The stub does not answer until its behavior is changed.
        case hang
    }

    var mode = Mode.deliver
    /// How long the stub takes to answer; at most a minute.
    var delay: Duration = .zero
    /// The Twilio error code of a message that is lost or rejected. Standard: 30008 (unknown error) for a lost one,
    /// 21610 (recipient does not want messages) for a rejected one.
    var errorCode: Int?
    /// Only numbers that begin with this are affected; nil for all.
    var toPrefix: String?
    /// How long a message stays in each status on its way; at most an hour. With 0 it is final as soon as accepted.
    var step: Duration = .zero

    static let deliver = StubBehavior()
}
