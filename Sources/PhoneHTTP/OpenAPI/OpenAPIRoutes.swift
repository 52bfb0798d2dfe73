import COpenAPI
import HTTPTypes
import Hummingbird
import NIOCore
import PhoneDomain
import TextEncodings

/// `GET /openapi.json` and `GET /docs`: the description of the API, for programs and for people.
struct OpenAPIRoutes: Sendable {
    let identifiers: any IdentifierSource

    private struct File {
        let bytes: ByteBuffer
        /// Alike on every instance of one version.
        let entityTag: String

        init(_ document: JSON) {
            bytes = document.bytes
            entityTag = "\"" + bytes.readableBytesView.fingerprint + "\""
        }
    }

    private static let whole = File(OpenAPIDocument.whole)
    private static let withoutWebhooks = File(OpenAPIDocument.withoutWebhooks)

    @Sendable func show(request: Request, context: APIContext) throws -> Response {
        let file = try request.flag("webhooks") ?? true ? Self.whole : Self.withoutWebhooks
        // It is the same for everyone and changes with the version: caches may store it, but must revalidate.
        var headers: HTTPFields = [.eTag: file.entityTag, .cacheControl: "no-cache"]
        if Self.isKnown(request, file.entityTag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }

    @Sendable func showPage(request: Request, context: APIContext) throws -> Response {
        let nonce = try identifiers.makeNonce()
        return Response(
            html: DocsPage.html(nonce: nonce),
            contentSecurityPolicy:
                "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'"
        )
    }

    /// Whether the client has it already (RFC 9110 section 13.1.2; the comparison is weak).
    private static func isKnown(_ request: Request, _ entityTag: String) -> Bool {
        request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { tag in
            let tag = tag.drop { $0 == " " }.prefix { $0 != " " }
            return tag == "*" || tag == entityTag || tag == "W/" + entityTag
        }
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

extension ByteBufferView {
    /// 64 bits that change when the bytes do, in hexadecimal (FNV-1a,
    /// https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). Nobody gains by finding two documents with one tag.
    fileprivate var fingerprint: String {
        reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }.paddedHexadecimal
    }
}
