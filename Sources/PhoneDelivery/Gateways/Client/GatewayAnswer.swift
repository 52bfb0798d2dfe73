import PhoneDomain

/// What a gateway answered over HTTP. What that means for the message, the vendor's own answer says.
struct GatewayAnswer: Hashable, Sendable {
    /// The greatest number of seconds that is read, so that none is too great to reckon with.
    private static let longestWait = 86_400

    /// The status code.
    let status: Int
    /// How long the gateway wants to be left alone, at most a day, if it says so.
    let retryAfter: Duration?
    /// The body, or nil if it did not come whole or is longer than any answer about one message.
    let body: [UInt8]?

    /// What time it is, as the gateway says; nil if it does not say so.
    let date: Timestamp?

    init(status: Int, retryAfter: Duration? = nil, date: Timestamp? = nil, body: [UInt8]?) {
        self.status = status
        self.date = date
        self.retryAfter = retryAfter
        self.body = body
    }

    /// What the status alone says: nil for 2xx, which the body must bear out.
    ///
    /// | status | means |
    /// |---|---|
    /// | 3xx | surely not taken: nothing is followed, since the secret is for the address that was named |
    /// | 401, 403 | surely not taken: the account was refused |
    /// | 408, 425, 429, 5xx | surely not taken; may be later |
    /// | any other 4xx | surely not taken by this gateway |
    /// | anything else | nobody knows |
    var statusFailure: GatewayFailure? {
        switch status {
        case 200..<300: nil
        case 300..<400: .failover("the gateway is elsewhere", code: status)
        case 401, 403: .failover("the account was refused", code: status)
        case 408, 425: .retry(after: retryAfter, "the gateway is slow", code: status)
        case 429: .busy(after: retryAfter, "the gateway is busy", code: status)
        case 400..<500: .failover("the gateway refused the message", code: status)
        case 500..<600: .retry(after: retryAfter, "the gateway is down", code: status)
        default: .ambiguous("the answer cannot be read", code: status)
        }
    }

    /// Reads a `Retry-After` header in seconds (RFC 9110 section 10.2.3). A date is not understood, and our own back-off
    /// holds then.
    static func wait(_ text: String?) -> Duration? {
        guard let text, let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, longestWait))
    }
}
