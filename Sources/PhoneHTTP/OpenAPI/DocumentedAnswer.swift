/// A way in which an operation succeeds.
struct DocumentedAnswer: Sendable {
    let status: Int
    let description: String
    /// The body; nil if there is none.
    var schema: Schema?
    /// In what forms there is a body.
    var mediaTypes = ["application/json"]
    /// Bodies by what they show.
    var examples: [(name: String, value: JSON)] = []
    /// Header fields besides those of every answer.
    var headers: [DocumentedHeader] = []
    /// What can be done next with the `id` of the body, by the names of operations.
    var next: [String] = []

    /// The answer as OpenAPI describes it.
    ///
    /// - Parameter optional: the header fields that it may have.
    func json(optional: [DocumentedHeader] = []) -> JSON {
        var members = [
            JSON.Member("description", .string(description)),
            JSON.Member("headers", DocumentedHeader.json(required: headers, optional: optional)),
        ]
        if let schema {
            let content = mediaTypes.flatMap { JSON.content($0, schema, examples: examples) }
            members.append(JSON.Member("content", .object(content)))
        }
        if !next.isEmpty { members.append(JSON.Member("links", .object(next.map(Self.link)))) }
        return .object(members)
    }

    private static func link(to operation: String) -> JSON.Member {
        JSON.Member(
            operation,
            ["operationId": .string(operation), "parameters": ["id": "$response.body#/id"]]
        )
    }
}

extension JSON {
    /// The content of a body, as OpenAPI describes it.
    static func content(_ mediaType: String, _ schema: Schema, examples: [(name: String, value: JSON)]) -> [Member] {
        let examples = examples.map { Member($0.name, ["value": $0.value]) }
        let content: JSON = .object(
            [Member("schema", schema.json)] + (examples.isEmpty ? [] : [Member("examples", .object(examples))])
        )
        return [Member(mediaType, content)]
    }
}
