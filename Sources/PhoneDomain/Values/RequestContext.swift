/// What is known of the one who asks: who it is, which numbering plan a number without `+` belongs to, the language of
/// the message, and from where it is asked for.
public struct RequestContext: Hashable, Sendable {
    /// Who asks.
    public var owner: Owner
    /// The region whose plan a number in national form is read by.
    public var region: Region
    /// The language of the message that bears the code.
    public var language: LanguageTag
    /// From where, or nil where nobody knows: on the command line, or when a server asks for somebody and does not say.
    public var address: ClientAddress?
    /// Whether the one who asks vouches that a person is behind it, and not a machine: after a challenge of its own.
    public var isVouched: Bool
    /// The session that signing up is to open, or nil for none.
    public var opening: SessionOpening?
    /// What was decided about a dormant account, if somebody was asked.
    public var decision: DormantDecision?
    /// The terms of the tenant who asks; nil for whoever is none.
    public var terms: VerificationTerms?

    /// A context of these parts.
    public init(
        owner: Owner,
        region: Region,
        language: LanguageTag,
        address: ClientAddress? = nil,
        isVouched: Bool = false,
        opening: SessionOpening? = nil,
        decision: DormantDecision? = nil,
        terms: VerificationTerms? = nil
    ) {
        self.owner = owner
        self.region = region
        self.language = language
        self.address = address
        self.isVouched = isVouched
        self.opening = opening
        self.decision = decision
        self.terms = terms
    }
}
