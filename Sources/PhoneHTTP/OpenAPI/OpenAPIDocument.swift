import HTTPTypes
import PhoneDomain

/// What the service answers, as OpenAPI 3.1 describes it: made of the same types that the answers are made of, so that
/// neither can change without the other. The tests hold the routes and every answer to its ``closed`` form.
enum OpenAPIDocument {
    /// Every operation on the native paths.
    static let operations: [Operation] =
        Operation.signups + Operation.dormantAccounts + Operation.tokens + Operation.sessions + Operation.accounts
        + Operation.numberChanges + Operation.numberChangeUndo + Operation.verifications + Operation.phoneNumbers
        + Operation.discovery
        + Operation.receipts
        + Operation.health
        + Operation.metrics + Operation.document

    /// The document as it is published. Its answers are open, so that a member that a later version adds breaks no program
    /// that was generated from it.
    ///
    /// - Parameter hasWebhooks: whether it describes what the operator's own program is sent. Some generators know OpenAPI 3.1
    ///   but no webhooks.
    static func published(hasWebhooks: Bool = true) -> JSON {
        guard case .object(let members) = closed.opened, !hasWebhooks else { return closed.opened }
        return .object(members.filter { $0.name != "webhooks" })
    }

    /// The document with answers that have the described members and no others.
    static let closed: JSON = [
        "openapi": "3.1.0",
        "info": [
            "title": "PhoneProof",
            "version": .string(PhoneAPI.version),
            "summary": "Proves that a person holds a phone number, and signs that person up.",
            "description": .string(description),
        ],
        "servers": [["url": "/", "description": "The server that this document comes from."]],
        "tags": .array(
            Operation.Tag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.description)] }
                + [["name": "webhooks", "description": "What the operator's own program is told."]]
        ),
        "paths": .object(paths),
        "webhooks": .object(Event.Kind.allCases.map { JSON.Member($0.rawValue, DocumentedEvent(kind: $0).json) }),
        "components": [
            "schemas": .object(schemas),
            "responses": .object(responses),
            "headers": .object(headers),
            "parameters": ["RequestId": requestID.json, "TraceParent": traceParent.json],
            "securitySchemes": .object(securitySchemes),
        ],
    ]

    private static let description = """
        JSON in and out, in `snake_case`; moments are RFC 3339 in UTC. Of what is sent, unknown members are passed over, \
        and a member that is null counts as not there. Later versions may answer with more members: pass over what you do not \
        know (openapi-generator's clients for Java and Go do so with `disallowAdditionalPropertiesIfNotPresent=false`). A body has at most 65,536 bytes, unless the operator has set it up otherwise.

        Errors are RFC 9457 problems, `application/problem+json`. Programs act on `code`; `detail` says to a person what to \
        do. A 429 and a 503 carry `Retry-After`.

        Every path answers HEAD as it answers GET, without the body, and OPTIONS by 204 with `Allow`. By any other method \
        it answers as the component MethodNotAllowed says; a path that is not in here, as NotFound says. What is not HTTP is \
        answered by 400 or 431, or not at all, and the connection is closed. Pages of other sites may use the signup and what \
        it gives, and nothing else, if the operator has named them; the keys of access tokens may be read by all.

        The SMS stub, for development, is not part of this interface (`/stub`, `/inbox`, and Twilio's `/2010-04-01`), nor is \
        the page for people that a change of number is undone at (`/undo/{token}`).
        """

    private static var paths: [JSON.Member] {
        let paths = operations.reduce(into: [String]()) { paths, operation in
            if !paths.contains(operation.path) { paths.append(operation.path) }
        }
        return paths.map { path in
            let operations = operations.filter { $0.path == path }.map {
                JSON.Member($0.method.rawValue.lowercased(), $0.json)
            }
            let parameters = JSON.Member(
                "parameters",
                [["$ref": "#/components/parameters/RequestId"], ["$ref": "#/components/parameters/TraceParent"]]
            )
            return JSON.Member(path, .object([parameters] + operations))
        }
    }

    private static var schemas: [JSON.Member] {
        SchemaName.allCases.map { JSON.Member($0.rawValue, $0.schema.json) }
            + ProblemCode.allCases.map { JSON.Member($0.schemaName, $0.schema.json) }
            + ProblemCode.allCases.compactMap { code in
                code.failureSchema.map { JSON.Member(code.failureName, $0.json) }
            }
    }

    /// What is answered where no operation is.
    private static let responses: [JSON.Member] = [
        JSON.Member(
            "Options",
            DocumentedAnswer(status: 204, description: "To OPTIONS: what else the path takes.", headers: [.allow])
                .json(optional: DocumentedHeader.preflight)
        ),
        problem("MethodNotAllowed", methodNotAllowed, optional: DocumentedHeader.crossOrigin),
        problem("NotFound", AllowedMethods.notFound, optional: DocumentedHeader.crossOrigin),
        problem("NotHTTP", Refusals.malformed),
        problem("HeaderTooLarge", Refusals.headerTooLarge(limit: ConnectionLimits().maxHeaderBytes)),
    ]

    private static func problem(
        _ name: String,
        _ problem: Problem,
        optional: [DocumentedHeader] = []
    ) -> JSON.Member {
        JSON.Member(name, DocumentedProblems(problems: [problem], optional: optional).json)
    }

    private static let methodNotAllowed = AllowedMethods.problem(allowed: "GET, HEAD, OPTIONS")

    private static let headers: [JSON.Member] = DocumentedHeader.allCases.flatMap { header in
        header.occurrences.map {
            JSON.Member(header.componentName(isRequired: $0), header.json(isRequired: $0))
        }
    }

    private static let requestID = DocumentedParameter(
        name: DocumentedHeader.requestID.rawValue,
        location: .header,
        description: "By what name the log is to know the request: up to 64 letters, digits and any of `-._~`.",
        schema: .text(),
        example: "signup-42"
    )

    private static let traceParent = DocumentedParameter(
        name: "traceparent",
        location: .header,
        description: "The trace that the request belongs to (W3C Trace Context); gateways and webhooks are told of it.",
        schema: .text(),
        example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    )

    private static let securitySchemes = Operation.Security.allCases.compactMap { security in
        security.description.map { description in
            JSON.Member(
                security.rawValue,
                ["type": "http", "scheme": "bearer", "description": .string(description)]
            )
        }
    }
}

extension JSON {
    /// The same with objects that may have other members.
    fileprivate var opened: JSON {
        switch self {
        case .object(let members):
            .object(
                members.filter { $0 != Member("additionalProperties", false) }.map { Member($0.name, $0.value.opened) }
            )
        case .array(let values): .array(values.map(\.opened))
        default: self
        }
    }
}
