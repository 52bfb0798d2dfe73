extension Schema {
    /// What Twilio reports of a message.
    static let twilioReport = object(
        [
            Property("MessageSid", text().described("Twilio's name for the message."), isRequired: false),
            Property(
                "MessageStatus",
                text().described(
                    "How it stands: `delivered` and `read`, `undelivered` and `failed` settle it; others are passed over."
                ),
                isRequired: false
            ),
            Property("ErrorCode", text().described("Why it was lost."), isRequired: false),
        ],
        isClosed: false
    )
}
