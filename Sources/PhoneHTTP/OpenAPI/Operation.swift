import HTTPTypes
import Hummingbird

/// What can be asked for at a path, and every way in which that can be answered.
struct Operation: Sendable {
    /// By what it is asked for on whose behalf.
    enum Security: String, CaseIterable {
        /// Anyone may ask.
        case none
        /// The token of the signup that the path names.
        case signupToken
    }

    /// What belongs together for a reader.
    enum Tag: String, CaseIterable {
        case signups = "Signups"
        case verifications = "Verifications"
        case phoneNumbers = "Phone numbers"
        case operation = "Operation"

        var description: String {
            switch self {
            case .signups: "The guided signup: for apps, pages and prompts, which draw what they are told to."
            case .verifications: "From server to server: proves that a person holds a number."
            case .phoneNumbers: "What there is to say of a text as a phone number."
            case .operation: "For whatever starts, watches and calls the service."
            }
        }
    }

    /// The name that programs generated from the document call it by.
    let id: String
    let method: HTTPRequest.Method
    /// The path as the router has it.
    let path: String
    let tag: Tag
    var security = Security.none
    let summary: String
    /// What a caller must know.
    let description: String
    var parameters: [DocumentedParameter] = []
    var body: DocumentedBody?
    let answers: [DocumentedAnswer]
    /// One at least of every code, as they are answered.
    let problems: [Problem]

    /// The operation as OpenAPI describes it.
    var json: JSON {
        var members = [
            JSON.Member("operationId", .string(id)),
            JSON.Member("tags", .array([.string(tag.rawValue)])),
            JSON.Member("summary", .string(summary)),
            JSON.Member("description", .string(description)),
            JSON.Member("security", security == .none ? .array([]) : .array([[security.rawValue: .array([])]])),
        ]
        if !parameters.isEmpty { members.append(JSON.Member("parameters", .array(parameters.map(\.json)))) }
        if let body { members.append(JSON.Member("requestBody", body.json)) }
        members.append(JSON.Member("responses", .object(responses)))
        return .object(members)
    }

    private var responses: [JSON.Member] {
        let problems = problems + (body == nil ? [] : Problem.ofBodies) + [.internalError(cause: "")]
        return answers.map { JSON.Member(String($0.status), $0.json) }
            + DocumentedProblems.grouped(problems).map { JSON.Member(String($0.status), $0.problems.json) }
    }
}

/// A body that an operation takes.
struct DocumentedBody: Sendable {
    let schema: SchemaName
    /// Whether there has to be one.
    var isRequired = true
    /// Bodies by what they show.
    let examples: [(name: String, value: JSON)]

    /// The body as OpenAPI describes it.
    var json: JSON {
        [
            "required": .bool(isRequired),
            "content": .content("application/json", .named(schema), examples: examples),
        ]
    }
}

extension Problem {
    /// What any body can be refused for.
    fileprivate static let ofBodies: [Problem] = [
        Request.malformedJSON, Request.notAnObject, Request.bodyTooLarge, Request.notJSON,
    ]
}
