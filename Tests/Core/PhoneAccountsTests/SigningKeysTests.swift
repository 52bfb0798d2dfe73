import PhoneAccounts
import PhoneDomain
import PhoneSignup
import Testing

@Suite struct SigningKeysTests {
    private static let start = Timestamp(seconds: 1_767_225_600)
    private let policy = SigningKeyPolicy(ahead: .seconds(3600), accessTokenTTL: .seconds(900))

    private func at(_ seconds: Int) -> Timestamp { Self.start + .seconds(seconds) }

    private func key(_ serial: UInt64, at seconds: Int, _ algorithm: SigningAlgorithm = .es256) -> SigningKey {
        SigningKey(
            id: SigningKey.ID(bits: 0, serial),
            algorithm: algorithm,
            publicKey: [UInt8(serial)],
            sealedPrivateKey: SealedSecret(keyID: "k", ciphertext: [UInt8(serial)]),
            createdAt: at(seconds),
            activeAt: at(seconds)
        )
    }

    private func rotation(_ serial: UInt64, at seconds: Int, isAtOnce: Bool = false) -> RotateSigningKey {
        RotateSigningKey(to: key(serial, at: seconds), policy: policy, isAtOnce: isAtOnce)
    }

    private func started() -> SigningKeys {
        var keys = SigningKeys([])
        EnsureSigningKey(key(1, at: 0)).apply(to: &keys)
        return keys
    }

    /// What is published and what signs, by serial number.
    private func state(_ keys: SigningKeys, at seconds: Int) -> String {
        func serial(_ key: SigningKey) -> String { String(key.publicKey[0]) }
        let signing = keys.signing(at: at(seconds), by: .es256).map(serial) ?? "none"
        return "published \(keys.published(at: at(seconds)).map(serial).joined(separator: " ")), signing \(signing)"
    }

    @Test func `the first key signs at once, and a second is not made`() {
        var keys = SigningKeys([])
        #expect(state(keys, at: 0) == "published , signing none")
        EnsureSigningKey(key(1, at: 0)).apply(to: &keys)
        EnsureSigningKey(key(2, at: 10)).apply(to: &keys)
        #expect(state(keys, at: 10) == "published 1, signing 1")
    }

    @Test func `each algorithm has keys of its own, which a rotation of the other leaves alone`() {
        var keys = started()
        EnsureSigningKey(key(2, at: 10, .rs256)).apply(to: &keys)
        EnsureSigningKey(key(3, at: 10, .rs256)).apply(to: &keys)
        rotation(4, at: 20, isAtOnce: true).apply(to: &keys)
        #expect(state(keys, at: 20) == "published 2 4, signing 4")
        #expect(keys.signing(at: at(20), by: .rs256)?.publicKey == [2])
        #expect(keys.all.first { $0.publicKey == [2] }.flatMap(keys.end) == nil)
    }

    @Test func `one whose clock is behind makes no second key and signs with the first`() {
        var keys = started()
        EnsureSigningKey(key(2, at: -30)).apply(to: &keys)
        #expect(keys.all.count == 1)
        #expect(state(keys, at: -30) == "published 1, signing 1")
    }

    @Test func `a key that is to follow is published before it signs, and the old one while its tokens are out`() {
        var keys = started()
        let key = rotation(2, at: 100).apply(to: &keys)
        #expect(key.createdAt == at(100))
        #expect(key.activeAt == at(3700))
        #expect(key.removedAt == nil)
        #expect(keys.all.first?.removedAt == at(3700 + 900 + 300))
        #expect(keys.all.first.flatMap(keys.end(of:)) == at(3700))
        #expect(keys.end(of: key) == nil)
        #expect(state(keys, at: 100) == "published 1 2, signing 1")
        #expect(state(keys, at: 3699) == "published 1 2, signing 1")
        #expect(state(keys, at: 3700) == "published 1 2, signing 2")
        #expect(state(keys, at: 4899) == "published 1 2, signing 2")
        #expect(state(keys, at: 4900) == "published 2, signing 2")
    }

    @Test func `two rotations one after the other let each key have its time`() {
        var keys = started()
        rotation(2, at: 0).apply(to: &keys)
        rotation(3, at: 60).apply(to: &keys)
        #expect(state(keys, at: 60) == "published 1 2 3, signing 1")
        #expect(state(keys, at: 3600) == "published 1 2 3, signing 2")
        #expect(state(keys, at: 3660) == "published 1 2 3, signing 3")
        #expect(state(keys, at: 4799) == "published 1 2 3, signing 3")
        #expect(state(keys, at: 4800) == "published 2 3, signing 3")
        #expect(state(keys, at: 4860) == "published 3, signing 3")
    }

    @Test func `a clock that was set back lets no key sign after the one that follows it`() {
        var keys = started()
        rotation(2, at: 5000).apply(to: &keys)
        let last = rotation(3, at: 0).apply(to: &keys)
        #expect(last.activeAt == at(8600))
        // In order of their making by the clock.
        #expect(state(keys, at: 8600) == "published 1 3 2, signing 3")
    }

    @Test func `at once all others are gone, also those that are to follow`() {
        var keys = started()
        rotation(2, at: 10).apply(to: &keys)
        let key = rotation(3, at: 20, isAtOnce: true).apply(to: &keys)
        #expect(key.activeAt == at(20))
        #expect(keys.all.map(\.removedAt) == [at(20), at(20), nil])
        #expect(state(keys, at: 20) == "published 3, signing 3")
        #expect(state(keys, at: 10_000) == "published 3, signing 3")
    }

    @Test func `what is gone already goes no later for it`() {
        var keys = started()
        rotation(2, at: 0, isAtOnce: true).apply(to: &keys)
        rotation(3, at: 50, isAtOnce: true).apply(to: &keys)
        #expect(keys.all.map(\.removedAt) == [at(0), at(50), nil])
    }

    @Test func `where no key is left, a rotation gives one that signs at once, and so does a start`() {
        var rotated = SigningKeys([])
        rotation(1, at: 0).apply(to: &rotated)
        #expect(state(rotated, at: 0) == "published 1, signing 1")
        let gone = SigningKeys(
            started().all.map { key in
                SigningKey(
                    id: key.id,
                    algorithm: key.algorithm,
                    publicKey: key.publicKey,
                    sealedPrivateKey: key.sealedPrivateKey,
                    createdAt: key.createdAt,
                    activeAt: key.activeAt,
                    removedAt: at(5)
                )
            }
        )
        var keys = gone
        EnsureSigningKey(key(2, at: 4)).apply(to: &keys)
        #expect(keys == gone)
        EnsureSigningKey(key(2, at: 5)).apply(to: &keys)
        #expect(state(keys, at: 5) == "published 2, signing 2")
    }
}
