import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let signingKeyRules = [
        StoreRule("the first signing key is made once, however many make it at once") { scene in
            #expect(try await scene.store.signingKeys() == SigningKeys([]))
            let answers = try await atOnce(20) { index in
                try await scene.store.ensure(EnsureSigningKey(key(UInt64(index), madeAt: scene.now)))
            }
            let kept = try await scene.store.signingKeys()
            #expect(kept.all.count == 1)
            #expect(kept.signing(at: scene.now, by: .es256) == kept.all.first)
            #expect(answers.allSatisfy { $0 == kept })
            let serial = try #require(kept.all.first?.publicKey.last)
            #expect(kept.all.first == key(UInt64(serial), activeAt: scene.now))
        },
        StoreRule("a rotation keeps the new signing key, and when the old one goes") { scene in
            _ = try await scene.store.ensure(EnsureSigningKey(key(2, madeAt: scene.now)))
            scene.advance(by: .seconds(60))
            let policy = SigningKeyPolicy(ahead: .seconds(600), accessTokenTTL: .seconds(900))
            let entry = Operator().entry(.rotateSigningKey, "sig_1", at: scene.now)
            let answer = try await scene.store.rotate(
                RotateSigningKey(to: key(1, madeAt: scene.now), policy: policy, isAtOnce: false),
                audit: entry
            )
            #expect(try await scene.store.entries(AuditQuery(limit: 9)).entries == [entry])
            let (start, rotated) = (StoreScene.start, StoreScene.start + .seconds(60))
            let expected = SigningKeys([
                key(2, activeAt: start, removedAt: rotated + .seconds(600 + 900 + 300)),
                key(1, createdAt: rotated, activeAt: rotated + .seconds(600)),
            ])
            #expect(answer == expected)
            #expect(try await scene.store.signingKeys() == expected)
        },
        StoreRule("rotations at once come one after the other, and each leaves its signing key") { scene in
            let answers = try await atOnce(10) { index in
                try await scene.store.rotate(
                    RotateSigningKey(to: key(UInt64(index), madeAt: scene.now), policy: .standard, isAtOnce: true)
                )
            }
            let kept = try await scene.store.signingKeys()
            #expect(kept.all.count == 10)
            #expect(kept.published(at: scene.now).count == 1)
            #expect(Set(answers.map(\.all.count)) == Set(1...10))
        },
        StoreRule("signing keys go when they are gone, and no others") { scene in
            _ = try await scene.store.ensure(EnsureSigningKey(key(1, madeAt: scene.now)))
            for serial in UInt64(2)...4 {
                scene.advance(by: .seconds(1))
                _ = try await scene.store.rotate(
                    RotateSigningKey(to: key(serial, madeAt: scene.now), policy: .standard, isAtOnce: true)
                )
            }
            // The first went at the second second, the second at the third.
            let start = StoreScene.start
            #expect(try await scene.store.purgeExpired(at: start, limit: 10) == 0)
            #expect(try await scene.store.purgeExpired(at: start + .seconds(2), limit: 1) == 1)
            #expect(try await scene.store.signingKeys().all.map(\.publicKey.last) == [2, 3, 4])
            #expect(try await scene.store.purgeExpired(at: start + .seconds(86_400), limit: 10) == 2)
            #expect(try await scene.store.purgeExpired(at: start + .seconds(86_400), limit: 10) == 0)
            #expect(try await scene.store.signingKeys().all.map(\.publicKey.last) == [4])
        },
    ]

    private static func key(_ serial: UInt64, madeAt now: Timestamp) -> SigningKey {
        key(serial, createdAt: now, activeAt: now)
    }

    private static func key(
        _ serial: UInt64,
        createdAt: Timestamp = StoreScene.start,
        activeAt: Timestamp,
        removedAt: Timestamp? = nil
    ) -> SigningKey {
        SigningKey(
            id: SigningKey.ID(bits: 0, serial),
            algorithm: .es256,
            publicKey: Array(repeating: 0xFF, count: 63) + [UInt8(serial)],
            sealedPrivateKey: SealedSecret(keyID: "k1", ciphertext: [0, 1, 254, 255]),
            createdAt: createdAt,
            activeAt: activeAt,
            removedAt: removedAt
        )
    }
}
