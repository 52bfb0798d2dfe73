@testable import PhoneHTTP

/// Holds what goes back and forth to the document: whatever a test is about, an answer that is not described there
/// fails it.
struct Contract: Sendable {
    /// That of the native interface.
    static let native = Contract(document: OpenAPIDocument.closed)

    /// Paths of the SMS stub, of the page for people, and of Twilio Verify's interface, which are not described: the first part of each.
    static let foreign: Set<Substring> = ["stub", "inbox", "2010-04-01", "undo", "v2"]

    /// Fields that belong to the connection or to the body as such.
    private static let transport: Set<String> = [
        "connection", "content-length", "content-type", "date", "transfer-encoding",
    ]

    let document: JSON
    /// Whether nobody is served without the credentials that the document asks for; programs on the machine itself may be,
    /// where an API key is asked for.
    var demandsKeys = false
    private let validator: SchemaValidator

    init(document: JSON) {
        self.document = document
        validator = SchemaValidator(document: document)
    }

    /// Where an exchange and the document part.
    func faults(of exchange: Exchange) -> [String] {
        let parts = exchange.parts
        if let first = parts.first, Self.foreign.contains(first) { return [] }
        let path = path(of: parts)
        let operation = operation(exchange.method, path?.item)
        // OPTIONS may ask of the server as a whole (RFC 9110 section 9.3.7).
        let isOptions = exchange.method == "OPTIONS" && (path != nil || exchange.target == "*")
        let responses = responses(isOptions: isOptions, path?.item, operation)
        guard let response = responses[String(exchange.answer.status)] else {
            return ["\(exchange.answer.status) is not described"]
        }
        var faults = headerFaults(of: exchange.answer, by: response)
        faults += bodyFaults(of: exchange.answer, to: exchange.method, by: response)
        if let path, let operation, (200..<300).contains(exchange.answer.status) {
            faults += requestFaults(of: exchange, by: operation, path.item, path.variables)
        }
        return faults
    }

    /// What the document says of a path, and what stands in its variable parts.
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

    /// What may be answered, by status.
    private func responses(isOptions: Bool, _ item: JSON?, _ operation: JSON?) -> [String: JSON] {
        if let operation {
            return Dictionary(uniqueKeysWithValues: (operation["responses"]?.members ?? []).map { ($0.name, $0.value) })
        }
        let rule = isOptions ? ("204", "Options") : item == nil ? ("404", "NotFound") : ("405", "MethodNotAllowed")
        // What is no request is answered before anybody looks at its path.
        let rules = [rule, ("400", "NotHTTP"), ("431", "HeaderTooLarge")]
        return Dictionary(
            uniqueKeysWithValues: rules.map { ($0, document.value(at: "#/components/responses/\($1)") ?? .null) }
        )
    }

    private func headerFaults(of answer: Answer, by response: JSON) -> [String] {
        let described = response["headers"]?.members ?? []
        let names = Set(described.map { $0.name.lowercased() })
        let unknown = answer.headers.keys.filter { !names.contains($0) && !Self.transport.contains($0) }.sorted()
        return unknown.map { "the field \($0) is not described" }
            + described.flatMap { header -> [String] in
                guard let header = resolved(header) else { return ["\(header.name) is nowhere"] }
                guard let value = answer.headers[header.name.lowercased()] else {
                    return header.value["required"] == true ? ["\(header.name) is missing"] : []
                }
                return validator.faults(of: value, by: header.value["schema"] ?? .null, at: header.name)
            }
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
        return validator.faults(of: body, by: media.value["schema"] ?? .null)
            + (isOfStatus ? [] : ["status is not \(answer.status)"])
    }

    /// What is wrong with a request that was granted.
    private func requestFaults(
        of exchange: Exchange,
        by operation: JSON,
        _ item: JSON,
        _ variables: [String: String]
    ) -> [String] {
        let parameters = (item["parameters"]?.elements ?? []) + (operation["parameters"]?.elements ?? [])
        let query = exchange.query
        var faults = parameters.flatMap { parameter -> [String] in
            guard let parameter = resolved(parameter), let name = parameter["name"]?.text else {
                return ["no parameter"]
            }
            let value =
                switch parameter["in"]?.text {
                case "path": variables[name]
                case "query": query[name]
                default: exchange.headers[name.lowercased()]
                }
            guard let value else { return parameter["required"] == true ? ["\(name) is missing"] : [] }
            return validator.faults(of: value, by: parameter["schema"] ?? .null, at: name)
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
        return faults + validator.faults(of: json, by: schema, at: "request")
    }

    /// Whether it is an API key that is asked for: programs on the machine itself may do without.
    private static func isKey(_ schemes: [String]) -> Bool {
        schemes == [Operation.Security.apiKey.rawValue] || schemes == [Operation.Security.accountsKey.rawValue]
    }

    private func resolved(_ value: JSON) -> JSON? {
        value["$ref"]?.text.map { document.value(at: $0) } ?? value
    }

    private func resolved(_ member: JSON.Member) -> (name: String, value: JSON)? {
        resolved(member.value).map { (member.name, $0) }
    }
}

extension SchemaValidator {
    /// What is wrong with a text, or with the number that it is where a number is asked for.
    fileprivate func faults(of text: String, by schema: JSON, at place: String) -> [String] {
        let value: JSON = schema["type"] == "integer" ? .number(text) : .string(text)
        return faults(of: value, by: schema, at: place)
    }
}
