import PhoneDomain

extension Schema {
    /// An account as its holder is shown it.
    static let accountDetails = object([
        Property("id", identifier("acc")),
        Property("phone_number", e164.orNull.described("Null once somebody else has it.")),
        Property("national_format", text().orNull.described("As it is written in its country.")),
        Property("phone_number_verified", flag.described("Whether there is a number; it was proven.")),
        Property("phone_number_since", moment("Since when it is this number, or none.")),
        Property("created_at", moment("When it was made.")),
        Property("last_active_at", moment("When its holder was last heard of, to within an hour.")),
        Property("metadata", named(.metadata)),
        Property(
            "deletion_due_at",
            text(format: "date-time").orNull.described(
                "From when on it is deleted, unless its holder takes it back by signing in, or by giving it a number."
            )
        ),
    ])

    /// What programs keep with an account. Any object.
    static let metadata = object([], isClosed: false).described(
        "What is kept with the account: any JSON object of at most \(AccountMetadata.maxByteCount) bytes, no more than "
            + "\(AccountMetadata.maxDepth) levels deep. The account's holder can read it, and write it."
    )

    /// What is to change in it.
    static let editAccount = object(
        [
            Property(
                "metadata",
                object([], isClosed: false).described(
                    "A JSON merge patch (RFC 7396): members take the place of those there are, and those that are null go."
                )
            )
        ],
        isClosed: false
    )

    /// What a change of number is begun with.
    static let beginNumberChange = object(
        [
            Property(
                "phone_number",
                text().described("The new number in any spelling; without +, as it is dialled in the region.")
                    .such(as: "010-8765-4321", "+821087654321")
            ),
            Property("region", regionCode.orNull, isRequired: false),
            Property("locale", language.orNull, isRequired: false),
        ],
        isClosed: false
    )

    /// What a person typed as the code.
    static let checkNumberChange = object(
        [
            Property(
                "code",
                text().described("What the person typed; spaces and hyphens are passed over.").such(as: "314159")
            )
        ],
        isClosed: false
    )

    /// What is decided about a number whose account is dormant.
    static let decide = object(
        [
            Property(
                "decision",
                choice(of: DormantDecision.self).described(
                    "`sign_in`: it is the same person. `new_account`: it is somebody else, or wants to begin anew."
                )
            )
        ],
        isClosed: false
    )

    /// What a program may know that is to judge.
    static let dormantAccount = object([
        Property(
            "account",
            object([
                Property("id", identifier("acc")),
                Property("created_at", moment("When it was made.")),
                Property("last_active_at", moment("When its holder was last heard of, to within an hour.")),
                Property("metadata", named(.metadata)),
            ])
            .orNull.described("The account of the number that was proven; null if it has none that is dormant.")
        ),
        Property("decision", choice(of: DormantDecision.self).orNull.described("What was decided, if anything was.")),
    ])
}
