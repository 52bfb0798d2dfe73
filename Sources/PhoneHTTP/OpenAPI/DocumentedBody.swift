import Hummingbird

/// A body that an operation takes.
struct DocumentedBody: Sendable {
    let schema: SchemaName
    /// What a form has to be, where that is not what JSON has to be: a form has no null.
    var formSchema: SchemaName?
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
                mediaTypes.flatMap {
                    JSON.content($0, .named($0 == Request.formType ? formSchema ?? schema : schema), examples: examples)
                }
            ),
        ]
    }
}
