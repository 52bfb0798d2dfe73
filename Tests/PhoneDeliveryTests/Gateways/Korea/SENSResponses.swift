@testable import PhoneDelivery

/// What NAVER Cloud SENS may answer, and what becomes of the message.
enum SENSResponses {
    static let requestID = "RSSA-1700000000000-6083-63516832-LHpXzvJa"
    static let taken = VendorResponses.json(
        "202 Accepted",
        #"{"requestId":"\#(requestID)","requestTime":"2026-01-01T09:00:00.000","statusCode":"202","statusName":"success"}"#
    )

    static var all: [VendorResponses.Case] {
        CommonResponses.statuses.filter { !["404"].contains($0.name) } + CommonResponses.unanswered + refusals + lies
    }

    private static func error(_ status: String, _ code: String, _ headers: String = "") -> FakeVendor.Behavior {
        .answer(
            VendorResponses.json(
                status,
                #"{"error":{"errorCode":"\#(code)","message":"no 01012345678","details":"x"}}"#,
                headers
            )
        )
    }

    private static let refusals: [VendorResponses.Case] = [
        ("a wrong key", error("401 Unauthorized", "200"), .failover("the account was refused", code: 200), "b"),
        (
            "a clock that is right", error("401 Unauthorized", "200", "Date: Thu, 01 Jan 2026 00:05:00 GMT\r\n"),
            .failover("the account was refused", code: 200), "b"
        ),
        (
            "our clock is behind", error("401 Unauthorized", "200", "Date: Thu, 01 Jan 2026 00:05:01 GMT\r\n"),
            .failover("the clocks are over five minutes apart", code: 200), "b"
        ),
        (
            "our clock is ahead", error("401 Unauthorized", "200", "Date: Wed, 31 Dec 2025 23:54:59 GMT\r\n"),
            .failover("the clocks are over five minutes apart", code: 200), "b"
        ),
        (
            "a date that is none", error("401 Unauthorized", "200", "Date: tomorrow\r\n"),
            .failover("the account was refused", code: 200), "b"
        ),
        ("no such service", error("404 Not Found", "300"), .failover("there is no such service", code: 300), "b"),
        (
            "400", .answer(VendorResponses.json("400 Bad Request", #"{"status":400,"errors":["to"]}"#)),
            .failover("the gateway refused the message", code: 400), "b"
        ),
        ("the quota", error("429 Too Many Requests", "400"), .busy("the gateway is busy", code: 400), "b"),
        ("500", error("500 Oops", "900"), .retry("the gateway is down", code: 500), "b"),
        ("504", error("504 Gateway Timeout", "510"), .ambiguous("no response in time", code: 510), "unconfirmed"),
    ]

    private static func ok(_ body: String, _ status: String = "202 Accepted") -> FakeVendor.Behavior {
        .answer(VendorResponses.json(status, body))
    }

    private static let lies: [VendorResponses.Case] = [
        (
            "202 that failed", ok(#"{"requestId":"r1","statusCode":"400","statusName":"fail"}"#),
            .failover("the gateway refused the message", code: 400), "b"
        ),
        (
            "202 with a code as a number", ok(#"{"requestId":"r1","statusCode":404,"statusName":"fail"}"#),
            .failover("the gateway refused the message", code: 404), "b"
        ),
        (
            "202 that contradicts itself", ok(#"{"requestId":"r1","statusCode":"202","statusName":"fail"}"#),
            .failover("the gateway refused the message", code: 202), "b"
        ),
        (
            "202 without a request", ok(#"{"statusCode":"202","statusName":"success"}"#),
            .ambiguous("the response has no message ID", code: 202), "unconfirmed"
        ),
        (
            "202 with a request that is none", ok(#"{"requestId":"a b","statusCode":"202","statusName":"success"}"#),
            .ambiguous("the response has no message ID", code: 202), "unconfirmed"
        ),
        (
            "202 that says neither", ok(#"{"requestId":"r1"}"#),
            .ambiguous("the response does not say whether the message was accepted", code: 202), "unconfirmed"
        ),
        ("202 of nothing", ok(""), .ambiguous("the response is malformed", code: 202), "unconfirmed"),
        ("202 of a list", ok("[]"), .ambiguous("the response is malformed", code: 202), "unconfirmed"),
        (
            "202 that breaks off", .answerAndClose("HTTP/1.1 202 OK\r\nContent-Length: 99\r\n\r\n{\"requestId"),
            .ambiguous("the response is malformed", code: 202), "unconfirmed"
        ),
    ]
}
