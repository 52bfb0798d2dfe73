import COpenAPI
import CoreEncodings
import HTTPTypes
import PhoneDomain

/// `GET /openapi.json` and `GET /docs`: the description of the API, for programs and for people.
struct OpenAPIRoutes: Sendable {
    let identifiers: any IdentifierSource
    let guide: DocsGuide

    /// It is the same for everyone and changes with the version: caches may store it, but must revalidate.
    private static func file(_ document: JSON) -> StaticFile {
        StaticFile(document.bytes, contentType: "application/json", headers: [.cacheControl: "no-cache"])
    }

    private static let whole = file(OpenAPIDocument.whole)
    private static let withoutWebhooks = file(OpenAPIDocument.withoutWebhooks)
    private static let admin = file(OpenAPIDocument.admin)

    @Sendable func show(request: Request, context: APIContext) throws -> Response {
        (try request.flag("webhooks") ?? true ? Self.whole : Self.withoutWebhooks).response(to: request)
    }

    @Sendable func showAdmin(request: Request, context: APIContext) -> Response {
        Self.admin.response(to: request)
    }

    @Sendable func showPage(request: Request, context: APIContext) throws -> Response {
        let nonce = try identifiers.makeNonce()
        return Response(
            html: DocsPage.html(guide, nonce: nonce),
            contentSecurityPolicy:
                "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
    }
}

/// `openapi.yaml`, which the build embeds.
enum OpenAPIDocument {
    /// Parsed on first use: it takes tens of milliseconds, which not every start should cost.
    static let whole = parse(openapi_yaml())

    /// Of `/v1/admin`, for operators' own programs: a document of its own, since readers of the other one have no use
    /// for it, and it would double its length. What it refers to and does not have itself is from the other one.
    static let admin: JSON = {
        let own = parse(openapi_admin_yaml())
        var (added, wanted): ([String: [JSON.Member]], [String]) = ([:], references(in: own))
        while let reference = wanted.popLast() {
            let path = reference.split(separator: "/").dropFirst(2).map(String.init)
            guard path.count == 2, own["components"]?[path[0]]?[path[1]] == nil,
                added[path[0]]?.contains(where: { $0.name == path[1] }) != true,
                let found = whole["components"]?[path[0]]?[path[1]]
            else { continue }
            added[path[0], default: []].append(JSON.Member(path[1], found))
            wanted += references(in: found)
        }
        added["securitySchemes"] = whole["components"]?["securitySchemes"]?.members.filter { $0.name == "adminKey" }
        let kinds = ["securitySchemes", "parameters", "headers", "responses", "schemas"].map { kind in
            let described = own["components"]?[kind]?.members ?? []
            return JSON.Member(kind, .object(described + (added[kind] ?? []).sorted { $0.name < $1.name }))
        }
        return .object(own.members.filter { $0.name != "components" } + [JSON.Member("components", .object(kinds))])
    }()

    private static func parse(_ text: UnsafePointer<CChar>) -> JSON {
        do {
            return try YAML.parse(Array(String(cString: text).utf8)).map { JSON($0) } ?? .null
        } catch {
            // The documents are part of the program, and the tests parse them.
            preconditionFailure("OpenAPI: \(error)")
        }
    }

    /// Every `$ref` in it.
    private static func references(in value: JSON) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { member in
                member.name == "$ref" ? [member.value.string].compactMap(\.self) : references(in: member.value)
            }
        case .array(let elements): elements.flatMap(references)
        case .null, .bool, .number, .string: []
        }
    }

    /// Some generators know OpenAPI 3.1 but no webhooks.
    static let withoutWebhooks = JSON.object(whole.members.filter { $0.name != "webhooks" })
}
