import HTTPTypes

/// Texts as phone numbers.
extension Operation {
    static let phoneNumbers: [Operation] = [judge]

    private static let judge = Operation(
        id: "judgePhoneNumber",
        method: .get,
        path: "/v1/phone-numbers/{text}",
        tag: .phoneNumbers,
        security: .apiKey,
        summary: "Read and judge a text as a phone number",
        description: """
            Says what a field shows for the text while it is typed, what number it is, and whether a code can be sent \
            there. Nothing is kept and nothing sent. What is no number is answered as well, with the reason.
            """,
        parameters: [
            DocumentedParameter(
                name: "text",
                location: .path,
                description: "Any text, percent-encoded as UTF-8.",
                schema: .text(pattern: "^[\\s\\S]+$"),
                example: "01012345678"
            ),
            DocumentedParameter(
                name: "region",
                location: .query,
                description: Schema.regions,
                schema: .queriedRegion,
                example: "KR"
            ),
        ],
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "What there is to say of it.",
                schema: .named(.phoneNumber),
                examples: [("mobile", Examples.mobile), ("unfinished", Examples.unfinished)]
            )
        ],
        problems: ofCallers + [
            .malformed("The path is not percent-encoded UTF-8."),
            .field("region", "must be the ISO 3166-1 code of a region whose numbers are known, such as KR"),
        ]
    )
}
