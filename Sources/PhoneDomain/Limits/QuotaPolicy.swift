/// A rule that a request was refused by, as the one who asked is told: its name and what it grants. Nothing personal is
/// in it (https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-10.txt, "Quota Policy").
public struct QuotaPolicy: Hashable, Sendable {
    /// Its stable name, in lower case with hyphens: `address-sends-1h`.
    public let name: String
    /// How many it grants.
    public let quota: Int
    /// Within what time.
    public let window: Duration

    /// A policy of these parts.
    public init(name: String, quota: Int, window: Duration) {
        self.name = name
        self.quota = quota
        self.window = window
    }
}
