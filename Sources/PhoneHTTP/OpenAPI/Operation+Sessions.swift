import HTTPTypes
import Hummingbird

/// The tokens of a session, and the sessions of an account.
extension Operation {
    static let tokens: [Operation] = [refresh, signOut, revoke]
    static let sessions: [Operation] = [listSessions, endSession]

    /// What every call with an access token can be refused for.
    static let ofSignedIn: [Problem] = [SignedInOnly.noToken, .notSignedIn, Examples.unavailable]

    private static let refresh = Operation(
        id: "refreshTokens",
        method: .post,
        path: "/v1/tokens",
        tag: .sessions,
        summary: "Fetch the next tokens",
        description: """
            The refresh token is used up by it. For half a minute, or what the operator has set, it is answered by the \
            same next one, so that a lost answer, or two tabs at once, lose nothing. Used after that, it ends the session, since \
            then two have it. No `Idempotency-Key` is needed. A form is refused as OAuth's clients read it (RFC 6749 section \
            5.2): by 400 with `error`.
            """,
        body: DocumentedBody(
            schema: .refresh,
            formSchema: .refreshForm,
            mediaTypes: ["application/json", Request.formType],
            examples: [("token", ["refresh_token": .string(Examples.refreshToken)])]
        ),
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The next tokens.",
                schema: .named(.tokens),
                examples: [("tokens", Examples.tokens)]
            )
        ],
        problems: [
            .field("refresh_token", "is missing"), TokenRoutes.otherGrantType, TokenRoutes.worthlessToken,
            TokenRoutes.invalidGrant, TokenRoutes.unsupportedGrantType, TokenRoutes.noRefreshToken,
            Request.repeatedParameter, Examples.unavailable,
        ]
    )

    private static let signOut = Operation(
        id: "signOut",
        method: .delete,
        path: "/v1/tokens",
        tag: .sessions,
        security: .eitherToken,
        summary: "Sign this device out, or every device",
        description: """
            Ends the session: its tokens are worth nothing here from now on. Where others verify access tokens by themselves, \
            one that is out is good until its time is over.
            """,
        parameters: [
            DocumentedParameter(
                name: "all",
                location: .query,
                description: "Whether every session of the account is to end.",
                schema: .text(pattern: "^(true|false)?$"),
                example: "true"
            )
        ],
        answers: [DocumentedAnswer(status: 204, description: "The session is over, or all of them.")],
        problems: ofSignedIn + [.field("all", "must be true or false")]
    )

    private static let revoke = Operation(
        id: "revokeToken",
        method: .post,
        path: TokenRoutes.revocationPath,
        tag: .sessions,
        summary: "Sign this device out, as OAuth's clients do",
        description: """
            Token revocation (RFC 7009). Either token of a session ends it, as `DELETE /v1/tokens` does. A token that is not \
            good, or no longer, is answered alike: it is as good as revoked.
            """,
        body: DocumentedBody(
            schema: .revoke,
            mediaTypes: [Request.formType],
            examples: [("token", ["token": .string(Examples.refreshToken)])]
        ),
        answers: [DocumentedAnswer(status: 200, description: "The session is over, or there is none.")],
        problems: [TokenRoutes.noToken, Request.repeatedParameter, Request.notForm, Examples.unavailable]
    )

    private static let listSessions = Operation(
        id: "listSessions",
        method: .get,
        path: "/v1/sessions",
        tag: .sessions,
        security: .accessToken,
        summary: "See which devices are signed in",
        description: "The sessions of the account that are not over, with the one that asks.",
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The sessions.",
                schema: .sessions,
                examples: [("one", ["sessions": [Examples.session]])]
            )
        ],
        problems: ofSignedIn
    )

    private static let endSession = Operation(
        id: "endSession",
        method: .delete,
        path: "/v1/sessions/{id}",
        tag: .sessions,
        security: .accessToken,
        summary: "Sign a device out",
        description: "Ends a session of the account, be it the one that asks.",
        parameters: [
            DocumentedParameter(
                name: "id",
                location: .path,
                description: "The session's `id`.",
                schema: .identifier("ses"),
                example: .string(Examples.sessionID)
            )
        ],
        answers: [DocumentedAnswer(status: 204, description: "The session is over.")],
        problems: ofSignedIn + [SessionRoutes.sessionNotFound]
    )
}
