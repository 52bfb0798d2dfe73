/// What is otherwise for one verification than the service has it: a tenant's terms.
public struct VerificationTerms: Hashable, Sendable {
    /// Digits in the code, within ``VerificationCode/lengths``.
    public var codeLength: Int
    /// The code itself, if the tenant brings one. A live verification keeps the code that it has.
    public var code: VerificationCode?
    /// How the message is worded.
    public var wording: MessageWording?
    /// What the message is counted by beside the service's own limits.
    public var limits: [LimitRule]
    /// Whether the message goes out whatever the number's country, and whatever the guard thinks of its traffic.
    public var isSafe: Bool
    /// How long to wait between messages (``VerificationPolicy/resendCooldowns``); nil for as long as others.
    public var resendCooldowns: [Duration]?

    /// Terms of these parts.
    public init(
        codeLength: Int,
        code: VerificationCode? = nil,
        wording: MessageWording? = nil,
        limits: [LimitRule] = [],
        isSafe: Bool = false,
        resendCooldowns: [Duration]? = nil
    ) {
        self.codeLength = codeLength
        self.code = code
        self.wording = wording
        self.limits = limits
        self.isSafe = isSafe
        self.resendCooldowns = resendCooldowns
    }
}
