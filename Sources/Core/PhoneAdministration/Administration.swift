public import CoreEncodings
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
        let entry = try author.entry(action, number, id?.description, digester: makeDigester(), at: now)
        try await store.record(entry, within: .none)
    }

    public func erase(_ number: PhoneNumber, by author: Operator) async throws -> Erasure {
        let command = try EraseNumber(number, by: author, digester: makeDigester(), now: now)
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

    private var rollUp: RollUp { RollUp(now: now, limit: 5000, maxChecks: policies.verification.maxChecks) }

    /// What these days cost, today and the last minute included.
    public func costs(days: Int, by grouping: CostReport.Grouping) async throws -> [CostReport.Row] {
        let today = now.milliseconds / 86_400_000
        return CostReport.rows(
            try await store.currentFigures(from: today - Int64(days) + 1, through: today, rollUp),
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
            ? try await store.figures(of: labelled, rollUp)
            : isCurrent
                ? try await store.currentFigures(from: first, through: today, rollUp)
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

    // MARK: - The settings

    /// Reads the settings of this instance again; each instance does so for itself. Throws
    /// ``AdministrationFailure/conflict(_:)`` if they are invalid: those of before stay in force then.
    public func reloadSettings(by author: Operator) async throws -> SettingsReload {
        guard let reload else {
            throw AdministrationFailure.conflict("this process serves nothing; ask the service")
        }
        return try await reload(author)
    }
}

/// What there is, as it is stored: what operators list and look up.
extension Administration {
    /// Newest first.
    public func accounts(before id: Account.ID?, limit: Int) async throws -> Page<Account> {
        try await store.accounts(before: id, limit: limit)
    }

    /// The account that has a number, if one does.
    public func accounts(of number: PhoneNumber) async throws -> [Account] {
        [try await store.account(of: number)].compactMap(\.self)
    }

    public func accounts(of id: ExternalID) async throws -> [Account] {
        [try await store.account(of: id)].compactMap(\.self)
    }

    /// Newest first.
    public func numberChanges(of id: Account.ID) async throws -> [NumberChange] {
        try await store.numberChanges(of: id)
    }

    public func verifications(_ query: VerificationQuery) async throws -> Page<Verification> {
        try await store.verifications(query)
    }

    public func verification(_ id: Verification.ID) async throws -> Verification {
        guard let verification = try await store.verification(id) else { throw PhoneFailure.verificationNotFound }
        return verification
    }

    public func messages(_ search: MessageSearch) async throws -> Page<OutboxClaim> {
        try await store.messages(search)
    }

    /// The largest first.
    public func failureGroups(of time: Duration, limit: Int) async throws -> [FailureGroup] {
        try await store.failureGroups(since: now - time, limit: limit)
    }

    public func backlog() async throws -> OutboxBacklog { try await store.backlog() }

    /// The webhook events of this status, or all, newest first.
    public func events(status: Event.Status?, limit: Int) async throws -> [Event] {
        try await store.events(status: status, limit: limit)
    }

    public func guardRules() async throws -> [GuardRule] { try await store.guardRules() }

    public func traffic(of key: TrafficKey) async throws -> Traffic { try await store.traffic(of: key) }

    /// What is blocked, and then what has the most messages.
    public func traffic(limit: Int) async throws -> [KeyedTraffic] { try await store.traffic(at: now, limit: limit) }

    public func apiKeys() async throws -> [APIKey] { try await store.apiKeys() }

    public func oauthClients() async throws -> [OAuthClient] { try await store.clients() }

    public func oauthClient(_ id: OAuthClient.ID) async throws -> OAuthClient {
        guard let client = try await store.client(id) else {
            throw AdministrationFailure.notFound("client \(id) not found")
        }
        return client
    }
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

/// What became of settings that were read again while a service runs.
public struct SettingsReload: Hashable, Sendable {
    /// The keys of settings that changed and are in force from now on, in order.
    public let changed: [String]
    /// The keys of settings that changed and stay as they are until a restart, in order.
    public let needingRestart: [String]

    public init(changed: [String], needingRestart: [String]) {
        (self.changed, self.needingRestart) = (changed, needingRestart)
    }

    public var json: JSON {
        [
            "changed": .array(changed.map(JSON.string)),
            "needs_restart": .array(needingRestart.map(JSON.string)),
        ]
    }
}
