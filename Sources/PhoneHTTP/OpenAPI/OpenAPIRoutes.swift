import COpenAPI
import HTTPTypes
import PhoneDomain
import TextEncodings

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

    @Sendable func show(request: Request, context: APIContext) throws -> Response {
        (try request.flag("webhooks") ?? true ? Self.whole : Self.withoutWebhooks).response(to: request)
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
    static let whole: JSON = {
        do {
            return try YAML.parse(Array(String(cString: openapi_yaml()).utf8)).map { JSON($0) } ?? .null
        } catch {
            // The document is part of the program, and the tests parse it.
            preconditionFailure("openapi.yaml: \(error)")
        }
    }()

    /// Some generators know OpenAPI 3.1 but no webhooks.
    static let withoutWebhooks: JSON = {
        guard case .object(let members) = whole else { return whole }
        return .object(members.filter { $0.name != "webhooks" })
    }()
}
