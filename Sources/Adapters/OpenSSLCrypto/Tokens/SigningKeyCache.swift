import CoreEncodings
public import PhoneAccounts
import PhoneDomain
public import PhoneSignup
import Synchronization

/// The signing keys of the store, as they were a moment ago.
final class SigningKeyCache: Sendable {
    private struct State {
        var loaded: [SigningKey.ID: LoadedSigningKey]
        var keys: SigningKeys
        /// When the store was last read because of an unknown ID, and the error if that failed.
        var lookup: (at: Timestamp, failure: (any Error)?)?
    }

    /// How long the store is not read again for an unknown ID: forged tokens must not cause load.
    static let unknownKeyInterval: Duration = .seconds(5)

    private let store: any SigningKeyStore
    private let sealer: any SecretSealer
    private let random: any RandomBytes
    private let state = Mutex<State?>(nil)

    init(store: any SigningKeyStore, sealer: any SecretSealer, random: any RandomBytes) {
        (self.store, self.sealer, self.random) = (store, sealer, random)
    }

    /// Reads the keys, and makes the first one of this algorithm if there is none.
    ///
    /// - Throws: `AccessTokensError` or what the ports throw; the keys are unchanged then.
    @discardableResult
    func refresh(at now: Timestamp, ensuring algorithm: SigningAlgorithm = .es256) async throws -> SigningKeys {
        var keys = try await store.signingKeys()
        if keys.signing(at: now, by: algorithm) == nil {
            let maker = SigningKeyMaker(sealer: sealer, random: random)
            let key = try await algorithm.offEventLoop { try maker.make(algorithm, at: now) }
            keys = try await store.ensure(EnsureSigningKey(key))
        }
        let before = state.withLock { $0?.loaded } ?? [:]
        var loaded: [SigningKey.ID: LoadedSigningKey] = [:]
        for key in keys.published(at: now) {
            loaded[key.id] = try before[key.id]?.updated(to: key) ?? LoadedSigningKey(key, sealer: sealer)
        }
        state.withLock { [keys, loaded] in
            $0 = State(loaded: loaded, keys: keys, lookup: $0?.lookup)
        }
        return keys
    }

    func signing(at now: Timestamp, by algorithm: SigningAlgorithm) async throws -> LoadedSigningKey {
        for _ in 0..<2 {
            if let id = try await keys(at: now).signing(at: now, by: algorithm)?.id, let key = loaded(id) { return key }
            try await refresh(at: now, ensuring: algorithm)
        }
        throw AccessTokensError.noKey
    }

    /// The key of this ID, if it may have signed a token by now; nil if there is none. An unknown one is looked up in
    /// the store, but not more often than every ``unknownKeyInterval``.
    func key(_ id: SigningKey.ID, at now: Timestamp) async throws -> LoadedSigningKey? {
        _ = try await keys(at: now)
        if loaded(id) == nil { try await lookUp(at: now) }
        guard let key = loaded(id), !key.key.isRemoved(at: now),
            key.key.activeAt <= now + JWTAccessTokens.clockTolerance
        else { return nil }
        return key
    }

    /// The keys to publish: of each algorithm at least one, so that no verifier has a list without the key of a token
    /// that comes later. One of RSA takes too long to make for the start of a service, so it is made here.
    ///
    /// - Throws: what ``refresh(at:ensuring:)`` throws, if the keys have never been read.
    func published(at now: Timestamp) async throws -> [PublishedKey] {
        for algorithm in SigningAlgorithm.allCases { _ = try await signing(at: now, by: algorithm) }
        return try await keys(at: now).published(at: now).compactMap { loaded($0.id)?.published }
    }

    private func keys(at now: Timestamp) async throws -> SigningKeys {
        if let keys = state.withLock({ $0?.keys }) { return keys }
        return try await refresh(at: now)
    }

    /// Reads the keys because of an unknown ID, unless that was done a moment ago.
    ///
    /// - Throws: what the store throws, or threw a moment ago.
    private func lookUp(at now: Timestamp) async throws {
        let isDue = try state.withLock { state in
            // A clock that was set back does not defer it for longer.
            if let last = state?.lookup, last.at <= now, now < last.at + Self.unknownKeyInterval {
                if let failure = last.failure { throw failure }
                return false
            }
            state?.lookup = (now, nil)
            return true
        }
        guard isDue else { return }
        do {
            try await refresh(at: now)
        } catch {
            state.withLock { $0?.lookup?.failure = error }
            throw error
        }
    }

    private func loaded(_ id: SigningKey.ID) -> LoadedSigningKey? { state.withLock { $0?.loaded[id] } }
}

/// A key of the store, ready for use.
struct LoadedSigningKey: Sendable {
    let key: SigningKey
    let publicKey: any VerifyingKey
    let privateKey: Result<any SigningPrivateKey, AccessTokensError>
}

extension LoadedSigningKey {
    init(_ key: SigningKey, sealer: any SecretSealer) throws {
        guard let publicKey = key.algorithm.publicKey(key.publicKey) else {
            throw AccessTokensError.malformedKey(key.id)
        }
        let privateKey: Result<any SigningPrivateKey, AccessTokensError>
        do {
            let opened = key.algorithm.privateKey(try sealer.open(key.sealedPrivateKey, for: key.id.description))
            if let opened, opened.publicKey.bytes == key.publicKey {
                privateKey = .success(opened)
            } else {
                privateKey = .failure(.malformedKey(key.id))
            }
        } catch {
            privateKey = .failure(.sealedKey(key.id, reason: "\(error)"))
        }
        self.init(key: key, publicKey: publicKey, privateKey: privateKey)
    }

    /// The same key as the store has it now; nil if it is another one, or its private key could not be opened before.
    func updated(to key: SigningKey) -> LoadedSigningKey? {
        guard case .success = privateKey, key.id == self.key.id, key.publicKey == self.key.publicKey,
            key.sealedPrivateKey == self.key.sealedPrivateKey
        else { return nil }
        return LoadedSigningKey(key: key, publicKey: publicKey, privateKey: privateKey)
    }

    var published: PublishedKey {
        PublishedKey(id: key.id, algorithm: key.algorithm, numbers: publicKey.numbers)
    }
}

protocol VerifyingKey: Sendable {
    /// The same as ``SigningKey/publicKey``.
    var bytes: [UInt8] { get }
    /// The same as ``PublishedKey/numbers``.
    var numbers: [String: String] { get }
    /// Whether the private key has signed the message; false as well for a signature of another form.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool
}

protocol SigningPrivateKey: Sendable {
    var publicKey: any VerifyingKey { get }
    func sign(_ message: [UInt8]) throws -> [UInt8]
}

extension SigningAlgorithm {
    fileprivate func publicKey(_ bytes: [UInt8]) -> (any VerifyingKey)? {
        switch self {
        case .es256: ES256.PublicKey(bytes)
        case .rs256: RS256.PublicKey(bytes)
        }
    }

    fileprivate func privateKey(_ bytes: [UInt8]) -> (any SigningPrivateKey)? {
        switch self {
        case .es256: ES256.PrivateKey(bytes)
        case .rs256: RS256.PrivateKey(bytes)
        }
    }

    /// RSA's work takes so long that an event loop, on which requests run, would keep all others waiting.
    func offEventLoop<Value: Sendable>(_ work: @Sendable () throws -> Value) async throws -> Value {
        guard self == .rs256 else { return try work() }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }
}

public struct SigningKeyMaker: Sendable {
    private let sealer: any SecretSealer
    private let random: any RandomBytes

    public init(sealer: any SecretSealer, random: any RandomBytes = OpenSSLRandom()) {
        self.sealer = sealer
        self.random = random
    }

    /// A new key, which signs at once.
    public func make(_ algorithm: SigningAlgorithm, at now: Timestamp) throws -> SigningKey {
        let id: SigningKey.ID = try random.makeIdentifier()
        // One of 2³² numbers of this length is zero or too large for the curve (FIPS 186-5 appendix A.2.2).
        for _ in 0..<8 {
            let bytes =
                switch algorithm {
                case .es256: try random.bytes(ES256.PrivateKey.byteCount)
                case .rs256: try RS256.PrivateKey.generate()
                }
            guard let key = algorithm.privateKey(bytes) else { continue }
            return SigningKey(
                id: id,
                algorithm: algorithm,
                publicKey: key.publicKey.bytes,
                sealedPrivateKey: try sealer.seal(bytes, for: id.description),
                createdAt: now,
                activeAt: now
            )
        }
        throw AccessTokensError.brokenRandomSource
    }
}
