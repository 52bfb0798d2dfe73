import GRDB
import PhoneDomain

/// All tables, within a transaction.
struct Tables {
    let db: Database
    let verifications: VerificationTable
    let activities: NumberActivityTable
    let accounts: AccountTable
    let messages: OutboxMessageTable
    let signups: SignupTable
    let meters: RateMeterTable
    let traffic: TrafficTable
    let guardRules: GuardRuleTable
    let apiKeys: APIKeyTable
    let requests: IdempotentRequestTable
    let audit: AuditEntryTable

    init(_ db: Database, plans: NumberingPlans, journal: AuditJournal) {
        self.db = db
        verifications = VerificationTable(db: db, plans: plans)
        activities = NumberActivityTable(db: db)
        accounts = AccountTable(db: db, plans: plans)
        messages = OutboxMessageTable(db: db, verifications: verifications)
        signups = SignupTable(db: db)
        meters = RateMeterTable(db: db)
        traffic = TrafficTable(db: db)
        guardRules = GuardRuleTable(db: db)
        apiKeys = APIKeyTable(db: db)
        requests = IdempotentRequestTable(db: db)
        audit = AuditEntryTable(db: db, journal: journal)
    }

    /// Keeps what became of a message in the traffic around its number.
    func follow(_ message: OutboxMessage, loaded: OutboxClaim) throws {
        guard message.countsAsSent != loaded.message.countsAsSent else { return }
        let number = loaded.verification.phoneNumber
        let before = try traffic.around(number)
        var after = before
        after.follow(message, from: loaded.message)
        try traffic.save(after, around: number, loaded: before)
    }
}
