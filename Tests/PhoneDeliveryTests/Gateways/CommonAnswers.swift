import PhoneDelivery

/// What any vendor's server, or a proxy before it, may answer, whatever the vendor's own words are.
enum CommonAnswers {
    static let statuses: [VendorAnswers.Case] = [
        (
            "401", .answer(VendorAnswers.json("401 Unauthorized", "")), .failover("the account was refused", code: 401),
            "b"
        ),
        (
            "403", .answer(VendorAnswers.json("403 Forbidden", "<html>")),
            .failover("the account was refused", code: 403), "b"
        ),
        (
            "404", .answer(VendorAnswers.json("404 Not Found", "[1]")),
            .failover("the gateway refused the message", code: 404), "b"
        ),
        (
            "302", .answer(VendorAnswers.json("302 Found", "", "Location: http://127.0.0.1:1/\r\n")),
            .failover("the gateway is elsewhere", code: 302), "b"
        ),
        ("408", .answer(VendorAnswers.json("408 Request Timeout", "")), .retry("the gateway is slow", code: 408), "b"),
        (
            "429", .answer(VendorAnswers.json("429 Too Many Requests", "", "Retry-After: 7\r\n")),
            .busy(after: .seconds(7), "the gateway is busy", code: 429), "b"
        ),
        (
            "503", .answer(VendorAnswers.json("503 Service Unavailable", "{}", "Retry-After: 7\r\n")),
            .retry(after: .seconds(7), "the gateway is down", code: 503), "b"
        ),
    ]

    static let unreadable: [VendorAnswers.Case] =
        [
            (
                "200 that breaks off", .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<P"),
                .ambiguous("the answer cannot be read", code: 200), "unconfirmed"
            ),
            (
                "200 of a proxy's page", .answer(VendorAnswers.json("200 OK", "<html><br></html>")),
                .ambiguous("the answer cannot be read", code: 200), "unconfirmed"
            ),
            (
                "200 of nothing", .answer(VendorAnswers.json("200 OK", "")),
                .ambiguous("the answer cannot be read", code: 200), "unconfirmed"
            ),
            (
                "200 of 1 MB", .answer(VendorAnswers.json("200 OK", String(repeating: " ", count: 1_000_000))),
                .ambiguous("the answer cannot be read", code: 200), "unconfirmed"
            ),
        ] + unanswered

    static let unanswered: [VendorAnswers.Case] = [
        (
            "half a head", .answerAndClose("HTTP/1.1 200"), .ambiguous("the connection ended before the answer"),
            "unconfirmed"
        ),
        ("nothing", .answerAndClose(""), .ambiguous("the connection ended before the answer"), "unconfirmed"),
        ("a reset", .reset, .ambiguous("the connection ended before the answer"), "unconfirmed"),
    ]
}
