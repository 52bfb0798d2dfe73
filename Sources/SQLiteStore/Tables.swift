import GRDB
import PhoneDomain

/// All tables, within a transaction.
struct Tables {
    let db: Database
    let verifications: VerificationTable
    let activities: NumberActivityTable
    let accounts: AccountTable
    let sessions: SessionTable
    let changes: NumberChangeTable
    let messages: OutboxMessageTable
    let signups: SignupTable
    let meters: RateMeterTable
    let traffic: TrafficTable
    let guardRules: GuardRuleTable
    let apiKeys: APIKeyTable
    let tenants: TenantTable
    let safeNumbers: SafeNumberTable
    let signingKeys: SigningKeyTable
    let requests: IdempotentRequestTable
    let audit: AuditEntryTable
    let events: EventTable

    init(_ db: Database, plans: NumberingPlans, journal: AuditJournal, events: EventTable) {
        self.db = db
        self.events = events
        verifications = VerificationTable(db: db, plans: plans, events: events)
        activities = NumberActivityTable(db: db)
        accounts = AccountTable(db: db, plans: plans, events: events)
        sessions = SessionTable(db: db, accounts: accounts)
        changes = NumberChangeTable(db: db, plans: plans)
        messages = OutboxMessageTable(db: db, verifications: verifications, changes: changes, events: events)
        signups = SignupTable(db: db)
        meters = RateMeterTable(db: db)
        traffic = TrafficTable(db: db, events: events)
        guardRules = GuardRuleTable(db: db)
        apiKeys = APIKeyTable(db: db)
        tenants = TenantTable(db: db)
        safeNumbers = SafeNumberTable(db: db)
        signingKeys = SigningKeyTable(db: db)
        requests = IdempotentRequestTable(db: db)
        audit = AuditEntryTable(db: db, journal: journal)
    }

    /// Keeps what became of a message in the traffic around its number.
    func follow(_ message: OutboxMessage, loaded: OutboxClaim, at now: Timestamp) throws {
        guard message.countsAsSent != loaded.message.countsAsSent else { return }
        let number = loaded.verification.phoneNumber
        let before = try traffic.around(number)
        var after = before
        after.follow(message, from: loaded.message)
        try traffic.save(after, around: number, loaded: before, at: now)
    }
}
