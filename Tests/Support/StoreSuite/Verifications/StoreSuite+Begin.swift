import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let beginRules = [
        StoreRule("a request begins a verification, of which everything is kept, and owes a message") { scene in
            let owner = Owner.operator(#"'; DROP TABLE verification; -- "끝" \0 %_ 🙂"#)
            let begun = Verification(
                id: Verification.ID(bits: 0, 1),
                phoneNumber: try PhoneNumber(e164: "+821012345678"),
                owner: owner,
                channel: .sms,
                language: try #require(LanguageTag("ko-KR")),
                code: SealedCode(
                    keyID: "test",
                    mac: Array("ver_00000000000000000000000000000001 +821012345678".utf8),
                    ciphertext: Array("123456".utf8)
                ),
                createdAt: StoreScene.start,
                expiresAt: StoreScene.start + .seconds(600),
                nextSendAt: StoreScene.start + .seconds(30),
                sendsLeft: 4,
                checksLeft: 5,
                checksLeftAtSend: 5,
                recordedStatus: .pending,
                updatedAt: StoreScene.start,
                consumedBy: nil
            )
            let answer = try await scene.begin(as: owner, language: begun.language).get()
            #expect(answer.verification == begun)
            #expect(answer.isNew)
            #expect(try await scene.store.verification(begun.id) == begun)
            #expect(try await scene.store.nextAttempt() == StoreScene.start)
        },
        StoreRule("a code is sent five times and no more") { scene in
            try await scene.request()
            for wait in [30, 60, 120, 300] {
                scene.advance(by: .seconds(wait))
                try await scene.request()
            }
            let expiresAt = StoreScene.start + .seconds(600)
            #expect(try await scene.begin() == .failure(.maxSendsReached(retryAt: expiresAt)))
        },
        StoreRule(
            "a number has a maximum of messages a day, whatever the client",
            policy: { try .hurried(sendsPerDay: 3) }
        ) {
            scene in
            for owner in ["a", "b", "c"] {
                try await scene.request(as: Owner.operator(owner))
                scene.advance(by: .seconds(1))
            }
            let tomorrow = StoreScene.start + .seconds(86_400)
            let capped = PhoneFailure.rateLimited(policies: [scene.policy.sendQuota], retryAt: tomorrow)
            #expect(try await scene.begin(as: StoreScene.alice) == .failure(capped))
            #expect(try await scene.refusal { try await scene.request("010-8765-4321") } == nil)
            scene.advance(by: .seconds(86_397))
            #expect(try await scene.refusal { try await scene.request() } == nil)
            #expect(
                try await scene.refusal { try await scene.request(as: StoreScene.bob) }
                    == .rateLimited(policies: [scene.policy.sendQuota], retryAt: tomorrow + .seconds(1))
            )
        },
        StoreRule("two owners have a verification each of one number, and do not see each other's") { scene in
            let alices = try await scene.request(as: StoreScene.alice)
            scene.advance(by: .seconds(30))
            let bobs = try await scene.request(as: StoreScene.bob)
            #expect(alices.id != bobs.id)
            let checked = try await scene.refusal(of: StoreScene.rightCode, alices.id, as: StoreScene.bob)
            #expect(checked == .verificationNotFound)
            #expect(
                try await scene.refusal { try await scene.cancel(alices.id, as: StoreScene.bob) }
                    == .verificationNotFound
            )
            #expect(try await scene.store.verification(alices.id) == alices)
            #expect(try await scene.store.verification(bobs.id) == bobs)
        },
        StoreRule("of a hundred requests at once one begins a verification, and one message is owed") { scene in
            let results = try await atOnce(100) { _ in try await scene.begin() }
            let begun = results.filter { if case .success(let answer) = $0 { answer.isNew } else { false } }
            let tooSoon = PhoneFailure.resendTooSoon(nextSendAt: StoreScene.start + .seconds(30))
            #expect(begun.count == 1)
            #expect(results.count { $0 == .failure(tooSoon) } == 99)
            #expect(try await scene.claim().count == 1)
        },
        StoreRule(
            "a proven number need not wait, and what it had today still counts",
            policy: { try .hurried(sendsPerDay: 2) }
        ) {
            scene in
            let first = try await scene.prove()
            let second = try await scene.prove()
            #expect(first.id != second.id)
            #expect(
                try await scene.begin()
                    == .failure(
                        .rateLimited(
                            policies: [scene.policy.sendQuota],
                            retryAt: StoreScene.start + .seconds(86_400)
                        )
                    )
            )
        },
        StoreRule("of two verifications that a clock set back makes live, the one that lives longer counts") { scene in
            let older = try await scene.request()
            scene.advance(by: .seconds(600))
            let newer = try await scene.request()
            #expect(older.id != newer.id)
            scene.advance(by: .seconds(-1))
            #expect(
                try await scene.begin() == .failure(.resendTooSoon(nextSendAt: StoreScene.start + .seconds(660)))
            )
            try await scene.check(StoreScene.rightCode, newer.id)
            let answer = try await scene.begin().get()
            #expect(!answer.isNew)
            #expect(answer.verification.id == older.id)
        },
    ]
}
