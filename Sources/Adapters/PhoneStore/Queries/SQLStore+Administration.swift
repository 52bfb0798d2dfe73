public import PhoneAdministration
public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

// What operators ask for. No index is kept for it: rows lie in the order of their IDs, and so of time, and a search for
// what no index has reads a stretch of them (``SearchStretch``), so that each page takes as long as any.

extension ActOnAccount: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        State(
            account: try records.find(Account.self, id),
            holder: try newNumber.flatMap { try records.account(holding: $0) }
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.unlinked, loaded: loaded.holder, at: now)
        try records.keep(state.account, loaded: loaded.account, at: now)
        records.append(state.audit)
    }
}

extension ImportAccount: StoredCommand {
    public func load(from records: CommandSession) throws -> State {
        State(
            holder: try person.phoneNumber.flatMap { try records.account(holding: $0) },
            namesake: try person.externalID.flatMap { try records.account(of: $0) },
            account: try records.find(Account.self, id)
        )
    }

    public func keep(_ state: State, loaded: State, in records: CommandSession) throws {
        try records.keep(state.imported, loaded: loaded.existing, at: now, isAnnounced: false)
        records.append(state.audit)
    }
}

/// How many rows a page of a search looks at, from a cursor down.
private struct SearchStretch {
    static let length = 5000
    /// How far an ID and the moment of its row may be apart.
    static let tolerance: Duration = .seconds(600)

    /// Rows of the stretch, by their IDs.
    let condition: SQL
    /// The ID of its last row; nil at the end of the table.
    let end: SQLValue?

    init<R: IdentifiedRecord>(
        of type: R.Type,
        in session: any SQLSession,
        before last: Identifier<R.Subject>?,
        since: Timestamp?,
        until: Timestamp?
    ) throws {
        let (table, id) = (R.table, SQL(raw: "\(R.table.name).\(R.table.key)"))
        var bounds: SQL = "TRUE"
        // One bound, since SQLite would begin at the first of two.
        let latest = until.map { Identifier<R.Subject>.earliest(at: $0 + Self.tolerance).value }
        let ends = [last?.value, latest].compactMap(\.self)
        if let last = ends.min(by: { $0.precedes($1) }) { bounds += " AND \(id) < \(last)" }
        if let since { bounds += " AND \(id) >= \(Identifier<R.Subject>.earliest(at: since - Self.tolerance))" }
        var end: SQLValue?
        let select: SQL = "SELECT \(id) FROM \(table) WHERE \(bounds)"
        try session.forEach("\(select) ORDER BY \(id) DESC LIMIT 1 OFFSET \(limit: Self.length)") { end = $0[0] }
        if let end { bounds += " AND \(id) >= \(end)" }
        (condition, self.end) = (bounds, end)
    }
}

extension SQLStore {
    public func act(_ command: ActOnAccount) async throws -> Account { try await run(command) }

    /// Imports all in one transaction, each as those before it left the others.
    public func importAccounts(_ commands: [ImportAccount]) async throws -> [Result<ImportAccount.Outcome, any Error>] {
        try await execute(.change) { records in
            // An engine that loads at once loads what all of them need together.
            try records.preload { for command in commands { _ = try command.load(from: records) } }
            return try commands.map { try $0.run(in: records) }
        }
    }

    public func account(of id: ExternalID) async throws -> Account? {
        try await all(
            Account.self,
            "WHERE id = (SELECT account_id FROM account_external_id WHERE external_id = \(id.description))"
        ).first
    }

    public func accounts(before id: Account.ID?, limit: Int) async throws -> Page<Account> {
        let condition: SQL = id.map { "WHERE id < \($0) " } ?? ""
        let found = try await all(Account.self, "\(condition)ORDER BY id DESC LIMIT \(limit: limit + 1)")
        return Page(found, limit: limit, id: \.id)
    }

    public func numberChanges(of id: Account.ID) async throws -> [NumberChange] {
        try await all(NumberChange.self, "WHERE account_id = \(id) ORDER BY changed_at DESC, id DESC")
    }

    public func verifications(_ query: VerificationQuery) async throws -> Page<Verification> {
        try await transact(isReadOnly: true) { session in
            var filter: SQL = "TRUE"
            if let owner = query.owner { filter += " AND owner = \(owner.rawValue)" }
            if let status = query.status { filter += " AND status = \(status.rawValue)" }
            if let until = query.until { filter += " AND created_at < \(until)" }
            if let since = query.since { filter += " AND created_at >= \(since)" }
            if let tag = query.tag { filter += " AND \(Verification.has(tag))" }
            let end: SQL = "ORDER BY id DESC LIMIT \(limit: query.limit + 1)"
            if query.number != nil || query.account != nil || query.reference != nil {
                var place: SQL = "TRUE"
                if let reference = query.reference { place += " AND reference = \(reference.description)" }
                if let account = query.account { place += " AND consumed_by = \(account)" }
                if let number = query.number {
                    place = "\(session.dialect.everyDay)e164 = \(number.e164) AND \(place)"
                }
                if let before = query.before { filter += " AND id < \(before)" }
                let found = try session.readable(Verification.self, "WHERE \(place) AND \(filter) \(end)").values
                return Page(found, limit: query.limit, id: \.id)
            }
            let stretch = try SearchStretch(
                of: Verification.self,
                in: session,
                before: query.before,
                since: query.since,
                until: query.until
            )
            let found = try session.readable(Verification.self, "WHERE \(stretch.condition) AND \(filter) \(end)")
                .values
            return Page(found, limit: query.limit, id: \.id, else: stretch.end.flatMap { Verification.ID($0) })
        }
    }

    public func messages(_ search: MessageSearch) async throws -> Page<OutboxClaim> {
        try await transact(isReadOnly: true) { session in
            var filter: SQL = "TRUE"
            if let status = search.status { filter += " AND outbox_message.status = '\(raw: status.rawValue)'" }
            if let gateway = search.gateway { filter += " AND gateway = \(gateway)" }
            if let failure = search.failure { filter += " AND failure = \(failure)" }
            if let until = search.until { filter += " AND outbox_message.created_at < \(until)" }
            if let since = search.since { filter += " AND outbox_message.created_at >= \(since)" }
            func found(_ place: SQL, by order: SQL, in index: String? = nil) throws -> [OutboxClaim] {
                try session.claims(
                    by: index,
                    "WHERE \(place) AND \(filter) ORDER BY \(order) LIMIT \(limit: search.limit + 1)"
                ).values
            }
            func page(_ found: [OutboxClaim], else other: OutboxMessage.ID? = nil) -> Page<OutboxClaim> {
                Page(found, limit: search.limit, id: \.message.id, else: other)
            }
            let byID: SQL = "outbox_message.id DESC"
            if search.number != nil || search.account != nil || search.verification != nil {
                var place: SQL = "TRUE"
                if let id = search.verification { place += " AND outbox_message.verification_id = \(id)" }
                if let id = search.account {
                    place +=
                        " AND outbox_message.verification_id IN (SELECT id FROM verification WHERE consumed_by = \(id))"
                }
                if let number = search.number {
                    let proofs: SQL =
                        "SELECT id FROM verification WHERE \(session.dialect.everyDay)e164 = \(number.e164)"
                    place += " AND outbox_message.verification_id IN (\(proofs))"
                }
                if let before = search.before { place += " AND outbox_message.id < \(before)" }
                return page(try found(place, by: byID))
            }
            guard let status = search.status, status != .sent, status != .delivered else {
                let stretch = try SearchStretch(
                    of: OutboxMessage.self,
                    in: session,
                    before: search.before,
                    since: search.since,
                    until: search.until
                )
                return page(try found(stretch.condition, by: byID), else: stretch.end.flatMap { OutboxMessage.ID($0) })
            }
            // Queued messages are few, and an index has them by time.
            let isQueued = status == .queued
            var place = isQueued ? "TRUE" : OutboxMessage.fewCondition
            if let before = search.before {
                let moment = try session.find(OutboxMessage.self, before)?.createdAt ?? before.moment
                place += " AND (outbox_message.created_at, outbox_message.id) < (\(moment), \(before))"
            }
            let order: SQL = "outbox_message.created_at DESC, outbox_message.id DESC"
            return page(try found(place, by: order, in: isQueued ? "outbox_message_due" : "outbox_message_few"))
        }
    }

    public func sentSamples(since moment: Timestamp, limit: Int) async throws -> [SentSample] {
        try await read(
            """
            SELECT gateway, status, delivered_at - created_at, accepted_at - created_at FROM outbox_message
            WHERE id >= \(OutboxMessage.ID.earliest(at: moment)) AND number_change_id IS NULL
            ORDER BY id DESC LIMIT \(limit: limit)
            """,
            of: OutboxMessage.table
        ) { row in
            let (gateway, status) = (try row.optionalText(), try row.oneOf(OutboxMessage.Status.self))
            let delivered = try row.optionalInteger().map { Duration.milliseconds($0) }
            return SentSample(
                gateway: gateway,
                status: status,
                acceptedAfter: try row.optionalInteger().map { .milliseconds($0) },
                deliveredAfter: delivered
            )
        }
    }

    public func trafficCounts(since moment: Timestamp) async throws -> [TrafficKey.Kind: [Traffic.Sample: Int]] {
        // Keys of prefixes alone begin with a plus.
        let counts = try await read(
            """
            SELECT CASE WHEN key < ',' THEN 'prefix' WHEN key LIKE '%/%' THEN substr(key, length(key) - 2)
                WHEN key LIKE '%.%' THEN 'address' ELSE 'country' END AS kind, requested, approved, count(*)
            FROM traffic WHERE silent_since > \(moment) AND key <> 'service' GROUP BY kind, requested, approved
            """,
            of: KeyedTraffic.table
        ) { row in
            let kind = try row.oneOf(TrafficKey.Kind.self)
            return (kind, Traffic.Sample(sent: try row.count(), approved: try row.count()), try row.count())
        }
        return counts.reduce(into: [:]) { $0[$1.0, default: [:]][$1.1] = $1.2 }
    }

    public func overrides() async throws -> [Override] { try await all(Override.self, "ORDER BY name") }

    public func insert(_ override: Override, audit entry: AuditEntry) async throws -> Bool {
        try await execute(.change) { records in
            try records.edit(Override.self, override.name) { stored in
                guard stored?.value != override.value else { return false }
                stored = override
                records.append(entry)
                return true
            }
        }
    }

    public func removeOverride(_ name: String, audit entry: AuditEntry) async throws -> Bool {
        try await execute(.change) { try $0.remove(Override.self, name, audit: entry) != nil }
    }

    public func facts() async throws -> StoreFacts {
        let found = try await rows(dialect.facts) { $0.columns.map { Int($0.integer) } }
        guard let facts = found.first else { throw UnreadableRecord(table: "facts", column: 0) }
        return StoreFacts(engine: dialect.isShared ? "PostgreSQL" : "SQLite", schemaVersion: facts[0], bytes: facts[1])
    }

    public func instances() async throws -> [Instance] {
        try await all(Instance.self, "WHERE \(Instance.isLive(dialect)) ORDER BY started_at, id")
    }

    public func record(_ instance: Instance) async throws {
        try await transact { session in
            var seen = instance
            try session.forEach("SELECT \(session.dialect.now)") {
                seen.seenAt = Timestamp(milliseconds: $0.columns[0].integer)
            }
            // Upkeep may have deleted it: of a machine that stood still.
            try session.delete(Instance.table, where: "id", isAnyOf: [instance.id.value])
            try session.save(nil, seen)
        }
    }

    public func remove(_ id: Instance.ID) async throws {
        _ = try await transact { try $0.delete(Instance.table, where: "id", isAnyOf: [id.value]) }
    }

    public func failureGroups(since moment: Timestamp, limit: Int) async throws -> [FailureGroup] {
        let statuses: [OutboxMessage.Status] = [.failed, .undelivered, .unknown, .dropped, .withheld]
        var groups: [FailureGroup] = []
        for status in statuses {
            groups += try await read(
                """
                SELECT gateway, failure, count(*), max(created_at) FROM (
                    SELECT gateway, failure, created_at
                    FROM outbox_message \(dialect.indexedBy("outbox_message_few"))
                    WHERE outbox_message.status = '\(raw: status.rawValue)' AND \(OutboxMessage.fewCondition)
                        AND created_at >= \(moment)
                    ORDER BY created_at DESC LIMIT \(limit: limit)
                ) AS newest GROUP BY gateway, failure
                """,
                of: OutboxMessage.table
            ) { row in
                FailureGroup(
                    status: status,
                    gateway: try row.optionalText(),
                    failure: try row.optionalText(),
                    count: try row.count(),
                    lastAt: try row.moment()
                )
            }
        }
        return groups.sorted { ($0.count, $1.lastAt) > ($1.count, $0.lastAt) }
    }
}

extension Page {
    /// - Parameters:
    ///   - found: one more than `limit`, if there are more.
    ///   - other: where the next page begins if there are no more here.
    fileprivate init<Subject>(
        _ found: [Item],
        limit: Int,
        id: (Item) -> Identifier<Subject>,
        else other: Identifier<Subject>? = nil
    ) {
        let items = Array(found.prefix(limit))
        self.init(items, next: (found.count > limit ? items.last.map(id) : other)?.description)
    }
}

// MARK: - Daily figures

extension SQLStore {
    public func dailyFigures(from first: Int64, through last: Int64) async throws -> [DailyFigure] {
        try await all(DailyFigure.self, DailyFigure.ofDays(from: first, through: last))
    }

    public func currentFigures(from first: Int64, through last: Int64, _ command: RollUp) async throws -> [DailyFigure]
    {
        // One snapshot, so that a roll-up meanwhile changes nothing.
        var (figures, progress, countries) = try await transact(isReadOnly: true) { session in
            (
                try session.all(DailyFigure.self, DailyFigure.ofDays(from: first, through: last)),
                try session.all(FigureProgress.self), try session.all(KeyedTraffic.self, KeyedTraffic.ofCountries)
            )
        }
        func position(_ name: String) -> Verification.ID? { progress.first { $0.name == name }?.position }
        let hours = RollUp.uncountedHours(since: position(FigureProgress.hours), through: command.hour)
        figures += RollUp.suppressed(countries, inHours: hours).values
        var start = position(FigureProgress.verifications)
        while true {
            let next = try await transact(isReadOnly: true) { [start] session in
                try session.verifications(after: start, limit: command.limit)
            }
            figures += command.figures(of: next.found).values
            guard let end = next.end else { return figures.filter { (first...last).contains($0.key.day) } }
            start = end
        }
    }

    public func figures(of query: VerificationQuery, _ command: RollUp) async throws -> [DailyFigure] {
        var (query, figures) = (query, [DailyFigure]())
        while true {
            let page = try await verifications(query)
            let found = try await transact(isReadOnly: true) { try $0.withMessages(page.items) }
            figures += command.figures(of: found).values
            guard let next = page.next.flatMap({ Verification.ID($0) }) else { return figures }
            query.before = next
        }
    }

    public func rollUp(_ command: RollUp) async throws -> Int {
        let counted = try await rollUpVerifications(command)
        if counted < command.limit { try await rollUpSuppressed(command) }
        return counted
    }

    private func rollUpVerifications(_ command: RollUp) async throws -> Int {
        try await transact { session in
            try session.lock(FigureProgress.table)
            let name = FigureProgress.verifications
            let loaded = try session.find(FigureProgress.self, name)
            let settled = try session.verifications(
                after: loaded?.position,
                before: .earliest(at: command.settledBefore),
                limit: command.limit
            )
            guard let end = settled.end else { return 0 }
            try session.add(command.figures(of: settled.found))
            try session.save(loaded, FigureProgress(name, end))
            return settled.count
        }
    }

    /// The traffic is read before the transaction, which others wait for.
    private func rollUpSuppressed(_ command: RollUp) async throws {
        let name = FigureProgress.hours
        let loaded = try await find(FigureProgress.self, name)
        let hours = RollUp.uncountedHours(since: loaded?.position, through: command.hour - 1)
        guard !hours.isEmpty else { return }
        let figures = RollUp.suppressed(try await all(KeyedTraffic.self, KeyedTraffic.ofCountries), inHours: hours)
        try await transact { session in
            try session.lock(FigureProgress.table)
            guard try session.find(FigureProgress.self, name) == loaded else { return }
            try session.add(figures)
            try session.save(loaded, FigureProgress(name, Verification.ID(bits: 0, UInt64(max(0, command.hour)))))
        }
    }
}

extension RollUp {
    /// Traffic is kept for a day, so older hours are gone.
    ///
    /// - Parameter position: the first hour that is not counted yet, as ``FigureProgress`` has it.
    fileprivate static func uncountedHours(since position: Verification.ID?, through last: Int64) -> Range<Int64> {
        let first = position.map { Int64($0.bits.low) } ?? last - 23
        return first..<max(first, last + 1)
    }
}

extension Verification {
    /// The condition of those that have a tag: one of the lines of their column.
    fileprivate static func has(_ tag: Labels.Tag) -> SQL {
        let (end, line) = ("\n", "\n\(tag)\n")
        return "replace(\(end) || tags || \(end), \(line), '') <> \(end) || tags || \(end)"
    }
}

extension DailyFigure {
    fileprivate static func ofDays(from first: Int64, through last: Int64) -> SQL {
        "WHERE expires_at >= \(expiry(ofDay: first)) AND expires_at <= \(expiry(ofDay: last)) ORDER BY expires_at, key"
    }
}

extension KeyedTraffic {
    /// No key of others begins with a capital letter, but for `001`.
    fileprivate static var ofCountries: SQL { "WHERE key >= 'A' AND key < '[' OR key = '001'" }
}

extension SQLSession {
    /// Verifications in the order of their IDs, each with its messages. `end` is the last one that was read, `count` has
    /// those too that cannot be read.
    fileprivate func verifications(
        after first: Verification.ID?,
        before last: Verification.ID? = nil,
        limit: Int
    ) throws -> (found: [(Verification, [OutboxMessage])], count: Int, end: Verification.ID?) {
        let end: SQL = last.map { "AND id < \($0)" } ?? ""
        let read = try readable(
            Verification.self,
            "WHERE id > \(first ?? Verification.ID(bits: 0, 0)) \(end) ORDER BY id LIMIT \(limit: limit)"
        )
        let keys = read.values.map(\.id.value) + read.unreadable
        return (
            try withMessages(read.values), keys.count,
            keys.max { $0.precedes($1) }.flatMap { Verification.ID($0) }
        )
    }

    fileprivate func withMessages(_ verifications: [Verification]) throws -> [(Verification, [OutboxMessage])] {
        let ids = verifications.map(\.id.value)
        let messages = Dictionary(
            grouping: try all(OutboxMessage.self, where: "verification_id", isAnyOf: ids),
            by: \.verificationID
        )
        return verifications.map { ($0, messages[$0.id] ?? []) }
    }

    fileprivate func add(_ figures: [DailyFigure.Key: DailyFigure]) throws {
        // In one order everywhere, so that no two transactions wait for each other.
        for figure in figures.values.sorted(by: { $0.key.description < $1.key.description }) {
            let loaded = try find(DailyFigure.self, figure.key)
            var sum = loaded ?? DailyFigure(figure.key)
            sum.add(figure)
            try save(loaded, sum)
        }
    }
}
