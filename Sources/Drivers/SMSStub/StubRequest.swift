public import PhoneDomain

/// A message that the SMS stub is asked to send.
public struct StubRequest: Hashable, Sendable {
    /// How long a message waits at most by default, and the longest allowed value: ten hours. Source:
    /// https://www.twilio.com/docs/messaging/api/message-resource, `ValidityPeriod`.
    public static let longestValidity: Duration = .seconds(36_000)

    /// The number in the form in which the sender writes it.
    public var to: String
    /// The number or sender name; nil to leave it to the messaging service.
    public var from: String?
    /// `MG` and 32 hexadecimal digits.
    public var messagingService: String?
    public var body: String
    /// Nil for at once.
    public var sendAt: Timestamp?
    /// How long it may wait once it is due. One that waits longer is not sent.
    public var validity = Self.longestValidity
    public var callback: StubCallback?
    /// Whether it is a phone call. Nobody is called: the ``body`` is what the call would have said, or the URL of that.
    public var isCall = false

    /// Twilio's error for this order's numbers, if they are among its magic numbers for testing errors. Source:
    /// https://www.twilio.com/docs/iam/test-credentials#test-sms-messages. For calls:
    /// https://www.twilio.com/docs/iam/test-credentials#test-calls.
    var magicRefusal: StubRefusal? {
        let sender = Self.magicSenders[from ?? ""].flatMap { isCall && $0.code != 21212 ? nil : $0 }
        let recipient = (isCall ? Self.magicCallRecipients : Self.magicRecipients)[to]
        return (sender ?? recipient).map { StubRefusal($0.code, $0.detail) }
    }

    private typealias Refusals = [String: (code: Int, detail: String)]

    private static let magicSenders: Refusals = [
        "+15005550001": (21212, "The 'From' number is not a valid number."),
        "+15005550007": (21606, "The 'From' number is not one that this account can send from."),
        "+15005550008": (21611, "The 'From' number has too many messages in its queue."),
    ]
    private static let magicRecipients: Refusals = [
        "+15005550001": (21211, "The 'To' number is not a valid phone number."),
        "+15005550002": (21612, "The 'To' number cannot be reached."),
        "+15005550003": (21408, "This account may not send to the region of the 'To' number."),
        "+15005550004": (21610, "The recipient does not want messages from this sender."),
        "+15005550009": (21614, "The 'To' number cannot receive text messages."),
    ]
    private static let magicCallRecipients: Refusals = [
        "+15005550001": (21217, "The 'To' number is not a valid phone number."),
        "+15005550002": (21214, "The 'To' number cannot be reached."),
        "+15005550003": (21215, "This account may not call the region of the 'To' number."),
        "+15005550004": (21216, "This account may not call the 'To' number."),
    ]
}

/// Why the SMS stub does not do what it is asked.
public struct StubRefusal: Error, Hashable, Sendable {
    /// A Twilio error code.
    public let errorCode: Int
    public let detail: String

    init(_ errorCode: Int, _ detail: String) { (self.errorCode, self.detail) = (errorCode, detail) }
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
