public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// What only operators ask for and do. An `audit` entry is saved in the transaction of its act, if that changes
/// anything.
public protocol AdministrationStore: Sendable {
    // MARK: People

    func act(_ command: ActOnAccount) async throws -> Account
    /// Imports all in one transaction; what one refuses does not undo the others.
    func importAccounts(_ commands: [ImportAccount]) async throws -> [Result<ImportAccount.Outcome, any Error>]
    func account(of id: ExternalID) async throws -> Account?
    /// Newest first.
    func accounts(before id: Account.ID?, limit: Int) async throws -> Page<Account>
    /// Changes of an account's number, newest first.
    func numberChanges(of id: Account.ID) async throws -> [NumberChange]
    func verifications(_ query: VerificationQuery) async throws -> Page<Verification>

    // MARK: Messages and events

    func messages(_ search: MessageSearch) async throws -> Page<OutboxClaim>
    /// The matching messages, newest first, each with its verification.
    func messages(_ query: MessageQuery, limit: Int) async throws -> [OutboxClaim]
    /// ``MessageQuery/after`` is ignored.
    func count(_ query: MessageQuery) async throws -> MessageCount
    /// Groups the newest messages of each status but `queued`, `sent` and `delivered`, as many as `limit`; the largest
    /// groups come first.
    func failureGroups(since moment: Timestamp, limit: Int) async throws -> [FailureGroup]
    /// The newest messages with a code that were queued since a moment.
    func sentSamples(since moment: Timestamp, limit: Int) async throws -> [SentSample]
    func retry(_ command: RetryMessage) async throws -> Result<OutboxMessage, RetryMessage.Refusal>
    /// The events of this status, or all, newest first (by ``Event/occurredAt``, then by ID); none if the limit is
    /// negative.
    func events(status: Event.Status?, limit: Int) async throws -> [Event]
    func retry(_ command: RetryEvent, audit entry: AuditEntry) async throws -> Result<Event, RetryEvent.Refusal>

    // MARK: Limits and the guard

    /// The meters of one policy that are not full at this moment, those that fill last first; with a place those that
    /// come after it in this order.
    func metersInUse(
        of policy: String,
        at now: Timestamp,
        after place: MeterInUse?,
        limit: Int
    ) async throws -> [MeterInUse]
    /// One key of each policy that has meters, full or not.
    func limitPolicies() async throws -> [LimitKey]
    /// The numbers after this one with at least this many messages or wrong codes in a row, in order of their digits. Whether that
    /// closes them is decided by ``NumberActivity/closure(at:policy:)``: what is stored may have expired.
    func activeNumbers(sends: Int, failures: Int, after e164: String, limit: Int) async throws -> [ActiveNumber]
    /// Gives a key its whole quota again. Returns whether anything was known of it.
    func clear(_ key: LimitKey, audit entry: AuditEntry) async throws -> Bool
    /// Deletes a number's activity. Returns whether anything was known of it.
    func clearActivity(of number: PhoneNumber, audit entry: AuditEntry) async throws -> Bool
    /// The traffic of keys that were not silent for a day: of those that are blocked, and then of those with most in
    /// ``Traffic/kept``.
    func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic]
    /// The traffic of the last day, by keys from the last one down: countries come before their prefixes.
    func traffic(before key: TrafficKey?, at now: Timestamp, limit: Int) async throws -> [KeyedTraffic]
    /// How many keys of each kind have each ``Traffic/kept``, of those with traffic since a moment.
    func trafficCounts(since moment: Timestamp) async throws -> [TrafficKey.Kind: [Traffic.Sample: Int]]
    /// The last audit entries in which the guard decided about a prefix, the newest first. `prefix` is its digests
    /// under every key (``NumberDigester/digests(of:)``).
    func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry]
    /// Saves a rule, replacing that of the same prefix.
    func set(_ rule: GuardRule, audit entry: AuditEntry) async throws
    /// Removes the rule of exactly this prefix, and returns it.
    func removeGuardRule(prefix: String, audit entry: AuditEntry) async throws -> GuardRule?
    /// Unblocks a prefix (`+` and one or more digits): ends the blocks on prefixes that begin like this; of a network,
    /// its block or challenge. What led to them is dropped (``Traffic/unblock()``). Returns whose it was, in order.
    func unblock(_ key: TrafficKey, audit entry: AuditEntry) async throws -> [TrafficKey]
    func overrides() async throws -> [Override]
    /// Returns false, and changes nothing, if there is one of this name and value.
    func insert(_ override: Override, audit entry: AuditEntry) async throws -> Bool
    /// Returns whether there was one.
    func removeOverride(_ name: String, audit entry: AuditEntry) async throws -> Bool

    // MARK: The audit log and erasure

    /// The matching entries of the audit log, newest first: by time, and of one moment the one that was written last.
    /// Other operations add to the log, each in its own transaction; entries change only by ``AuditEntry/unlinked``.
    func entries(_ query: AuditQuery) async throws -> AuditPage
    /// Deletes and unlinks what the command covers. If it was anything, the audit log has the command's entry too.
    func erase(_ command: EraseNumber) async throws -> Erasure
    /// Removes deleted data from the store's files too, where it may linger though no query finds it. It may take a
    /// while, in which others can read and not write. Throws if another transaction is in the way, which may be gone a
    /// moment later. What was erased stays erased.
    func removeTraces() async throws

    // MARK: The service

    func facts() async throws -> StoreFacts
    /// The instances that have said within ``Instance/patience`` that they run, in order of their start.
    func instances() async throws -> [Instance]
    /// Saves that this instance runs.
    func record(_ instance: Instance) async throws
    func remove(_ id: Instance.ID) async throws
    /// Counts what no roll-up has counted yet, up to `limit` verifications (``DailyFigure``). Returns how many.
    func rollUp(_ command: RollUp) async throws -> Int
    /// The figures of these days, counted from 1970-01-01, both included.
    func dailyFigures(from first: Int64, through last: Int64) async throws -> [DailyFigure]
    /// The same with what no roll-up has counted yet, as it is at this moment; a key may be there several times. Reads
    /// the verifications of the last 70 minutes, in steps of the roll-up's `limit`.
    func currentFigures(from first: Int64, through last: Int64, _ command: RollUp) async throws -> [DailyFigure]
    /// The same of these verifications alone, as far as they are stored.
    func figures(of query: VerificationQuery, _ command: RollUp) async throws -> [DailyFigure]
}

extension OverridesInForce {
    /// Throws what the store does; those of before stay in force then.
    public func read(from store: any AdministrationStore) async throws {
        replace(by: Overrides(try await store.overrides()))
    }
}
