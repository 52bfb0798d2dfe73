package import HTTPTypes
package import NIOCore

/// A request as a route sees it.
public struct Request: Sendable {
    package let method: HTTPRequest.Method
    /// Any text: with HTTP/2 the client writes it.
    package let scheme: String
    /// The host for which the request is, perhaps with a port.
    package let authority: String?
    /// Percent-encoded as it came, with the query.
    let target: String
    package let headers: HeaderFields
    package internal(set) var body: RequestBody
    /// The path of the target without its query, percent-encoded as it came; `/` where there is none.
    package let path: String
    /// What the target has behind `?`, percent-encoded as it came; nil where there is no `?`.
    let queryText: String?

    package init(
        _ method: HTTPRequest.Method,
        _ target: String,
        scheme: String = "http",
        authority: String? = nil,
        headers: HeaderFields = [:],
        body: RequestBody = .whole(ByteBuffer())
    ) {
        (self.method, self.target, self.scheme, self.authority) = (method, target, scheme, authority)
        (self.headers, self.body) = (headers, body)
        (path, queryText) = Self.parts(ofTarget: target)
    }

    /// Whether its path is this one, or one below it. By bytes: characters take a hundred times as long.
    func isAtOrBelow(_ root: String) -> Bool {
        let path = path.utf8
        guard path.starts(with: root.utf8) else { return false }
        let next = path.dropFirst(root.utf8.count).first
        return next == nil || next == UInt8(ascii: "/")
    }

    /// Proxies may send the whole URL (RFC 9112 section 3.2.2), and some clients its fragment.
    private static func parts(ofTarget target: String) -> (path: String, queryText: String?) {
        var rest = target.utf8[...]
        if rest.first != UInt8(ascii: "/"), let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            rest[colon...].starts(with: "://".utf8)
        {
            rest = rest[colon...].dropFirst(3).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest.dropFirst(path.count).dropFirst().prefix { $0 != UInt8(ascii: "#") }
        return (
            path.isEmpty ? "/" : String(Substring(path)),
            path.endIndex == rest.endIndex ? nil : String(Substring(query))
        )
    }
}

/// The body of a request: whole, as most are, or still arriving.
package enum RequestBody: Sendable {
    case whole(ByteBuffer)
    /// Fails if there is no rest, or too much of it. The channel's client may wait for the body to be requested
    /// (`Expect: 100-continue`); nil if it does not.
    case arriving(EventLoopFuture<ByteBuffer>, awaitedBy: (any Channel)?)

    static func failing(_ error: any Error, on eventLoop: any EventLoop) -> RequestBody {
        .arriving(eventLoop.makeFailedFuture(error), awaitedBy: nil)
    }

    package func collect() async throws -> ByteBuffer {
        switch self {
        case .whole(let bytes): return bytes
        case .arriving(let bytes, let channel):
            channel?.triggerUserOutboundEvent(BodyRequested(), promise: nil)
            return try await bytes.get()
        }
    }
}

/// The outbound event before the body of a request is read, whose client may wait for that (`Expect: 100-continue`).
struct BodyRequested: Sendable {}

public struct Response: Sendable {
    package let status: HTTPResponse.Status
    package var headers: HeaderFields
    package private(set) var body: ResponseBody

    package init(status: HTTPResponse.Status, headers: HeaderFields = [:], body: ResponseBody = .whole(ByteBuffer())) {
        (self.status, self.headers, self.body) = (status, headers, body)
        if case .whole(let bytes) = body { self.headers[.contentLength] = String(bytes.readableBytes) }
    }

    /// The response to HEAD (RFC 9110 section 9.3.2).
    var withoutBody: Response {
        var response = self
        response.body = .whole(ByteBuffer())
        // Or a streamed one would be ended by a chunk, which is a body.
        if !headers.contains(.contentLength) { response.headers[.contentLength] = "0" }
        return response
    }
}

/// The body of a response: whole, as most are, or made while it is sent.
package enum ResponseBody: Sendable {
    case whole(ByteBuffer)
    /// The closure passes each part on, and returns at the end. It is cancelled when the client has gone.
    case streamed(@Sendable (_ send: @Sendable (ByteBuffer) async throws -> Void) async throws -> Void)
}
