package import CoreEncodings
import PhoneDomain
import PhoneSignup

/// A gateway's HTTP response. The vendor's own response type interprets it.
package struct GatewayResponse: Hashable, Sendable {
    package let status: Int
    /// The `Retry-After` header, at most a day.
    var retryAfter: Duration?
    var date: Timestamp?
    /// Nil if it is incomplete or longer than any response about one message.
    let body: [UInt8]?

    /// What the status alone means: nil for 2xx, which the body must confirm.
    /// Redirects are not followed, since the secret is for the configured host only.
    var statusFailure: GatewayFailure? {
        switch status {
        case 200..<300: nil
        case 300..<400: .failover("the gateway redirected the request", code: status)
        case 401, 403: .failover("the account was refused", code: status)
        case 408, 425: .retry(after: retryAfter, "the gateway is slow", code: status)
        case 429: .busy(after: retryAfter, "the gateway is busy", code: status)
        case 400..<500: .failover("the gateway refused the message", code: status)
        // A proxy has forwarded the message, and the result is unknown.
        case 504: .ambiguous("no response in time", code: status)
        case 500..<600: .retry(after: retryAfter, "the gateway is down", code: status)
        default: unreadable
        }
    }

    var unreadable: GatewayFailure { .ambiguous("the response is malformed", code: status) }

    /// - Throws: ``statusFailure``, where nothing but the status counts.
    func requireSuccess() throws(GatewayFailure) {
        if let statusFailure { throw statusFailure }
    }

    package var json: JSON? { body.flatMap(JSON.init(received:)) }

    /// - Throws: ``GatewayFailure/Kind/ambiguous`` without a valid ID.
    func receipt(messageID: String?) throws(GatewayFailure) -> GatewayReceipt {
        guard let messageID, !messageID.isEmpty else {
            throw .ambiguous("the response has no message ID", code: status)
        }
        return GatewayReceipt(messageID: messageID)
    }

    /// Whether the server's clock differs by more than `limit` from the time that the request was signed with.
    func isSkewed(from signedAt: Timestamp, by limit: Duration) -> Bool {
        guard let date else { return false }
        return max(date - signedAt, signedAt - date) > limit
    }

    /// Reads a `Retry-After` header, in seconds or as a date (RFC 9110 section 10.2.3): at most a day, so that the
    /// arithmetic cannot overflow. Nil, so that our own backoff applies, for anything else and for a date in the past.
    ///
    /// - Parameter date: the time by the server's clock, from which the wait to its date counts.
    static func wait(_ text: String?, at date: Timestamp) -> Duration? {
        guard let text else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(min(seconds, 86_400)) : nil }
        guard let end = Timestamp(httpDate: text), end > date else { return nil }
        return min(end - date, .seconds(86_400))
    }
}
