import PhoneDomain

/// What the receiver of webhooks is sent when something happens, and how it answers.
struct DocumentedEvent {
    let kind: Event.Kind

    /// The webhook as the document has it.
    var json: JSON {
        [
            "post": [
                "operationId": .string("receive" + kind.rawValue.split(separator: ".").map(\.capitalized).joined()),
                "tags": ["webhooks"],
                "summary": .string(summary),
                "description": .string(Self.description),
                "parameters": .array(Self.parameters.map(\.json)),
                "requestBody": [
                    "required": true,
                    "content": ["application/json": ["schema": schema.json]],
                ],
                "responses": [
                    "2XX": ["description": "The event was taken, and is not sent again."],
                    "410": ["description": "The event is not wanted, and is set aside at once."],
                    "default": ["description": "Anything else, or nothing in time: it is sent again, later each time."],
                ],
            ]
        ]
    }

    /// The body that is signed.
    var schema: Schema {
        .object([
            Schema.Property("type", .constant(.string(kind.rawValue))),
            Schema.Property("timestamp", .moment("When it happened.")),
            Schema.Property("data", data.described("What it is about, as it was when this was sent.")),
            Schema.Property(
                "is_example",
                .constant(true).described("There if somebody only tries the receiver out."),
                isRequired: false
            ),
        ])
    }

    private var data: Schema {
        switch kind {
        case .verificationApproved, .verificationFailed: .eventOfVerification
        case .messageDelivered, .messageUndelivered: .eventOfMessage
        case .accountCreated, .numberChanged: .eventOfAccount
        case .guardBlocked: .eventOfPrefix
        }
    }

    private var summary: String {
        switch kind {
        case .verificationApproved: "Somebody gave the right code"
        case .verificationFailed: "A verification ended without proof"
        case .messageDelivered: "A message is on the phone"
        case .messageUndelivered: "A message was lost on its way, or no gateway took it"
        case .accountCreated: "A number was proven that no account had"
        case .numberChanged: "An account got another number, or its old one back"
        case .guardBlocked: "The guard began to hold back messages to a prefix"
        }
    }

    private static let description = """
        Sent to the address that the operator has set, at least once and in no promised order, signed as Standard Webhooks \
        has it (https://www.standardwebhooks.com). It is not redirected.
        """

    private static let parameters = [
        DocumentedParameter(
            name: "webhook-id",
            location: .header,
            description: "The event's name; a repetition has the same.",
            schema: .text(pattern: "^evt_[a-z0-9_]+$"),
            example: "evt_verification_approved_0123456789abcdef0123456789abcdef"
        ),
        DocumentedParameter(
            name: "webhook-timestamp",
            location: .header,
            description:
                "When this attempt was made, in seconds since 1970-01-01T00:00:00Z. Refuse what is minutes old.",
            schema: .text(pattern: "^[0-9]+$"),
            example: "1767225600"
        ),
        DocumentedParameter(
            name: "webhook-signature",
            location: .header,
            description: """
                For each secret, with spaces between: `v1,` and the base64 of the HMAC-SHA256 of name, timestamp and body \
                with full stops between. One of them has to be right.
                """,
            schema: .text(pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$"),
            example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        ),
    ]
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
