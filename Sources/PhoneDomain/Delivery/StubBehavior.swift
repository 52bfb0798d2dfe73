/// How the SMS stub treats the messages that come next, so that failure can be tried out.
public struct StubBehavior: Hashable, Sendable {
    /// What becomes of a message.
    public enum Mode: String, Sendable, CaseIterable {
        /// It arrives.
        case deliver
        /// It is accepted and then lost.
        case fail
        /// It is refused.
        case reject
        /// The stub does not answer until its behaviour is changed.
        case hang
    }

    /// What becomes of a message.
    public let mode: Mode
    /// How long the stub takes to answer. Standard: 0; at most a minute.
    public let delay: Duration
    /// The Twilio error code of a message that is lost or refused. Standard: 30008 (unknown error) for a lost one,
    /// 21610 (recipient does not want messages) for a refused one.
    public let errorCode: Int?
    /// Only numbers that begin with this are concerned; nil for all.
    public let toPrefix: String?
    /// How long a message stays in each status on its way. Standard: 0, so that it is at its end as soon as it is taken; at
    /// most an hour.
    public let step: Duration

    /// Every message arrives at once.
    public static let deliver = StubBehavior(mode: .deliver, delay: .zero, errorCode: nil, toPrefix: nil)

    /// A behaviour of these parts.
    public init(mode: Mode, delay: Duration, errorCode: Int?, toPrefix: String?, step: Duration = .zero) {
        self.mode = mode
        self.delay = delay
        self.errorCode = errorCode
        self.toPrefix = toPrefix
        self.step = step
    }
}
