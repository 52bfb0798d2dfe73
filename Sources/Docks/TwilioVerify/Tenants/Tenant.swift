import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneSignup

/// A customer of the service, with rules, texts and limits of its own: what Twilio Verify calls a service
/// (https://www.twilio.com/docs/verify/api/service).
///
/// Tenants are isolated: a number that two of them verify at once has a verification with each. They share the limits
/// of a number and of the whole service.
struct Tenant: Identified, Hashable, Sendable {
    static let identifierPrefix = "ten"
    /// The most ``limits`` it may have (https://www.twilio.com/docs/api/errors/60207 has no number; Twilio's standard).
    static let mostLimits = 10
    let id: ID
    let account: TenantAccount.ID
    var name: DisplayName
    /// The length of codes, within ``VerificationCode/lengths``.
    var codeLength: Int
    var options: TenantOptions
    /// The template of its messages (``MessageWording/template``); nil for the service's own.
    var defaultTemplate: TemplateName?
    /// Oldest first.
    var limits: [TenantLimit]
    let createdAt: Timestamp
    var updatedAt: Timestamp

    var owner: Owner { .tenant(id, of: account) }
}

/// A group of tenants that share safe numbers and keys: what Twilio calls an account. It has only an ID, that of the
/// first key that was made for it.
enum TenantAccount: Identified {
    static let identifierPrefix = "tac"
}

/// Raw values are stored.
struct TenantOptions: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Its messages warn against sharing the code.
    static let sharingWarning = TenantOptions(rawValue: 1)
    static let customCodes = TenantOptions(rawValue: 2)
    /// Its verifications include what the numbering plan knows of the number.
    static let lookup = TenantOptions(rawValue: 4)
    /// Landlines get no message. None do in any case; it is stored for clients that read their settings back.
    static let landlinesSkipped = TenantOptions(rawValue: 8)
}

struct UpdateTenant: Command {
    let id: Tenant.ID
    let account: TenantAccount.ID
    let now: Timestamp
    /// Returns why the change is impossible; then nothing is saved. It may be called more than once.
    let change: @Sendable (inout Tenant) -> TenantFailure?

    /// Leaves the tenant as it was on failure.
    func apply(to tenant: inout Tenant?) -> Result<Tenant, TenantFailure> {
        guard let found = tenant, found.account == account else { return .failure(.notFound) }
        var changed = found
        if let failure = change(&changed) { return .failure(failure) }
        changed.updatedAt = now
        tenant = changed
        return .success(changed)
    }
}

/// Why a tenant's request failed, beyond the cases of ``PhoneFailure``.
enum TenantFailure: Error, Hashable, Sendable {
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
}

/// A number that the tenants of an account may send to whatever its country, and whatever the guard thinks of its
/// traffic (https://www.twilio.com/docs/verify/api/safe-list). What an operator has blocked stays blocked.
struct SafeNumber: Identified, Hashable, Sendable {
    static let identifierPrefix = "saf"
    let id: ID
    let account: TenantAccount.ID
    /// The number with its `+`.
    let e164: String
    let createdAt: Timestamp

    /// The stores' key: an account has a number once.
    var key: String { Self.key(e164, of: account) }
    static func key(_ e164: String, of account: TenantAccount.ID) -> String { "\(account) \(e164)" }
}

extension Owner {
    private static let api = "tenant"

    static func tenant(_ id: Tenant.ID, of account: TenantAccount.ID) -> Owner {
        .client(of: api, group: account.hexadecimal, id: id.hexadecimal)
    }

    var tenant: Tenant.ID? {
        if case .client(Self.api, _, let id) = self { Tenant.ID(hexadecimal: id) } else { nil }
    }
}

extension MessageQuery {
    /// The group of the messages of an account's tenants, or of one of them.
    init(of account: TenantAccount.ID, tenant: Tenant.ID? = nil) {
        self.init(group: "tenant:" + account.hexadecimal)
        owner = tenant.map { .tenant($0, of: account) }
    }
}
