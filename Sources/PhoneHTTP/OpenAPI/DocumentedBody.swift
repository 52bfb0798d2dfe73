/// A body that an operation takes.
struct DocumentedBody: Sendable {
    let schema: SchemaName
    /// Whether there has to be one.
    var isRequired = true
    /// As what it may be sent.
    var mediaTypes = ["application/json"]
    /// Bodies by what they show.
    let examples: [(name: String, value: JSON)]

    /// The body as OpenAPI describes it.
    var json: JSON {
        [
            "required": .bool(isRequired),
            "content": .object(
                mediaTypes.flatMap { JSON.content($0, .named(schema), examples: examples) }
            ),
        ]
    }
}
