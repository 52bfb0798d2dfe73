import PhoneAccounts
import PhoneDomain
import PhoneSignup

struct TenantRequest: Hashable, Sendable {
    /// The number, in E.164 with its `+`.
    var phoneText: String
    /// The language of the message; nil for that of the number's country.
    var language: LanguageTag?
    /// Nil for any (`auto`).
    var channel: Channel? = .sms
    /// The sender's name in this message; nil for the tenant's name.
    var name: DisplayName?
    /// The set of texts; nil for the tenant's.
    var template: TemplateName?
    var substitutions: [String: String] = [:]
    var appHash: String?
    var code: VerificationCode?
    /// The values that the message is counted by, by the name of a limit of the tenant (``TenantLimit/uniqueName``).
    var counted: [String: String] = [:]
    var address: ClientAddress?
    /// As the tenant has them: up to ten of 128 characters.
    var tags: [String: String] = [:]
    /// Whether the tenant vouches that a person asks, and not a machine.
    var isVouched = false
    init(phoneText: String) { self.phoneText = phoneText }
}

struct SentVerification: Hashable, Sendable {
    let verification: Verification
    /// Oldest first.
    let messages: [OutboxMessage]
}
