import PhoneDomain

extension Schema {
    /// What keeps a device signed in (RFC 6749 section 5.1).
    static let tokens = object([
        Property(
            "access_token",
            text(pattern: "^[!-~]+$").described(
                "A JWT (RFC 9068) that any program can verify by the keys at `/.well-known/jwks.json`: the bearer token of "
                    + "whatever the holder of the account asks for."
            )
        ),
        Property("token_type", constant("Bearer")),
        Property("expires_in", count(from: 1).described("For how many seconds the access token is good.")),
        Property(
            "refresh_token",
            text(pattern: "^rt_[0-9a-f]{32}_[A-Za-z0-9_-]{65}$").described(
                "What the next tokens are fetched by, once. It is opaque: its form may change."
            )
        ),
        Property(
            "scope",
            constant(.string(AccessToken.scope)).described("What the access token is for: the own account.")
        ),
    ])

    /// A device that is signed in.
    static let session = object([
        Property("id", identifier("ses")),
        Property("user_agent", text().orNull.described("What the device called itself when it signed up.")),
        Property("created_at", moment("When the number was proven that opened it.")),
        Property("last_used_at", moment("When its tokens were last made.")),
        Property("expires_at", moment("When it ends if it is not used again.")),
        Property("is_current", flag.described("Whether it is the one that asks.")),
    ])

    /// The sessions of an account.
    static let sessions = object([
        Property("sessions", list(of: named(.session)).described("The youngest first; 100 at most."))
    ])

    /// What the next tokens are asked for by.
    static let refresh = object(
        [
            Property(
                "refresh_token",
                text().described("The last one that was given.").such(as: .string(Examples.refreshToken))
            ),
            Property(
                "grant_type",
                choice(of: ["refresh_token"]).orNull.described("May be there, as OAuth's clients send it."),
                isRequired: false
            ),
        ],
        isClosed: false
    )

    /// The same as OAuth's clients ask: a parameter without a value counts as omitted (RFC 6749 section 3.2).
    static let refreshForm = object(
        [
            Property(
                "refresh_token",
                anyText.described("The last one that was given.").such(as: .string(Examples.refreshToken))
            ),
            Property("grant_type", text(pattern: "^(refresh_token)?$"), isRequired: false),
        ],
        isClosed: false
    )

    /// Any text but the empty one.
    private static let anyText = text(pattern: #"[\s\S]"#)

    /// What is to be revoked.
    static let revoke = object(
        [
            Property("token", anyText.described("Either token of a session.").such(as: .string(Examples.refreshToken))),
            Property("token_type_hint", text().described("May be there; it makes no difference."), isRequired: false),
        ],
        isClosed: false
    )
}
