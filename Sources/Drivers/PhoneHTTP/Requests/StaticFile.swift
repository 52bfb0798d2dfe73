import HTTPTypes
import NIOCore
import PhoneDomain

/// What is the same for everyone and changes with the version alone.
struct StaticFile: Sendable {
    private let bytes: ByteBuffer
    private let contentType: String
    /// Alike on every instance of one version.
    private let entityTag: String
    private let headers: HeaderFields

    /// - Parameter headers: those of a 304, too.
    init(_ bytes: ByteBuffer, contentType: String, headers: HeaderFields) {
        (self.bytes, self.contentType) = (bytes, contentType)
        entityTag = "\"" + bytes.readableBytesView.fingerprint + "\""
        self.headers = headers
    }

    func response(to request: Request) -> Response {
        var headers = headers
        headers[.eTag] = entityTag
        if isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        return Response(status: .ok, headers: headers, body: .whole(bytes))
    }

    /// Whether the client has it already (RFC 9110 section 13.1.2; the comparison is weak).
    private func isKnown(to request: Request) -> Bool {
        let tags = request.headers[values: .ifNoneMatch].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        let known = ["*", entityTag, "W/" + entityTag]
        return tags.contains { tag in known.contains { tag.trimmingWhitespace.elementsEqual($0.utf8) } }
    }
}

extension ByteBufferView {
    /// 64 bits that change when the bytes do, in hexadecimal (FNV-1a,
    /// https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). Nobody gains by finding two documents with one tag.
    fileprivate var fingerprint: String {
        reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }.paddedHexadecimal
    }
}
