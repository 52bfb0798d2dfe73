public import PhoneSignup

/// What its owner has accepted with an account, and when.
public struct Consent: Hashable, Sendable {
    public let version: String
    public let acceptedAt: Timestamp

    public init(version: String, acceptedAt: Timestamp) { (self.version, self.acceptedAt) = (version, acceptedAt) }
}

/// The operator's rules that people accept who sign up.
public struct ConsentPolicy: Hashable, Sendable {
    public let version: String
    /// Whether there is no account without it. Otherwise it is recorded where it is given.
    public let isRequired: Bool
    public let terms, privacy: RedirectURI?
    /// Whether nobody signs up who was not asked before: by the prompt in a terminal, whose signup is not stored.
    public var isAskedBefore = false

    public init(version: String, isRequired: Bool, terms: RedirectURI? = nil, privacy: RedirectURI? = nil) {
        (self.version, self.isRequired, self.terms, self.privacy) = (version, isRequired, terms, privacy)
    }

    /// Nil if it was not given, or to another version.
    func consent(in signup: Signup?, at now: Timestamp) -> Consent? {
        guard isAskedBefore || signup?.consentVersion == version else { return nil }
        return Consent(version: version, acceptedAt: now)
    }
}
