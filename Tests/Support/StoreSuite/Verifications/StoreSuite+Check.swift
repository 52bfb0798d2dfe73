import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let checkRules = [
        StoreRule("the right code approves, once") { scene in
            let begun = try await scene.request()
            scene.advance(by: .seconds(5))
            let approved = try await scene.check(StoreScene.rightCode, begun.id)
            #expect(approved.recordedStatus == .approved)
            #expect(approved.checksLeft == 4)
            #expect(approved.updatedAt == StoreScene.start + .seconds(5))
            #expect(try await scene.store.verification(begun.id) == approved)
            scene.advance(by: .seconds(70))
            #expect(try await scene.refusal(of: StoreScene.rightCode, begun.id) == .verificationClosed)
            #expect(try await scene.store.verification(begun.id) == approved)
        },
        StoreRule("within seconds the one who gave the right code may give it again, and nobody else") { scene in
            let (here, there) = (ClientAddress("192.0.2.1"), ClientAddress("192.0.2.2"))
            let begun = try await scene.request()
            let approved = try await scene.check(StoreScene.rightCode, begun.id, from: here)
            scene.advance(by: .milliseconds(69_999))
            #expect(try await scene.check(StoreScene.rightCode, begun.id, from: here) == approved)
            for stranger in [there, nil] {
                #expect(
                    try await scene.refusal(of: StoreScene.rightCode, begun.id, from: stranger)
                        == .verificationClosed
                )
            }
            #expect(
                try await scene.refusal(of: StoreScene.rightCode, begun.id, as: StoreScene.bob, from: here)
                    == .verificationNotFound
            )
            #expect(try await scene.store.verification(begun.id) == approved)
        },
        StoreRule("one other code ends the time in which the right one may be given again") { scene in
            let begun = try await scene.request()
            let approved = try await scene.check(StoreScene.rightCode, begun.id)
            for code in [StoreScene.wrongCode, StoreScene.rightCode] {
                #expect(try await scene.refusal(of: code, begun.id) == .verificationClosed)
            }
            #expect(try await scene.store.verification(begun.id)?.checksLeft == approved.checksLeft)
        },
        StoreRule("a check of nothing finds nothing") { scene in
            let nothing = Verification.ID(bits: 9, 9)
            let refusal = try await scene.refusal(of: StoreScene.rightCode, nothing)
            #expect(refusal == .verificationNotFound)
            #expect(try await scene.store.verification(nothing) == nil)
        },
        StoreRule("the right code at the last check is accepted") { scene in
            let begun = try await scene.request()
            for checksLeft in [4, 3, 2, 1] {
                #expect(try await scene.refusal(of: StoreScene.wrongCode, begun.id)?.checksLeft == checksLeft)
                #expect(try await scene.store.verification(begun.id)?.checksLeft == checksLeft)
            }
            #expect(try await scene.check(StoreScene.rightCode, begun.id).recordedStatus == .approved)
        },
        StoreRule("of a thousand wrong codes at once five are compared") { scene in
            let begun = try await scene.request()
            let refusals = try await atOnce(1000) { _ in
                try await scene.refusal(of: StoreScene.wrongCode, begun.id)
            }
            for checksLeft in [4, 3, 2, 1, 0] {
                #expect(refusals.count { $0?.checksLeft == checksLeft } == 1)
            }
            let locked = PhoneFailure.maxChecksReached(retryAt: StoreScene.start + .seconds(600))
            #expect(refusals.count { $0 == locked } == 995)
            #expect(try await scene.store.verification(begun.id)?.recordedStatus == .maxAttemptsReached)
        },
        StoreRule("of a hundred right codes at once, each from somebody else, one approves") { scene in
            let begun = try await scene.request()
            let refusals = try await atOnce(100) { index in
                let address = ClientAddress("192.0.2.\(index)")
                return try await scene.refusal(of: StoreScene.rightCode, begun.id, from: address)
            }
            #expect(refusals.count { $0 == nil } == 1)
            #expect(refusals.count { $0 == .verificationClosed } == 99)
        },
        StoreRule(
            "wrong codes close a number, whatever client sent them",
            policy: { try .hurried(maxConsecutiveFailures: 3) }
        ) { scene in
            let alices = try await scene.request()
            let bobs = try await scene.request(as: StoreScene.bob)
            for (owner, id) in [(StoreScene.alice, alices.id), (StoreScene.bob, bobs.id), (StoreScene.bob, bobs.id)] {
                _ = try await scene.refusal(of: StoreScene.wrongCode, id, as: owner)
            }
            let closed = PhoneFailure.rateLimited(
                policies: [scene.policy.failureQuota],
                retryAt: StoreScene.start + .seconds(86_400)
            )
            #expect(try await scene.refusal(of: StoreScene.rightCode, alices.id) == closed)
            #expect(try await scene.begin(as: Owner.operator("carol")) == .failure(closed))
            #expect(try await scene.store.verification(alices.id)?.checksLeft == 4)
        },
        StoreRule("a check whose comparison fails is not counted, and the failure is thrown") { scene in
            let begun = try await scene.request()
            let broken = try scene.replacing(vault: BrokenVault())
            #expect(
                try await scene.refusal { try await broken.check(StoreScene.rightCode, begun.id) }
                    == .unavailable(cause: "the key is gone")
            )
            #expect(try await scene.store.verification(begun.id) == begun)
            try await scene.check(StoreScene.rightCode, begun.id)
        },
        StoreRule("checks that fail do not disturb those beside them") { scene in
            let broken = try scene.replacing(vault: BrokenVault())
            let begun = try await scene.request()
            let refusals = try await atOnce(100) { index in
                try await scene.refusal {
                    try await (index.isMultiple(of: 2) ? broken : scene).check(StoreScene.wrongCode, begun.id)
                }
            }
            #expect(refusals.count { $0?.checksLeft != nil } == 5)
            #expect(try await scene.store.verification(begun.id)?.checksLeft == 0)
        },
        StoreRule("a canceled verification stays canceled, and its code is invalid") { scene in
            let begun = try await scene.request()
            scene.advance(by: .seconds(30))
            let canceled = try await scene.cancel(begun.id)
            #expect(canceled.recordedStatus == .canceled)
            #expect(canceled.updatedAt == StoreScene.start + .seconds(30))
            #expect(try await scene.cancel(begun.id) == canceled)
            #expect(try await scene.store.verification(begun.id) == canceled)
            #expect(try await scene.refusal(of: StoreScene.rightCode, begun.id) == .verificationClosed)
            #expect(try await scene.request().id != begun.id)
        },
        StoreRule("what has ended otherwise cannot be canceled") { scene in
            let approved = try await scene.prove()
            let expired = try await scene.request()
            #expect(try await scene.refusal { try await scene.cancel(approved.id) } == .verificationClosed)
            scene.advance(by: .seconds(600))
            #expect(try await scene.refusal { try await scene.cancel(expired.id) } == .codeExpired)
            #expect(
                try await scene.refusal { try await scene.cancel(Verification.ID(bits: 9, 9)) }
                    == .verificationNotFound
            )
            #expect(try await scene.store.verification(approved.id) == approved)
            #expect(try await scene.store.verification(expired.id) == expired)
        },
    ]
}
