/// How much of the service one who connects may use up, and for how long.
public struct ConnectionLimits: Sendable {
    /// How long a new connection may take to the first byte of its first request, the TLS handshake with it. Standard:
    /// 30 seconds.
    public var firstByteTimeout: Duration = .seconds(30)
    /// How long the line and the fields of a request may take from its first byte. Standard: 10 seconds.
    public var headerTimeout: Duration = .seconds(10)
    /// How long the body may take from there. Standard: 30 seconds.
    public var bodyTimeout: Duration = .seconds(30)
    /// How long whoever asked may take to read what is sent at a time. Standard: 30 seconds.
    public var writeTimeout: Duration = .seconds(30)
    /// How long a connection may be silent between requests: then its client has gone, or means to use connections up.
    /// Standard: 60 seconds.
    public var idleTimeout: Duration = .seconds(60)
    /// The most connections at a time; others wait to be accepted until one ends. Standard: 20,000.
    public var maxConnections: Int = 20_000
    /// The most connections at a time from one address, an IPv4 address or the /64 of an IPv6 address; further ones are
    /// closed at once. Trusted proxies are not bound by it. Standard: 1,000, since many people share the address of a
    /// carrier's network.
    public var maxConnectionsPerAddress: Int = 1000
    /// The most bytes in a request's line and fields, and with HTTP/2 in its field list as RFC 9113 section 6.5.2 counts
    /// it. Standard: 16 KiB.
    public var maxHeaderBytes: Int = 16_384
    /// The most bytes in a request's body. Standard: 64 KiB.
    public var maxBodyBytes: Int = 65_536
    /// The most requests of one HTTP/1.1 connection that wait for their answers; what comes beyond is not read until
    /// one is answered. Standard: 16.
    public var maxPipelinedRequests: Int = 16
    /// The most streams of one HTTP/2 connection at a time, as its client is told; if it begins more all the same, the
    /// connection is closed. Standard: 100, the least that RFC 9113 section 6.5.2 recommends.
    public var maxStreams: Int = 100
    /// The most streams of all HTTP/2 connections together; beyond, a connection may have only one at a time, and further
    /// ones are refused such that the client may send them again (REFUSED_STREAM). Standard: 1,000.
    public var maxOpenStreams: Int = 1000
    /// The most streams of one HTTP/2 connection that its client may reset in any ``resetWindow``; then the connection is
    /// closed (CVE-2023-44487). Standard: 200.
    public var maxStreamResets: Int = 200

    /// The standard limits.
    public init() {}

    /// What ``maxStreamResets`` and ``maxIdleFrames`` are counted in.
    static let resetWindow: Duration = .seconds(30)
    /// The most frames in any ``resetWindow`` that ask for nothing and that ``HTTP2FrameLimit`` counts: as many as
    /// NIOHTTP2 takes of those that it counts.
    static let maxIdleFrames = 200
    /// The most fields of a request: each costs more than its bytes.
    static let maxHeaderFields = 100
    /// How long a connection that is closed after an answer still takes what comes, and throws it away: one that is closed
    /// with bytes unread takes the answer with it (RFC 9112 section 9.6). So does a stream of HTTP/2 that is answered before
    /// its body has ended: some clients read no answer before they have sent all.
    static let lingerTimeout: Duration = .seconds(5)
    /// How long after the end of the service has begun a connection stays open, whatever goes on in it: less than the
    /// service gives itself for its end.
    static let quiesceTimeout: Duration = .seconds(6)
}
