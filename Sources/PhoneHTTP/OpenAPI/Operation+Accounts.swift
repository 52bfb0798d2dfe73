import HTTPTypes

/// An account, for its holder.
extension Operation {
    static let accounts: [Operation] = [getAccount, editAccount, deleteAccount, exportAccount]

    private static let path = "/v1/accounts/me"

    private static let getAccount = Operation(
        id: "getAccount",
        method: .get,
        path: path,
        tag: .accounts,
        security: .accessToken,
        summary: "See one's account",
        description: "The account of the session that asks. Nothing is changed.",
        answers: [account],
        problems: ofSignedIn
    )

    private static let account = DocumentedAnswer(
        status: 200,
        description: "The account.",
        schema: .named(.accountDetails),
        examples: [("account", Examples.account())]
    )

    private static let editAccount = Operation(
        id: "editAccount",
        method: .patch,
        path: path,
        tag: .accounts,
        security: .accessToken,
        summary: "Change what is kept with the account",
        description: """
            Merges `metadata` into what is there (RFC 7396); nothing else can be changed so. What is kept must stay within \
            its bounds, or nothing is changed.
            """,
        body: DocumentedBody(
            schema: .editAccount,
            mediaTypes: ["application/json", AccountRoutes.mergePatch],
            examples: [("plan", ["metadata": ["plan": "family", "referrer": .null]])]
        ),
        answers: [account],
        problems: ofSignedIn + [
            .field("metadata", "must be an object"), Examples.metadataTooLong, Examples.metadataTooDeep,
        ]
    )

    private static let deleteAccount = Operation(
        id: "deleteAccount",
        method: .delete,
        path: path,
        tag: .accounts,
        security: .accessToken,
        summary: "Have the account deleted",
        description: """
            Signs every device out, and has the account deleted with all that is kept of its holder from `deletion_due_at`             on. Whoever signs in with its number before takes that back.
            """,
        answers: [
            DocumentedAnswer(
                status: 202,
                description: "The account will be deleted.",
                schema: .named(.accountDetails),
                examples: [("due", Examples.account(deletionDueAt: "2026-01-15T00:00:00.000Z"))]
            )
        ],
        problems: ofSignedIn
    )

    private static let exportAccount = Operation(
        id: "exportAccount",
        method: .get,
        path: path + "/export",
        tag: .accounts,
        security: .accessToken,
        summary: "Have all that is held on one",
        description: "All that the service holds on the account's holder, but for secrets and codes.",
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The data.",
                schema: .named(.personalData),
                headers: [.contentDisposition]
            )
        ],
        problems: ofSignedIn
    )
}
