import PhoneDomain

/// What events tell. Every member is always there, null where there is nothing to say.
extension Schema {
    /// Of a verification.
    static let eventOfVerification = object(
        [Property("id", identifier("ver"))] + number + [
            Property("channel", choice(of: Channel.self)),
            Property("status", choice(of: VerificationStatus.self)),
            Property("created_at", moment("When it was begun.")),
            Property("expires_at", moment("Until when its code is or was good.")),
            Property(
                "is_test",
                flag.described("Whether the number is one of those with a code of their own, for tests.")
            ),
        ]
    )

    /// Of a message.
    static let eventOfMessage = object(
        [Property("id", identifier("msg")), Property("verification_id", identifier("ver"))] + number + [
            Property("channel", choice(of: Channel.self)),
            Property("status", choice(of: OutboxMessage.Status.self)),
            Property("gateway", text().orNull.described("Who took it; null if nobody did.")),
            Property("gateway_message_id", text().orNull.described("The gateway's own name for it.")),
            Property(
                "failure",
                text().orNull.described("Why it was not taken or is lost, in words that are always the same.")
            ),
            Property("created_at", moment("When it was asked for.")),
        ]
    )

    /// Of an account.
    static let eventOfAccount = object(
        [Property("id", identifier("acc")), Property("verification_id", identifier("ver"))] + number + [
            Property("created_at", moment("When it was made."))
        ]
    )

    /// Of the numbers that begin alike.
    static let eventOfPrefix = object([
        Property("prefix", text(pattern: "^\\+[1-9][0-9]*$").described("How they begin.").such(as: "+82101234")),
        Property(
            "blocked_until",
            text(format: "date-time").orNull.described("Null if the block was lifted meanwhile.")
        ),
        Property("reason", choice(of: GuardVerdict.Reason.self)),
    ])

    private static let number = [
        Property("phone_number", e164),
        Property("national_format", text().described("As it is written in its country.")),
        Property("region", region),
    ]
}
