import HTTPTypes
import Hummingbird
import NIOCore

/// The document for programs. Each form of it is made once, when it is first asked for.
struct OpenAPIRoutes: Sendable {
    private struct Document {
        let bytes: ByteBuffer
        /// Names the document by what it says, alike on every instance of one version.
        let entityTag: String

        init(hasWebhooks: Bool) {
            bytes = OpenAPIDocument.published(hasWebhooks: hasWebhooks).bytes
            entityTag = "\"" + bytes.readableBytesView.fingerprint + "\""
        }
    }

    private static let whole = Document(hasWebhooks: true)
    private static let withoutWebhooks = Document(hasWebhooks: false)

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get(use: show)
    }

    @Sendable private func show(request: Request, context: APIContext) throws -> Response {
        let document = try request.flag("webhooks") ?? true ? Self.whole : Self.withoutWebhooks
        // It is the same for everyone and changes with the version: caches may keep it, and have to ask.
        let headers: HTTPFields = [.eTag: document.entityTag, .cacheControl: "no-cache"]
        guard !Self.isKnown(request, document.entityTag) else {
            return Response(status: .notModified, headers: headers)
        }
        var response = Response(json: .null, headers: headers)
        response.body = ResponseBody(byteBuffer: document.bytes)
        return response
    }

    /// Whether the caller has it already (RFC 9110 section 13.1.2; the comparison is weak).
    private static func isKnown(_ request: Request, _ entityTag: String) -> Bool {
        request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains { tag in
            let tag = tag.drop { $0 == " " }.prefix { $0 != " " }
            return tag == "*" || tag == entityTag || tag == "W/" + entityTag
        }
    }
}

extension ByteBufferView {
    /// 64 bits that change when the bytes do, in hexadecimal (FNV-1a,
    /// https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). Nobody gains by finding two documents of one name.
    fileprivate var fingerprint: String {
        let hash = reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
