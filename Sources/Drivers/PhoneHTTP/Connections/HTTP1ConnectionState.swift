import CoreEncodings
import NIOCore
import NIOHTTP1

/// One HTTP/1.0 or HTTP/1.1 connection as a state machine: which requests wait for their responses, which of them is
/// the last, and what is wrong with the input.
///
/// It decides; ``HTTP1Handler`` acts.
struct HTTP1ConnectionState {
    enum Inbound: Equatable {
        case pass
        case drop
        /// Respond here and close; nothing else sees the request.
        case refuse(Fault)
    }

    enum Outbound: Equatable {
        case keepAlive
        /// It was the last one.
        case close
        /// Respond to what came after the last valid request.
        case refuse(Fault)
    }

    enum Fault: Equatable {
        case malformed
        case headerTooLarge
        case noHost
    }

    private struct Request {
        /// Whether the connection closes after its response.
        var isLast: Bool
        /// Whether the connection stays open only because the client has requested that (RFC 9112 section 9.3).
        let isVersion10: Bool
        /// Whether the client waits for 100 (Continue) before the body (RFC 9110 section 10.1.1).
        var expectsContinue: Bool
    }

    private let limits: ConnectionLimits
    /// Those that wait for their responses, oldest first.
    private var requests = CircularBuffer<Request>(initialCapacity: 1)
    private var isReadingBody = false
    private var bodyBytes = 0
    private var takesRequests = true
    private var fault: Fault?
    /// Whether the response being written is the last one.
    private var isEnding = false
    private(set) var isFinished = false

    init(limits: ConnectionLimits) { self.limits = limits }

    var isFull: Bool { requests.count >= limits.maxPipelinedRequests && !isReadingBody }

    var ignoresInput: Bool { !takesRequests && !isReadingBody }

    /// - Parameter head: changed so that an absolute target replaces `Host`.
    mutating func headReceived(_ head: inout HTTPRequestHead) -> Inbound {
        guard takesRequests else { return .drop }
        // With several, two programs on the way could disagree on whom a request is for (RFC 9112 section 3.2).
        let hosts = head.headers.list("host").count
        guard hosts == 1 || hosts == 0 && head.version.minor == 0 else { return refuse(.noHost) }
        guard head.splitAbsoluteTarget() else { return refuse(.malformed) }
        // Two programs on the way could disagree on where the body ends: HTTP/1.0 has no chunks, and no other coding is
        // decoded here (RFC 9112 sections 6.1 and 6.3).
        let codings = head.headers.list("transfer-encoding")
        guard codings.isEmpty || head.version.minor > 0 && codings.map({ $0.asciiLowercased }) == ["chunked"] else {
            return refuse(.malformed)
        }
        // A number too large to parse is too large.
        let announced = head.headers.first(name: "content-length").map { Int($0) ?? .max }
        let hasBody = announced.map { $0 > 0 } ?? !codings.isEmpty
        let isTooLong = announced.map { $0 > limits.maxBodyBytes } ?? false
        let isVersion10 = head.version.minor == 0
        isReadingBody = true
        bodyBytes = 0
        requests.append(
            Request(
                // Most clients whose announced body is too long send the rest of it all the same; and after an upgrade
                // request the decoder parses no HTTP any more.
                isLast: !head.isKeepAlive || isTooLong || head.method == .CONNECT
                    || head.headers.list("connection").contains { $0.asciiLowercased == "upgrade" },
                isVersion10: isVersion10,
                expectsContinue: hasBody && !isVersion10
                    && head.headers.list("expect").contains { $0.asciiLowercased == "100-continue" }
            )
        )
        return .pass
    }

    mutating func bodyReceived(count: Int) -> Inbound {
        guard isReadingBody else { return .drop }
        if !requests.isEmpty { requests[requests.index(before: requests.endIndex)].expectsContinue = false }
        bodyBytes += count
        // It has its response already, so its client does not wait for the rest; and there is too much of it.
        if requests.isEmpty, bodyBytes > limits.maxBodyBytes { return end() }
        return .pass
    }

    mutating func requestEnded() -> Inbound {
        guard isReadingBody else { return .drop }
        isReadingBody = false
        if let last = requests.last, last.isLast { takesRequests = false }
        return .pass
    }

    /// The input is not HTTP.
    ///
    /// - Returns: `pass` if it interrupts a request whose rest someone is reading.
    mutating func faultReceived(_ fault: Fault) -> Inbound {
        guard takesRequests || isReadingBody else { return .drop }
        guard isReadingBody else { return refuse(fault) }
        takesRequests = false
        isReadingBody = false
        // It has its response already.
        if requests.isEmpty { return end() }
        requests[requests.index(before: requests.endIndex)].isLast = true
        return .pass
    }

    /// Shutdown begins: the requests received so far are the last ones.
    ///
    /// - Returns: whether there are any.
    mutating func shutdownBegins() -> Bool {
        takesRequests = false
        guard !requests.isEmpty else {
            isFinished = true
            return false
        }
        requests[requests.index(before: requests.endIndex)].isLast = true
        return true
    }

    /// Something is about to read the body of the next request.
    ///
    /// - Returns: whether its client waits for 100 (Continue).
    mutating func bodyRequested() -> Bool {
        guard !requests.isEmpty, requests[requests.startIndex].expectsContinue, !isEnding, !isFinished else {
            return false
        }
        requests[requests.startIndex].expectsContinue = false
        return true
    }

    /// - Returns: the response's `Connection`, if it needs one.
    mutating func responseBegins() -> StaticString? {
        guard let request = requests.first else { return nil }
        // A body that was never requested may come or not: it could not be distinguished from the next request.
        isEnding = request.isLast || request.expectsContinue
        if isEnding { takesRequests = false }
        return isEnding ? "close" : request.isVersion10 ? "keep-alive" : nil
    }

    mutating func responseEnded() -> Outbound {
        // It may have become the last one since its response began.
        if requests.popFirst()?.isLast == true || isEnding {
            isFinished = true
            return .close
        }
        guard requests.isEmpty, let fault else { return .keepAlive }
        isFinished = true
        return .refuse(fault)
    }

    private mutating func refuse(_ fault: Fault) -> Inbound {
        takesRequests = false
        guard requests.isEmpty else {
            self.fault = fault
            return .drop
        }
        isFinished = true
        return .refuse(fault)
    }

    private mutating func end() -> Inbound {
        takesRequests = false
        isReadingBody = false
        isFinished = true
        return .drop
    }
}

extension HTTPHeaders {
    /// What `self[canonicalForm: name]` has, without comparing names of different lengths: most requests have none of
    /// these fields.
    fileprivate func list(_ name: StaticString) -> [Substring] {
        var list: [Substring] = []
        for (field, value) in self where field.utf8.count == name.utf8CodeUnitCount {
            guard field.asciiLowercased == name.description else { continue }
            list += value.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0.trimmingWhitespace) }
        }
        return list
    }
}

extension HTTPRequestHead {
    /// An absolute target takes precedence over `Host`: a proxy in front may go by the one and this service by the
    /// other (RFC 9112 section 3.2.2).
    ///
    /// - Returns: false if the target is not one for an HTTP server.
    fileprivate mutating func splitAbsoluteTarget() -> Bool {
        if uri.utf8.first == UInt8(ascii: "/") || uri == "*" || method == .CONNECT { return true }
        let target = Substring(uri).utf8
        let scheme = target.prefix { $0 != UInt8(ascii: "/") }
        guard ["http:", "https:"].contains(Substring(scheme).asciiLowercased),
            target.dropFirst(scheme.count).starts(with: "//".utf8)
        else { return false }
        let rest = target.dropFirst(scheme.count + 2)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        // Credentials in the target are there to deceive a reader (RFC 9110 section 4.2.4).
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return false }
        let path = String(Substring(rest[authority.endIndex...]))
        headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
        uri = path.isEmpty && method == .OPTIONS ? "*" : path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        return true
    }
}
