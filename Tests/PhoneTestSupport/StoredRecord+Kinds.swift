public import PhoneDomain
public import Records

/// Records of each kind, as tests write them.
extension StoredRecord {
    public static func account(_ account: Account) -> StoredRecord { StoredRecord(.account, Row(account)) }
    public static func session(_ session: Session) -> StoredRecord { StoredRecord(.session, Row(session)) }
    public static func numberChange(_ change: NumberChange) -> StoredRecord { StoredRecord(.numberChange, Row(change)) }
    public static func verification(_ verification: Verification) -> StoredRecord {
        StoredRecord(.verification, Row(verification))
    }
    public static func message(_ message: OutboxMessage) -> StoredRecord { StoredRecord(.message, Row(message)) }
    public static func event(_ event: Event) -> StoredRecord { StoredRecord(.event, Row(event)) }
    public static func signup(_ signup: Signup) -> StoredRecord { StoredRecord(.signup, Row(signup)) }
    public static func idempotentRequest(_ request: IdempotentRequest) -> StoredRecord {
        StoredRecord(.idempotentRequest, Row(request))
    }
    public static func activity(_ number: ActiveNumber) -> StoredRecord { StoredRecord(.activity, Row(number)) }
    public static func meter(_ meter: MeterInUse) -> StoredRecord { StoredRecord(.meter, Row(meter)) }
    public static func traffic(_ traffic: KeyedTraffic) -> StoredRecord { StoredRecord(.traffic, Row(traffic)) }
    public static func guardRule(_ rule: GuardRule) -> StoredRecord { StoredRecord(.guardRule, Row(rule)) }
    public static func apiKey(_ key: APIKey) -> StoredRecord { StoredRecord(.apiKey, Row(key)) }
    public static func client(_ client: OAuthClient) -> StoredRecord { StoredRecord(.client, Row(client)) }
    public static func authorizationCode(_ code: AuthorizationCode) -> StoredRecord {
        StoredRecord(.authorizationCode, Row(code))
    }
    public static func tenant(_ tenant: Tenant) -> StoredRecord { StoredRecord(.tenant, Row(tenant)) }
    public static func safeNumber(_ number: SafeNumber) -> StoredRecord { StoredRecord(.safeNumber, Row(number)) }
    public static func signingKey(_ key: SigningKey) -> StoredRecord { StoredRecord(.signingKey, Row(key)) }

    public static func auditEntry(_ cursor: AuditCursor, _ entry: AuditEntry) -> StoredRecord {
        StoredRecord(.auditEntry, Row(AuditRecord(cursor: cursor, entry: entry)))
    }
}
