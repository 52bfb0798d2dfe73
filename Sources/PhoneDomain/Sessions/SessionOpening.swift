/// What a signup leaves behind if it is to open a session: the device stays signed in.
public struct SessionOpening: Hashable, Sendable {
    /// The digests of the first token, one for each key that it may have been made under, the newest first
    /// (``RefreshTokens/first(of:from:)``).
    public let tokenDigests: [[UInt8]]
    /// What the device calls itself.
    public let userAgent: String?
    /// How long the session lives.
    public let policy: SessionPolicy

    /// The most characters of a user agent that are kept.
    public static let longestUserAgent = 200

    /// An opening of these parts.
    ///
    /// - Parameter userAgent: what is not printable ASCII is dropped, and what is too long cut off.
    public init(tokenDigests: [[UInt8]], userAgent: String?, policy: SessionPolicy) {
        self.tokenDigests = tokenDigests
        self.policy = policy
        let printable = userAgent?.unicodeScalars.filter { (" "..."~").contains($0) }.prefix(Self.longestUserAgent)
        let text = printable.map { scalars in
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
        self.userAgent = text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The session that the verification opens.
    func session(openedBy verification: Verification.ID, of account: Account.ID, at now: Timestamp) -> Session? {
        guard let digest = tokenDigests.first else { return nil }
        return Session(
            id: Session.id(openedBy: verification),
            accountID: account,
            userAgent: userAgent,
            createdAt: now,
            expiresAt: now + policy.lifetime,
            tokenDigest: digest,
            refreshedAt: now,
            idleUntil: now + policy.idleTime
        )
    }
}
