import CoreEncodings
import HTTPTypes
import NIOCore
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

/// The document itself. Whether responses are as it says, every test of this module checks (``Contract``).
@Suite struct OpenAPITests {
    private static let document = OpenAPIDocument.whole

    private static let operations = operations(of: document)

    private static func operations(of document: JSON) -> [(name: String, value: JSON)] {
        (document["paths"]?.members ?? []).flatMap { path in
            path.value.members.filter { $0.name != "parameters" }
                .map { ("\($0.name.uppercased()) \(path.name)", $0.value) }
        }
    }

    @Test func isServedAsItIs() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/openapi.json")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["cache-control"] == "no-cache")
            #expect(Exchange.json(answer.body.utf8) == Self.document)
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
            #expect(document.members == Self.document.members.filter { $0.name != "webhooks" })
            #expect(answer.headers["etag"] != whole.headers["etag"])
            #expect(try await server.send("GET", "/openapi.json?webhooks=true").body == whole.body)
            #expect(try await server.send("GET", "/openapi.json?webhooks=no").status == 422)
        }
    }

    @Test(arguments: [OpenAPIDocument.whole, OpenAPIDocument.admin])
    func isOfThisVersion(_ document: JSON) {
        #expect(document["openapi"] == "3.1.0")
        #expect(document["info"]?["version"] == .string(PhoneAPI.version))
    }

    @Test func thatOfOperatorsIsServedAsItIs() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/openapi-admin.json")
            #expect(answer.status == 200)
            #expect(Exchange.json(answer.body.utf8) == OpenAPIDocument.admin)
            #expect(answer.headers["cache-control"] == "no-cache")
        }
    }

    /// Editors, generators and people read it whole. It once had 469 KB.
    @Test(arguments: [OpenAPIDocument.whole, OpenAPIDocument.admin])
    func isShort(_ document: JSON) {
        #expect(document.bytes.readableBytes < 152_000)
    }

    /// YAML has types that JSON has not, and quotes decide.
    @Test func readsTheTypesOfYAMLThatJSONHas() throws {
        let parameters = try #require(Self.document["components"]?["parameters"])
        #expect(parameters["WebhookTimestamp"]?["example"] == "1767225600")
        let verification = try #require(Self.document["components"]?["schemas"]?["Verification"])
        let example = try #require(verification["examples"]?.elements.first)
        #expect(example["created_at"] == "2026-01-01T00:00:00.000Z")
        #expect(example["sends_left"] == 4)
        let account = try #require(
            Self.document["components"]?["schemas"]?["AccountDetails"]?["examples"]?.elements.first
        )
        #expect(account["deletion_due_at"] == .null)
        #expect(account["phone_number_verified"] == true)
    }

    /// Both ways: a route that is not described, and an operation that no route serves.
    @Test func everyRouteIsDescribedAndEveryOperationIsRouted() async throws {
        try await TestServer.run { server in
            let routed = server.routes.filter { route in
                let first = route.split(separator: "/").dropFirst().first ?? ""
                return !Contract.foreign.contains(first) || Self.operations.contains { $0.name == route }
            }
            let described = Self.operations + Self.operations(of: OpenAPIDocument.admin)
            #expect(routed.sorted() == described.map(\.name).sorted())
        }
    }

    /// The values that the program may return, and no others.
    @Test func everyEnumerationIsComplete() throws {
        let schemas = try #require(Self.document["components"]?["schemas"])
        func expect(_ values: [String], at path: String, orNull: Bool = false) {
            let place = path.split(separator: "/").reduce(JSON?.some(schemas)) { $0?[String($1)] }
            #expect(place?["enum"]?.elements == values.map { .string($0) } + (orNull ? [.null] : []), "\(path)")
        }
        func values<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> [String] {
            type.allCases.map(\.rawValue)
        }
        let exported = "PersonalData/properties/"
        expect(values(VerificationStatus.self), at: "Verification/properties/status")
        expect(values(VerificationStatus.self), at: "VerificationEvent/properties/status")
        expect(values(NumberKind.self), at: "PhoneNumber/properties/type", orNull: true)
        expect(values(DormantDecision.self), at: "Decide/properties/decision")
        expect(values(DormantDecision.self), at: "DormantAccount/properties/decision", orNull: true)
        expect(values(GuardVerdict.Reason.self), at: "PrefixEvent/properties/reason")
        expect(values(OutboxMessage.Status.self), at: "MessageEvent/properties/status")
        expect(values(OutboxMessage.Status.self), at: exported + "messages/items/properties/status")
        expect(values(Owner.Kind.self), at: exported + "verifications/items/properties/asked_by")
        expect(Event.Kind.ofWebhooks.map(\.rawValue), at: exported + "events/items/properties/type")
        expect(values(Event.Status.self), at: exported + "events/items/properties/status")
        expect(values(AuditEntry.Action.self), at: exported + "audit/items/properties/action")
        let errors: [PhoneNumberError] = [
            .empty, .notANumber, .tooLong, .tooShort, .unknownRegion(.korea), .unsupportedCallingCode("1"),
            .noSuchNumber,
        ]
        let reasons = errors.map(\.code) + [Problem.kindNotAccepted]
        expect(reasons, at: "InvalidPhoneNumberProblem/properties/reason")
        let faults: [ProofFault] = [.invalid, .expired, .early, .used, .unavailable]
        expect(faults.map(\.rawValue), at: "ChallengeFailedProblem/properties/reason")
        expect(reasons + faults.map(\.rawValue), at: "Failure/properties/reason")
        expect(values(Problem.OAuthError.self), at: "OAuthError")
    }

    @Test func everyProblemHasASchema() throws {
        let schemas = [Self.document, OpenAPIDocument.admin].flatMap { $0["components"]?["schemas"]?.members ?? [] }
        let described = schemas.filter { $0.name.hasSuffix("Problem") }.map { $0.value["properties"] }
        #expect(
            Set(described.compactMap { $0?["code"]?["const"]?.string }) == Set(ProblemCode.allCases.map(\.rawValue))
        )
        for problem in described {
            let code = try #require((problem?["code"]?["const"]?.string).flatMap(ProblemCode.init))
            #expect(problem?["type"]?["const"] == .string("urn:phoneproof:problem:" + code.rawValue))
            #expect(problem?["title"]?["const"] == .string(code.title))
            let statuses = problem?["status"]?["enum"]?.elements ?? [problem?["status"]?["const"] ?? .null]
            #expect(statuses.contains(.integer(code.status.code)), "\(code)")
        }
    }

    @Test func everyRegionIsListed() throws {
        let tag = try #require(Self.document["tags"]?.elements.first { $0["name"] == "Phone numbers" })
        let regions = NumberingPlans.builtIn.regions.map(\.description).joined(separator: " ")
        #expect(tag["description"]?.string?.hasSuffix(": \(regions).") == true)
    }

    @Test(arguments: [(OpenAPIDocument.whole, (4, 5, 60)), (OpenAPIDocument.admin, (-1, 20, 10))])
    func everyExampleFitsItsSchema(_ document: JSON, least: (Int, Int, Int)) throws {
        let validator = SchemaValidator(document: document)
        var (bodies, parameters, schemas) = (0, 0, 0)
        document.visit { value in
            if let schema = value["schema"], case .object(let examples)? = value["examples"] {
                bodies += examples.count
                for example in examples {
                    #expect(validator.faults(of: example.value["value"] ?? .null, by: schema) == [], "\(example.name)")
                }
            }
            if let schema = value["schema"], let example = value["example"] {
                parameters += 1
                #expect(validator.faults(of: example, by: schema) == [])
            }
            if value["type"] != nil, case .array(let examples)? = value["examples"] {
                schemas += examples.count
                for example in examples { #expect(validator.faults(of: example, by: value) == []) }
            }
        }
        #expect(bodies > least.0)
        #expect(parameters > least.1)
        #expect(schemas > least.2)
    }

    /// A program that was generated from the document must accept a member that a later version adds.
    @Test func everyObjectIsOpen() {
        Self.document.visit { #expect($0["additionalProperties"] != false) }
    }

    /// Generators write a file or a type for each name, and some file systems and languages make no difference of case:
    /// with `Signup` and `SignUp` one took the place of the other.
    @Test func noNamesDifferInCaseAlone() throws {
        func expectDistinct(_ names: [String]) {
            let groups = Dictionary(grouping: names) { $0.filter { $0 != "_" && $0 != "-" }.lowercased() }
            #expect(groups.values.filter { $0.count > 1 } == [])
        }
        for kind in try #require(Self.document["components"]).members { expectDistinct(kind.value.members.map(\.name)) }
        expectDistinct(Self.operations.compactMap { $0.value["operationId"]?.string })
        Self.document.visit { value in
            if let properties = value["properties"] { expectDistinct(properties.members.map(\.name)) }
        }
    }

    @Test(arguments: [OpenAPIDocument.whole, OpenAPIDocument.admin])
    func everyReferenceLeadsSomewhereAndEveryComponentIsUsed(_ document: JSON) throws {
        var used: Set<String> = []
        document.visit { value in
            guard let path = value["$ref"]?.string else { return }
            used.insert(path)
            #expect(document.value(at: path) != nil, "\(path)")
        }
        // The responses where there is no operation.
        let rules = ["Options", "MethodNotAllowed"].map { "#/components/responses/\($0)" }
        for kind in ["parameters", "headers", "links", "responses", "schemas"] {
            for component in document["components"]?[kind]?.members ?? [] {
                let path = "#/components/\(kind)/\(component.name)"
                #expect(used.contains(path) || rules.contains(path), "\(path)")
            }
        }
        let operations = Self.operations(of: document)
        let names = operations.compactMap { $0.value["operationId"]?.string }
        #expect(names.count == operations.count)
        for link in document["components"]?["links"]?.members ?? [] {
            #expect(link.value["operationId"]?.string.map(names.contains) == true, "\(link.name)")
        }
        let schemes = try #require(document["components"]?["securitySchemes"]).members.map(\.name)
        for operation in operations {
            for requirement in operation.value["security"]?.elements ?? [] {
                #expect(requirement.members.allSatisfy { schemes.contains($0.name) }, "\(operation.name)")
            }
        }
    }

    @Test(arguments: [OpenAPIDocument.whole, OpenAPIDocument.admin])
    func everyOperationSaysWhatACallerMustKnow(_ document: JSON) throws {
        for operation in Self.operations(of: document) {
            let summary = try #require(operation.value["summary"]?.string, "\(operation.name)")
            #expect(!summary.isEmpty && !summary.hasSuffix("."))
            #expect(operation.value["security"] != nil, "\(operation.name)")
            #expect(operation.value["description"]?.string?.hasSuffix(".") != false, "\(operation.name)")
            for media in operation.value["requestBody"]?["content"]?.members ?? [] {
                let schema = media.value["schema"]?["$ref"]?.string.flatMap { document.value(at: $0) }
                #expect(schema?["examples"]?.elements.isEmpty == false, "\(operation.name)")
            }
        }
    }
}

extension JSON {
    /// Calls the closure with this value and every value in it.
    fileprivate func visit(_ body: (JSON) -> Void) {
        body(self)
        switch self {
        case .object(let members): for member in members { member.value.visit(body) }
        case .array(let values): for value in values { value.visit(body) }
        default: break
        }
    }
}
