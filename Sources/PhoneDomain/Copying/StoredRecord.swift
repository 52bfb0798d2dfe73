/// One thing that a store holds, with all that belongs to it: the same whatever the store is made of.
public enum StoredRecord: Hashable, Sendable {
    /// An account.
    case account(Account)
    /// A device that is signed in.
    case session(Session)
    /// A change of number.
    case numberChange(NumberChange)
    /// A verification, its sealed code with it.
    case verification(Verification)
    /// A message of the outbox, sent, owed or set aside.
    case message(OutboxMessage)
    /// An event that is to be told, or was set aside.
    case event(Event)
    /// A guided signup, its fields as they are kept (sealed, if they are).
    case signup(Signup)
    /// A request that may come again, with its answer.
    case idempotentRequest(IdempotentRequest)
    /// What a number has been through.
    case activity(BusyNumber)
    /// How far a limit is used.
    case meter(MeterInUse)
    /// The traffic of a prefix, a country or all.
    case traffic(KeyedTraffic)
    /// An operator's rule.
    case guardRule(GuardRule)
    /// A key of a program that calls.
    case apiKey(APIKey)
    /// A tenant, its limits with it.
    case tenant(Tenant)
    /// A number on a safe list.
    case safeNumber(SafeNumber)
    /// A key that access tokens are signed with, its private part sealed.
    case signingKey(SigningKey)
    /// A line of the audit trail, and where it is.
    case auditEntry(AuditCursor, AuditEntry)

    /// What kind of thing it is.
    public var kind: RecordKind {
        switch self {
        case .account: .account
        case .session: .session
        case .numberChange: .numberChange
        case .verification: .verification
        case .message: .message
        case .event: .event
        case .signup: .signup
        case .idempotentRequest: .idempotentRequest
        case .activity: .activity
        case .meter: .meter
        case .traffic: .traffic
        case .guardRule: .guardRule
        case .apiKey: .apiKey
        case .tenant: .tenant
        case .safeNumber: .safeNumber
        case .signingKey: .signingKey
        case .auditEntry: .auditEntry
        }
    }

    /// By what it is found among those of its kind, and their order.
    public var key: RecordKey {
        switch self {
        case .account(let account): .text(account.id.description)
        case .session(let session): .text(session.id.description)
        case .numberChange(let change): .text(change.id.description)
        case .verification(let verification): .text(verification.id.description)
        case .message(let message): .text(message.id.description)
        case .event(let event): .text(event.id.description)
        case .signup(let signup): .text(signup.id.description)
        case .idempotentRequest(let request): .text(request.name.rawValue)
        case .activity(let number): .text(number.e164)
        case .meter(let meter): .text(meter.key.description)
        case .traffic(let traffic): .text(traffic.key.description)
        case .guardRule(let rule): .text(rule.prefix)
        case .apiKey(let key): .text(key.id.description)
        case .tenant(let tenant): .text(tenant.id.description)
        case .safeNumber(let number): .text(number.key)
        case .signingKey(let key): .text(key.id.description)
        case .auditEntry(let cursor, _): .serial(cursor.serial)
        }
    }
}
