import HTTPTypes

/// The guided signup.
extension Operation {
    static let signups: [Operation] = [beginSignup, getSignup, editSignup, sendCode, signUp]

    private static let path = "/v1/signups/{id}"

    private static let id = DocumentedParameter(
        name: "id",
        location: .path,
        description: "The signup's `id`.",
        schema: .identifier("sgn"),
        example: .string(Examples.signupID)
    )

    /// What every call but the first can be refused for.
    private static let ofHolders: [Problem] = [
        SignupRoutes.noToken, .signupNotFound, Examples.unavailable,
    ]

    private static let beginSignup = Operation(
        id: "beginSignup",
        method: .post,
        path: "/v1/signups",
        tag: .signups,
        summary: "Begin a signup",
        description: """
            Answers with the state of an empty form and with the signup's `token`, which is shown here and never again: \
            it is the bearer token of every later call. A signup lives for as long as the operator has \
            set, half an hour unless told otherwise. No body is as good as an empty one.
            """,
        body: DocumentedBody(
            schema: .beginSignup,
            isRequired: false,
            examples: [("korean", ["region": "KR", "locale": "ko"]), ("defaults", .object([]))]
        ),
        answers: [
            DocumentedAnswer(
                status: 201,
                description: "The signup has begun.",
                schema: .named(.begunSignup),
                examples: [("begun", Examples.begunSignup)],
                headers: [.location],
                next: [getSignup.id, editSignup.id, sendCode.id, signUp.id]
            )
        ],
        problems: [
            .field("region", "must be the ISO 3166-1 code of a region whose numbers are known, such as KR"),
            Examples.rateLimited, Examples.unavailable,
        ]
    )

    private static let getSignup = Operation(
        id: "getSignup",
        method: .get,
        path: path,
        tag: .signups,
        security: .signupToken,
        summary: "See how a signup stands",
        description: "All that there is to draw. Nothing is changed.",
        parameters: [id],
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The signup.",
                schema: .named(.signup),
                examples: [("begun", Examples.emptySignup), ("sent", Examples.sentSignup)]
            )
        ],
        problems: ofHolders
    )

    private static let editSignup = Operation(
        id: "editSignup",
        method: .patch,
        path: path,
        tag: .signups,
        security: .signupToken,
        summary: "Tell what was typed",
        description: """
            Send what a field holds whenever it was edited; the answer says what it is to show instead: hyphens where they \
            belong, and no more digits than there can be. What is not sent stays as it is. Any text is taken.
            """,
        parameters: [id],
        body: DocumentedBody(
            schema: .editSignup,
            examples: [("phone", ["phone_text": "0101234"]), ("code", ["code_text": "314159"])]
        ),
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The signup with what was typed.",
                schema: .named(.signup),
                examples: [("typed", Examples.emptySignup)]
            )
        ],
        problems: ofHolders + [.field("phone_text", "must be a string")]
    )

    private static let sendCode = Operation(
        id: "sendSignupCode",
        method: .post,
        path: path + "/send",
        tag: .signups,
        security: .signupToken,
        summary: "Have the code sent",
        description: """
            Sends a code to the number in the phone field, or the same code once more; `verification` says when and how \
            often that may be repeated. That a message was taken for sending does not mean that it came.
            """,
        parameters: [id],
        body: DocumentedBody(
            schema: .sendCode,
            isRequired: false,
            examples: [("number", ["phone_text": "01012345678"])]
        ),
        answers: [
            DocumentedAnswer(
                status: 202,
                description: "The code is on its way.",
                schema: .named(.signup),
                examples: [("sent", Examples.sentSignup)]
            )
        ],
        problems: ofHolders + [
            .field("phone_text", "must be a string"), Examples.noSuchNumber, Examples.notMobile,
            Examples.regionNotAllowed, Examples.resendTooSoon, Examples.maxSendsReached, Examples.maxChecksReached,
            Examples.rateLimited, Examples.verificationClosed,
        ]
    )

    private static let signUp = Operation(
        id: "signUp",
        method: .post,
        path: path + "/sign-up",
        tag: .signups,
        security: .signupToken,
        summary: "Check the code and sign up",
        description: """
            Checks the code in the code field and signs its holder up: 201 if the number had no account, 200 if it had. \
            Asked once more right after with the same code, as by a second tap, it answers the same, with another access token. \
            A right code that comes with this call is not kept with the signup; one that was put into it by `PATCH` is, for \
            whoever has its token. A code that cannot be one is not counted. If the account is there and its `tokens` cannot \
            be had (503), ask once more within seconds; later, sign up anew: the account stays.
            """,
        parameters: [id],
        body: DocumentedBody(schema: .submitCode, isRequired: false, examples: [("code", ["code_text": "314159"])]),
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The number has signed up before.",
                schema: .named(.completedSignup)
            ),
            DocumentedAnswer(
                status: 201,
                description: "The number has an account now.",
                schema: .named(.completedSignup),
                examples: [("new", Examples.completedSignup)]
            ),
        ],
        problems: ofHolders + [
            .field("code_text", "must be a string"), Examples.malformedCode,
            Examples.codeIncorrect,
            Examples.codeExpired, Examples.maxChecksReached, Examples.rateLimited, Examples.verificationNotFound,
            Examples.verificationClosed, Examples.accountDormant,
        ]
    )
}
