@testable import PhoneDelivery

/// What a vendor may answer, what the gateway makes of it, and what becomes of the message: `failed`, `b` where the
/// next gateway has it, or `unconfirmed`.
enum VendorResponses {
    static let sid = "SM0123456789abcdef0123456789abcdef"
    static let taken = json(
        "201 Created",
        #"{"sid":"\#(sid)","status":"queued","error_code":null,"error_message":null}"#
    )

    /// A whole answer.
    static func json(_ status: String, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    static var all: [Case] { refusals + statuses + errorsInside + unreadable }

    typealias Case = (name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String)

    private static func refusal(_ status: String, code: Int) -> FakeVendor.Behavior {
        .answer(json(status, #"{"code":\#(code),"message":"+821012345678: no","more_info":"x","status":400}"#))
    }

    static let refusals: [Case] = [
        ("21211", refusal("400 Bad Request", code: 21211), .refused("no such number", code: 21211), "failed"),
        (
            "21610", refusal("400 Bad Request", code: 21610), .refused("the recipient has opted out", code: 21610),
            "failed"
        ),
        (
            "21612", refusal("400 Bad Request", code: 21612),
            .failover("the sender cannot reach the number", code: 21612),
            "b"
        ),
        (
            "21614", refusal("400 Bad Request", code: 21614),
            .refused("the number cannot receive text messages", code: 21614), "failed"
        ),
        ("21617", refusal("400 Bad Request", code: 21617), .refused("the text is too long", code: 21617), "failed"),
        (
            "21408", refusal("400 Bad Request", code: 21408),
            .failover("the gateway does not serve the country", code: 21408), "b"
        ),
        ("21606", refusal("400 Bad Request", code: 21606), .failover("the sender was refused", code: 21606), "b"),
        ("20003", refusal("401 Unauthorized", code: 20003), .failover("the account was refused", code: 20003), "b"),
        ("20404", refusal("404 Not Found", code: 20404), .failover("the account was refused", code: 20404), "b"),
        ("21611", refusal("400 Bad Request", code: 21611), .busy("the gateway is busy", code: 21611), "b"),
        ("20429", refusal("429 Too Many Requests", code: 20429), .busy("the gateway is busy", code: 20429), "b"),
        (
            "99999", refusal("400 Bad Request", code: 99999), .failover("the gateway refused the message", code: 99999),
            "b"
        ),
    ]

    static let statuses: [Case] = [
        ("401", .answer(json("401 Unauthorized", "")), .failover("the account was refused", code: 401), "b"),
        (
            "400 without a code", .answer(json("400 Bad Request", "[1]")),
            .failover("the gateway refused the message", code: 400), "b"
        ),
        ("408", .answer(json("408 Request Timeout", "")), .retry("the gateway is slow", code: 408), "b"),
        (
            "429 with Retry-After", .answer(json("429 Too Many Requests", "", "Retry-After: 7\r\n")),
            .busy(after: .seconds(7), "the gateway is busy", code: 429), "b"
        ),
        (
            "503 with Retry-After", .answer(json("503 Service Unavailable", "{}", "Retry-After: 7\r\n")),
            .retry(after: .seconds(7), "the gateway is down", code: 503), "b"
        ),
        (
            "503 with a date",
            .answer(json("503 Service Unavailable", "", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n")),
            .retry("the gateway is down", code: 503), "b"
        ),
        (
            "503 with a long wait", .answer(json("503 Service Unavailable", "", "Retry-After: 9999999999\r\n")),
            .retry(after: .seconds(86_400), "the gateway is down", code: 503), "b"
        ),
        ("500", .answer(json("500 Oops", #"{"code":20500}"#)), .retry("the gateway is down", code: 500), "b"),
        (
            "500 that breaks off", .answerAndClose("HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\n{"),
            .retry("the gateway is down", code: 500), "b"
        ),
    ]

    static let errorsInside: [Case] = [
        (
            "201, failed", .answer(json("201 Created", #"{"sid":"\#(sid)","status":"failed","error_code":21610}"#)),
            .refused("the recipient has opted out", code: 21610), "failed"
        ),
        (
            "201, undelivered with a code as text",
            .answer(json("201 Created", #"{"sid":"\#(sid)","status":"undelivered","error_code":"30007"}"#)),
            .failover("the gateway refused the message", code: 30007), "b"
        ),
        (
            "200, failed without a code",
            .answer(json("200 OK", #"{"sid":"\#(sid)","status":"failed","error_code":null}"#)),
            .failover("the gateway refused the message"), "b"
        ),
        (
            "200, an error code and no status", .answer(json("200 OK", #"{"sid":"\#(sid)","error_code":21211}"#)),
            .refused("no such number", code: 21211), "failed"
        ),
        (
            "200, an error in place of a message",
            .answer(json("200 OK", #"{"code":20003,"message":"no","status":401}"#)),
            .failover("the account was refused", code: 20003), "b"
        ),
        (
            "200, queued with an error code",
            .answer(json("200 OK", #"{"sid":"\#(sid)","status":"queued","error_code":30001}"#)),
            .ambiguous("the response contradicts itself", code: 30001), "unconfirmed"
        ),
        (
            "200, queued with an error of no kind",
            .answer(json("200 OK", #"{"sid":"\#(sid)","status":"queued","error_code":{}}"#)),
            .ambiguous("the response contradicts itself"), "unconfirmed"
        ),
    ]

    static let unreadable: [Case] = [
        (
            "201 without a sid", .answer(json("201 Created", #"{"status":"queued"}"#)),
            .ambiguous("the response has no message ID", code: 201), "unconfirmed"
        ),
        (
            "201 with a sid that is none", .answer(json("201 Created", #"{"sid":"a b\n"}"#)),
            .ambiguous("the response has no message ID", code: 201), "unconfirmed"
        ),
        (
            "201 with a number for a sid", .answer(json("201 Created", #"{"sid":7}"#)),
            .ambiguous("the response has no message ID", code: 201), "unconfirmed"
        ),
        (
            "201 with no JSON", .answer(json("201 Created", "<html>")),
            .ambiguous("the response is malformed", code: 201), "unconfirmed"
        ),
        (
            "201 with another JSON", .answer(json("201 Created", "[]")),
            .ambiguous("the response is malformed", code: 201), "unconfirmed"
        ),
        (
            "204", .answer("HTTP/1.1 204 No Content\r\n\r\n"), .ambiguous("the response is malformed", code: 204),
            "unconfirmed"
        ),
        (
            "201 of 10 MB",
            .answer(
                json("201 Created", #"{"sid":"\#(sid)","x":""# + String(repeating: "x", count: 10_000_000) + "\"}")
            ),
            .ambiguous("the response is malformed", code: 201), "unconfirmed"
        ),
        (
            "201 that breaks off", .answerAndClose("HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{\"sid\":\"SM"),
            .ambiguous("the response is malformed", code: 201), "unconfirmed"
        ),
        (
            "half a head", .answerAndClose("HTTP/1.1 201 Cre"),
            .ambiguous("the connection was closed before the response"),
            "unconfirmed"
        ),
        (
            "garbage", .answer("SSH-2.0-OpenSSH_9.2\r\n\r\n"),
            .ambiguous("the connection was closed before the response"),
            "unconfirmed"
        ),
        ("nothing", .answerAndClose(""), .ambiguous("the connection was closed before the response"), "unconfirmed"),
        ("a reset", .reset, .ambiguous("the connection was closed before the response"), "unconfirmed"),
    ]
}
