/// What a JSON value may be, in the words of JSON Schema 2020-12, as OpenAPI 3.1 takes it.
///
/// Only what the document needs can be said, so that the tests, which hold every answer to it, need know no more.
struct Schema: Sendable {
    private let members: [JSON.Member]

    private init(_ members: [JSON.Member]) {
        self.members = members
    }

    /// The schema as the document has it.
    var json: JSON { .object(members) }

    /// A text, of this ECMA-262 pattern or this format if one is given.
    static func text(pattern: String? = nil, format: String? = nil) -> Schema {
        Schema([JSON.Member("type", "string")] + optional("pattern", pattern) + optional("format", format))
    }

    /// A whole number of at least so much.
    static func count(from least: Int = 0) -> Schema {
        Schema([JSON.Member("type", "integer"), JSON.Member("minimum", .integer(least))])
    }

    /// True or false.
    static let flag = Schema([JSON.Member("type", "boolean")])

    /// Null and nothing else.
    static let null = Schema([JSON.Member("type", "null")])

    /// This value and no other.
    static func constant(_ value: JSON) -> Schema {
        let type: [JSON.Member] =
            switch value {
            case .string: [JSON.Member("type", "string")]
            case .number: [JSON.Member("type", "integer")]
            default: []
            }
        return Schema(type + [JSON.Member("const", value)])
    }

    /// One of these texts.
    static func choice(of values: [String]) -> Schema {
        Schema([JSON.Member("type", "string"), JSON.Member("enum", .array(values.map { .string($0) }))])
    }

    /// One of these whole numbers.
    static func choice(of values: [Int]) -> Schema {
        Schema([JSON.Member("type", "integer"), JSON.Member("enum", .array(values.map { .integer($0) }))])
    }

    /// One of the raw values of this type.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> Schema {
        choice(of: type.allCases.map(\.rawValue))
    }

    /// Any number of such values.
    static func list(of element: Schema) -> Schema {
        Schema([JSON.Member("type", "array"), JSON.Member("items", element.json)])
    }

    /// An object of these members.
    ///
    /// - Parameter isClosed: whether the service answers with no others, to which the tests hold it; the published document
    ///   leaves that out (``JSON/opened``). Of what it is asked, unknown members are passed over.
    static func object(_ properties: [Property], isClosed: Bool = true) -> Schema {
        let required = properties.filter(\.isRequired).map { JSON.string($0.name) }
        return Schema(
            [JSON.Member("type", "object")]
                + [JSON.Member("properties", .object(properties.map { JSON.Member($0.name, $0.schema.json) }))]
                + (required.isEmpty ? [] : [JSON.Member("required", .array(required))])
                + (isClosed ? [JSON.Member("additionalProperties", false)] : [])
        )
    }

    /// One of these and none of the others.
    static func one(of schemas: [Schema]) -> Schema {
        guard schemas.count > 1 else { return schemas.first ?? .null }
        return Schema([JSON.Member("oneOf", .array(schemas.map(\.json)))])
    }

    /// Whatever has this name among the components.
    static func named(_ name: SchemaName) -> Schema {
        reference(to: name.rawValue)
    }

    /// A problem of this code.
    static func problem(_ code: ProblemCode) -> Schema {
        reference(to: code.schemaName)
    }

    /// A problem of one of these codes.
    static func problem(oneOf codes: [ProblemCode]) -> Schema {
        guard codes.count > 1 else { return one(of: codes.map { problem($0) }) }
        return byCode(codes.map { ($0, $0.schemaName) })
    }

    /// One of the components of these names, distinguished by `code`.
    static func byCode(_ names: [(code: ProblemCode, name: String)]) -> Schema {
        let mapping = names.map { JSON.Member($0.code.rawValue, .string(path(of: $0.name))) }
        let discriminator: JSON = ["propertyName": "code", "mapping": .object(mapping)]
        return one(of: names.map { reference(to: $0.name) }).adding(JSON.Member("discriminator", discriminator))
    }

    /// This or null.
    var orNull: Schema {
        guard members.contains(where: { $0.name == "type" }) else {
            return Schema([JSON.Member("anyOf", .array([json, Schema.null.json]))])
        }
        return Schema(
            members.map { member in
                switch (member.name, member.value) {
                case ("type", let type): JSON.Member("type", .array([type, "null"]))
                case ("enum", .array(let values)): JSON.Member("enum", .array(values + [.null]))
                default: member
                }
            }
        )
    }

    /// The same with a word on what it means.
    func described(_ text: String) -> Schema { adding(JSON.Member("description", .string(text))) }

    /// The same with values that it may have.
    func such(as examples: JSON...) -> Schema { adding(JSON.Member("examples", .array(examples))) }

    private func adding(_ member: JSON.Member) -> Schema { Schema(members + [member]) }

    private static func reference(to name: String) -> Schema {
        Schema([JSON.Member("$ref", .string(path(of: name)))])
    }

    private static func path(of name: String) -> String { "#/components/schemas/" + name }

    private static func optional(_ name: String, _ text: String?) -> [JSON.Member] {
        text.map { [JSON.Member(name, .string($0))] } ?? []
    }
}

extension Schema {
    /// A member of an object.
    struct Property: Sendable {
        let name: String
        let schema: Schema
        /// Whether it is always there.
        let isRequired: Bool

        init(_ name: String, _ schema: Schema, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// A moment, as every answer writes it.
    static func moment(_ meaning: String) -> Schema {
        text(format: "date-time").described(meaning)
    }

    /// An identifier of this kind.
    static func identifier(_ prefix: String) -> Schema {
        text(pattern: "^\(prefix)_[0-9a-f]{32}$")
    }
}
