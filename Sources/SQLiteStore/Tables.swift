import GRDB
import PhoneDomain

/// All tables, within a transaction. Each is made when it is asked for: an operation uses a few of them.
struct Tables {
    let batch: Batch
    let events: EventTable
    private let plans: NumberingPlans
    let journal: AuditJournal

    init(_ batch: Batch, plans: NumberingPlans, journal: AuditJournal, events: EventTable) {
        self.batch = batch
        self.events = events
        self.plans = plans
        self.journal = journal
    }

    /// For whoever changes nothing.
    init(reading batch: Batch, plans: NumberingPlans, journal: AuditJournal = AuditJournal()) {
        self.init(batch, plans: plans, journal: journal, events: EventTable(db: batch.db))
    }

    var db: Database { batch.db }
    var verifications: VerificationTable { VerificationTable(db: db, plans: plans, events: events) }
    var activities: NumberActivityTable { NumberActivityTable(db: db) }
    var accounts: AccountTable { AccountTable(db: db, plans: plans, events: events) }
    var sessions: SessionTable { SessionTable(db: db, accounts: accounts) }
    var changes: NumberChangeTable { NumberChangeTable(db: db, plans: plans) }
    var messages: OutboxMessageTable {
        OutboxMessageTable(db: db, verifications: verifications, changes: changes, events: events)
    }
    var signups: SignupTable { SignupTable(db: db) }
    var meters: RateMeterTable { RateMeterTable(batch) }
    var traffic: TrafficTable { TrafficTable(batch, events: events) }
    var guardRules: GuardRuleTable { GuardRuleTable(batch) }
    var apiKeys: APIKeyTable { APIKeyTable(db: db) }
    var tenants: TenantTable { TenantTable(db: db) }
    var safeNumbers: SafeNumberTable { SafeNumberTable(db: db) }
    var signingKeys: SigningKeyTable { SigningKeyTable(db: db) }
    var requests: IdempotentRequestTable { IdempotentRequestTable(db: db) }
    var audit: AuditEntryTable { AuditEntryTable(db: db, journal: journal) }

    /// Passes over rows of a queue, so that they are not the first to be claimed again until this moment. They are not moved to
    /// failed: a newer program may have written them.
    func postpone(_ unreadable: [String], of table: String, until moment: Timestamp) throws {
        for key in unreadable {
            try db.run("UPDATE \(table) SET next_attempt_at = ? WHERE id = ?", [moment.milliseconds, key])
        }
        journal.append(unreadable, of: table)
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
