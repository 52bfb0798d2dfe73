extension Schema {
    /// A signup as its holder is shown it.
    static let signup = object(signupMembers(hasToken: false))

    /// A signup in the one answer that hands its token over.
    static let begunSignup = object(signupMembers(hasToken: true))

    /// A signup that has come to an account.
    static let completedSignup = object(
        signupMembers(hasToken: false, isCompleted: true)
            + [
                Property(
                    "tokens",
                    named(.tokens).orNull.described(
                        "What keeps the device signed in. Null in an answer that is given again if they were used meanwhile."
                    )
                )
            ]
    )

    /// The view model's outputs.
    static let signupState = object([
        Property("phone_text", text().described("What the phone field shows, hyphens and all.")),
        Property("is_send_enabled", flag.described("Whether a code can be sent to what the phone field says.")),
        Property("is_code_field_hidden", flag.described("Whether there is no code to be typed yet.")),
        Property("code_text", text().described("What the code field shows.")),
        Property("is_sign_up_enabled", flag.described("Whether the code field holds what may be the code.")),
        Property("is_busy", flag.described("Whether a tap is being seen to.")),
        Property("failure", named(.failure).orNull.described("Why the last tap came to nothing.")),
    ])

    /// A problem without what is of HTTP only.
    static let failure = byCode(
        ProblemCode.allCases.filter { $0.failureSchema != nil }.map { ($0, $0.failureName) }
    )

    /// An account as its owner is shown it.
    static let account = object([
        Property("id", identifier("acc")),
        Property("phone_number", e164.orNull.described("Null once somebody else has it.")),
        Property("created_at", moment("When it was made.")),
        Property("is_new", flag.described("Whether it was this signup that made it.")),
    ])

    /// What a signup is begun with.
    static let beginSignup = object(
        [
            Property("region", regionCode.orNull, isRequired: false),
            Property("locale", language.orNull, isRequired: false),
        ],
        isClosed: false
    )

    /// What was typed.
    static let editSignup = object(
        [
            Property("phone_text", phoneText.orNull, isRequired: false),
            Property("code_text", codeText.orNull, isRequired: false),
        ],
        isClosed: false
    )

    /// What the phone field holds when the code is asked for.
    static let sendCode = object([Property("phone_text", phoneText.orNull, isRequired: false)], isClosed: false)

    /// What the code field holds when it is to be checked.
    static let submitCode = object([Property("code_text", codeText.orNull, isRequired: false)], isClosed: false)

    private static func signupMembers(hasToken: Bool, isCompleted: Bool = false) -> [Property] {
        let token = text(pattern: "^sgt_.+$").described(
            "Shown here and never again: the bearer token of every later call."
        )
        return [Property("id", identifier("sgn"))]
            + (hasToken ? [Property("token", token)] : [])
            + [
                Property("state", named(.signupState)),
                Property(
                    "verification",
                    named(.verification).orNull.described("That of the number in the phone field.")
                ),
                isCompleted
                    ? Property("account", named(.account))
                    : Property("account", named(.account).orNull.described("What the signup came to, once it has.")),
            ]
    }

    private static let phoneText = text().described("What the phone field holds; any text.").such(as: "01012345678")
    private static let codeText = text().described("What the code field holds; any text.").such(as: "314159")
}
