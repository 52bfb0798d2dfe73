/// What is known of the one who asks: who it is, which numbering plan a number without `+` belongs to, the language of
/// the message, and from where the request came.
public struct RequestContext: Hashable, Sendable {
    /// Who asks.
    public var owner: Owner
    /// The region whose plan a number in national form is read by.
    public var region: Region
    /// The language of the message that bears the code.
    public var language: LanguageTag
    /// By what limits know the person's end of the line; nil where nobody knows it: at the command line, or where a
    /// server asks for somebody and does not say.
    public var address: ClientAddress?

    /// A context of these.
    public init(owner: Owner, region: Region, language: LanguageTag, address: ClientAddress? = nil) {
        self.owner = owner
        self.region = region
        self.language = language
        self.address = address
    }
}
