import HTTPTypes
import PhoneDomain

/// How an account gets another number.
extension Operation {
    static let numberChanges: [Operation] = [
        beginNumberChange, getNumberChange, cancelNumberChange, checkNumberChange,
    ]

    private static let path = NumberChangeRoutes.path + "/{id}"

    private static let id = DocumentedParameter(
        name: "id",
        location: .path,
        description: "The verification's `id`.",
        schema: .identifier("ver"),
        example: .string(Examples.verificationID)
    )

    private static let next = [getNumberChange.id, checkNumberChange.id, cancelNumberChange.id]

    private static let beginNumberChange = Operation(
        id: "beginNumberChange",
        method: .post,
        path: NumberChangeRoutes.path,
        tag: .accounts,
        security: .accessToken,
        summary: "Have a code sent to the new number",
        description: """
            Begins a verification of this session's and sends the code, or, if one is pending for the number, sends the same \
            code again and answers with that verification (200). Nothing is changed yet. Since it is safe to send again, \
            no `Idempotency-Key` is needed.
            """,
        body: DocumentedBody(
            schema: .beginNumberChange,
            examples: [("national", ["phone_number": "010-8765-4321", "region": "KR", "locale": "ko"])]
        ),
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "One was pending; its code is sent again.",
                schema: .named(.verification),
                next: next
            ),
            DocumentedAnswer(
                status: 201,
                description: "The verification has begun.",
                schema: .named(.verification),
                examples: [("begun", Examples.verification())],
                headers: [.location],
                next: next
            ),
        ],
        problems: ofSignedIn + [
            .field("phone_number", "is missing"), Examples.noSuchNumber, Examples.notMobile, Examples.regionNotAllowed,
            Examples.reauthenticationRequired, Examples.resendTooSoon, Examples.maxSendsReached,
            Examples.maxChecksReached, Examples.rateLimited,
        ]
    )

    private static let getNumberChange = Operation(
        id: "getNumberChange",
        method: .get,
        path: path,
        tag: .accounts,
        security: .accessToken,
        summary: "See how the proof of the new number stands",
        description: "What may be done next with the verification, and when. Nothing is changed.",
        parameters: [id],
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The verification.",
                schema: .named(.verification),
                examples: [("pending", Examples.verification())]
            )
        ],
        problems: ofSignedIn + [Examples.verificationNotFound]
    )

    private static let cancelNumberChange = Operation(
        id: "cancelNumberChange",
        method: .delete,
        path: path,
        tag: .accounts,
        security: .accessToken,
        summary: "Call the proof of the new number off",
        description:
            "Its code is worth nothing from now on, and the account keeps its number. Asked once more, it answers the same.",
        parameters: [id],
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The verification, canceled.",
                schema: .named(.verification),
                examples: [("canceled", Examples.verification(status: .canceled))]
            )
        ],
        problems: ofSignedIn + [Examples.verificationNotFound, Examples.verificationClosed, Examples.codeExpired]
    )

    private static let checkNumberChange = Operation(
        id: "checkNumberChange",
        method: .post,
        path: path + "/checks",
        tag: .accounts,
        security: .accessToken,
        summary: "Check the code and change the number",
        description: """
            The right code gives the account the new number, and the old one is told how to undo that. For a few seconds the \
            same caller gets the same answer, for the same code. If the code was right and another account has the number \
            (`number_taken`), the same call, with the code, changes it once that is over; a right code costs no more checks then.
            """,
        parameters: [id],
        body: DocumentedBody(schema: .checkNumberChange, examples: [("code", ["code": "314159"])]),
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The account with its new number.",
                schema: .named(.accountDetails),
                examples: [("changed", Examples.account())]
            )
        ],
        problems: ofSignedIn + [
            .field("code", "is missing"), Examples.malformedCode, Examples.codeIncorrect, Examples.codeExpired,
            Examples.maxChecksReached, Examples.rateLimited, Examples.reauthenticationRequired,
            Examples.verificationNotFound, Examples.verificationClosed, Examples.numberTaken,
        ]
    )
}
