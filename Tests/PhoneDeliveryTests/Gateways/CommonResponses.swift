@testable import PhoneDelivery

/// What any vendor's server, or a proxy before it, may answer, whatever the vendor's own words are.
enum CommonResponses {
    static let statuses: [VendorResponses.Case] = [
        (
            "401", .answer(VendorResponses.json("401 Unauthorized", "")),
            .failover("the account was refused", code: 401),
            "b"
        ),
        (
            "403", .answer(VendorResponses.json("403 Forbidden", "<html>")),
            .failover("the account was refused", code: 403), "b"
        ),
        (
            "404", .answer(VendorResponses.json("404 Not Found", "[1]")),
            .failover("the gateway refused the message", code: 404), "b"
        ),
        (
            "302", .answer(VendorResponses.json("302 Found", "", "Location: http://127.0.0.1:1/\r\n")),
            .failover("the gateway redirected the request", code: 302), "b"
        ),
        (
            "408", .answer(VendorResponses.json("408 Request Timeout", "")), .retry("the gateway is slow", code: 408),
            "b"
        ),
        (
            "429", .answer(VendorResponses.json("429 Too Many Requests", "", "Retry-After: 7\r\n")),
            .busy(after: .seconds(7), "the gateway is busy", code: 429), "b"
        ),
        (
            "503", .answer(VendorResponses.json("503 Service Unavailable", "{}", "Retry-After: 7\r\n")),
            .retry(after: .seconds(7), "the gateway is down", code: 503), "b"
        ),
    ]

    static let unreadable: [VendorResponses.Case] =
        [
            (
                "200 that breaks off", .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<P"),
                .ambiguous("the response is malformed", code: 200), "unconfirmed"
            ),
            (
                "200 of a proxy's page", .answer(VendorResponses.json("200 OK", "<html><br></html>")),
                .ambiguous("the response is malformed", code: 200), "unconfirmed"
            ),
            (
                "200 of nothing", .answer(VendorResponses.json("200 OK", "")),
                .ambiguous("the response is malformed", code: 200), "unconfirmed"
            ),
            (
                "200 of 1 MB", .answer(VendorResponses.json("200 OK", String(repeating: " ", count: 1_000_000))),
                .ambiguous("the response is malformed", code: 200), "unconfirmed"
            ),
        ] + unanswered

    static let unanswered: [VendorResponses.Case] = [
        (
            "half a head", .answerAndClose("HTTP/1.1 200"), .ambiguous("the connection was closed before the response"),
            "unconfirmed"
        ),
        ("nothing", .answerAndClose(""), .ambiguous("the connection was closed before the response"), "unconfirmed"),
        ("a reset", .reset, .ambiguous("the connection was closed before the response"), "unconfirmed"),
    ]
}
