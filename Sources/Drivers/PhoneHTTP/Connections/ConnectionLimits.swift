/// How much of the service one client may use, and for how long.
public struct ConnectionLimits: Sendable {
    /// How long a new connection may take to the first byte of its first request, including the TLS handshake.
    public var firstByteTimeout: Duration = .seconds(30)
    /// How long the request line and headers may take from their first byte.
    public var headerTimeout: Duration = .seconds(10)
    /// How long the body may take after the headers.
    public var bodyTimeout: Duration = .seconds(30)
    /// How long the client may take to read what is sent at a time.
    public var writeTimeout: Duration = .seconds(30)
    /// How long a connection may be idle between requests.
    public var idleTimeout: Duration = .seconds(60)
    /// The most connections at a time; others wait to be accepted.
    public var maxConnections: Int = 20_000
    /// The most connections at a time from one address, an IPv4 address or the /64 of an IPv6 address, and more from
    /// its wider networks (``ClientAddress/Network/allowance``); others are closed at once. It does not apply to
    /// trusted proxies. Many people share the address of a carrier's network.
    public var maxConnectionsPerAddress: Int = 1000
    /// The most bytes in the request line and headers; with HTTP/2, in the header list as RFC 9113 section 6.5.2 counts
    /// it.
    public var maxHeaderBytes: Int = 16_384
    /// The most bytes of an HTTP/2 header list that are read, so that one over ``maxHeaderBytes`` gets a response. A
    /// longer one ends the connection: what is not decoded leaves the fields of later requests unknown (RFC 9113 section
    /// 4.3).
    var maxHeaderBytesRead: Int { max(131_072, maxHeaderBytes * 2) }
    /// The most bytes in a request's body.
    public var maxBodyBytes: Int = 65_536
    /// The most requests of one HTTP/1.1 connection that wait for their responses; further ones are not read until
    /// then.
    public var maxPipelinedRequests: Int = 16
    /// The most streams of one HTTP/2 connection at a time (SETTINGS_MAX_CONCURRENT_STREAMS); if it opens more, the
    /// connection is closed. The default is the least that RFC 9113 section 6.5.2 recommends.
    public var maxStreams: Int = 100
    /// The most streams of all HTTP/2 connections together; beyond it a connection may have only one, and others are
    /// refused such that the client may retry them (REFUSED_STREAM).
    public var maxOpenStreams: Int = 1000
    /// The most streams of one HTTP/2 connection that its client may reset in any ``resetWindow``; then the connection
    /// is closed (CVE-2023-44487).
    public var maxStreamResets: Int = 200

    public init() {}

    /// The window of ``maxStreamResets`` and ``maxIdleFrames``.
    static let resetWindow: Duration = .seconds(30)
    /// The most frames in any ``resetWindow`` that request nothing and that ``HTTP2FrameHandler`` counts: as many as
    /// NIOHTTP2 allows of those that it counts.
    static let maxIdleFrames = 200
    /// The most header fields of a request: each costs more than its bytes.
    static let maxHeaderFields = 100
    /// How long a closed connection still reads and discards input: closing with unread bytes destroys the response
    /// (RFC 9112 section 9.6). The same goes for an HTTP/2 stream with a response before the end of its body: some
    /// clients read no response before they have sent everything.
    static let lingerTimeout: Duration = .seconds(5)
    /// How long a connection may stay open after shutdown begins, whatever it does: less than the shutdown may take.
    static let quiesceTimeout: Duration = .seconds(6)
}
