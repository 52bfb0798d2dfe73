/// Who asks, from where, and on whose terms; beside that, what one kind of request brings.
public struct RequestContext: Hashable, Sendable {
    public var owner: Owner
    /// The region whose plan parses a number in national form.
    public var region: Region
    public var language: LanguageTag
    /// The client's address; nil if unknown: on the command line, or when a server asks on a client's behalf without
    /// naming it.
    public var address: ClientAddress?
    /// Whether the client vouches that a person is behind the request, after a challenge of its own.
    public var isVouched: Bool
    public var opening: SessionOpening?
    public var decision: DormantDecision?
    /// What the person typed into the phone field of the signup that asks, if the request brought it.
    public var phoneText: String?
    public var terms: VerificationTerms?
    /// The API key by which the client was recognized, if it was not looked up for this request
    /// (``APIKeys/knownKey(of:)``): whether it is still valid is checked in the command's transaction.
    public var apiKey: APIKey.ID?

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
        (self.owner, self.region, self.language, self.address) = (owner, region, language, address)
        (self.isVouched, self.opening, self.decision, self.terms) = (isVouched, opening, decision, terms)
    }
}
