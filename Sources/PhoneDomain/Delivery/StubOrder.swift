/// What the SMS stub is asked to send.
public struct StubOrder: Hashable, Sendable {
    /// How long a message waits at most where nobody says otherwise, and the longest that may be said: ten hours.
    /// Source: https://www.twilio.com/docs/messaging/api/message-resource, `ValidityPeriod`.
    public static let longestValidity: Duration = .seconds(36_000)

    /// The number it goes to, as the sender writes it.
    public var to: String
    /// The number or name it comes from; nil to leave that to the messaging service.
    public var from: String?
    /// The messaging service that it is sent by: `MG` and 32 hexadecimal digits; nil for none.
    public var messagingService: String?
    /// The text.
    public var body: String
    /// When it is to be sent; nil for at once.
    public var sendAt: Timestamp?
    /// How long it may wait to be sent, from when it is due. One that waits longer is not sent.
    public var validity: Duration
    /// Who is told what becomes of it; nil for nobody.
    public var callback: StubCallback?
    /// Whether it is a phone call. Nobody is called: the ``body`` is what the call would have said, or where that is found.
    public var isCall: Bool

    /// An order of these parts.
    public init(
        to: String,
        from: String?,
        messagingService: String? = nil,
        body: String,
        sendAt: Timestamp? = nil,
        validity: Duration = longestValidity,
        callback: StubCallback? = nil,
        isCall: Bool = false
    ) {
        self.to = to
        self.from = from
        self.messagingService = messagingService
        self.body = body
        self.sendAt = sendAt
        self.validity = validity
        self.callback = callback
        self.isCall = isCall
    }
}
