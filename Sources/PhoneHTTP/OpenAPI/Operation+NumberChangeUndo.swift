import HTTPTypes
import PhoneDomain

/// Undoing a change of number from the old number.
extension Operation {
    static let numberChangeUndo: [Operation] = [
        Operation(
            id: "undoNumberChange",
            method: .post,
            path: "/v1/number-changes/undo",
            tag: .accounts,
            summary: "Undo a change of number",
            description: """
                The number that an account had before is told of its change by a message with a link, which ends in a token. \
                With that the account gets its old number back, once, until the time set by the operator is over, and every \
                session of it ends. The link leads to a page of this server (`/undo/{token}`) unless the operator has named \
                another: this operation is for that.
                """,
            body: DocumentedBody(
                schema: .undoNumberChange,
                examples: [("token", ["token": "q3Xw0mZ1tBn8uV5kL2rK9s"])]
            ),
            answers: [
                DocumentedAnswer(
                    status: 200,
                    description: "The account has its old number again.",
                    schema: .named(.undoneNumberChange),
                    examples: [("undone", ["phone_number": "+82 10-****-5678", "undone": true])]
                )
            ],
            problems: [
                .field("token", "is missing"), Examples.numberChangeNotFound, .numberTakenSince, Examples.unavailable,
            ]
        )
    ]
}
