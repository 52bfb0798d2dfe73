/// What came of posting to an endpoint.
public enum WebhookAnswer: Hashable, Sendable {
    /// The receiver answered.
    ///
    /// - Parameters:
    ///   - status: the status code.
    ///   - retryAfter: how long it wants to be left alone, if it says so.
    case answered(status: Int, retryAfter: Duration?)
    /// There was no answer. Why, in a few words that are always the same.
    case failed(String)

    /// Whether the receiver took what was posted.
    public var isSuccess: Bool {
        if case .answered(200..<300, _) = self { true } else { false }
    }
}

extension WebhookAnswer {
    /// What is known when the time was up.
    static let late = WebhookAnswer.failed("no answer in time")

    /// Whether the receiver is down, silent or overrun, so that it is better left alone for a while.
    ///
    /// Any other answer is to this event, a 500 among them: a receiver that one event makes fail would else be asked with
    /// that event again and again, as it is due the longest, and never be told the others.
    var isFault: Bool {
        switch self {
        case .failed: true
        case .answered(let status, _): [408, 425, 429, 502, 503, 504].contains(status)
        }
    }

    /// Why the event was not taken.
    var failure: String {
        switch self {
        case .answered(410, _): "the receiver wants no more (410)"
        case .answered(429, _): "the receiver wants fewer (429)"
        case .answered(let status, _) where (300..<400).contains(status): "the receiver is elsewhere (\(status))"
        case .answered(let status, _) where (500..<600).contains(status): "the receiver failed (\(status))"
        case .answered(let status, _): "the receiver refused it (\(status))"
        case .failed(let reason): reason
        }
    }
}
