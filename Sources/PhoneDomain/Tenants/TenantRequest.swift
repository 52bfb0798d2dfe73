public struct TenantRequest: Hashable, Sendable {
    /// The number, in E.164 with its `+`.
    public var phoneText: String
    /// The language of the message; nil for that of the number's country.
    public var language: LanguageTag?
    /// The sender's name in this message; nil for the tenant's name.
    public var name: DisplayName?
    /// The set of texts; nil for the tenant's.
    public var template: TemplateName?
    public var substitutions: [String: String] = [:]
    public var appHash: String?
    public var code: VerificationCode?
    /// The values that the message is counted by, by the name of a limit of the tenant (``TenantLimit/uniqueName``).
    public var counted: [String: String] = [:]
    public var address: ClientAddress?
    /// Whether the tenant vouches that a person asks, and not a machine.
    public var isVouched = false
    public init(phoneText: String) { self.phoneText = phoneText }
}

public enum TenantVerification: Hashable, Sendable {
    case id(Verification.ID)
    /// The live one of this number, in E.164 with its `+`.
    case phoneText(String)
}

public struct SentVerification: Hashable, Sendable {
    public let verification: Verification
    /// Oldest first.
    public let messages: [OutboxMessage]
}
