public import PhoneAccounts
public import PhoneAdministration
import PhoneNumbers
public import PhoneSignup
import PhoneTestSupport

@testable public import PhoneDomain

extension AdministrationStore where Self: VerificationStore & LimitStore {
    /// Asks for messages by everything that a query may ask, and for a live verification: once, and to no end.
    public func useMessages(at now: Timestamp) async throws {
        guard let region = Region("US") else { return }
        let owner = Owner.client(of: "shop", group: "1", id: "a")
        let number = try PhoneNumber(e164: "+821012345678")
        _ = try await liveVerification(of: number, owner: owner, at: now)
        _ = try await take(TakeLimits(rules: [], now: now))
        for narrow in [
            { _ in }, { $0.owner = owner }, { $0.verification = Verification.ID(bits: 0, 1) },
            { $0.message = OutboxMessage.ID(bits: 0, 1) }, { $0.e164 = number.e164 }, { $0.prefix = "+82" },
            { $0.region = region }, { $0.isApproved = true }, { ($0.since, $0.until) = (now, now) },
            { $0.after = MessageQuery.Cursor(at: now, id: OutboxMessage.ID(bits: 0, 1)) },
        ] as [(inout MessageQuery) -> Void] {
            var query = MessageQuery(group: "shop:1")
            narrow(&query)
            _ = try await messages(query, limit: 10)
            _ = try await count(query)
        }
    }
}

extension AdministrationStore where Self: OutboxStore & EventStore & StoreMaintenance {
    /// Asks for all that there is to ask for of what is queued, settles events, and deletes what has ended.
    public func useQueues(at now: Timestamp, until end: Timestamp) async throws {
        for claim in try await claimEvents(limit: 10, at: now, until: end) {
            _ = try await settle(SettleEvent(id: claim.event.id, attempt: 1, result: .failed("gone")))
            _ = try await retry(RetryEvent(id: claim.event.id, now: now))
        }
        for claim in try await claimEvents(for: .gateways, limit: 10, at: now, until: end) {
            _ = try await settle(SettleEvent(id: claim.event.id, attempt: 1, result: .retry(at: end, failure: "down")))
        }
        _ = try await nextEvent()
        _ = try await nextEvent(for: .gateways)
        _ = try await events(status: nil, limit: 10)
        _ = try await nextAttempt()
        _ = try await backlog()
        _ = try await messages(MessageSearch(limit: 10))
        _ = try await retry(RetryMessage(id: OutboxMessage.ID(bits: 0, 2), now: now))
        _ = try await record(RecordReceipt(gateway: "a", gatewayMessageID: "1", outcome: .delivered, now: now))
        _ = try await awaitingReceipts(AwaitedReceipts(gateway: "a", after: now, through: end, limit: 10))
        _ = try await hasten(at: now, limit: 10)
        _ = try await close(at: now, limit: 10)
        _ = try await purge(before: now, limit: 10)
        _ = try await purgeEvents(before: now, limit: 10)
        _ = try await purgeExpired(at: now, limit: 10)
        _ = try await purgeTraffic(at: now, limit: 10)
    }
}

extension APIKeyStore where Self: IdempotencyStore {
    /// Asks for all that there is to ask for of keys and of requests, for tests of how a store goes about it.
    public func useKeysAndRequests(at now: Timestamp) async throws {
        let id = APIKey.ID(bits: 7, 7)
        guard let name = CallerName("shop"), let key = IdempotencyKey("a") else { preconditionFailure("no names") }
        try await insert(APIKey(id: id, name: name, digest: [1], scopes: [.admin], createdAt: now))
        _ = try await apiKey(id)
        try await recordUse(of: id, at: now)
        _ = try await revoke(id, at: now)
        let request = IdempotentRequest.Name(owner: .caller(name), key: key)
        guard
            let begin = BeginRequest(name: request, fingerprints: [NumberDigest(rawValue: "a:b")], now: now)
        else { preconditionFailure("no fingerprint") }
        _ = try await self.begin(begin)
        try await end(EndRequest(name: request, attempt: 1, answer: nil))
    }
}
