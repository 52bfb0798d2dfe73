import COpenAPI
import HTTPTypes
import Hummingbird
import NIOCore
import PhoneDomain
import TextEncodings
import Yams

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
            guard let node = try compose(yaml: String(cString: openapi_yaml())) else { return .null }
            return JSON(node)
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

extension JSON {
    /// The same value in YAML. Of its types only those of JSON count: a date is text.
    fileprivate init(_ node: Node) {
        switch node {
        case .mapping(let pairs): self = .object(pairs.map { Member($0.key.scalar?.string ?? "", JSON($0.value)) })
        case .sequence(let nodes): self = .array(nodes.map(JSON.init))
        case .scalar(let scalar):
            switch node.tag {
            case Tag(.null): self = .null
            case Tag(.bool): self = .bool(scalar.string == "true")
            case Tag(.int), Tag(.float): self = .number(scalar.string)
            default: self = .string(scalar.string)
            }
        // The composer has put in the node that it stands for.
        case .alias: self = .null
        }
    }
}

extension ByteBufferView {
    /// 64 bits that change when the bytes do, in hexadecimal (FNV-1a,
    /// https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). Nobody gains by finding two documents with one tag.
    fileprivate var fingerprint: String {
        reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }.paddedHexadecimal
    }
}
