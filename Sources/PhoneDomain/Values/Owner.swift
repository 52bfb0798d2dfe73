/// Who asked for a verification, and so the only one who may check, see or use it (OWASP ASVS 5.0, 6.6.2: a code is
/// bound to the request that it was made for).
///
/// Two owners who ask for the same number have a verification each: neither can use the other's proof or checks.
public struct Owner: Hashable, Sendable {
    /// The text form, as stores keep it.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static func signup(_ id: Signup.ID) -> Owner { Owner(rawValue: id.description) }
    public static func session(_ id: Session.ID) -> Owner { Owner(rawValue: id.description) }

    /// A tenant, known by the keys of its account.
    public static func tenant(_ id: Tenant.ID, of account: TenantAccount.ID) -> Owner {
        Owner(rawValue: tenants(of: account) + id.hexadecimal)
    }

    /// The prefix of the text forms of all tenants of an account, and of no other owner.
    public static func tenants(of account: TenantAccount.ID) -> String { "tenant:\(account.hexadecimal)/" }

    public var tenant: Tenant.ID? {
        guard rawValue.hasPrefix("tenant:") else { return nil }
        return rawValue.split(separator: "/").last.flatMap { Tenant.ID(hexadecimal: $0) }
    }

    public var tenantAccount: TenantAccount.ID? {
        let scheme = "tenant:"
        guard rawValue.hasPrefix(scheme) else { return nil }
        let name = rawValue.utf8.dropFirst(scheme.utf8.count)
        guard let end = name.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return TenantAccount.ID(hexadecimal: Substring(name[..<end]))
    }

    /// Whether this is one person, by a guided signup or a session, rather than a program that asks for many.
    public var isPerson: Bool { Signup.ID(rawValue) != nil || Session.ID(rawValue) != nil }

    /// A program, known by its ``APIKey``.
    public static func caller(_ name: CallerName) -> Owner { Owner(rawValue: "caller:" + name.description) }

    /// An operator, by the name of their account on the service's machine.
    public static func `operator`(_ userName: String) -> Owner { Owner(rawValue: operatorScheme + userName) }
    public var isOperator: Bool { rawValue.hasPrefix(Self.operatorScheme) }
    private static let operatorScheme = "operator:"

    /// A client on the service's own machine, where no key is required.
    public static let local = Owner(rawValue: "local")
}
