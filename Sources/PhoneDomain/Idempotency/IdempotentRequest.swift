/// A request that its caller has given an ``IdempotencyKey``, kept so that it is done once however often it comes.
public struct IdempotentRequest: Hashable, Sendable {
    /// By what a request is found. Two callers may use the same key, and know nothing of one another.
    public struct Name: Hashable, Sendable {
        /// Who asked.
        public let owner: Owner
        /// How they call it.
        public let key: IdempotencyKey

        /// The name of these parts.
        public init(owner: Owner, key: IdempotencyKey) {
            self.owner = owner
            self.key = key
        }

        /// The text form, as stores keep it. No owner's name has a line break in it, nor has a key.
        public var rawValue: String { owner.rawValue + "\n" + key.description }

        /// The name whose text form a store kept, or nil if it is none.
        public init?(rawValue: String) {
            let parts = rawValue.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let key = IdempotencyKey(String(parts[1])) else { return nil }
            self.init(owner: Owner(rawValue: String(parts[0])), key: key)
        }
    }

    /// By what it is found.
    public let name: Name
    /// The keyed digest of what was asked for: of the method, the path and the body. A plain one would give away the code
    /// in a check, which has only a million values.
    public let fingerprint: NumberDigest
    /// Which try this is, from 1. One that took too long to be waited for has lost the word to the next.
    public internal(set) var attempt: Int
    /// Until when the one who works on it is waited for; of no meaning once there is an answer.
    public internal(set) var leaseEndsAt: Timestamp
    /// When it is forgotten.
    public internal(set) var expiresAt: Timestamp
    /// What was answered; nil while it is being worked on.
    public internal(set) var answer: KeptAnswer?

    /// A request as a store kept it.
    public init(
        name: Name,
        fingerprint: NumberDigest,
        attempt: Int,
        leaseEndsAt: Timestamp,
        expiresAt: Timestamp,
        answer: KeptAnswer?
    ) {
        self.name = name
        self.fingerprint = fingerprint
        self.attempt = attempt
        self.leaseEndsAt = leaseEndsAt
        self.expiresAt = expiresAt
        self.answer = answer
    }
}
