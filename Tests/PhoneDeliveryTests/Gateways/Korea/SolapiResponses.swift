@testable import PhoneDelivery

/// What Solapi may answer, and what becomes of the message.
enum SolapiResponses {
    static let messageID = "M4V20260101090000ABCDEFGHIJKLMNO"
    static let taken = VendorResponses.json(
        "200 OK",
        #"{"failedMessageList":[],"groupInfo":{"groupId":"G4V1","status":"SENDING"},"messageList":"#
            + #"[{"messageId":"\#(messageID)","statusCode":"2000","statusMessage":"정상 접수"}]}"#
    )

    static var all: [VendorResponses.Case] {
        CommonResponses.statuses + CommonResponses.unreadable + refusals + lies
    }

    private static func error(_ status: String, _ code: String, _ headers: String = "") -> FakeVendor.Behavior {
        .answer(VendorResponses.json(status, #"{"errorCode":"\#(code)","errorMessage":"no 01012345678"}"#, headers))
    }

    private static let refusals: [VendorResponses.Case] = [
        (
            "no money", error("402 Payment Required", "NotEnoughBalance"),
            .failover("the account has insufficient funds", code: 402), "b"
        ),
        (
            "400", error("400 Bad Request", "ValidationError"), .failover("the gateway refused the message", code: 400),
            "b"
        ),
        (
            "our clock is behind",
            error("401 Unauthorized", "InvalidDate", "Date: Thu, 01 Jan 2026 00:15:01 GMT\r\n"),
            .failover("the clocks are over fifteen minutes apart", code: 401), "b"
        ),
        (
            "our clock is right enough",
            error("401 Unauthorized", "InvalidApiKey", "Date: Thu, 01 Jan 2026 00:15:00 GMT\r\n"),
            .failover("the account was refused", code: 401), "b"
        ),
        (
            "our clock is ahead", error("403 Forbidden", "x", "Date: Wed, 31 Dec 2025 23:44:59 GMT\r\n"),
            .failover("the clocks are over fifteen minutes apart", code: 403), "b"
        ),
        ("500", error("500 Oops", "InternalError"), .retry("the gateway is down", code: 500), "b"),
        ("504", error("504 Gateway Timeout", "x"), .ambiguous("no response in time", code: 504), "unconfirmed"),
    ]

    private static func ok(_ failed: String, _ messages: String?) -> FakeVendor.Behavior {
        let list = messages.map { #","messageList":[\#($0)]"# } ?? ""
        return .answer(VendorResponses.json("200 OK", #"{"failedMessageList":[\#(failed)],"groupInfo":{}\#(list)}"#))
    }

    private static let lies: [VendorResponses.Case] = [
        (
            "200, and the sender is not registered", ok(#"{"to":"01012345678","statusCode":"1062"}"#, nil),
            .failover("the sender was refused", code: 1062), "b"
        ),
        (
            "200 that failed, and names a message",
            ok(#"{"statusCode":"1010"}"#, #"{"messageId":"m","statusCode":"2000"}"#),
            .failover("the gateway refused the message", code: 1010), "b"
        ),
        (
            "200 that failed without a code", ok("{}", nil), .failover("the gateway refused the message"), "b"
        ),
        (
            "200 of a message that was not taken", ok("", #"{"messageId":"m","statusCode":"3059"}"#),
            .failover("the gateway refused the message", code: 3059), "b"
        ),
        (
            "200 of a code as a number", ok("", #"{"messageId":"m","statusCode":1030}"#),
            .failover("the gateway refused the message", code: 1030), "b"
        ),
        (
            "200 without messages", ok("", nil), .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
        ("200 of no message", ok("", ""), .ambiguous("the response has no message ID", code: 200), "unconfirmed"),
        (
            "200 of a message without a name", ok("", #"{"statusCode":"2000"}"#),
            .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
    ]
}
