import CoreEncodings
import HTTPTypes
import NIOCore
import PhoneDomain

/// `GET /openapi.json` and `GET /docs`: the description of the API, for programs and for people.
struct OpenAPIRoutes: Sendable {
    let identifiers: any IdentifierSource
    let guide: DocsGuide

    /// It is the same for everyone and changes with the version: caches may store it, but must revalidate.
    private static func file(_ text: String) -> StaticFile {
        StaticFile(ByteBuffer(string: text), contentType: "application/json", headers: [.cacheControl: "no-cache"])
    }

    private static let whole = file(EmbeddedFiles.openapiJSON)
    private static let admin = file(EmbeddedFiles.openapiAdminJSON)
    /// Some generators know OpenAPI 3.1 but no webhooks.
    private static let withoutWebhooks = file(
        JSON.object(OpenAPIDocument.whole.members.filter { $0.name != "webhooks" }).text
    )

    @Sendable func show(request: Request, context: APIContext) throws -> Response {
        (try request.flag("webhooks") ?? true ? Self.whole : Self.withoutWebhooks).response(to: request)
    }

    @Sendable func showAdmin(request: Request, context: APIContext) -> Response {
        Self.admin.response(to: request)
    }

    @Sendable func showPage(request: Request, context: APIContext) throws -> Response {
        let nonce = try identifiers.makeRandomText()
        return Response(
            html: DocsPage.html(guide, nonce: nonce),
            contentSecurityPolicy:
                "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
    }
}

/// What the build makes of `openapi.yaml`, as a value. That of `/v1/admin` is a document of its own, since its readers are
/// operators' own programs, and it would double the length of this one.
enum OpenAPIDocument {
    /// Parsed on first use, by the page for people.
    static let whole = parse(EmbeddedFiles.openapiJSON)

    static func parse(_ text: String) -> JSON {
        // The build wrote it, and the tests parse it.
        guard let document = JSON(parsing: text) else { preconditionFailure("OpenAPI: it is no JSON") }
        return document
    }
}
