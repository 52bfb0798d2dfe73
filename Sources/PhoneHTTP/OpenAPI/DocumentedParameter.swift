/// A part of the path, the query or the header that an operation takes.
struct DocumentedParameter: Sendable {
    enum Location: String, Sendable {
        case path
        case query
        case header
    }

    let name: String
    let location: Location
    let description: String
    let schema: Schema
    let example: JSON
    /// Whether nothing is done without it, be it a part of the path or not.
    var isNeeded = false
    var isRequired: Bool { location == .path || isNeeded }

    /// The parameter as OpenAPI describes it.
    var json: JSON {
        [
            "name": .string(name),
            "in": .string(location.rawValue),
            "required": .bool(isRequired),
            "description": .string(description),
            "schema": schema.json,
            "example": example,
        ]
    }
}
