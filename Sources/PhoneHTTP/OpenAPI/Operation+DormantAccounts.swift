import HTTPTypes
import PhoneDomain

/// What is decided about a number whose account nobody has used for long.
extension Operation {
    static let dormantAccounts: [Operation] = [getDormantAccount, decide]

    private static let path = "/v1/signups/{id}/dormant-account"

    private static let id = DocumentedParameter(
        name: "id",
        location: .path,
        description: "The signup's `id`.",
        schema: .identifier("sgn"),
        example: .string(Examples.signupID)
    )

    /// What can stand in the way of both.
    private static let ofBoth: [Problem] = [
        CallerAuthority.noKey, CallerAuthority.worthlessKey, .insufficientScope(.accounts), .signupNotFound,
        Examples.notApproved, Examples.codeExpired, Examples.verificationNotFound, Examples.verificationClosed,
        Examples.unavailable,
    ]

    private static let getDormantAccount = Operation(
        id: "getDormantAccount",
        method: .get,
        path: path,
        tag: .signups,
        security: .accountsKey,
        summary: "See whose number it may be",
        description: """
            For the program that is to judge whether whoever has proven the number is the holder of its account             (`accounts.recycling: ask`): what is known of that account.
            """,
        parameters: [id],
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The account, if there is one to decide about.",
                schema: .named(.dormantAccount),
                examples: [("undecided", Examples.dormantAccount), ("none", ["account": .null, "decision": .null])]
            )
        ],
        problems: ofBoth
    )

    private static let decide = Operation(
        id: "decideDormantAccount",
        method: .post,
        path: path,
        tag: .signups,
        security: .signupTokenOrAccountsKey,
        summary: "Decide who has proven the number",
        description: """
            After `account_dormant`. The holder of the signup may choose `new_account`; a program with a key either. Then \
            `signUp`, with the code again, goes on as decided. Another decision takes the place of this one until then. No \
            `Idempotency-Key` is needed.
            """,
        parameters: [id],
        body: DocumentedBody(schema: .decide, examples: [("same", ["decision": "sign_in"])]),
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The signup, as decided.",
                schema: .named(.signup),
                examples: [("signup", Examples.sentSignup)]
            )
        ],
        problems: ofBoth + [
            .field("decision", "is missing"), SignupRoutes.notTheHolders,
        ]
    )
}
