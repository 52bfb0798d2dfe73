import PhoneDomain
import Synchronization

/// Counts how often the keys are read.
final class CountingKeyStore: SigningKeyStore {
    private let store: any SigningKeyStore
    private let count = Mutex(0)

    init(_ store: any SigningKeyStore) {
        self.store = store
    }

    var reads: Int { count.withLock { $0 } }

    func signingKeys() async throws -> SigningKeys {
        count.withLock { $0 += 1 }
        return try await store.signingKeys()
    }

    func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys { try await store.ensure(command) }
    func rotate(_ command: RotateSigningKey) async throws -> SigningKeys { try await store.rotate(command) }
    func purgeSigningKeys(at now: Timestamp, limit: Int) async throws -> Int {
        try await store.purgeSigningKeys(at: now, limit: limit)
    }
}
