import HTTPTypes
import PhoneDomain

/// Verifications from server to server.
extension Operation {
    static let verifications: [Operation] = [
        beginVerification, getVerification, cancelVerification, checkCode,
    ]

    private static let path = "/v1/verifications/{id}"

    private static let id = DocumentedParameter(
        name: "id",
        location: .path,
        description: "The verification's `id`.",
        schema: .identifier("ver"),
        example: .string(Examples.verificationID)
    )

    /// What every call can be refused for.
    static let ofCallers: [Problem] = [
        CallerAuthority.noKey, CallerAuthority.worthlessKey, .insufficientScope(.verifications), Examples.unavailable,
    ]

    private static let beginVerification = Operation(
        id: "beginVerification",
        method: .post,
        path: "/v1/verifications",
        tag: .verifications,
        security: .apiKey,
        summary: "Have a code sent to a number",
        description: """
            Begins a verification and sends the code, or, if one is pending for the number, sends the same code again and \
            answers with that verification (200). Say by `client_address` where the person's own request came from: \
            limits by address know the person by it, not by the calling server.
            """,
        body: DocumentedBody(
            schema: .beginVerification,
            examples: [
                ("national", ["phone_number": "010-1234-5678", "region": "KR", "locale": "ko"]),
                ("international", ["phone_number": "+821012345678", "client_address": "203.0.113.7"]),
            ]
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
        problems: ofCallers + [
            .field("phone_number", "is missing"), Examples.noSuchNumber, Examples.notMobile, Examples.regionNotAllowed,
            Examples.resendTooSoon, Examples.maxSendsReached, Examples.maxChecksReached, Examples.rateLimited,
        ],
        isIdempotent: true
    )

    private static let next = [getVerification.id, checkCode.id, cancelVerification.id]

    private static let getVerification = Operation(
        id: "getVerification",
        method: .get,
        path: path,
        tag: .verifications,
        security: .apiKey,
        summary: "See how a verification stands",
        description: "What may be done next with it, and when. Nothing is changed.",
        parameters: [id],
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The verification.",
                schema: .named(.verification),
                examples: [("pending", Examples.verification()), ("expired", Examples.verification(status: .expired))]
            )
        ],
        problems: ofCallers + [Examples.verificationNotFound]
    )

    private static let cancelVerification = Operation(
        id: "cancelVerification",
        method: .delete,
        path: path,
        tag: .verifications,
        security: .apiKey,
        summary: "Call a verification off",
        description: "Its code is worth nothing from now on. Asked once more, it answers the same.",
        parameters: [id],
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The verification, canceled.",
                schema: .named(.verification),
                examples: [("canceled", Examples.verification(status: .canceled))]
            )
        ],
        problems: ofCallers + [
            Examples.verificationNotFound, Examples.verificationClosed, Examples.codeExpired,
        ]
    )

    private static let checkCode = Operation(
        id: "checkCode",
        method: .post,
        path: path + "/checks",
        tag: .verifications,
        security: .apiKey,
        summary: "Check a code",
        description: """
            The right code approves the verification, once; for a few seconds the same caller is told so again. A wrong \
            one uses up a check. A text that cannot be a code is refused without being counted.
            """,
        parameters: [id],
        body: DocumentedBody(schema: .checkCode, examples: [("code", ["code": "314159"])]),
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The code was right.",
                schema: .named(.verification),
                examples: [("approved", Examples.verification(status: .approved, checksLeft: 4))]
            )
        ],
        problems: ofCallers + [
            .field("code", "is missing"), Examples.malformedCode, Examples.codeIncorrect, Examples.codeExpired,
            Examples.maxChecksReached, Examples.rateLimited, Examples.verificationNotFound, Examples.verificationClosed,
        ],
        isIdempotent: true
    )
}
