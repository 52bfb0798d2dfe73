/// A customer of the service, with rules, texts and limits of its own: what Twilio Verify calls a service
/// (https://www.twilio.com/docs/verify/api/service).
///
/// Tenants are isolated: a number that two of them verify at once has a verification with each. They share the limits
/// of a number and of the whole service.
public struct Tenant: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ten"
    /// The most ``limits`` it may have (https://www.twilio.com/docs/api/errors/60207 has no number; Twilio's standard).
    public static let mostLimits = 10
    public let id: ID
    public let account: TenantAccount.ID
    public var name: TenantName
    /// Within ``VerificationCode/lengths``.
    public var codeLength: Int
    public var options: TenantOptions
    /// The template of its messages (``MessageWording/template``); nil for the service's own.
    public var defaultTemplate: TemplateName?
    /// Oldest first.
    public internal(set) var limits: [TenantLimit]
    public let createdAt: Timestamp
    public internal(set) var updatedAt: Timestamp

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
        (self.id, self.account, self.name, self.codeLength, self.options) = (id, account, name, codeLength, options)
        (self.defaultTemplate, self.limits, self.createdAt) = (defaultTemplate, limits, createdAt)
        self.updatedAt = updatedAt
    }

    public var owner: Owner { .tenant(id, of: account) }
}

/// A group of tenants that share safe numbers and keys: what Twilio calls an account. It has only an ID, that of the
/// first key that was made for it.
public enum TenantAccount: Identified {
    public static let identifierPrefix = "tac"
}

/// Raw values are stored.
public struct TenantOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Its messages warn against sharing the code.
    public static let sharingWarning = TenantOptions(rawValue: 1)
    public static let customCodes = TenantOptions(rawValue: 2)
    /// Its verifications include what the numbering plan knows of the number.
    public static let lookup = TenantOptions(rawValue: 4)
    /// Landlines get no message. None do in any case; it is stored for clients that read their settings back.
    public static let landlinesSkipped = TenantOptions(rawValue: 8)
}

/// A tenant's name in its messages: 1 to 30 characters, letters of any script, digits (no more than four, so that none
/// passes for a code), and between them spaces and `-`, `'`, `’`, `&`, `!`, `,`, `(`, `)` and `.`; the last only before
/// a space or at the end, so that no phone makes a link of it.
///
/// A message shows the name to people who trust the sender: a client that may create tenants must not be able to say
/// more with it. Source: https://www.twilio.com/docs/verify/api/service (FriendlyName),
/// https://www.twilio.com/docs/api/errors/60248.
public struct TenantName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    private static let punctuation: Set<Unicode.Scalar> = [" ", "-", "'", "’", "&", "!", ",", "(", ")", "."]

    public init?(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        guard (1...30).contains(scalars.count), let first = scalars.first, let last = scalars.last,
            first != " ", last != " ", scalars.contains(where: \.isAlphabetic),
            scalars.allSatisfy({ $0.isOfName || Self.punctuation.contains($0) }),
            scalars.count(where: \.isNumeric) <= 4,
            zip(scalars, scalars.dropFirst()).allSatisfy({ $0 != "." || $1 == " " })
        else { return nil }
        description = text
    }
}

extension Unicode.Scalar {
    // ASCII without the tables of Unicode, since a name is parsed with each request.
    fileprivate var isAlphabetic: Bool {
        isASCII ? ("a"..."z").contains(self) || ("A"..."Z").contains(self) : properties.isAlphabetic
    }

    fileprivate var isNumeric: Bool { isASCII ? ("0"..."9").contains(self) : properties.numericType != nil }

    fileprivate var isOfName: Bool {
        if isASCII { return isAlphabetic || isNumeric }
        if properties.isDefaultIgnorableCodePoint { return false }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }
}

public struct UpdateTenant: Command {
    public let id: Tenant.ID
    let account: TenantAccount.ID
    let now: Timestamp
    /// Returns why the change is impossible; then nothing is saved. It may be called more than once.
    let change: @Sendable (inout Tenant) -> TenantFailure?

    /// Leaves the tenant as it was on failure.
    public func apply(to tenant: inout Tenant?) -> Result<Tenant, TenantFailure> {
        guard let found = tenant, found.account == account else { return .failure(.notFound) }
        var changed = found
        if let failure = change(&changed) { return .failure(failure) }
        changed.updatedAt = now
        tenant = changed
        return .success(changed)
    }
}

/// Why a tenant's request failed, beyond the cases of ``PhoneFailure``.
public enum TenantFailure: Error, Hashable, Sendable {
    /// There is no such tenant, limit, bucket, safe number or attempt, or it is another account's.
    case notFound
    case nameRestricted
    case uniqueNameTaken
    case tooManyLimits
    case tooManyBuckets
    case intervalTaken
    /// The tenant may not bring a code of its own.
    case featureDisabled
    /// A message is counted by a name that none of the tenant's limits has.
    case limitUnknown(String)
    case numberListed
    case wording(MessageWordingError)
    case refused(PhoneFailure)
}
