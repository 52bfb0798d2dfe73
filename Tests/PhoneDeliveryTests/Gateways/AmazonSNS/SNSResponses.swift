@testable import PhoneDelivery

/// What Amazon SNS may answer.
enum SNSResponses {
    static let messageID = "567910cd-659e-55d4-8ccb-5aaf14679dc0"

    static let taken = xml("200 OK", "<MessageId>\(messageID)</MessageId>")

    static func xml(_ status: String, _ result: String) -> String {
        VendorResponses.json(
            status,
            """
            <?xml version="1.0"?>
            <PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">
              <PublishResult>\(result)</PublishResult>
              <ResponseMetadata><RequestId>d74b8436-ae13-5ab4-a9ff-ce54dfea72a0</RequestId></ResponseMetadata>
            </PublishResponse>

            """
        )
    }

    static func error(_ status: String, _ code: String, _ message: String = "no", _ headers: String = "") -> String {
        VendorResponses.json(
            status,
            """
            <ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>\(code)</Code>\
            <Message>\(message)</Message></Error><RequestId>9dd01905-5012-5f99-8663-4b3ecd0dfaef</RequestId></ErrorResponse>
            """,
            headers
        )
    }

    static var all: [VendorResponses.Case] { refusals + lies }

    private static func refusal(
        _ status: String,
        _ code: String,
        says message: String = "no",
        _ failure: GatewayFailure,
        _ outcome: String = "b"
    ) -> VendorResponses.Case {
        ("\(code) \(message)", .answer(error(status, code, message)), failure, outcome)
    }

    static let refusals: [VendorResponses.Case] = [
        refusal("400 Bad Request", "Throttling", says: "Rate exceeded", .busy("the gateway is busy", code: 400)),
        refusal("429 Too Many Requests", "Throttled", .busy("the gateway is busy", code: 429)),
        refusal("400 Bad Request", "KMSThrottling", .busy("the gateway is busy", code: 400)),
        (
            "Throttling with Retry-After",
            .answer(error("400 Bad Request", "Throttling", "Rate exceeded", "Retry-After: 3\r\n")),
            .busy(after: .seconds(3), "the gateway is busy", code: 400), "b"
        ),
        (
            "ServiceUnavailable with Retry-After",
            .answer(error("400 Bad Request", "ServiceUnavailable", "no", "Retry-After: 3\r\n")),
            .retry(after: .seconds(3), "the gateway is down", code: 400), "b"
        ),
        refusal("500 Oops", "InternalError", .retry("the gateway is down", code: 500)),
        refusal("400 Bad Request", "OptedOut", .refused("the recipient has opted out", code: 400), "failed"),
        refusal(
            "400 Bad Request",
            "InvalidParameter",
            says: "Invalid parameter: PhoneNumber Reason: +821012345678 is not valid to publish to",
            .refused("no such number", code: 400),
            "failed"
        ),
        refusal(
            "400 Bad Request",
            "InvalidParameter",
            says: "Invalid parameter: Cannot publish to opted out phone number: +821012345678",
            .refused("the recipient has opted out", code: 400),
            "failed"
        ),
        refusal(
            "400 Bad Request",
            "InvalidParameter",
            says: "Invalid parameter: MessageAttributes Reason: AWS.SNS.SMS.SenderID",
            .failover("the gateway refused the message", code: 400)
        ),
        refusal("400 Bad Request", "ParameterValueInvalid", .failover("the gateway refused the message", code: 400)),
        refusal("403 Forbidden", "AuthorizationError", .failover("the account was refused", code: 403)),
        refusal("403 Forbidden", "InvalidClientTokenId", .failover("the access key was refused", code: 403)),
        refusal("403 Forbidden", "SignatureDoesNotMatch", .failover("the signature was refused", code: 403)),
        refusal(
            "403 Forbidden",
            "SignatureDoesNotMatch",
            says: "Signature not yet current: 20260101T000600Z",
            .failover("this machine's clock is wrong", code: 403)
        ),
        refusal("403 Forbidden", "InvalidSecurity", .failover("the signature was refused", code: 403)),
        refusal("403 Forbidden", "ExpiredToken", .failover("the session token has expired", code: 403)),
        refusal("400 Bad Request", "KMSDisabled", .failover("the account's encryption key cannot be used", code: 400)),
        refusal("404 Not Found", "NotFound", .failover("the gateway refused the message", code: 404)),
        refusal("400 Bad Request", "Whatever", .failover("the gateway refused the message", code: 400)),
        // A proxy that is down knows better than the page that it shows.
        refusal("503 Service Unavailable", "OptedOut", .retry("the gateway is down", code: 503)),
    ]

    static let lies: [VendorResponses.Case] = [
        refusal("200 OK", "OptedOut", .refused("the recipient has opted out", code: 200), "failed"),
        refusal("200 OK", "Whatever", .failover("the gateway refused the message", code: 200)),
        (
            "200 without a name", .answer(xml("200 OK", "")), .ambiguous("the response has no message ID", code: 200),
            "unconfirmed"
        ),
        (
            "200 with a name that is none", .answer(xml("200 OK", "<MessageId>a b</MessageId>")),
            .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
        (
            "200 with the name elsewhere",
            .answer(
                VendorResponses.json("200 OK", "<Other><PublishResult><MessageId>a</MessageId></PublishResult></Other>")
            ),
            .ambiguous("the response has no message ID", code: 200), "unconfirmed"
        ),
        (
            "200 with a document type",
            .answer(
                VendorResponses.json(
                    "200 OK",
                    "<!DOCTYPE a [<!ENTITY b \"c\">]><PublishResponse><PublishResult><MessageId>&b;</MessageId>"
                        + "</PublishResult></PublishResponse>"
                )
            ),
            .ambiguous("the response is malformed", code: 200), "unconfirmed"
        ),
        (
            "200 in JSON", .answer(VendorResponses.json("200 OK", #"{"PublishResponse":{}}"#)),
            .ambiguous("the response is malformed", code: 200), "unconfirmed"
        ),
    ]
}
