/// Who asks, from where, and on whose terms; beside that, what one kind of request brings.
public struct RequestContext: Hashable, Sendable {
    public var owner: Owner
    /// The region whose plan parses a number in national form.
    public var region: Region
    public var language: LanguageTag
    /// The client's address; nil if unknown: on the command line, or when a server asks on a client's behalf without
    /// naming it.
    public var address: ClientAddress?
    /// Whether the client vouches that a person is behind the request, after a challenge of its own.
    public var isVouched: Bool
    public var opening: SessionOpening?
    public var decision: DormantDecision?
    /// What the person typed into the phone field of the signup that asks, if the request brought it.
    public var phoneText: String?
    public var terms: VerificationTerms?
    /// The API key by which the client was recognized, if it was not looked up for this request
    /// (``APIKeys/knownKey(of:)``): whether it is still valid is checked in the command's transaction.
    public var apiKey: APIKey.ID?

    public init(
        owner: Owner,
        region: Region,
        language: LanguageTag,
        address: ClientAddress? = nil,
        isVouched: Bool = false,
        opening: SessionOpening? = nil,
        decision: DormantDecision? = nil,
        terms: VerificationTerms? = nil
    ) {
        (self.owner, self.region, self.language, self.address) = (owner, region, language, address)
        (self.isVouched, self.opening, self.decision, self.terms) = (isVouched, opening, decision, terms)
    }
}

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

/// A BCP 47 tag (RFC 5646) of a language and, at most, a script and a region, such as `ko`, `en` or `ko-KR`.
public struct LanguageTag: Hashable, Sendable {
    public static let korean = LanguageTag(validated: "ko")
    public static let english = LanguageTag(validated: "en")
    /// With hyphens: `ko-KR`.
    public let description: String
    private init(validated tag: String) { description = tag }

    /// The language alone, in lower case: `ko` of `ko-KR`.
    public var language: String { String(description.prefix { $0 != "-" }) }
}

extension LanguageTag: LosslessStringConvertible {
    /// Parses a tag as browsers (`ko-KR`) or POSIX environments (`ko_KR.UTF-8`) write it; nil for anything else, and
    /// for `C` and `POSIX`, which name no language.
    public init?(_ text: String) {
        // As most are written and stored.
        if text.utf8.count == 2, text.utf8.allSatisfy(\.isASCIILowerCase) {
            description = text
            return
        }
        let bare = text.prefix { $0 != "." && $0 != "@" }
        let parts = bare.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let language = parts.first, (1...3).contains(parts.count), (2...3).contains(language.utf8.count),
            parts.allSatisfy({ (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIAlphanumeric) }),
            language.utf8.allSatisfy(\.isASCIILetter)
        else { return nil }
        let rest = parts.dropFirst().map { $0.utf8.count == 2 ? $0.uppercased() : String($0) }
        description = ([language.lowercased()] + rest).joined(separator: "-")
    }
}
