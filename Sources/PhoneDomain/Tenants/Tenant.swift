/// One of several for whom the service verifies numbers, with rules, words and limits of its own: what Twilio Verify calls a
/// service (https://www.twilio.com/docs/verify/api/service).
///
/// Tenants know nothing of one another: a number that two of them verify at once has a verification with each. What a number
/// or the whole service may have, they share.
public struct Tenant: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ten"

    /// How many ``limits`` it may have (https://www.twilio.com/docs/api/errors/60207 names none; it is Twilio's standard).
    public static let mostLimits = 10

    /// Its name.
    public let id: ID
    /// To whom it belongs.
    public let account: TenantAccount.ID
    /// What it is called in messages.
    public var name: TenantName
    /// Digits in its codes, within ``VerificationCode/lengths``.
    public var codeLength: Int
    /// What it wants otherwise than others.
    public var options: TenantOptions
    /// The template of its messages (``MessageWording/template``); nil for the service's own.
    public var defaultTemplate: TemplateName?
    /// What it lets callers count by, oldest first.
    public internal(set) var limits: [TenantLimit]
    /// When it was made.
    public let createdAt: Timestamp
    /// When it was last changed.
    public internal(set) var updatedAt: Timestamp

    /// A tenant as a store kept it.
    public init(
        id: ID,
        account: TenantAccount.ID,
        name: TenantName,
        codeLength: Int,
        options: TenantOptions,
        defaultTemplate: TemplateName?,
        limits: [TenantLimit],
        createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.id = id
        self.account = account
        self.name = name
        self.codeLength = codeLength
        self.options = options
        self.defaultTemplate = defaultTemplate
        self.limits = limits
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Who asks for what is asked for in its name.
    public var owner: Owner { .tenant(id, of: account) }
}
