/// How much of the service one who connects may use up, and for how long.
public struct ConnectionLimits: Sendable {
    /// How long the line and the fields of a request may take from its first byte. Standard: 10 seconds.
    public var headerTimeout: Duration = .seconds(10)
    /// How long the body may take from there. Standard: 30 seconds.
    public var bodyTimeout: Duration = .seconds(30)
    /// How long whoever asked may take to read what is sent at a time. Standard: 30 seconds.
    public var writeTimeout: Duration = .seconds(30)
    /// The most connections at a time; others wait to be accepted until one ends. Standard: 20,000.
    public var maxConnections: Int = 20_000

    /// The standard limits.
    public init() {}

    /// How long a connection that sends nothing stays open: its client has gone, or means to use connections up.
    static let idleTimeout: Duration = .seconds(60)
    /// How long after the end of the service has begun a connection stays open, whatever goes on in it: less than the
    /// service gives itself for its end.
    static let quiesceTimeout: Duration = .seconds(6)
}
