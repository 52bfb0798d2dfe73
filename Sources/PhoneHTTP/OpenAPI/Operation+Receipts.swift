import HTTPTypes
import Hummingbird
import PhoneDomain

/// What gateways report by calling.
extension Operation {
    static let receipts: [Operation] = [
        Operation(
            id: "reportTwilioMessage",
            method: .post,
            path: "/v1/receipts/twilio",
            tag: .operation,
            summary: "Report how a message fared, as Twilio does",
            description: """
                A status callback of Twilio's Messages API, or of what speaks it, for the address that the operator has configured \
                (`sms.twilio.status_callback_url`); without one there is nothing here. It is believed only if `X-Twilio-Signature` \
                is right: HMAC-SHA1 with the account's auth token over that address and the fields. Fields that are not known are \
                signed and passed over, and so is what is said of messages that nobody knows.
                """,
            parameters: [
                DocumentedParameter(
                    name: "X-Twilio-Signature",
                    location: .header,
                    description:
                        "The signature, in base64 (https://www.twilio.com/docs/usage/webhooks/webhooks-security).",
                    schema: .text(),
                    example: "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
                    isNeeded: true
                )
            ],
            body: DocumentedBody(
                schema: .twilioReport,
                mediaTypes: [Request.formType],
                examples: [
                    (
                        "lost",
                        [
                            "MessageSid": "SM0123456789abcdef0123456789abcdef", "MessageStatus": "undelivered",
                            "ErrorCode": "30005",
                        ]
                    )
                ]
            ),
            answers: [
                DocumentedAnswer(status: 204, description: "It is genuine, and recorded if it told anything new.")
            ],
            problems: [.reportNotSigned, Request.notForm, AllowedMethods.notFound, Examples.unavailable]
        )
    ]
}
