import CoreEncodings
import PhoneDomain
import PhoneTestSupport

@testable import PhoneHTTP

extension OpenAPIDocument {
    /// Of `/v1/admin`.
    static let admin = parse(EmbeddedFiles.openapiAdminJSON)
}

/// Compares what goes back and forth with `openapi.yaml`: whatever a test is about, a response that the document does
/// not describe fails it.
struct Contract: Sendable {
    /// The document of the native API.
    static let native = Contract(document: OpenAPIDocument.whole)
    /// That of what operators do.
    private static let admin = Contract(document: OpenAPIDocument.admin)

    /// The first part of the paths that need not be described: the SMS stub, the pages for people, and OpenID Connect.
    static let foreign: Set<Substring> = [
        "", "stub", "inbox", "2010-04-01", "undo", "docs", "signup", "device", "embed.js", "oauth2",
    ]

    /// Headers of the connection or of the body.
    private static let transport: Set<String> = [
        "connection", "content-length", "content-type", "date", "transfer-encoding",
    ]

    let document: JSON
    /// Whether the API key that the document asks for is required of programs on the same machine, too.
    var demandsKeys = false
    private let requests: SchemaValidator
    private let responses: SchemaValidator

    init(document: JSON) {
        self.document = document
        requests = SchemaValidator(document: document)
        responses = SchemaValidator(document: document, isClosed: true)
    }

    /// How an exchange and the document differ.
    func faults(of exchange: Exchange) -> [String] {
        let parts = exchange.parts
        if parts.starts(with: ["v1", "admin"]), document != Self.admin.document {
            return Self.admin.faults(of: exchange)
        }
        let path = path(of: parts)
        if path == nil, exchange.target != "*", Self.foreign.contains(parts.first ?? "") { return [] }
        // The page of an unknown path, for browsers.
        let type = exchange.answer.headers["content-type"] ?? ""
        if path == nil, exchange.answer.status == 404, type.hasPrefix("text/html") { return [] }
        let operation = operation(exchange.method, path?.item)
        // `OPTIONS *` is about the server as a whole (RFC 9110 section 9.3.7).
        let isOptions = exchange.method == "OPTIONS" && (path != nil || exchange.target == "*")
        let responses = responses(isOptions: isOptions, path?.item, operation)
        guard let response = responses[String(exchange.answer.status)].flatMap(resolved) else {
            return ["\(exchange.answer.status) is not described"]
        }
        var faults = headerFaults(of: exchange.answer, by: response, operation)
        faults += bodyFaults(of: exchange.answer, to: exchange.method, by: response)
        if let path, let operation, (200..<300).contains(exchange.answer.status) {
            faults += requestFaults(of: exchange, by: operation, path.item, path.variables)
        }
        return faults
    }

    /// The path item, and the values of its variables.
    private func path(of parts: [Substring]) -> (item: JSON, variables: [String: String])? {
        for path in document["paths"]?.members ?? [] {
            let names = path.name.split(separator: "/")
            guard names.count == parts.count,
                zip(names, parts).allSatisfy({ $0.hasPrefix("{") || $0 == $1 })
            else { continue }
            let pairs = zip(names, parts).filter { $0.0.hasPrefix("{") }
            let variables = pairs.map { name, part in
                (String(name.dropFirst().dropLast()), String(percentDecoding: part) ?? String(part))
            }
            return (path.value, Dictionary(uniqueKeysWithValues: variables))
        }
        return nil
    }

    private func operation(_ method: String, _ item: JSON?) -> JSON? {
        item?[method == "HEAD" ? "get" : method.lowercased()]
    }

    /// The possible responses, by status.
    private func responses(isOptions: Bool, _ item: JSON?, _ operation: JSON?) -> [String: JSON] {
        if let operation {
            return Dictionary(uniqueKeysWithValues: (operation["responses"]?.members ?? []).map { ($0.name, $0.value) })
        }
        let rule = isOptions ? ("204", "Options") : item == nil ? ("404", "NotFound") : ("405", "MethodNotAllowed")
        // Input that is not HTTP is refused before anything looks at its path.
        let rules = [rule, ("400", "BadRequest"), ("431", "HeaderTooLarge")]
        return Dictionary(
            uniqueKeysWithValues: rules.map { ($0, document.value(at: "#/components/responses/\($1)") ?? .null) }
        )
    }

    private func headerFaults(of answer: Answer, by response: JSON, _ operation: JSON?) -> [String] {
        let described =
            [document, tag(of: operation)].compactMap { $0?["x-response-headers"].flatMap(resolved) }
            + [response["headers"]]
        let headers = described.flatMap { $0?.members ?? [] }
        let names = Set(headers.map { $0.name.lowercased() })
        let unknown = answer.headers.keys.filter { !names.contains($0) && !Self.transport.contains($0) }.sorted()
        // Operations share responses that may have it, but only some take a key.
        let isReplayed = answer.headers["idempotent-replayed"] != nil
        let takesKey = operation?["parameters"]?.elements.contains(["$ref": "#/components/parameters/IdempotencyKey"])
        return unknown.map { "the header \($0) is not described" }
            + (isReplayed && takesKey != true ? ["the operation takes no Idempotency-Key"] : [])
            + headers.flatMap { header -> [String] in
                guard let header = resolved(header) else { return ["\(header.name) is nowhere"] }
                guard let value = answer.headers[header.name.lowercased()] else {
                    return header.value["required"] == true ? ["\(header.name) is missing"] : []
                }
                return responses.faults(of: value, by: header.value["schema"] ?? .null, at: header.name)
            }
    }

    private func tag(of operation: JSON?) -> JSON? {
        document["tags"]?.elements.first { $0["name"] == operation?["tags"]?.elements.first }
    }

    private func bodyFaults(of answer: Answer, to method: String, by response: JSON) -> [String] {
        guard let content = response["content"]?.members else {
            return answer.body.isEmpty && answer.headers["content-type"] == nil ? [] : ["there is a body"]
        }
        guard let type = answer.headers["content-type"], let media = content.first(where: { $0.name == type }) else {
            return ["\(answer.headers["content-type"] ?? "no content") is not described"]
        }
        if method == "HEAD" { return answer.body.isEmpty ? [] : ["there is a body"] }
        guard type.hasPrefix("application/json") || type.hasPrefix("application/problem+json") else { return [] }
        guard let body = Exchange.json(answer.body.utf8) else { return ["the body is no JSON"] }
        let isOfStatus = type != "application/problem+json" || body["status"] == .integer(answer.status)
        return responses.faults(of: body, by: media.value["schema"] ?? .null)
            + (isOfStatus ? [] : ["status is not \(answer.status)"])
    }

    /// What is wrong with a request that succeeded.
    private func requestFaults(
        of exchange: Exchange,
        by operation: JSON,
        _ item: JSON,
        _ variables: [String: String]
    ) -> [String] {
        let parameters = (item["parameters"]?.elements ?? []) + (operation["parameters"]?.elements ?? [])
        let query = exchange.query
        var faults = parameters.flatMap { parameter -> [String] in
            guard let parameter = resolved(parameter), let name = parameter["name"]?.string else {
                return ["no parameter"]
            }
            let value =
                switch parameter["in"]?.string {
                case "path": variables[name]
                case "query": query[name]
                default: exchange.headers[name.lowercased()]
                }
            guard let value else { return parameter["required"] == true ? ["\(name) is missing"] : [] }
            return requests.faults(of: value, by: parameter["schema"] ?? .null, at: name)
        }
        let security = (operation["security"]?.elements ?? []).map { $0.members.map(\.name) }
        let isOpen = security.isEmpty || security.contains([])
        if !isOpen, demandsKeys || !security.contains(where: Self.isKey),
            exchange.headers["authorization"]?.lowercased().hasPrefix("bearer ") != true
        {
            faults.append("it was granted without credentials")
        }
        guard let body = operation["requestBody"] else { return faults }
        if exchange.body.isEmpty { return faults + (body["required"] == true ? ["it was granted without a body"] : []) }
        let type = String((exchange.headers["content-type"] ?? "").prefix { $0 != ";" })
        let isForm = type.lowercased() == "application/x-www-form-urlencoded"
        guard let json = isForm ? exchange.form : Exchange.json(exchange.body) else {
            return faults + ["it was granted and is no JSON"]
        }
        guard
            let schema = body["content"]?[type.lowercased()]?["schema"]
                ?? body["content"]?["application/json"]?["schema"]
        else { return faults + ["\(type) is not described"] }
        return faults + requests.faults(of: json, by: schema, at: "request")
    }

    /// Whether it requires an API key, which programs on the same machine may not need.
    private static func isKey(_ schemes: [String]) -> Bool {
        schemes == ["apiKey"] || schemes == ["accountsKey"]
    }

    private func resolved(_ value: JSON) -> JSON? {
        value["$ref"]?.string.map { document.value(at: $0) } ?? value
    }

    private func resolved(_ member: JSON.Member) -> (name: String, value: JSON)? {
        resolved(member.value).map { (member.name, $0) }
    }
}

extension SchemaValidator {
    /// Validates a text, or the number in it if the schema wants one.
    fileprivate func faults(of text: String, by schema: JSON, at place: String) -> [String] {
        let value: JSON = schema["type"] == "integer" ? .number(text) : .string(text)
        return faults(of: value, by: schema, at: place)
    }
}
