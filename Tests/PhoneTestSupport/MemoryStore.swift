public import PhoneDomain
public import Records
import Synchronization

/// Every store over dictionaries: the plainest engine under the commands that all stores share, for tests of what stands on a
/// store.
public final class MemoryStore: RecordStore, StoreMaintenance, AuditStore, ErasureStore, PortableStore, SigningKeyStore
{
    private struct State {
        let tables = MemoryTables()
        var outage: (any Error)?
        var interruption: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())
    public let events: EventSubscription
    public let observer: (any StoreObserver)?

    /// An empty store.
    ///
    /// - Parameters:
    ///   - events: what is announced when it changes.
    ///   - observer: is notified of audit entries; there are no batches.
    public init(announcing events: EventSubscription = .none, observer: (any StoreObserver)? = nil) {
        self.events = events
        self.observer = observer
    }

    /// From now on every operation throws this, until it is nil again.
    public func fail(with error: (any Error)?) async {
        state.withLock { $0.outage = error }
    }

    /// Does this right after the next command, before the client has its result.
    public func interrupt(with work: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.interruption = work }
    }

    /// Whether the interruption is still to come.
    public var isInterruptionPending: Bool { state.withLock { $0.interruption != nil } }

    /// All messages, oldest first.
    public var outbox: [OutboxMessage] {
        get async { state.withLock { Self.outbox($0.tables) } }
    }

    /// How many accounts there are.
    public var accountCount: Int {
        get async { state.withLock { $0.tables.accounts.rows.count } }
    }

    public func execute<Value: Sendable>(
        _ kind: CommandKind,
        needing keys: () -> RecordKeys,
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value {
        let value = try use { [events] tables in
            let unit = UnitOfWork(tables, announcing: events.kinds)
            let value = try work(unit)
            try unit.save(to: tables)
            return value
        }
        let interruption = state.withLock { state in
            defer { state.interruption = nil }
            return state.interruption
        }
        try await interruption?()
        return value
    }

    public func row<Value: Sendable>(
        of table: Table,
        _ key: Row,
        isHot: Bool,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> Value? {
        try use { tables in
            var row = Row()
            return tables.load(key, of: table, into: &row) ? try read(row) : nil
        }
    }

    private func use<Value: Sendable>(_ work: @Sendable (MemoryTables) throws -> Value) throws -> Value {
        try state.withLock { state in
            if let outage = state.outage { throw outage }
            return try work(state.tables)
        }
    }

    private static func outbox(_ tables: MemoryTables) -> [OutboxMessage] {
        tables.messages.values.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    /// Keeps entries of the audit log that no command wrote.
    private func observe(_ entry: AuditEntry?) {
        if let entry { observer?.observe(entry) }
    }

    // MARK: - Accounts

    public func signedIn(_ id: Session.ID) async throws -> SignedIn? {
        try use { tables in
            tables.sessions.rows[id].flatMap { session in
                tables.accounts.rows[session.accountID].flatMap { account in
                    guard session.generation == account.sessionGeneration else { return nil }
                    return SignedIn(session: session, account: account)
                }
            }
        }
    }

    public func account(of number: PhoneNumber) async throws -> Account? {
        try use { tables in tables.holders.rows[number.e164].flatMap { tables.accounts.rows[$0.account] } }
    }

    public func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session] {
        try use { tables in Array(Self.sessions(of: id, tables).filter { !$0.hasEnded(at: now) }.prefix(max(0, limit)))
        }
    }

    private static func sessions(of id: Account.ID, _ tables: MemoryTables) -> [Session] {
        let generation = tables.accounts.rows[id]?.sessionGeneration
        return tables.sessions.values.filter { $0.accountID == id && $0.generation == generation }
            .sorted { ($1.createdAt, $0.id.description) < ($0.createdAt, $1.id.description) }
    }

    public func numberChange(undoDigest: [UInt8]) async throws -> NumberChange? {
        try use { tables in tables.changes.values.first { $0.undoDigest == undoDigest } }
    }

    public func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID] {
        try use { tables in
            tables.accounts.values.filter { $0.isDue(at: now) }
                .map { (due: $0.deletionDueAt ?? now, id: $0.id) }
                .sorted { ($0.due, $0.id.description) < ($1.due, $1.id.description) }
                .prefix(max(0, limit))
                .map(\.id)
        }
    }

    public func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int {
        try use { tables in
            tables.sessions.purge(
                { $0.end < moment || $0.generation != tables.accounts.rows[$0.accountID]?.sessionGeneration },
                limit: limit
            )
                + tables.changes.purge({ $0.undoableUntil < moment }, limit: limit)
                + tables.codes.purge(
                    { $0.expiresAt < moment - ($0.usedAt == nil ? .zero : AuthorizationCode.memory) },
                    limit: limit
                )
        }
    }

    public func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData? {
        try use { tables in
            guard let account = tables.accounts.rows[id] else { return nil }
            let covered = tables.verifications.values.filter { PersonalData.covers($0, of: account) }
            let ids = Set(covered.map(\.id))
            let digests = try account.phoneNumber.map(digests) ?? []
            let known = ids.union([account.createdBy])
            var data = PersonalData(of: account)
            data.sessions = Self.sessions(of: id, tables)
            data.changes = tables.numberChanges(of: id)
                .sorted { ($0.changedAt, $0.id.description) < ($1.changedAt, $1.id.description) }
            data.verifications = covered.sorted {
                ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description)
            }
            data.messages = Self.outbox(tables).filter { ids.contains($0.verificationID) }
            data.signups = tables.signups.values.filter { $0.verificationID.map(ids.contains) ?? false }
                .sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
            data.activity = account.phoneNumber.flatMap { tables.activities.rows[$0.e164]?.activity } ?? .none
            data.events = tables.events.values.filter { $0.subject == .account(id) }
                .sorted { ($0.occurredAt, $0.id.description) < ($1.occurredAt, $1.id.description) }
            data.audit = tables.audit.values.filter { PersonalData.covers($0.entry, of: known, digests, account) }
                .sorted { $0.cursor < $1.cursor }
                .map(\.entry)
            return data
        }
    }

    public func delete(_ command: DeleteAccount) async throws -> Bool {
        let isDeleted = try use { tables in
            guard let account = tables.accounts.rows[command.id], command.covers(account) else { return false }
            let ids = Set(tables.verifications.values.filter { command.covers($0, of: account) }.map(\.id))
            let changes = Set(tables.numberChanges(of: account.id).map(\.id))
            let messages = Self.messages(of: ids, changes, tables)
            let digests = try command.digests(of: account)
            let known = ids.union([account.createdBy])
            Self.unlink(tables) { command.covers($0, of: known, digests, account) }
            let subjects = command.subjects(verifications: ids, messages: messages)
            _ = tables.signups.remove { $0.verificationID.map(ids.contains) ?? false }
            _ = Self.delete(account, ids, changes, messages, subjects, tables)
            tables.append([command.entry])
            return true
        }
        if isDeleted { observe(command.entry) }
        return isDeleted
    }

    private static func messages(
        of verifications: Set<Verification.ID>,
        _ changes: Set<NumberChange.ID>,
        _ tables: MemoryTables
    ) -> Set<OutboxMessage.ID> {
        Set(
            tables.messages.values
                .filter {
                    verifications.contains($0.verificationID) || $0.numberChangeID.map(changes.contains) ?? false
                }
                .map(\.id)
        )
    }

    /// - Returns: how many entries were unlinked.
    @discardableResult
    private static func unlink(_ tables: MemoryTables, where isCovered: (AuditEntry) -> Bool) -> Int {
        var count = 0
        for record in tables.audit.values where isCovered(record.entry) {
            tables.audit.rows[record.key]?.entry = record.entry.unlinked
            count += 1
        }
        return count
    }

    private static func delete(
        _ account: Account?,
        _ verifications: Set<Verification.ID>,
        _ changes: Set<NumberChange.ID>,
        _ messages: Set<OutboxMessage.ID>,
        _ subjects: [EventSubject],
        _ tables: MemoryTables
    ) -> Erasure {
        var erasure = Erasure()
        _ = tables.events.remove { subjects.contains($0.subject) }
        erasure.answers = tables.requests.remove { $0.answer?.verificationID.map(verifications.contains) ?? false }
        erasure.messages = tables.messages.remove { messages.contains($0.id) }
        erasure.numberChanges = tables.changes.remove { changes.contains($0.id) }
        erasure.verifications = tables.verifications.remove { verifications.contains($0.id) }
        erasure.sessions = tables.sessions.remove { $0.accountID == account?.id }
        erasure.accounts = tables.accounts.remove { $0.id == account?.id }
        _ = tables.holders.remove { $0.account == account?.id }
        return erasure
    }

    public func erase(_ command: EraseNumber) async throws -> Erasure {
        let number = command.number
        let erasure = try use { tables in
            let account = tables.holders.rows[number.e164].flatMap { tables.accounts.rows[$0.account] }
            let ids = Set(
                tables.verifications.values
                    .filter { $0.phoneNumber == number || account != nil && $0.consumedBy == account?.id }
                    .map(\.id)
            )
            let changes = Set(
                tables.changes.values
                    .filter { $0.oldNumber == number || $0.newNumber == number || $0.accountID == account?.id }
                    .map(\.id)
            )
            let known = ids.union([account?.createdBy].compactMap(\.self))
            let unlinked = Self.unlink(tables) { command.covers($0, of: known) }
            let signups = tables.signups.remove { command.covers($0, of: ids) }
            let messages = Self.messages(of: ids, changes, tables)
            let subjects = command.subjects(verifications: ids, messages: messages, account: account?.id)
            var erasure = Self.delete(account, ids, changes, messages, subjects, tables)
            erasure.auditEntries = unlinked
            erasure.signups = signups
            for account in tables.accounts.values.compactMap(command.redacted) {
                tables.accounts.rows[account.id] = account
                erasure.metadata += 1
            }
            erasure.guardRules = tables.rules.remove { command.covers($0) }
            erasure.safeNumbers = tables.safeNumbers.remove { $0.e164 == number.e164 }
            erasure.activities = tables.activities.remove { $0.e164 == number.e164 }
            erasure.limitMeters = tables.meters.remove { command.covers($0.key) }
            if !erasure.isEmpty { tables.append([command.entry]) }
            return erasure
        }
        if !erasure.isEmpty { observe(command.entry) }
        return erasure
    }

    /// A dictionary keeps nothing of what was taken out of it.
    public func removeTraces() async throws {
        try use { _ in }
    }

    public func close() {}

    // MARK: - Messages and events

    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        try use { tables in
            var claims: [OutboxClaim] = []
            let due = tables.messages.values.filter { $0.status == .queued && $0.nextAttemptAt <= now }
                .map { (order: ($0.nextAttemptAt, $0.createdAt, $0.id.description), message: $0) }
                .sorted { $0.order < $1.order }
                .map(\.message)
            for var message in due where claims.count < limit {
                guard message.claim(at: now, until: end), let claim = Self.claim(of: message, tables) else { continue }
                tables.messages.rows[message.id] = message
                claims.append(claim)
            }
            return claims
        }
    }

    private static func claim(of message: OutboxMessage, _ tables: MemoryTables) -> OutboxClaim? {
        tables.verifications.rows[message.verificationID].map {
            OutboxClaim(
                message: message,
                verification: $0,
                change: message.numberChangeID.flatMap { tables.changes.rows[$0] }
            )
        }
    }

    public func record(_ command: RecordReceipt) async throws -> Bool {
        try await perform(.change) { unit in
            let id = try unit.message(gateway: command.gateway, gatewayMessageID: command.gatewayMessageID)
            return try unit.record(command, id)
        }
    }

    public func nextAttempt() async throws -> Timestamp? {
        try use { tables in tables.messages.values.filter { $0.status == .queued }.map(\.nextAttemptAt).min() }
    }

    public func backlog() async throws -> OutboxBacklog {
        try use { tables in
            let queued = tables.messages.values.filter { $0.status == .queued }
            return OutboxBacklog(count: queued.count, oldest: queued.map(\.createdAt).min())
        }
    }

    public func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim] {
        try use { tables in
            Self.outbox(tables).reversed()
                .filter { status == nil || $0.status == status }
                .compactMap { Self.claim(of: $0, tables) }
                .prefix(max(0, limit))
                .map(\.self)
        }
    }

    public func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage] {
        try use { tables in
            let awaited = tables.messages.values.compactMap(question.match).sorted { $0.order < $1.order }
            return Array(awaited.prefix(max(0, question.limit)))
        }
    }

    public func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim] {
        try use { tables in
            let due = tables.events.values.filter { $0.status == .queued && $0.nextAttemptAt <= now }
                .map { (order: ($0.nextAttemptAt, $0.occurredAt, $0.id.description), event: $0) }
                .sorted { $0.order < $1.order }
                .prefix(max(0, limit))
                .map(\.event)
            return due.compactMap { due in
                var event = due
                guard let content = Self.content(of: due, tables), due.isConfirmed(by: content),
                    event.claim(at: now, until: end)
                else {
                    tables.events.rows[due.id] = nil
                    return nil
                }
                tables.events.rows[event.id] = event
                return EventClaim(event: event, content: content)
            }
        }
    }

    private static func content(of event: Event, _ tables: MemoryTables) -> EventContent? {
        switch event.subject {
        case .verification(let id): tables.verifications.rows[id].map(EventContent.verification)
        case .message(let id):
            tables.messages.rows[id].flatMap { message in
                tables.verifications.rows[message.verificationID].map { .message(message, $0) }
            }
        case .account(let id): tables.accounts.rows[id].map(EventContent.account)
        case .prefix(let prefix):
            .traffic(prefix: prefix, tables.traffic.rows[.prefix(prefix)]?.traffic ?? .none)
        }
    }

    public func nextEvent() async throws -> Timestamp? {
        try use { tables in tables.events.values.filter { $0.status == .queued }.map(\.nextAttemptAt).min() }
    }

    public func events(status: Event.Status?, limit: Int) async throws -> [Event] {
        try use { tables in
            tables.events.values.filter { status == nil || $0.status == status }
                .sorted { ($0.occurredAt, $0.id.description) > ($1.occurredAt, $1.id.description) }
                .prefix(max(0, limit))
                .map(\.self)
        }
    }

    public func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int {
        try use { tables in
            let old = Event.Status.allCases.flatMap { status in
                tables.events.values.filter { $0.status == status && $0.occurredAt < moment }
                    .sorted { ($0.occurredAt, $0.id.description) < ($1.occurredAt, $1.id.description) }
                    .prefix(max(0, limit))
                    .map(\.id)
            }
            for id in old { tables.events.rows[id] = nil }
            return old.count
        }
    }

    // MARK: - Limits, the guard, callers

    public func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse] {
        try use { tables in
            tables.meters.values.filter { $0.meter.fullAt > RateMeter.fullAt(now) }
                .sorted { ($1.meter.fullAt, $0.key.description) < ($0.meter.fullAt, $1.key.description) }
                .prefix(limit)
                .map(\.self)
        }
    }

    public func activeNumbers(sends: Int, failures: Int, limit: Int) async throws -> [ActiveNumber] {
        try use { tables in
            tables.activities.values
                .filter { $0.activity.recentSends.count >= sends || $0.activity.consecutiveFailures >= failures }
                .sorted { $0.e164 < $1.e164 }
                .prefix(limit)
                .map(\.self)
        }
    }

    public func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic] {
        try use { tables in Array(KeyedTraffic.ranked(Array(tables.traffic.values), at: now).prefix(limit)) }
    }

    public func guardRules() async throws -> [GuardRule] {
        try use { tables in tables.rules.values.sorted { $0.prefix < $1.prefix } }
    }

    public func unblock(beginning: String, audit entry: AuditEntry) async throws -> [String] {
        let prefixes = try use { tables in
            let blocked = tables.traffic.values
                .filter { $0.traffic.blockedUntil != nil && $0.key.description.hasPrefix(beginning) }
            for traffic in blocked { tables.traffic.rows[traffic.key] = nil }
            if !blocked.isEmpty { tables.append([entry]) }
            return blocked.map(\.key.description).sorted()
        }
        if !prefixes.isEmpty { observe(entry) }
        return prefixes
    }

    public func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry] {
        try use { tables in
            tables.audit.values
                .filter { $0.entry.verdict != nil && $0.entry.prefixDigest.map(prefix.contains) ?? false }
                .sorted { $0.cursor > $1.cursor }
                .prefix(limit)
                .map(\.entry)
        }
    }

    public func clients() async throws -> [OAuthClient] {
        try use { tables in
            tables.clients.values.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
        }
    }

    public func apiKeys() async throws -> [APIKey] {
        try use { tables in
            tables.keys.values.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
        }
    }

    public func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try use { tables in
            tables.tenants.values.filter { $0.account == account }
                .sorted { ($0.createdAt, $0.id.description) > ($1.createdAt, $1.id.description) }
                .dropFirst(max(0, offset))
                .prefix(max(0, limit))
                .map(\.self)
        }
    }

    public func liveVerification(
        of number: PhoneNumber,
        owner: Owner,
        at now: Timestamp
    ) async throws -> Verification? {
        try use { tables in
            tables.verifications(of: number.e164, since: now)
                .filter { $0.owner == owner && $0.isLive(at: now) }
                .max { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
        }
    }

    public func attempts(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt] {
        try use { tables in Array(Self.covered(query, tables).prefix(max(0, limit))) }
    }

    public func summary(of query: AttemptQuery) async throws -> AttemptSummary {
        var query = query
        query.after = nil
        return try use { [query] tables in
            let attempts = Self.covered(query, tables)
            return AttemptSummary(total: attempts.count, converted: attempts.count(where: \.isConverted))
        }
    }

    private static func covered(_ query: AttemptQuery, _ tables: MemoryTables) -> [DeliveryAttempt] {
        outbox(tables).reversed().compactMap { message in
            tables.verifications.rows[message.verificationID].map {
                DeliveryAttempt(message: message, verification: $0)
            }
        }
        .filter(query.covers)
    }

    public func signingKeys() async throws -> SigningKeys {
        try use { tables in SigningKeys(tables.signers.values) }
    }

    public func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys {
        try changeSigningKeys { command.apply(to: &$0) }
    }

    public func rotate(_ command: RotateSigningKey, audit entry: AuditEntry) async throws -> SigningKeys {
        defer { observe(entry) }
        return try changeSigningKeys(audit: entry) { command.apply(to: &$0) }
    }

    private func changeSigningKeys(
        audit entry: AuditEntry? = nil,
        _ change: @Sendable (inout SigningKeys) -> Void
    ) throws -> SigningKeys {
        try use { tables in
            var keys = SigningKeys(tables.signers.values)
            change(&keys)
            for key in keys.all { tables.signers.rows[key.id] = key }
            tables.append([entry].compactMap(\.self))
            return keys
        }
    }

    // MARK: - Audit log and upkeep

    public func entries(_ query: AuditQuery) async throws -> AuditPage {
        try use { tables in
            let found = tables.audit.values.filter { query.covers($0.entry, at: $0.cursor) }
                .sorted { $0.cursor > $1.cursor }
            return AuditPage(found.map { ($0.cursor, $0.entry) }, limit: query.limit)
        }
    }

    public func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int {
        try use { tables in tables.audit.purge({ $0.cursor.at < moment }, limit: limit) }
    }

    public func purgeRequests(before moment: Timestamp, limit: Int) async throws -> Int {
        try use { tables in
            let old = tables.requests.values.filter { $0.expiresAt < moment }
                .sorted { ($0.expiresAt, $0.name.rawValue) < ($1.expiresAt, $1.name.rawValue) }
                .prefix(max(0, limit))
            for request in old { tables.requests.rows[request.name] = nil }
            return old.count
        }
    }

    public func purgeSigningKeys(at now: Timestamp, limit: Int) async throws -> Int {
        try use { tables in tables.signers.purge({ $0.isRemoved(at: now) }, limit: limit) }
    }

    public func ping() async throws {
        try use { _ in }
    }

    public func close(at now: Timestamp, limit: Int) async throws -> Int {
        let ids = try use { tables in tables.verifications.values.filter { $0.recordedStatus == .pending }.map(\.id) }
        return try await perform(.change) { unit in
            var count = 0
            for id in ids where count < limit {
                guard let loaded = try unit.verifications.find(id) else { continue }
                var verification = loaded
                guard verification.close(at: now) else { continue }
                unit.keep(verification, loaded: loaded, at: now)
                count += 1
            }
            return count
        }
    }

    public func purgeSignups(before moment: Timestamp, limit: Int) async throws -> Int {
        try use { tables in Self.purgeSignups(before: moment, limit: limit, tables) }
    }

    private static func purgeSignups(before moment: Timestamp, limit: Int, _ tables: MemoryTables) -> Int {
        let old = tables.signups.values.filter { $0.expiresAt < moment }
            .sorted { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
            .prefix(max(0, limit))
        for signup in old { tables.signups.rows[signup.id] = nil }
        return old.count
    }

    public func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        try use { tables in
            let ended = tables.verifications.values
                .filter { max($0.expiresAt, $0.updatedAt) < moment }
                .map(\.id)
                .sorted { $0.description < $1.description }
                .prefix(limit)
            var messages: [OutboxMessage.ID] = []
            var verifications: [Verification.ID] = []
            for id in ended {
                let own = tables.messages.values.filter { $0.verificationID == id }.map(\.id)
                    .sorted { $0.description < $1.description }
                let left = limit - messages.count
                messages += own.prefix(left)
                if own.count <= left { verifications.append(id) }
            }
            for id in messages { tables.messages.rows[id] = nil }
            for id in verifications { tables.verifications.rows[id] = nil }
            return messages.count + verifications.count + Self.purgeSignups(before: moment, limit: limit, tables)
                + tables.activities.purge({ $0.activity.silentSince.map { $0 < moment } ?? true }, limit: limit)
        }
    }

    public func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int {
        try use { tables in
            tables.meters.purge({ $0.meter.fullAt <= RateMeter.fullAt(now) }, limit: limit)
                + tables.traffic.purge(
                    { $0.traffic.silentSince.map { $0 <= now - Traffic.longestMemory } ?? true },
                    limit: limit
                )
                + tables.rules.purge({ $0.until.map { $0 <= now } ?? false }, limit: limit)
        }
    }

    // MARK: - Copies

    public func count(of kind: RecordKind) async throws -> Int {
        try use { $0.records(of: kind).count }
    }

    public func records(of kind: RecordKind, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        try use { tables in
            tables.records(of: kind)
                .filter { record in key.map { $0.precedes(record.key) } ?? true }
                .sorted { $0.key.precedes($1.key) }
                .prefix(limit)
                .map(\.self)
        }
    }

    public func restore(_ records: [StoredRecord]) async throws {
        try use { tables in
            for kind in RecordKind.allCases {
                let new = records.filter { $0.kind == kind }.map(\.key)
                let old = tables.records(of: kind).map(\.key)
                if Set(old).union(new).count < old.count + new.count { throw AlreadyThere(kind: kind) }
            }
            for record in records { try tables.restore(record) }
        }
    }

    /// A record was to be restored that is there.
    public struct AlreadyThere: Error {
        /// Of what kind.
        public let kind: RecordKind
    }
}
