public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// What operators ask and do, whether by the command line, the API or the console. Every act is on the audit log, with
/// its author and the author's reason, in the transaction of what it changes.
///
/// Every method throws ``AdministrationFailure``, ``PhoneFailure``, and what the ports and the digester throw.
public struct Administration: Sendable {
    public typealias Store = AdministrationStore & AccountStore & VerificationStore & OutboxStore & GuardStore
        & APIKeyStore & OpenIDStore & SigningKeyStore

    /// The rules that are in force.
    public struct Policies: Sendable {
        public var verification: VerificationPolicy
        public var limits: LimitPolicy
        public var trafficGuard: GuardPolicy
        public var accounts: AccountPolicy
        /// That of numbers without a country code.
        public var region: Region
        /// That of messages to test a gateway.
        public var language: LanguageTag
        /// The gateways, their prices, and so the currency of all amounts.
        public var routes: Routes

        public init(
            verification: VerificationPolicy = .standard,
            limits: LimitPolicy = .standard,
            trafficGuard: GuardPolicy = .standard,
            accounts: AccountPolicy = .standard,
            region: Region = .korea,
            language: LanguageTag = .english,
            routes: Routes = .standard
        ) {
            (self.verification, self.limits, self.trafficGuard) = (verification, limits, trafficGuard)
            (self.accounts, self.region, self.language, self.routes) = (accounts, region, language, routes)
        }

        public var currency: String { routes.prices.currency }
    }

    public let policies: Policies
    let store: any Store
    public let keys: APIKeys
    public let clients: OAuthClients
    public let clock: any WallClock
    /// Asked for only by acts and questions about numbers, since a command may have no keys.
    let makeDigester: @Sendable () throws -> any NumberDigester
    /// Nil in a process that sends no messages.
    let desk: (any GatewayDesk)?
    /// What is set and what is unsafe about it, as operators read it: no secrets.
    public let configuration: @Sendable () -> [Finding]
    let keyFile: @Sendable () -> KeyFileFacts?
    /// What is wrong with this machine, and with what this process sends to, other than gateways.
    let machine: @Sendable () -> [Finding]
    /// That of this process; nil in a command.
    let instance: Instance.ID?
    /// Where the store cannot remove what is erased, and what to do about it; nil if nowhere.
    private let remainsAfterErasure: String?
    private let wake: @Sendable () -> Void
    /// Reads the settings again; nil in a process that is no service.
    public var reload: (@Sendable (Operator) async throws -> SettingsReload)?
    /// Nil where nobody signs in by a key.
    public var signInKeyDesk: (any SignInKeyDesk)?

    /// - Parameter messageQueued: called after a message was queued again.
    public init(
        policies: Policies,
        store: any Store,
        keys: APIKeys,
        clients: OAuthClients,
        clock: any WallClock,
        digester: @escaping @Sendable () throws -> any NumberDigester,
        gateways desk: (any GatewayDesk)? = nil,
        configuration: @escaping @Sendable () -> [Finding] = { [] },
        keyFile: @escaping @Sendable () -> KeyFileFacts? = { nil },
        machine: @escaping @Sendable () -> [Finding] = { [] },
        instance: Instance.ID? = nil,
        remainsAfterErasure: String? = nil,
        messageQueued wake: @escaping @Sendable () -> Void = {}
    ) {
        (self.policies, self.store, self.keys, self.clients) = (policies, store, keys, clients)
        (self.clock, makeDigester, self.wake) = (clock, digester, wake)
        (self.desk, self.configuration, self.keyFile) = (desk, configuration, keyFile)
        (self.machine, self.instance) = (machine, instance)
        self.remainsAfterErasure = remainsAfterErasure
    }

    public var now: Timestamp { clock.now() }

    /// A number as an operator writes it.
    public func number(_ text: String, region: Region? = nil, field: String = "phone_number") throws -> PhoneNumber {
        guard let number = try? PhoneNumber(parsing: text, region: region ?? policies.region) else {
            throw AdministrationFailure.invalid(field: field, "is no phone number; write it with + and country code")
        }
        return number
    }

    // MARK: - Accounts

    public func account(_ id: Account.ID) async throws -> Account {
        guard let account = try await store.account(id) else {
            throw AdministrationFailure.notFound("account \(id) not found")
        }
        return account
    }

    /// The account as it is after the act.
    public func act(_ act: ActOnAccount.Act, on id: Account.ID, by author: Operator) async throws -> Account {
        try await store.act(
            ActOnAccount(
                act,
                on: id,
                by: author,
                digester: makeDigester(),
                accountPolicy: policies.accounts,
                now: now
            )
        )
    }

    /// Undoes a change of an account's number, or the last one that can be undone, as the link in the notice to the old
    /// number does (``UndoNumberChange``).
    public func undo(_ change: NumberChange.ID?, of id: Account.ID, by author: Operator) async throws -> Account {
        _ = try await account(id)
        let now = now
        let changes = try await store.numberChanges(of: id).filter { $0.isUndoable(at: now) }
        guard let change = changes.first(where: { $0.id == change ?? $0.id }) else {
            throw AdministrationFailure.conflict("account \(id) has no change of number that can still be undone")
        }
        return try await store.undo(
            UndoNumberChange(
                digest: change.undoDigest,
                accountPolicy: policies.accounts,
                digester: makeDigester(),
                address: author.address,
                author: author,
                now: now
            )
        )
    }

    public func sessions(of id: Account.ID) async throws -> [Session] {
        try await store.sessions(of: id, at: now, limit: SessionPolicy.most)
    }

    /// Ends one session of an account.
    public func end(_ session: Session.ID, of id: Account.ID, by author: Operator) async throws {
        let auditor = Auditor(
            digester: try makeDigester(),
            owner: author.owner,
            address: author.address,
            reason: author.reason
        )
        let command = EndSessions(accountID: id, selection: .one(session), auditor: auditor, now: now)
        guard try await store.end(command) else {
            throw AdministrationFailure.notFound("account \(id) has no such session")
        }
    }

    /// Nil where nobody signs in by a key.
    public func signInKeys(of account: Account) async throws -> [SignInKey]? {
        try await signInKeyDesk?.keys(of: account)
    }

    /// - Returns: the name of the key.
    public func removeSignInKey(_ key: String, of id: Account.ID, by author: Operator) async throws -> String {
        guard let name = try await signInKeyDesk?.removeKey(key, of: id, by: author) else {
            throw AdministrationFailure.notFound("account \(id) has no such key")
        }
        return name
    }

    /// All data of an account's owner. That it was exported is on the audit log before it is returned.
    public func export(_ id: Account.ID, by author: Operator) async throws -> PersonalData {
        let digester = try makeDigester()
        let account = try await account(id)
        let data = try await store.personalData(of: id) { try digester.digests(of: $0.e164) }
        guard let data else { throw AdministrationFailure.notFound("account \(id) has been deleted") }
        try await record(.exportAccount, account.phoneNumber, id, by: author)
        return data
    }

    /// Puts on the audit log that what is stored of a person was shown, before it is.
    public func recordView(of number: PhoneNumber?, _ account: Account?, by author: Operator) async throws {
        try await record(.viewPerson, number, account?.id, by: author)
    }

    private func record(
        _ action: AuditEntry.Action,
        _ number: PhoneNumber?,
        _ id: Account.ID?,
        by author: Operator
    ) async throws {
        let subject = id?.description
        let entry =
            try number.map { try author.entry(action, $0, subject, digester: makeDigester(), at: now) }
            ?? author.entry(action, subject, at: now)
        try await store.record(entry, within: .none)
    }

    public func erase(_ number: PhoneNumber, by author: Operator) async throws -> Erasure {
        let command = try EraseNumber(
            number,
            digester: makeDigester(),
            owner: author.owner,
            address: author.address,
            reason: author.reason,
            now: now
        )
        ActProgress.report?("Deleting the records")
        var erasure = try await store.erase(command)
        ActProgress.report?("Removing what is left in the files of the database")
        erasure.remains = remainsAfterErasure
        do {
            try await store.removeTraces()
        } catch {
            erasure.hindrance = "\(error)"
        }
        return erasure
    }

    // MARK: - Messages and events

    public func retry(_ id: OutboxMessage.ID, by author: Operator) async throws -> OutboxMessage {
        switch try await store.retry(RetryMessage(id: id, limits: policies.limits, now: now, by: author)) {
        case .success(let message):
            wake()
            return message
        case .failure(.notFound): throw AdministrationFailure.notFound("\(id) not found")
        case .failure(let refusal): throw AdministrationFailure.conflict("\(id) \(Self.explanation(of: refusal))")
        }
    }

    private static func explanation(of refusal: RetryMessage.Refusal) -> String {
        switch refusal {
        case .notFound: "not found"
        case .notFailed: "has not failed: it is queued, or a gateway accepted it; the person can request the code again"
        case .expired: "has an expired code; the person must request a new one"
        case .changeClosed: "is about a number change that can no longer be undone"
        case .verificationClosed: "belongs to a verification that has ended"
        }
    }

    public func redeliver(_ id: EventID, by author: Operator) async throws -> Event {
        let moment = now
        let entry = author.entry(.retryEvent, id.description, at: moment)
        switch try await store.retry(RetryEvent(id: id, now: moment), audit: entry) {
        case .success(let event): return event
        case .failure(.notFound):
            throw AdministrationFailure.notFound("\(id) not found: it was delivered, or never existed")
        case .failure(.notFailed): throw AdministrationFailure.conflict("\(id) has not failed: it is still queued")
        }
    }

    // MARK: - Limits and the guard

    /// The limits nearest to exhaustion, and the first of the locked numbers.
    ///
    /// - Parameters:
    ///   - place: the limit after which the list goes on.
    ///   - limit: how many limits it has at most.
    ///   - numbers: how many locked numbers it has at most.
    @concurrent public func limits(
        after place: LimitKey? = nil,
        limit: Int = .max,
        numbers: Int = .max
    ) async throws -> LimitsListing {
        let now = now
        var listing = LimitsListing(limits: policies.limits, now: now)
        if let place {
            let found = try await store.metersInUse(of: place.description, at: now, after: nil, limit: 1).first
            guard let found, found.key == place else { throw AdministrationFailure.noCursor }
            listing.begin(after: found)
        }
        // Policy by policy: meters of one limit are used the more, the later they are full.
        let most = limit == .max ? limit : limit + 1
        for key in try await store.limitPolicies() {
            let place = listing.place(amongThoseOf: key)
            listing.add(try await store.metersInUse(of: key.policyName, at: now, after: place, limit: most))
        }
        listing.finish(limit: limit)
        listing.sent = try await store.traffic(of: .service).lastDay(at: now).sent
        listing.lockedNumbers = try await lockedNumbers(limit: numbers, at: now)
        return listing
    }

    /// Most that have had many messages or wrong codes may be open again, and the locked ones behind them.
    private func lockedNumbers(limit: Int, at now: Timestamp) async throws -> [LimitsListing.LockedNumber] {
        let policy = policies.verification
        var (locked, last) = ([LimitsListing.LockedNumber](), "")
        while locked.count < limit {
            let active = try await store.activeNumbers(
                sends: policy.maxSendsPerNumberPerDay,
                failures: policy.maxConsecutiveFailures,
                after: last,
                limit: 1000
            )
            guard let end = active.last?.e164 else { break }
            locked += active.compactMap { number in
                number.activity.closure(at: now, policy: policy).map { (e164: number.e164, closure: $0) }
            }
            last = end
        }
        return Array(locked.prefix(limit))
    }

    /// Resets a limit as lists name it, or unlocks a number.
    ///
    /// - Returns: what was reset, in words.
    public func clearLimit(_ subject: String, region: Region? = nil, by author: Operator) async throws -> String {
        let key = LimitKey(rawValue: subject)
        let entry = try author.entry(.clearLimit, limit: key, digester: makeDigester, at: now)
        if try await store.clear(key, audit: entry) { return "limit \(subject)" }
        guard let number = try? PhoneNumber(parsing: subject, region: region ?? policies.region) else {
            throw AdministrationFailure.notFound("no such limit is in use")
        }
        let opened = try author.entry(.clearNumber, number, digester: makeDigester(), at: now)
        var isCleared = try await store.clearActivity(of: number, audit: opened)
        for rule in policies.limits.inboundRequests(for: number) where try await store.clear(rule.key, audit: opened) {
            isCleared = true
        }
        guard isCleared else { throw AdministrationFailure.notFound("nothing to clear for \(number.masked)") }
        return "the limits of \(number.masked)"
    }

    /// - Parameters:
    ///   - all: whether all traffic is looked at, a page at a time, so that it takes as much memory however much there
    ///     is; else what is blocked and has the most messages. A challenged prefix may have less traffic than others.
    ///   - place: where the list goes on.
    @concurrent public func guardListing(
        all: Bool,
        after place: GuardListing.Place? = nil,
        limit: Int
    ) async throws -> GuardListing {
        let most = all ? [] : try await store.traffic(at: now, limit: 1000)
        var listing = try await guardListing(
            of: most,
            rules: store.guardRules(),
            all: all,
            after: place,
            limit: limit
        )
        guard all else { return listing }
        var last: TrafficKey?
        repeat {
            let page = try await store.traffic(before: last, at: listing.now, limit: 1000)
            listing.add(page)
            last = page.last?.key
        } while last != nil
        return listing
    }

    /// What the guard does with these.
    ///
    /// - Parameter hasAllRules: whether rules are listed that no traffic has to do with.
    @concurrent public func guardListing(of traffic: [KeyedTraffic], hasAllRules: Bool) async throws -> GuardListing {
        let prefixes = traffic.flatMap { keyed -> [String] in
            if case .prefix(let prefix) = keyed.key { GuardRule.prefixes(of: prefix) } else { [] }
        }
        let rules = try await hasAllRules ? store.guardRules() : store.guardRules(of: Set(prefixes))
        return try await guardListing(of: traffic, rules: rules)
    }

    private func guardListing(
        of traffic: [KeyedTraffic],
        rules: [GuardRule],
        all: Bool = true,
        after place: GuardListing.Place? = nil,
        limit: Int = .max
    ) async throws -> GuardListing {
        GuardListing(
            traffic,
            rules: rules,
            policy: try await guardPolicy(),
            now: now,
            all: all,
            after: place,
            limit: limit
        )
    }

    public func setRule(
        _ action: GuardRule.Action,
        prefix: String,
        for time: Duration?,
        by author: Operator
    ) async throws -> GuardRule {
        let now = now
        let until = time.map { now + $0 }
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: now) else {
            throw AdministrationFailure.noPrefix
        }
        let audited: AuditEntry.Action = action == .allow ? .allowPrefix : .blockPrefix
        try await store.set(rule, audit: author.entry(audited, prefix: prefix, digester: makeDigester, at: now))
        return rule
    }

    /// The guard as it is set, with the mode that an operator has set over that.
    public func guardPolicy() async throws -> GuardPolicy {
        policies.trafficGuard.with(Overrides(try await store.overrides()).guardMode)
    }

    /// Sets the mode of the guard over the settings, on every instance within seconds.
    ///
    /// - Parameter mode: nil for that of the settings.
    public func setGuardMode(_ mode: GuardPolicy.Mode?, by author: Operator) async throws {
        let entry = author.entry(.setGuardMode, mode?.rawValue ?? "as set", at: now)
        let isChanged =
            if let mode {
                try await store.insert(Override(Override.guardMode, mode.rawValue, since: now), audit: entry)
            } else {
                try await store.removeOverride(Override.guardMode, audit: entry)
            }
        guard isChanged else {
            let name = mode?.rawValue ?? "that of the settings"
            throw AdministrationFailure.conflict("the guard's mode is \(name) already")
        }
    }

    /// What each level would have done with what was asked for in the hours that are kept: a day up to the last message
    /// to each prefix or country, or from each network. The first of each kind is the guard as it is set.
    public func guardOutlooks() async throws -> [GuardPolicy.Outlook] {
        let counts = try await store.trafficCounts(since: now - .seconds(86_400))
        let levels: [GuardPolicy.Level?] = [nil, .basic, .standard, .max]
        return TrafficKey.Kind.allCases.flatMap { kind -> [GuardPolicy.Outlook] in
            guard let counts = counts[kind] else { return [] }
            return levels.map { level in
                (level.map(GuardPolicy.init(level:)) ?? policies.trafficGuard).outlook(counts, of: kind, level)
            }
        }
    }

    /// Removes the rule of a prefix, and ends the blocks on prefixes that begin like it; of an address or a network,
    /// ends its blocks and challenges.
    ///
    /// - Returns: the rule, and whose blocks ended, in order.
    public func unblock(_ subject: String, by author: Operator) async throws -> (GuardRule?, [TrafficKey]) {
        let now = now
        let networks =
            IPAddress(subject).map { ClientAddress($0).networks }
            ?? [ClientAddress.Network(subject)].compactMap(\.self)
        guard !networks.isEmpty || GuardRule(prefix: subject, action: .allow, until: nil, createdAt: now) != nil
        else { throw AdministrationFailure.noPrefix }
        let entry = { try author.entry($0, prefix: subject, digester: makeDigester, at: now) }
        let rule = networks.isEmpty ? try await store.removeGuardRule(prefix: subject, audit: entry(.removeRule)) : nil
        var ended: [TrafficKey] = []
        for key in networks.isEmpty ? [.prefix(subject)] : networks.map(TrafficKey.network) {
            ended += try await store.unblock(key, audit: entry(.unblockPrefix))
        }
        guard rule != nil || !ended.isEmpty else {
            throw AdministrationFailure.notFound(
                networks.isEmpty
                    ? "no rule for \(subject), and no blocked prefix begins with it" : "nothing is known of \(subject)"
            )
        }
        return (rule, ended)
    }

    /// - Parameter text: a number, or `+` and all of it but its last four digits.
    public func explain(
        _ text: String,
        region: Region? = nil,
        from address: ClientAddress?
    ) async throws -> GuardExplanation {
        var number = try? PhoneNumber(parsing: text, region: region ?? policies.region)
        if number == nil, text.hasPrefix("+") { number = try? PhoneNumber(e164: text + "0000") }
        guard let number else {
            throw AdministrationFailure.invalid(
                field: "phone_number",
                "is no phone number, nor one without its last four digits"
            )
        }
        var traffic = NumberTraffic(
            prefix: try await store.traffic(of: .prefix(number.prefix)),
            country: try await store.traffic(of: .country(number.region))
        )
        for key in (address?.networks ?? []).map(TrafficKey.network) {
            traffic.networks.append(KeyedTraffic(key: key, traffic: try await store.traffic(of: key)))
        }
        return GuardExplanation(
            number: number,
            traffic: traffic,
            rules: try await store.guardRules(of: Set(GuardRule.prefixes(of: number.e164))),
            policy: try await guardPolicy(),
            now: now
        )
    }

    /// The last verdicts on the prefix of a number, the newest first.
    public func verdicts(on number: PhoneNumber, limit: Int) async throws -> [AuditEntry] {
        try await store.verdicts(prefix: makeDigester().digests(of: number.prefix), limit: limit)
    }

    // MARK: - Keys, clients, the audit log

    public func revokeKey(_ id: APIKey.ID, by author: Operator) async throws -> APIKey {
        let moment = now
        let entry = author.entry(.revokeKey, id.description, at: moment)
        guard let key = try await store.revoke(id, at: moment, audit: entry) else {
            throw AdministrationFailure.notFound("key \(id) not found")
        }
        return key
    }

    public func entries(_ query: AuditQuery, about number: PhoneNumber? = nil) async throws -> AuditPage {
        var query = query
        if let number { query.numberDigests = try makeDigester().digests(of: number.e164) }
        return try await store.entries(query)
    }

    // MARK: - Figures

    /// What these days cost, today and the last minute included.
    public func costs(days: Int, by grouping: CostReport.Grouping) async throws -> [CostReport.Row] {
        let today = now.milliseconds / 86_400_000
        let command = RollUp(now: now, limit: 5000)
        return CostReport.rows(
            try await store.currentFigures(from: today - Int64(days) + 1, through: today, command),
            by: grouping
        )
    }

    /// The daily figures of these days, today included, summed by one part of their keys, the largest first, and days
    /// in their order.
    ///
    /// - Parameters:
    ///   - isCurrent: whether they have what no roll-up has counted yet, as it is at this moment.
    ///   - reference: of the verifications that are counted, and `tag` one of their tags: as they are at this moment, and
    ///     as far as they are stored. Nil for all.
    ///   - caller: who asked, as ``DailyFigure/Key/caller`` has it; nil for all.
    public func figures(
        days: Int,
        by grouping: FigureGrouping,
        caller: String? = nil,
        isCurrent: Bool = false,
        reference: Labels.Reference? = nil,
        tag: Labels.Tag? = nil
    ) async throws -> [(name: String, figure: DailyFigure)] {
        let today = now.milliseconds / 86_400_000
        let first = today - Int64(days) + 1
        var labelled = VerificationQuery(limit: 1000)
        (labelled.reference, labelled.tag) = (reference, tag)
        labelled.since = Timestamp(milliseconds: first * 86_400_000)
        let all =
            reference != nil || tag != nil
            ? try await store.figures(of: labelled, RollUp(now: now, limit: 5000))
            : isCurrent
                ? try await store.currentFigures(from: first, through: today, RollUp(now: now, limit: 5000))
                : try await store.dailyFigures(from: first, through: today)
        var sums: [String: DailyFigure] = [:]
        for figure in all where caller == nil || figure.key.caller == caller {
            let name = grouping.name(of: figure.key)
            sums[name, default: DailyFigure(figure.key)].add(figure)
        }
        let sorted = sums.sorted { one, other in
            if grouping == .day { return one.key < other.key }
            return (one.value.requested, other.key) > (other.value.requested, one.key)
        }
        return sorted.map { (name: $0.key, figure: $0.value) }
    }
}

extension AdministrationFailure {
    static let noPrefix = invalid(field: "prefix", "must be + and 1 to 15 digits, such as +8210123")
}

/// By what the daily figures are summed. Raw values are on the wire.
public enum FigureGrouping: String, Sendable, CaseIterable {
    case day, region, channel, gateway, caller

    func name(of key: DailyFigure.Key) -> String {
        switch self {
        case .day: String(Timestamp(milliseconds: key.day * 86_400_000).description.prefix(10))
        case .region: key.region.description
        case .channel: key.channel?.rawValue ?? "-"
        case .gateway: key.gateway ?? "-"
        case .caller: key.caller ?? "-"
        }
    }
}
