import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

/// The document itself. That answers are as it says, every test of this module sees to (``Contract``).
@Suite struct OpenAPITests {
    private static let document = OpenAPIDocument.closed

    @Test func isServedAsItIs() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/openapi.json")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["cache-control"] == "no-cache")
            #expect(Exchange.json(answer.body.utf8) == OpenAPIDocument.published())
            let tag = try #require(answer.headers["etag"])
            for known in [tag, "W/" + tag, "\"x\", " + tag, "*"] {
                let unchanged = try await server.send("GET", "/openapi.json", headers: ["If-None-Match": known])
                #expect(unchanged.status == 304)
                #expect(unchanged.headers["etag"] == tag)
                #expect(unchanged.body.isEmpty)
            }
            for other in ["\"x\"", String(tag.dropFirst()), ""] {
                let sent = try await server.send("GET", "/openapi.json", headers: ["If-None-Match": other])
                #expect(sent.status == 200)
            }
        }
    }

    @Test func isServedWithoutWebhooks() async throws {
        try await TestServer.run { server in
            let whole = try await server.send("GET", "/openapi.json")
            let answer = try await server.send("GET", "/openapi.json?webhooks=false")
            #expect(answer.status == 200)
            let document = try #require(Exchange.json(answer.body.utf8))
            #expect(document["webhooks"] == nil)
            let others = OpenAPIDocument.published().members.filter { $0.name != "webhooks" }
            #expect(document.members == others)
            #expect(answer.headers["etag"] != whole.headers["etag"])
            #expect(try await server.send("GET", "/openapi.json?webhooks=true").body == whole.body)
            #expect(try await server.send("GET", "/openapi.json?webhooks=no").status == 422)
        }
    }

    @Test func saysWhatItIs() {
        #expect(Self.document["openapi"] == "3.1.0")
        #expect(Self.document["info"]?["version"] == .string(PhoneAPI.version))
    }

    /// Both ways: a route that is not described, and an operation that no route takes.
    @Test func everyRouteIsDescribedAndEveryOperationIsRouted() async throws {
        let described = try #require(Self.document["paths"]).members.flatMap { path in
            path.value.members.filter { $0.name != "parameters" }.map { "\($0.name.uppercased()) \(path.name)" }
        }
        try await TestServer.run { server in
            let routed = server.routes.filter { route in
                let first = route.split(separator: "/").dropFirst().first ?? ""
                return !Contract.foreign.contains(first)
            }
            // HEAD is answered as GET is: by rule, and not described.
            let gets = routed.filter { $0.hasPrefix("GET ") }
            let heads = routed.filter { $0.hasPrefix("HEAD ") }
            #expect(heads.sorted() == gets.map { "HEAD" + $0.dropFirst(3) }.sorted())
            #expect(routed.filter { !$0.hasPrefix("HEAD ") }.sorted() == described.sorted())
        }
    }

    @Test func everyExampleFitsItsSchema() throws {
        let validator = SchemaValidator(document: Self.document)
        var count = 0
        Self.document.visit { value in
            guard let schema = value["schema"], let examples = value["examples"]?.members else { return }
            for example in examples {
                count += 1
                #expect(validator.faults(of: example.value["value"] ?? .null, by: schema) == [], "\(example.name)")
            }
        }
        #expect(count > 100)
        var parameters = 0
        Self.document.visit { value in
            guard let schema = value["schema"], let example = value["example"] else { return }
            parameters += 1
            #expect(validator.faults(of: example, by: schema) == [])
        }
        #expect(parameters > 5)
        var schemas = 0
        Self.document.visit { value in
            guard value["type"] != nil, case .array(let examples)? = value["examples"] else { return }
            schemas += examples.count
            for example in examples { #expect(validator.faults(of: example, by: value) == []) }
        }
        #expect(schemas > 10)
    }

    /// Whatever is answered is closed, so that a member that is added has to be described; but for what others keep here.
    @Test func everyObjectOfAnAnswerIsClosed() throws {
        let requests = Set(
            OpenAPIDocument.operations.flatMap { [$0.body?.schema, $0.body?.formSchema].compactMap { $0?.rawValue } }
        )
        for schema in try #require(Self.document["components"]?["schemas"]).members
        where !requests.contains(schema.name) && schema.name != SchemaName.metadata.rawValue {
            schema.value.visit { value in
                guard value["type"] == "object" else { return }
                #expect(value["additionalProperties"] == false, "\(schema.name)")
            }
        }
    }

    /// A program that was generated from the document must take a member that a later version adds.
    @Test func whatIsPublishedIsOpen() throws {
        var closed = 0
        Self.document.visit { if $0["additionalProperties"] == false { closed += 1 } }
        #expect(closed > 50)
        OpenAPIDocument.published().visit { #expect($0["additionalProperties"] == nil) }
    }

    /// Generators write a file or a type for each name, and some file systems and languages make no difference of case:
    /// with `Signup` and `SignUp` one took the place of the other.
    @Test func noNamesDifferInCaseAlone() throws {
        func expectDistinct(_ names: [String]) {
            let groups = Dictionary(grouping: names) { $0.filter { $0 != "_" && $0 != "-" }.lowercased() }
            #expect(groups.values.filter { $0.count > 1 } == [])
        }
        for kind in try #require(Self.document["components"]).members { expectDistinct(kind.value.members.map(\.name)) }
        expectDistinct(OpenAPIDocument.operations.map(\.id))
        Self.document.visit { value in
            if let properties = value["properties"] { expectDistinct(properties.members.map(\.name)) }
        }
    }

    @Test func everyReferenceLeadsSomewhereAndEveryComponentIsUsed() throws {
        var used: Set<String> = []
        Self.document.visit { value in
            guard let path = value["$ref"]?.text else { return }
            used.insert(path)
            #expect(Self.document.value(at: path) != nil, "\(path)")
        }
        for kind in ["schemas", "headers", "parameters"] {
            for component in try #require(Self.document["components"]?[kind]).members {
                #expect(used.contains("#/components/\(kind)/\(component.name)"), "\(component.name)")
            }
        }
        let operations = Set(OpenAPIDocument.operations.map(\.id))
        #expect(operations.count == OpenAPIDocument.operations.count)
        #expect(OpenAPIDocument.operations.flatMap { $0.answers.flatMap(\.next) }.allSatisfy(operations.contains))
    }

    @Test func everyOperationSaysWhatACallerMustKnow() {
        for operation in OpenAPIDocument.operations {
            #expect(!operation.summary.isEmpty && !operation.summary.hasSuffix("."))
            #expect(operation.description.hasSuffix("."))
            #expect(operation.body.map { !$0.examples.isEmpty } ?? true)
        }
    }
}

extension JSON {
    /// Every value in this one, itself among them.
    fileprivate func visit(_ body: (JSON) -> Void) {
        body(self)
        switch self {
        case .object(let members): for member in members { member.value.visit(body) }
        case .array(let values): for value in values { value.visit(body) }
        default: break
        }
    }
}
