public import PhoneAccounts
public import PhoneDomain
public import PhoneSignup
import PhoneTestSupport

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
