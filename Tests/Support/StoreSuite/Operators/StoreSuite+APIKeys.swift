import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let apiKeyRules = [
        StoreRule("keys are listed in order of their making") { scene in
            let (late, early) = (key(1, createdAt: StoreScene.start + .seconds(1)), key(2))
            try await scene.store.insert(late)
            try await scene.store.insert(early)
            #expect(try await scene.store.apiKeys() == [early, late])
        },
        StoreRule("a revoked key is known as revoked from then on, and since the first time") { scene in
            try await scene.store.insert(key(1))
            try await scene.store.insert(key(2))
            let id = APIKey.ID(bits: 0, 1)
            let moment = StoreScene.start + .seconds(5)
            #expect(try await scene.store.revoke(id, at: moment)?.revokedAt == moment)
            #expect(try await scene.store.apiKey(id)?.revokedAt == moment)
            #expect(try await scene.store.revoke(id, at: moment + .seconds(5))?.revokedAt == moment)
            #expect(try await scene.store.apiKey(APIKey.ID(bits: 0, 2))?.revokedAt == nil)
            #expect(try await scene.store.revoke(APIKey.ID(bits: 9, 9), at: moment) == nil)
        },
        StoreRule("of the uses of a key the latest stands, and a revocation beside them") { scene in
            try await scene.store.insert(key(1))
            let id = APIKey.ID(bits: 0, 1)
            try await atOnce(20) { index in
                if index == 10 {
                    _ = try await scene.store.revoke(id, at: StoreScene.start)
                } else {
                    try await scene.store.recordUse(of: id, at: StoreScene.start + .seconds(index))
                }
            }
            let kept = try await scene.store.apiKey(id)
            #expect(kept?.lastUsedAt == StoreScene.start + .seconds(19))
            #expect(kept?.revokedAt == StoreScene.start)
            try await scene.store.recordUse(of: APIKey.ID(bits: 9, 9), at: StoreScene.start)
        },
        StoreRule("a command by a key that was revoked or never was changes nothing") { scene in
            try await scene.store.insert(key(1))
            var context = scene.context(StoreScene.alice)
            context.apiKey = APIKey.ID(bits: 0, 1)
            let begun = try await scene.useCase.begin(StoreScene.phone, context: context).verification
            let wrong = await #expect(throws: PhoneFailure.self) {
                try await scene.useCase.check(StoreScene.wrongCode, for: .id(begun.id), context: context)
            }
            #expect(wrong?.checksLeft == begun.checksLeft - 1)
            let before = try await scene.store.verification(begun.id)

            _ = try await scene.store.revoke(APIKey.ID(bits: 0, 1), at: StoreScene.start)
            for id in [APIKey.ID(bits: 0, 1), APIKey.ID(bits: 9, 9)] {
                context.apiKey = id
                await #expect(throws: PhoneFailure.keyInvalid) {
                    try await scene.useCase.begin("010-8765-4321", context: context)
                }
                await #expect(throws: PhoneFailure.keyInvalid) {
                    try await scene.useCase.check(StoreScene.rightCode, for: .id(begun.id), context: context)
                }
            }
            #expect(try await scene.store.verification(begun.id) == before)
            #expect(try await scene.store.messages(status: nil, limit: 10).map(\.verification.id) == [begun.id])
        },
    ]

    static func key(
        _ number: UInt64,
        scopes: Set<APIScope> = [.verifications],
        createdAt: Timestamp = StoreScene.start,
        lastUsedAt: Timestamp? = nil
    ) -> APIKey {
        // Only names that there are.
        guard let name = CallerName("shop-\(number)") else { preconditionFailure("not a name") }
        return APIKey(
            id: APIKey.ID(bits: 0, number),
            name: name,
            digest: [0, 255, 128, UInt8(truncatingIfNeeded: number)],
            scopes: scopes,
            createdAt: createdAt,
            lastUsedAt: lastUsedAt
        )
    }
}
