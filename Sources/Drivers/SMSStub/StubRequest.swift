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

    static let deliver = StubBehavior()
}
