import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let purgeRules = [
        StoreRule("a store that is there answers") { scene in
            try await scene.store.ping()
        },
        StoreRule("a purge takes what has ended, and leaves the rest and every account") { scene in
            let consumed = try await scene.prove()
            let account = try await scene.signUp(consumed.id).account
            let old = try await scene.request("010-8765-4321")
            try await scene.store.insert(signup(1))
            scene.advance(by: .seconds(3600))
            let live = try await scene.request("010-1111-2222")
            try await scene.store.insert(signup(2, createdAt: scene.now))

            // Two verifications with a message each and two numbers; the first signup ends at this moment, not before.
            #expect(try await scene.store.purge(before: scene.now, limit: 100) == 6)
            #expect(try await scene.store.verification(consumed.id) == nil)
            #expect(try await scene.store.verification(old.id) == nil)
            #expect(try await scene.store.verification(live.id) == live)
            #expect(try await scene.store.account(account.id) == account)
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == signup(1))
            #expect(try await scene.claim().map(\.verificationID) == [live.id])
            #expect(
                try await scene.begin("010-1111-2222")
                    == .failure(.resendTooSoon(nextSendAt: StoreScene.start + .seconds(3630)))
            )

            // The first signup, and the number that had a message just now.
            #expect(try await scene.store.purge(before: scene.now + .milliseconds(1), limit: 100) == 2)
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == nil)
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 2)) != nil)
            #expect(try await scene.store.purge(before: scene.now + .milliseconds(1), limit: 100) == 0)
        },
        StoreRule("a verification whose status changed after its time ran out has ended with that") { scene in
            let begun = try await scene.request()
            let message = try #require(try await scene.claim().first)
            scene.advance(by: .seconds(700))
            #expect(try await scene.settle(message, .failed("no money")))
            // The number's activity goes, the verification stays.
            #expect(try await scene.store.purge(before: StoreScene.start + .seconds(700), limit: 100) == 1)
            #expect(try await scene.store.verification(begun.id)?.recordedStatus == .failed)
            #expect(try await scene.store.purge(before: StoreScene.start + .milliseconds(700_001), limit: 100) == 2)
            #expect(try await scene.store.verification(begun.id) == nil)
        },
        StoreRule("a purge deletes at most its limit at a time, the oldest first") { scene in
            var begun: [Verification] = []
            for index in 0..<5 {
                begun.append(try await scene.request("010-1234-\(5000 + index)"))
                scene.advance(by: .seconds(1))
            }
            let later = StoreScene.start + .seconds(86_400)
            // Two messages, their two verifications, and two numbers.
            #expect(try await scene.store.purge(before: later, limit: 2) == 6)
            var left: [Verification.ID] = []
            for verification in begun where try await scene.store.verification(verification.id) != nil {
                left.append(verification.id)
            }
            #expect(left == begun.suffix(3).map(\.id))
            #expect(try await scene.store.purge(before: later, limit: 2) == 6)
            #expect(try await scene.store.purge(before: later, limit: 2) == 3)
            #expect(try await scene.store.purge(before: later, limit: 2) == 0)
        },
        StoreRule("a verification goes with the last of its messages, and what ended later waits") { scene in
            let first = try await scene.request()
            scene.advance(by: .seconds(60))
            #expect(try await scene.request().id == first.id)
            let second = try await scene.request("010-8765-4321")
            let later = StoreScene.start + .seconds(86_400)
            // A message and a number.
            #expect(try await scene.store.purge(before: later, limit: 1) == 2)
            #expect(try await scene.store.verification(first.id) != nil)
            // A message, its verification, and a number.
            #expect(try await scene.store.purge(before: later, limit: 1) == 3)
            #expect(try await scene.store.verification(first.id) == nil)
            #expect(try await scene.store.verification(second.id) != nil)
            #expect(try await scene.store.purge(before: later, limit: 1) == 2)
            #expect(try await scene.store.purge(before: later, limit: 1) == 0)
        },
        StoreRule("a number that was purged starts anew") { scene in
            for _ in 0..<3 {
                try await scene.request()
                scene.advance(by: .seconds(600))
            }
            #expect(try await scene.store.purge(before: scene.now + .seconds(1), limit: 100) == 7)
            let nextSendAt = try await scene.request().nextSendAt
            #expect(nextSendAt == scene.now + .seconds(30))
        },
    ]
}
