/// How long tokens and sessions live.
public struct SessionPolicy: Hashable, Sendable {
    /// How long an access token is good; it cannot be taken back before. Standard: 15 minutes.
    public var accessTokenTTL: Duration
    /// How long a session lives from the proof that opened it, however much it is used. Standard: 90 days.
    public var lifetime: Duration
    /// How long a session lives without being used. Standard: 30 days.
    public var idleTime: Duration
    /// How long a refresh token that was used is good once more, for a client that did not hear the answer; zero for
    /// never. Standard: 30 seconds.
    public var refreshGrace: Duration

    /// What an installation has that sets nothing.
    public static let standard = SessionPolicy()

    /// A policy of these times.
    public init(
        accessTokenTTL: Duration = .seconds(900),
        lifetime: Duration = .seconds(90 * 86_400),
        idleTime: Duration = .seconds(30 * 86_400),
        refreshGrace: Duration = .seconds(30)
    ) {
        self.accessTokenTTL = accessTokenTTL
        self.lifetime = lifetime
        self.idleTime = idleTime
        self.refreshGrace = refreshGrace
    }
}
