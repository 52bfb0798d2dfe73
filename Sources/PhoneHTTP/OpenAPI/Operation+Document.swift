import HTTPTypes

/// The document itself.
extension Operation {
    static let document: [Operation] = [
        Operation(
            id: "getDocument",
            method: .get,
            path: "/openapi.json",
            tag: .operation,
            summary: "This document",
            description: "What the service answers, as OpenAPI 3.1 describes it.",
            parameters: [
                DocumentedParameter(
                    name: "webhooks",
                    location: .query,
                    description: "Whether the webhooks are described as well. Some generators fail on them.",
                    schema: .text(pattern: "^(true|false)?$"),
                    example: "false"
                ),
                DocumentedParameter(
                    name: "If-None-Match",
                    location: .header,
                    description: "The `ETag` of a document that one has already (RFC 9110 section 13.1.2).",
                    schema: .text(),
                    example: "\"0123456789abcdef\""
                ),
            ],
            answers: [
                DocumentedAnswer(
                    status: 200,
                    description: "The document.",
                    schema: .object(
                        [
                            Schema.Property("openapi", .text(pattern: "^3\\.1\\.[0-9]+$")),
                            Schema.Property("info", .object([], isClosed: false)),
                            Schema.Property("paths", .object([], isClosed: false)),
                        ],
                        isClosed: false
                    ),
                    headers: [.entityTag]
                ),
                DocumentedAnswer(
                    status: 304,
                    description: "It is as it was.",
                    headers: [.entityTag]
                ),
            ],
            problems: [.field("webhooks", "must be true or false")]
        )
    ]
}
