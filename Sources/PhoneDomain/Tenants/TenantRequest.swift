/// What a tenant asks for: a code for a number.
public struct TenantRequest: Hashable, Sendable {
    /// The number, in E.164 with its `+`.
    public var phoneText: String
    /// The language of the message; nil for that of the number's country.
    public var language: LanguageTag?
    /// What the sender is called this time; nil for the tenant's name.
    public var name: TenantName?
    /// Which texts the message is taken from; nil for the tenant's.
    public var template: TemplateName?
    /// The values of the template's own variables.
    public var substitutions: [String: String] = [:]
    /// The hash of the Android app that is to read the message.
    public var appHash: String?
    /// The code, if the tenant brings one.
    public var code: VerificationCode?
    /// The values that the message is counted by, each by the name of a limit of the tenant (``TenantLimit/uniqueName``).
    public var counted: [String: String] = [:]
    /// From where it is asked for, if the tenant says so.
    public var address: ClientAddress?
    /// Whether the tenant vouches that a person asks, and not a machine.
    public var isVouched = false

    /// A request for a code for this number, and nothing more.
    public init(phoneText: String) {
        self.phoneText = phoneText
    }
}
