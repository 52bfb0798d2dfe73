public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
import PhoneSignup

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
