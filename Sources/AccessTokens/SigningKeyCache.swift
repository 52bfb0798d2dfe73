import PhoneDomain
import Synchronization

/// The signing keys of the store, as they were a moment ago.
final class SigningKeyCache: Sendable {
    private struct State {
        var opened: [SigningKey.ID: OpenedKey]
        var keys: SigningKeys
        /// When the store was last asked because of a name that was not known, and what kept it from answering.
        var asked: (at: Timestamp, failure: (any Error)?)?
    }

    /// How long a name that is not known is not looked for again: made-up tokens are to cost the store nothing.
    static let unknownKeyInterval: Duration = .seconds(5)

    private let store: any SigningKeyStore
    private let sealer: any SecretSealer
    private let maker: SigningKeyMaker
    private let state: Mutex<State?>

    init(store: any SigningKeyStore, sealer: any SecretSealer, maker: SigningKeyMaker) {
        self.store = store
        self.sealer = sealer
        self.maker = maker
        state = Mutex(nil)
    }

    /// The keys as they were when they were last read; read now if they never were.
    ///
    /// - Throws: what the store throws.
    func keys(at now: Timestamp) async throws -> SigningKeys {
        if let keys = state.withLock({ $0?.keys }) { return keys }
        return try await refresh(at: now)
    }

    /// Reads the keys, and makes the first one if there is none.
    ///
    /// - Throws: what the store throws; the keys are then those of before.
    @discardableResult
    func refresh(at now: Timestamp) async throws -> SigningKeys {
        var keys = try await store.signingKeys()
        if keys.published(at: now).isEmpty {
            keys = try await store.ensure(EnsureSigningKey(material: maker.make(), now: now))
        }
        let before = state.withLock { $0?.opened } ?? [:]
        var opened: [SigningKey.ID: OpenedKey] = [:]
        for key in keys.published(at: now) {
            if let known = before[key.id]?.updated(to: key) {
                opened[key.id] = known
            } else {
                opened[key.id] = try await OpenedKey(key, sealer: sealer)
            }
        }
        state.withLock { [keys, opened] in
            $0 = State(opened: opened, keys: keys, asked: $0?.asked)
        }
        return keys
    }

    /// The key that signs at this moment.
    ///
    /// - Throws: what the store throws, ``AccessTokensError/noKey`` if there is none.
    func signing(at now: Timestamp) async throws -> OpenedKey {
        for _ in 0..<2 {
            if let id = try await keys(at: now).signing(at: now)?.id, let key = opened(id) { return key }
            try await refresh(at: now)
        }
        throw AccessTokensError.noKey
    }

    /// The key of this name, if a token of this moment can be its; nil if there is none. One that is not known is looked
    /// for in the store, but not more often than every ``unknownKeyInterval``.
    ///
    /// - Throws: what the store throws.
    func key(_ id: SigningKey.ID, at now: Timestamp, tolerance: Duration) async throws -> OpenedKey? {
        _ = try await keys(at: now)
        if opened(id) == nil { try await ask(at: now) }
        guard let key = opened(id), !key.key.isGone(at: now), key.key.activeAt <= now + tolerance else { return nil }
        return key
    }

    /// What is published at this moment.
    ///
    /// - Throws: what the store throws, if the keys were never read.
    func published(at now: Timestamp) async throws -> [PublishedKey] {
        try await keys(at: now).published(at: now).compactMap { opened($0.id)?.published }
    }

    /// Reads the keys for the sake of a name that is not known, unless that was done a moment ago.
    ///
    /// - Throws: what the store throws, or threw a moment ago.
    private func ask(at now: Timestamp) async throws {
        let isTime = try state.withLock { state in
            // A clock that was set back does not stop it for longer.
            if let last = state?.asked, last.at <= now, now < last.at + Self.unknownKeyInterval {
                if let failure = last.failure { throw failure }
                return false
            }
            state?.asked = (now, nil)
            return true
        }
        guard isTime else { return }
        do {
            try await refresh(at: now)
        } catch {
            state.withLock { $0?.asked?.failure = error }
            throw error
        }
    }

    private func opened(_ id: SigningKey.ID) -> OpenedKey? {
        state.withLock { $0?.opened[id] }
    }
}
