import Testing

@testable import PhoneDelivery

/// What a vendor may answer to a message, and what the gateway makes of it.
struct VendorAnswer: Sendable, CustomTestStringConvertible {
    let behavior: FakeVendor.Behavior
    let failure: GatewayFailure
    let testDescription: String

    private init(_ behavior: FakeVendor.Behavior, _ failure: GatewayFailure, _ description: some StringProtocol) {
        (self.behavior, self.failure, testDescription) = (behavior, failure, String(description.prefix(120)))
    }

    /// A whole response.
    static func status(_ status: Int, _ body: String, headers: String = "", _ failure: GatewayFailure) -> Self {
        Self(.answer(response(status, body, headers)), failure, "\(status) \(headers) \(body)")
    }

    /// The connection is closed after this.
    static func cut(_ text: String, _ failure: GatewayFailure) -> Self {
        Self(.answerAndClose(text), failure, "closed after \(text)")
    }

    static let nobody = Self(.reset, closed, "a reset")
    static let closed = GatewayFailure.ambiguous("the connection was closed before the response")

    static func malformed(_ status: Int) -> GatewayFailure { .ambiguous("the response is malformed", code: status) }
    static func unnamed(_ status: Int) -> GatewayFailure {
        .ambiguous("the response has no message ID", code: status)
    }

    /// Those of any vendor's server or a proxy before it, whatever the vendor's own words are.
    static let proxies: [VendorAnswer] = [
        .status(401, "", .failover("the account was refused", code: 401)),
        .status(403, "<html>", .failover("the account was refused", code: 403)),
        .status(
            302,
            "",
            headers: "Location: http://127.0.0.1:1/",
            .failover("the gateway redirected the request", code: 302)
        ),
        .status(408, "", .retry("the gateway is slow", code: 408)),
        .status(429, "", headers: "Retry-After: 7", .busy(after: .seconds(7), "the gateway is busy", code: 429)),
        .status(503, "{}", headers: "Retry-After: 7", .retry(after: .seconds(7), "the gateway is down", code: 503)),
        .cut("HTTP/1.1 200", closed), .cut("", closed), .nobody,
    ]

    static let notFound = status(404, "[1]", .failover("the gateway refused the message", code: 404))

    /// A success that nobody can read.
    static let unreadable: [VendorAnswer] = [
        .cut("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<P", malformed(200)),
        .status(200, "<html><br></html>", malformed(200)), .status(200, "", malformed(200)),
        .status(200, String(repeating: " ", count: 1_000_000), malformed(200)),
    ]
}

/// The text of a whole response.
///
/// - Parameter headers: further ones, without the last line break.
func response(_ status: Int, _ body: String = "", _ headers: String = "") -> String {
    let end = headers.isEmpty ? "" : headers + "\r\n"
    return "HTTP/1.1 \(status) Status\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(end)"
        + "\r\n\(body)"
}

/// Everything that printing, dumping and reflecting show of values.
func everythingShown(of values: Any...) -> String {
    values.reduce(into: "") { text, value in
        text += "\(value) \(String(reflecting: value)) \(String(reflecting: [value])) "
        dump(value, to: &text)
    }
}
