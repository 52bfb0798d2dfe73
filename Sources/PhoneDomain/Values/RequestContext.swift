/// What is known of the one who asks: who it is, which numbering plan a number without `+` belongs to, and the
/// language of the message.
public struct RequestContext: Hashable, Sendable {
    /// Who asks.
    public var owner: Owner
    /// The region whose plan a number in national form is read by.
    public var region: Region
    /// The language of the message that bears the code.
    public var language: LanguageTag

    /// A context of these three.
    public init(owner: Owner, region: Region, language: LanguageTag) {
        self.owner = owner
        self.region = region
        self.language = language
    }
}
