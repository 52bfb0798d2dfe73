import PhoneDomain

extension TwilioSID {
    /// The name that Twilio's libraries know something by.
    static func text<Subject>(_ id: Identifier<Subject>, prefix: String) -> String { prefix + id.hexadecimal }

    /// What this name is of, in either case of its digits; nil for a name of anything else.
    static func id<Subject>(_ text: String, prefix: String) -> Identifier<Subject>? {
        guard text.hasPrefix(prefix) else { return nil }
        return Identifier(hexadecimal: text.dropFirst(prefix.count).lowercased())
    }

    static func of(_ account: TenantAccount.ID) -> String { text(account, prefix: "AC") }
    static func of(_ tenant: Tenant.ID) -> String { text(tenant, prefix: "VA") }
    static func of(_ verification: Verification.ID) -> String { text(verification, prefix: "VE") }
    static func of(_ message: OutboxMessage.ID) -> String { text(message, prefix: "VL") }
    static func of(_ limit: TenantLimit.ID) -> String { text(limit, prefix: "RK") }
    static func of(_ bucket: TenantLimit.Bucket.ID) -> String { text(bucket, prefix: "BL") }
    static func of(_ number: SafeNumber.ID) -> String { text(number, prefix: "GN") }
    static func of(_ template: TemplateName) -> String { "HJ" + template.hexadecimal }

    /// The template of this name; nil for a name of anything else.
    static func template(_ text: String) -> TemplateName? {
        text.hasPrefix("HJ") ? TemplateName(hexadecimal: String(text.dropFirst(2))) : nil
    }
}
