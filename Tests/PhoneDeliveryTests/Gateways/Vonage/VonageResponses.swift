@testable import PhoneDelivery

/// What Vonage's SMS API may answer.
enum VonageResponses {
    static let messageID = "0A0000000123ABCD1"

    /// An answer for these statuses, one SMS each.
    static func answer(_ statuses: String..., count: Int? = nil) -> String {
        let messages = statuses.enumerated().map { index, status in
            status == "0"
                ? #"{"to":"821012345678","message-id":"\#(messageID)\#(index)","status":"0","remaining-balance":"3.14"}"#
                : #"{"to":"821012345678","status":"\#(status)","error-text":"no +821012345678"}"#
        }
        let list = messages.joined(separator: ",")
        return VendorResponses.json(
            "200 OK",
            #"{"message-count":"\#(count ?? statuses.count)","messages":[\#(list)]}"#
        )
    }

    static var all: [VendorResponses.Case] { refusals + parts + lies }

    private static func refusal(_ status: Int, _ failure: GatewayFailure, _ outcome: String = "b")
        -> VendorResponses.Case
    {
        ("\(status)", .answer(answer("\(status)")), failure, outcome)
    }

    static let refusals: [VendorResponses.Case] = [
        refusal(1, .busy("the gateway is busy", code: 1)),
        refusal(2, .failover("the gateway refused the message", code: 2)),
        refusal(3, .failover("the gateway refused the message", code: 3)),
        refusal(4, .failover("the account was refused", code: 4)),
        refusal(5, .retry("the gateway is down", code: 5)),
        refusal(6, .failover("the gateway does not serve the number", code: 6)),
        refusal(7, .refused("the number is barred", code: 7), "failed"),
        refusal(8, .failover("the account was refused", code: 8)),
        refusal(9, .failover("the account has insufficient funds", code: 9)),
        refusal(10, .busy("the gateway is busy", code: 10)),
        refusal(11, .failover("the account was refused", code: 11)),
        refusal(12, .refused("the text is too long", code: 12), "failed"),
        refusal(14, .failover("the account was refused", code: 14)),
        refusal(15, .failover("the sender was refused", code: 15)),
        refusal(22, .failover("the gateway refused the message", code: 22)),
        refusal(29, .failover("the account may not send to this number", code: 29)),
        refusal(32, .failover("the account was refused", code: 32)),
        refusal(33, .refused("the number is no longer in service", code: 33), "failed"),
        refusal(39, .failover("the sender was refused", code: 39)),
        refusal(99, .failover("the gateway refused the message", code: 99)),
        (
            "a status as a number", .answer(VendorResponses.json("200 OK", #"{"messages":[{"status":9}]}"#)),
            .failover("the account has insufficient funds", code: 9), "b"
        ),
    ]

    static let parts: [VendorResponses.Case] = [
        ("both refused", .answer(answer("9", "1")), .failover("the account has insufficient funds", code: 9), "b"),
        (
            "the second refused", .answer(answer("0", "1")),
            .ambiguous("only part of the message was accepted", code: 1),
            "unconfirmed"
        ),
        (
            "the first refused", .answer(answer("9", "0")),
            .ambiguous("only part of the message was accepted", code: 9),
            "unconfirmed"
        ),
        (
            "one of two listed", .answer(answer("0", count: 2)),
            .ambiguous("the response contradicts itself", code: 200),
            "unconfirmed"
        ),
    ]

    static let lies: [VendorResponses.Case] = [
        (
            "no message", .answer(VendorResponses.json("200 OK", #"{"message-count":"0","messages":[]}"#)),
            .ambiguous("the response is malformed", code: 200), "unconfirmed"
        ),
        (
            "another JSON", .answer(VendorResponses.json("200 OK", "[]")),
            .ambiguous("the response is malformed", code: 200),
            "unconfirmed"
        ),
        (
            "no status", .answer(VendorResponses.json("200 OK", #"{"messages":[{"message-id":"a"}]}"#)),
            .ambiguous("the response is malformed", code: 200), "unconfirmed"
        ),
        (
            "a status and none",
            .answer(VendorResponses.json("200 OK", #"{"messages":[{"status":"9"},{"status":"?"}]}"#)),
            .ambiguous("the response is malformed", code: 200), "unconfirmed"
        ),
        (
            "no name", .answer(VendorResponses.json("200 OK", #"{"messages":[{"status":"0"}]}"#)),
            .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
        (
            "a name that is none",
            .answer(VendorResponses.json("200 OK", #"{"messages":[{"status":"0","message-id":"a b"}]}"#)),
            .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
    ]
}
