/// Those who share tenants, safe numbers and keys: what Twilio calls an account. It has nothing but its name, which is that of
/// the first key that was made for it.
public enum TenantAccount: Identified {
    public static let identifierPrefix = "tac"
}
