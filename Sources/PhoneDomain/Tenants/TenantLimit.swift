/// Something that a tenant counts its messages by, such as the address or the account of whoever asks, and how many there may
/// be: what Twilio calls a programmable rate limit (https://www.twilio.com/docs/verify/api/service-rate-limits).
public struct TenantLimit: Identified, Hashable, Sendable {
    public static let identifierPrefix = "lim"

    /// How many there may be within one length of time.
    public struct Bucket: Identified, Hashable, Sendable {
        public static let identifierPrefix = "buc"

        /// Its name.
        public let id: ID
        /// How many, within what time.
        public internal(set) var limit: RateLimit
        /// When it was made.
        public let createdAt: Timestamp
        /// When it was last changed.
        public internal(set) var updatedAt: Timestamp

        /// A bucket as a store kept it.
        public init(id: ID, limit: RateLimit, createdAt: Timestamp, updatedAt: Timestamp) {
            self.id = id
            self.limit = limit
            self.createdAt = createdAt
            self.updatedAt = updatedAt
        }
    }

    /// How many ``buckets`` a limit may have.
    public static let mostBuckets = 10
    /// The longest value that is counted, in bytes.
    public static let longestValue = 256

    /// Its name.
    public let id: ID
    /// By what callers name it; no two of one tenant are the same.
    public let uniqueName: UniqueName
    /// What it is for, in the words of whoever made it; without line breaks, at most 256 bytes.
    public internal(set) var text: String
    /// All of them hold, oldest first; no two are of the same length of time.
    public internal(set) var buckets: [Bucket]
    /// When it was made.
    public let createdAt: Timestamp
    /// When it was last changed.
    public internal(set) var updatedAt: Timestamp

    /// A limit as a store kept it.
    public init(
        id: ID,
        uniqueName: UniqueName,
        text: String,
        buckets: [Bucket],
        createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.id = id
        self.uniqueName = uniqueName
        self.text = text
        self.buckets = buckets
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// What a message is subject to that is counted by this value.
    ///
    /// - Parameter value: the digest of what the caller counts by; not the thing itself, which may be somebody's address.
    func rules(for value: NumberDigest, of tenant: Tenant.ID) -> [LimitRule] {
        buckets.map { bucket in
            LimitRule("tenant", bucket.limit, of: "\(tenant.hexadecimal).\(uniqueName).\(value)")
        }
    }
}
