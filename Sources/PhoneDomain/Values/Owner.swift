/// Who asked for a verification, and so the only one who may check, see or use it (OWASP ASVS 5.0, 6.6.2: a code is
/// bound to the request that it was made for).
///
/// Two owners who ask for the same number have a verification each: what one of them proves is of no use to the
/// other, and one cannot use up the other's checks.
public struct Owner: Hashable, Sendable {
    /// The text form, as stores keep it.
    public let rawValue: String

    /// The owner whose text form a store kept.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A signup, which is known by its token.
    public static func signup(_ id: Signup.ID) -> Owner {
        Owner(rawValue: id.description)
    }

    /// A device that is signed in.
    public static func session(_ id: Session.ID) -> Owner {
        Owner(rawValue: id.description)
    }

    /// A tenant, which is known by the keys of its account.
    public static func tenant(_ id: Tenant.ID, of account: TenantAccount.ID) -> Owner {
        Owner(rawValue: tenants(of: account) + id.hexadecimal)
    }

    /// With what the text forms of all tenants of an account begin, and no other.
    public static func tenants(of account: TenantAccount.ID) -> String {
        "tenant:\(account.hexadecimal)/"
    }

    /// The tenant that it is; nil if it is none.
    public var tenant: Tenant.ID? {
        guard rawValue.hasPrefix("tenant:") else { return nil }
        return rawValue.split(separator: "/").last.flatMap { Tenant.ID(hexadecimal: $0) }
    }

    /// The account whose tenant it is; nil for any other owner.
    public var tenantAccount: TenantAccount.ID? {
        let scheme = "tenant:"
        guard rawValue.hasPrefix(scheme) else { return nil }
        let name = rawValue.utf8.dropFirst(scheme.utf8.count)
        guard let end = name.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return TenantAccount.ID(hexadecimal: Substring(name[..<end]))
    }

    /// Whether it is one person, by a guided signup or a session, rather than a program that asks for many.
    public var isPerson: Bool {
        Signup.ID(rawValue) != nil || Session.ID(rawValue) != nil
    }

    /// A program, which is known by an ``APIKey`` of that name.
    public static func caller(_ name: CallerName) -> Owner {
        Owner(rawValue: "caller:" + name.description)
    }

    /// Whoever calls from the machine that the service runs on, where no key is asked for.
    public static let local = Owner(rawValue: "local")
}
