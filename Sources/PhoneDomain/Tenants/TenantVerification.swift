/// By what a tenant names one of its verifications.
public enum TenantVerification: Hashable, Sendable {
    /// By its name.
    case id(Verification.ID)
    /// By its number, in E.164 with its `+`: the one that is live.
    case phoneText(String)
}
