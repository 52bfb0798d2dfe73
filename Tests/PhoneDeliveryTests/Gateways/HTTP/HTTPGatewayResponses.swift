@testable import PhoneDelivery

/// What the vendors of ``HTTPGatewayExample`` may answer.
enum HTTPGatewayResponses {
    static let json: [VendorResponses.Case] = [
        (
            "another status", .answer(VendorResponses.json("200 OK", #"{"status":"rejected"}"#)),
            .failover("the gateway refused the message", code: 200), "b"
        ),
        (
            "a refusal with a code",
            .answer(VendorResponses.json("200 OK", #"{"status":"no","error":{"code":"bad_number"}}"#)),
            .refused("the gateway refused the number", code: 200), "failed"
        ),
        (
            "a refusal with a number", .answer(VendorResponses.json("400 Bad Request", #"{"error":{"code":4001}}"#)),
            .refused("the gateway refused the number", code: 4001), "failed"
        ),
        (
            "throttled",
            .answer(VendorResponses.json("403 Forbidden", #"{"error":{"code":"throttled"}}"#, "Retry-After: 7\r\n")),
            .busy(after: .seconds(7), "the gateway is busy", code: 403), "b"
        ),
        (
            "another code", .answer(VendorResponses.json("400 Bad Request", #"{"error":{"code":"whatever"}}"#)),
            .failover("the gateway refused the message", code: 400), "b"
        ),
        (
            "a code amid a breakdown", .answer(VendorResponses.json("500 Oops", #"{"error":{"code":"bad_number"}}"#)),
            .retry("the gateway is down", code: 500), "b"
        ),
        (
            "423, named", .answer(VendorResponses.json("423 Locked", "")), .busy("the gateway is busy", code: 423), "b"
        ),
        (
            "501, named", .answer(VendorResponses.json("501 Not Implemented", "")),
            .failover("the gateway refused the message", code: 501), "b"
        ),
        (
            "422, named", .answer(VendorResponses.json("422 Unprocessable", "")),
            .refused("the gateway refused the number", code: 422), "failed"
        ),
        (
            "no status", .answer(VendorResponses.json("200 OK", #"{"messages":[{"id":"m-1"}]}"#)),
            .ambiguous("the response does not say whether the message was accepted", code: 200), "unconfirmed"
        ),
        (
            "a status that is none", .answer(VendorResponses.json("200 OK", #"{"status":{"ok":true}}"#)),
            .ambiguous("the response does not say whether the message was accepted", code: 200), "unconfirmed"
        ),
        (
            "another JSON", .answer(VendorResponses.json("200 OK", "7")),
            .ambiguous("the response does not say whether the message was accepted", code: 200), "unconfirmed"
        ),
        (
            "no name", .answer(VendorResponses.json("200 OK", #"{"status":"ok","messages":[]}"#)),
            .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
        (
            "an empty name", .answer(VendorResponses.json("200 OK", #"{"status":"ok","messages":[{"id":""}]}"#)),
            .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
    ]

    static let form: [VendorResponses.Case] = [
        (
            "-101", .answer(VendorResponses.json("200 OK", #"{"result_code":-101,"message":"인증오류입니다."}"#)),
            .failover("the gateway refused the message", code: -101), "b"
        ),
        (
            "-201", .answer(VendorResponses.json("200 OK", #"{"result_code":"-201"}"#)),
            .refused("the gateway refused the number", code: -201), "failed"
        ),
        (
            "-901", .answer(VendorResponses.json("200 OK", #"{"result_code":-901}"#)),
            .busy("the gateway is busy", code: -901), "b"
        ),
    ]
}
