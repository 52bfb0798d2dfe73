import PhoneDomain

/// What is around a key of tenants as Twilio names it (https://www.twilio.com/docs/glossary/what-is-a-sid): two letters that
/// say what it is, and the 32 digits of its identifier.
struct TwilioKeyNames {
    /// Whether the key is the one that made the account, and so bears its name.
    let isFirst: Bool
    /// The key's own name, by which programs use it: `AC…` or `SK…`.
    let sid: String
    /// The account's: `AC…`.
    let account: String
    /// That of the only service that the key is good for: `VA…`; nil for all of the account.
    let service: String?

    /// The names around this key; nil for a key of the service's own interface.
    init?(of key: APIKey) {
        guard let account = key.account else { return nil }
        isFirst = account.hexadecimal == key.id.hexadecimal
        sid = (isFirst ? "AC" : "SK") + key.id.hexadecimal
        self.account = AccountSID.prefix + account.hexadecimal
        service = key.tenant.map { ServiceSID.prefix + $0.hexadecimal }
    }
}
