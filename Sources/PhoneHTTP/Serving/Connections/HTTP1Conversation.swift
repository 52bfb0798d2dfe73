import NIOCore
import NIOHTTP1

/// What goes to and fro on one connection of HTTP/1.0 or HTTP/1.1: which requests wait for their answers, which of them
/// is the last, and what is wrong with what comes.
///
/// Decides, and leaves the doing to ``HTTP1Handler``.
struct HTTP1Conversation {
    /// What to do with a part of a request.
    enum Inbound: Equatable {
        case pass
        case drop
        /// Answer it here, and then close: nobody else is to see it.
        case refuse(Fault)
    }

    /// What to do when an answer has been written.
    enum Outbound: Equatable {
        case goOn
        /// It was the last one.
        case close
        /// What came behind the last good request is to be answered now.
        case refuse(Fault)
    }

    /// What is wrong with a request that is answered here.
    enum Fault: Equatable {
        case malformed
        case headerTooLarge
        case noHost
    }

    private struct Request {
        /// Whether the connection closes after its answer.
        var isLast: Bool
        /// Whether it is kept open only for one who has asked for that (RFC 9112 section 9.3).
        let isVersion10: Bool
        /// Whether its client holds the body back until it is asked for (RFC 9110 section 10.1.1).
        var holdsBodyBack: Bool
    }

    private let limits: ConnectionLimits
    /// Those that wait for their answers, the oldest first.
    private var requests = CircularBuffer<Request>(initialCapacity: 1)
    private var isReadingBody = false
    private var bodyBytes = 0
    private var takesRequests = true
    private var fault: Fault?
    /// Whether the answer that is being written is the last one.
    private var isEnding = false
    private(set) var isOver = false

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// Whether no more requests are to be let in until one is answered.
    var isFull: Bool { requests.count >= limits.maxPipelinedRequests && !isReadingBody }

    /// Whether nothing that comes will be looked at any more.
    var isDeaf: Bool { !takesRequests && !isReadingBody }

    /// - Parameter head: its head, in which an absolute target takes the place of `Host`.
    mutating func headCame(_ head: inout HTTPRequestHead) -> Inbound {
        guard takesRequests else { return .drop }
        // More than one could make two programs on the way disagree on whom a request is for (RFC 9112 section 3.2).
        let hosts = head.headers[canonicalForm: "host"].count
        guard hosts == 1 || hosts == 0 && head.version.minor == 0 else { return refuse(.noHost) }
        guard head.splitAbsoluteTarget() else { return refuse(.malformed) }
        // Two programs on the way could disagree on where the body ends: HTTP/1.0 knows no chunks, and of other codings
        // none is undone here (RFC 9112 sections 6.1 and 6.3).
        let codings = head.headers[canonicalForm: "transfer-encoding"]
        guard codings.isEmpty || head.version.minor > 0 && codings.map({ $0.lowercased() }) == ["chunked"] else {
            return refuse(.malformed)
        }
        // One that is too great to be read is too great.
        let announced = head.headers.first(name: "content-length").map { Int($0) ?? .max }
        let hasBody = announced.map { $0 > 0 } ?? head.headers.contains(name: "transfer-encoding")
        let isTooLong = announced.map { $0 > limits.maxBodyBytes } ?? false
        let isVersion10 = head.version.minor == 0
        isReadingBody = true
        bodyBytes = 0
        requests.append(
            Request(
                // Who is refused a long body for its announced length sends the rest of it all the same, mostly; and
                // behind a request to speak another protocol the decoder takes nothing for HTTP any more.
                isLast: !head.isKeepAlive || isTooLong || head.method == .CONNECT
                    || head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" },
                isVersion10: isVersion10,
                holdsBodyBack: hasBody && !isVersion10
                    && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
            )
        )
        return .pass
    }

    mutating func bodyCame(count: Int) -> Inbound {
        guard isReadingBody else { return .drop }
        if !requests.isEmpty { requests[requests.index(before: requests.endIndex)].holdsBodyBack = false }
        bodyBytes += count
        // Its answer is there already, so that nobody waits for what is still to come; and there is too much of it.
        if requests.isEmpty, bodyBytes > limits.maxBodyBytes { return end() }
        return .pass
    }

    mutating func requestEnded() -> Inbound {
        guard isReadingBody else { return .drop }
        isReadingBody = false
        if let last = requests.last, last.isLast { takesRequests = false }
        return .pass
    }

    /// What comes is no HTTP.
    ///
    /// - Returns: `pass` if it breaks a request off that somebody is waiting for the rest of.
    mutating func faultCame(_ fault: Fault) -> Inbound {
        guard takesRequests || isReadingBody else { return .drop }
        guard isReadingBody else { return refuse(fault) }
        takesRequests = false
        isReadingBody = false
        // Answered already: there is nobody to tell.
        if requests.isEmpty { return end() }
        requests[requests.index(before: requests.endIndex)].isLast = true
        return .pass
    }

    /// The service ends: those requests that are here already are the last ones.
    ///
    /// - Returns: whether there are any.
    mutating func serviceEnds() -> Bool {
        takesRequests = false
        guard !requests.isEmpty else {
            isOver = true
            return false
        }
        requests[requests.index(before: requests.endIndex)].isLast = true
        return true
    }

    /// Somebody wants to read the body of the request that is answered next.
    ///
    /// - Returns: whether its client waits to be asked for it.
    mutating func bodyWanted() -> Bool {
        guard !requests.isEmpty, requests[requests.startIndex].holdsBodyBack, !isEnding, !isOver else { return false }
        requests[requests.startIndex].holdsBodyBack = false
        return true
    }

    /// An answer begins.
    ///
    /// - Parameter head: its head, in which what the connection will do is said.
    mutating func answerBegins(_ head: inout HTTPResponseHead) {
        guard let request = requests.first else { return }
        // A body that was never asked for may come all the same, or not: nobody could tell it from the next request.
        isEnding = request.isLast || request.holdsBodyBack
        if isEnding {
            takesRequests = false
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        } else if request.isVersion10 {
            head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
    }

    mutating func answerEnded() -> Outbound {
        if !requests.isEmpty { requests.removeFirst() }
        if isEnding {
            isOver = true
            return .close
        }
        guard requests.isEmpty, let fault else { return .goOn }
        isOver = true
        return .refuse(fault)
    }

    private mutating func refuse(_ fault: Fault) -> Inbound {
        takesRequests = false
        guard requests.isEmpty else {
            self.fault = fault
            return .drop
        }
        isOver = true
        return .refuse(fault)
    }

    private mutating func end() -> Inbound {
        takesRequests = false
        isReadingBody = false
        isOver = true
        return .drop
    }
}

extension HTTPRequestHead {
    /// Whom a target in absolute form names is who is asked, whatever `Host` says: a proxy before this service may go by
    /// the one and what is behind it by the other (RFC 9112 section 3.2.2).
    ///
    /// - Returns: whether the target is one for an HTTP server.
    fileprivate mutating func splitAbsoluteTarget() -> Bool {
        if uri.utf8.first == UInt8(ascii: "/") || uri == "*" || method == .CONNECT { return true }
        let target = Substring(uri).utf8
        let scheme = target.prefix { $0 != UInt8(ascii: "/") }
        guard ["http:", "https:"].contains(Substring(scheme).lowercased()),
            target.dropFirst(scheme.count).starts(with: "//".utf8)
        else { return false }
        let rest = target.dropFirst(scheme.count + 2)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        // Who logs in by the target means to deceive somebody who reads it (RFC 9110 section 4.2.4).
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return false }
        let path = String(Substring(rest[authority.endIndex...]))
        headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
        uri = path.isEmpty && method == .OPTIONS ? "*" : path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        return true
    }
}
