import CoreEncodings
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A request of an HTTP/1.0 or HTTP/1.1 connection, and what its response must observe. Confined to the connection's
/// event loop.
final class HTTP1Exchange {
    var request: Request
    /// Whether the service may have it: its body is whole, or did not come with the rest.
    var isReady = false
    /// Whether the connection closes after its response.
    var isLast: Bool
    /// Whether the client waits for 100 (Continue) before the body (RFC 9110 section 10.1.1).
    var expectsContinue: Bool
    /// Whether the connection stays open only because the client has requested that (RFC 9112 section 9.3).
    let isVersion10: Bool
    /// Whether the announced body is too long.
    let isTooLong: Bool

    /// - Throws: what is wrong with the head: two programs on the way could disagree on what it means.
    init(_ head: HTTPRequestHead, limits: ConnectionLimits, isSecure: Bool) throws(Refusals.Fault) {
        let headers = HeaderFields(head.headers)
        isVersion10 = head.version.minor == 0
        let hosts = headers.list(.host)
        // RFC 9112 section 3.2.
        guard hosts.count == 1 || hosts.isEmpty && isVersion10 else { throw .noHost }
        guard let method = try? HTTPRequest.Method(head.method),
            let (authority, path) = Self.target(head, host: hosts.first.map(String.init))
        else { throw .malformed }
        // HTTP/1.0 has no chunks, and no other coding is decoded here (RFC 9112 sections 6.1 and 6.3).
        let codings = headers.list(.transferEncoding)
        guard codings.isEmpty || !isVersion10 && codings.map(\.asciiLowercased) == ["chunked"] else { throw .malformed }
        // A number too large to parse is too large.
        let announced = headers[.contentLength].map { Int($0) ?? .max }
        isTooLong = announced.map { $0 > limits.maxBodyBytes } ?? false
        // Most clients whose announced body is too long send the rest of it all the same; and after an upgrade request
        // the decoder parses no HTTP any more.
        isLast =
            !head.isKeepAlive || isTooLong || method == .connect
            || headers.list(.connection).contains { $0.asciiLowercased == "upgrade" }
        expectsContinue =
            !isVersion10 && (announced.map { $0 > 0 } ?? !codings.isEmpty)
            && headers.list(.expect).contains { $0.asciiLowercased == "100-continue" }
        request = Request(
            method,
            path,
            scheme: isSecure ? "https" : "http",
            authority: authority,
            headers: headers
        )
    }

    /// An absolute target takes precedence over `Host`: a proxy in front may go by the one and this service by the
    /// other (RFC 9112 section 3.2.2).
    ///
    /// - Returns: nil if the target is not one for an HTTP server.
    private static func target(_ head: HTTPRequestHead, host: String?) -> (authority: String?, path: String)? {
        let target = Substring(head.uri).utf8
        if target.first == UInt8(ascii: "/") || head.uri == "*" || head.method == .CONNECT { return (host, head.uri) }
        let scheme = target.prefix { $0 != UInt8(ascii: "/") }
        guard ["http:", "https:"].contains(Substring(scheme).asciiLowercased),
            target.dropFirst(scheme.count).starts(with: "//".utf8)
        else { return nil }
        let rest = target.dropFirst(scheme.count + 2)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        // Credentials in the target are there to deceive a reader (RFC 9110 section 4.2.4).
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return nil }
        let path = String(Substring(rest[authority.endIndex...]))
        let isOfServer = path.isEmpty && head.method == .OPTIONS
        return (
            String(Substring(authority)),
            isOfServer ? "*" : path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        )
    }
}

extension ByteBuffer {
    /// Writes the line and the fields of an HTTP/1.1 response.
    ///
    /// - Parameter connection: the field `Connection`, if it needs one.
    /// - Returns: whether the body is written in chunks.
    mutating func writeHead(of response: Response, connection: StaticString?) -> Bool {
        let status = response.status
        // RFC 9110 section 8.6 forbids a length where there can be no body.
        let hasBody = status.code >= 200 && status != .noContent && status != .notModified
        let isChunked = hasBody && !response.headers.contains(.contentLength)
        let (line, reason) = ("HTTP/1.1 \(status.code) ", status.reasonPhrase)
        let fields = response.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        // At once: to make room for each piece took longer than to write it. The rest is less than 100 bytes.
        writeWithUnsafeMutableBytes(minimumWritableBytes: line.utf8.count + reason.utf8.count + fields + 100) { bytes in
            var rest = bytes
            rest.take(line)
            rest.take(reason)
            for (name, value) in response.headers where hasBody || name != HTTPField.Name.contentLength.rawName {
                rest.take("\r\n")
                rest.take(name)
                rest.take(": ")
                rest.take(value)
            }
            if let connection { rest.take("\r\nConnection: \(connection)") }
            rest.take(isChunked ? "\r\ntransfer-encoding: chunked\r\n\r\n" : "\r\n\r\n")
            return bytes.count - rest.count
        }
        return isChunked
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Takes a text to its beginning, and goes on behind it.
    fileprivate mutating func take(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            copyMemory(from: UnsafeRawBufferPointer(utf8))
            self = UnsafeMutableRawBufferPointer(rebasing: self[utf8.count...])
        }
    }
}
