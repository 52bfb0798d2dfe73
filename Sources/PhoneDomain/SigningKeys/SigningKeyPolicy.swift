/// How signing keys follow one another, so that no token is refused that is good.
public struct SigningKeyPolicy: Hashable, Sendable {
    /// How long those who verify tokens may go by the keys that they have fetched (`Cache-Control: max-age` of the key set).
    public static let publicationMaxAge: Duration = .seconds(600)

    /// How far apart the clocks of instances and of those who verify may be, and how long an instance may take to hear
    /// of a new key: what is added to every time that must have passed.
    public static let margin: Duration = .seconds(300)

    /// How long a key is published before it signs. Under ``publicationMaxAge`` somebody may be shown a token by a key
    /// that he has not heard of. Standard: an hour, since not everybody heeds what he is told of caching.
    public var ahead: Duration
    /// How long an access token is good (``SessionPolicy/accessTokenTTL``).
    public var accessTokenTTL: Duration

    /// What an installation has that sets nothing.
    public static let standard = SigningKeyPolicy()

    /// A policy of these times.
    public init(
        ahead: Duration = .seconds(3600),
        accessTokenTTL: Duration = SessionPolicy.standard.accessTokenTTL
    ) {
        self.ahead = ahead
        self.accessTokenTTL = accessTokenTTL
    }

    /// How long a key stays published after it has signed for the last time.
    public var kept: Duration { accessTokenTTL + Self.margin }
}
