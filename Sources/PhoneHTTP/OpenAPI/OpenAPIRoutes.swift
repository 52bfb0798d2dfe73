import HTTPTypes
import Hummingbird
import NIOCore

/// The document for programs. It is made once, when it is first asked for.
struct OpenAPIRoutes: Sendable {
    private static let bytes = OpenAPIDocument.json.bytes

    /// Names the document by what it says, alike on every instance of one version.
    private static let entityTag = "\"" + bytes.readableBytesView.fingerprint + "\""

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get(use: show)
    }

    @Sendable private func show(request: Request, context: APIContext) -> Response {
        // It is the same for everyone and changes with the version: caches may keep it, and have to ask.
        let headers: HTTPFields = [.eTag: Self.entityTag, .cacheControl: "no-cache"]
        guard !Self.isKnown(request) else { return Response(status: .notModified, headers: headers) }
        var response = Response(json: .null, headers: headers)
        response.body = ResponseBody(byteBuffer: Self.bytes)
        return response
    }

    /// Whether the caller has it already (RFC 9110 section 13.1.2; the comparison is weak).
    private static func isKnown(_ request: Request) -> Bool {
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
