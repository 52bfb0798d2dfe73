import PhoneDomain

extension Schema {
    /// A verification as its owner is shown it.
    static let verification = object([
        Property("id", identifier("ver")),
        Property("phone_number", e164),
        Property("national_format", text().described("As it is written in its country.")),
        Property("region", region),
        Property("channel", choice(of: Channel.self)),
        Property("status", choice(of: VerificationStatus.self)),
        Property("created_at", moment("When it was begun.")),
        Property("expires_at", moment("Until when its code is good at least; a gateway that is slow puts it off.")),
        Property("next_send_at", moment("From when the code may be sent again.")),
        Property("sends_left", count().described("How often the code may still be sent.")),
        Property("checks_left", count().described("How many codes may still be tried.")),
    ])

    /// What a verification is begun with.
    static let beginVerification = object(
        [
            Property(
                "phone_number",
                text().described("The number in any spelling; without +, as it is dialled in the region.")
                    .such(as: "010-1234-5678", "+821012345678")
            ),
            Property("region", regionCode.orNull, isRequired: false),
            Property("channel", choice(of: Channel.self).orNull.described("How the code is sent."), isRequired: false),
            Property("locale", language.orNull, isRequired: false),
            Property("client_address", clientAddress.orNull, isRequired: false),
            Property(
                "vouched",
                flag.orNull.described("Whether the caller has made sure of a person by other means, as by a captcha."),
                isRequired: false
            ),
        ],
        isClosed: false
    )

    /// What a person typed as the code.
    static let checkCode = object(
        [
            Property(
                "code",
                text().described("What the person typed; spaces and hyphens are passed over.").such(as: "314159")
            ),
            Property("client_address", clientAddress.orNull, isRequired: false),
        ],
        isClosed: false
    )

    private static let clientAddress = text().described(
        "The IP address that the person's own request came from, of either family; limits know the person by it."
    ).such(as: "203.0.113.7", "2001:db8::1")
}
