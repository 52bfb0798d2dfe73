import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let accountRules = [
        StoreRule("an approval makes an account, once") { scene in
            let proven = try await scene.prove()
            scene.advance(by: .seconds(1))
            let signedUp = try await scene.signUp(proven.id)
            #expect(signedUp.isNew)
            #expect(signedUp.account.phoneNumber?.e164 == "+821012345678")
            #expect(signedUp.account.createdAt == StoreScene.start + .seconds(1))
            #expect(signedUp.account.createdBy == proven.id)
            #expect(try await scene.store.account(signedUp.account.id) == signedUp.account)
            #expect(try await scene.store.verification(proven.id)?.consumedBy == signedUp.account.id)
            scene.advance(by: .seconds(70))
            #expect(try await scene.refusal { try await scene.signUp(proven.id) } == .verificationClosed)
        },
        StoreRule("within seconds the one who signed up hears it again, and nobody else") { scene in
            let (here, there) = (ClientAddress("192.0.2.1"), ClientAddress("192.0.2.2"))
            let proven = try await scene.prove()
            let signedUp = try await scene.signUp(proven.id, from: here)
            scene.advance(by: .milliseconds(69_999))
            #expect(try await scene.signUp(proven.id, from: here) == signedUp)
            #expect(try await scene.refusal { try await scene.signUp(proven.id, from: there) } == .verificationClosed)
        },
        StoreRule("nothing else makes an account") { scene in
            let begun = try await scene.request()
            #expect(
                try await scene.refusal { try await scene.signUp(begun.id, code: StoreScene.wrongCode) }?.checksLeft
                    == 4
            )
            try await scene.check(StoreScene.rightCode, begun.id)
            #expect(
                try await scene.refusal { try await scene.signUp(begun.id, as: StoreScene.bob) }
                    == .verificationNotFound
            )
            #expect(
                try await scene.refusal { try await scene.signUp(Verification.ID(bits: 9, 9)) }
                    == .verificationNotFound
            )
            scene.advance(by: .seconds(600))
            #expect(try await scene.refusal { try await scene.signUp(begun.id) } == .codeExpired)
            #expect(try await scene.store.verification(begun.id)?.consumedBy == nil)
            #expect(try await scene.store.account(Account.ID(bits: 9, 9)) == nil)
        },
        StoreRule("the code is checked and used in one transaction, in which its signup is complete") { scene in
            let signup = Self.signup(1)
            try await scene.store.insert(signup)
            let begun = try await scene.request(as: signup.owner)
            // A code for another number may have been asked for meanwhile.
            _ = try await scene.store.update(signup.id) { $0.verificationID = Verification.ID(bits: 0, 77) }
            let wrong = try await scene.refusal {
                try await scene.signUp(begun.id, code: StoreScene.wrongCode, as: signup.owner)
            }
            #expect(wrong?.verification == (try await scene.store.verification(begun.id)))
            #expect(try await scene.store.signup(signup.id)?.isComplete == false)
            let signedUp = try await scene.signUp(begun.id, as: signup.owner)
            let used = try #require(try await scene.store.verification(begun.id))
            #expect(used.recordedStatus == .approved)
            #expect(used.consumedBy == signedUp.account.id)
            #expect(used.checksLeft == 3)
            let complete = try #require(try await scene.store.signup(signup.id))
            #expect(complete.isComplete)
            #expect(complete.verificationID == begun.id)
            let trail = try await scene.store.entries(AuditQuery(limit: 9)).entries.map(\.action)
            #expect(trail == [.signUp, .approve, .mismatch, .begin])
        },
        StoreRule("of those who race for one verification the one with the code comes through, and nobody else") {
            scene in
            for round in 0..<20 {
                let begun = try await scene.request("010-1234-\(5000 + round)")
                let results = try await atOnce(5) { index in
                    let address = ClientAddress("192.0.2.\(index)")
                    let code = index == 4 ? StoreScene.rightCode : StoreScene.wrongCode
                    let outcome = try await result { try await scene.signUp(begun.id, code: code, from: address) }
                    return (index, outcome)
                }
                for (index, result) in results {
                    switch result {
                    case .success: #expect(index == 4)
                    case .failure(.codeIncorrect), .failure(.verificationClosed): #expect(index != 4)
                    case .failure(let failure): Issue.record("\(failure)")
                    }
                }
            }
        },
        StoreRule("what signing up came to is repeated only with the right code, and a wrong one ends that") { scene in
            let begun = try await scene.request()
            try await scene.signUp(begun.id)
            for code in [StoreScene.wrongCode, StoreScene.rightCode] {
                #expect(try await scene.refusal { try await scene.signUp(begun.id, code: code) } == .verificationClosed)
            }
        },
        StoreRule("of a hundred signups at once on one approval, each from somebody else, one comes through") { scene in
            let proven = try await scene.prove()
            let results = try await atOnce(100) { index in
                let address = ClientAddress("192.0.2.\(index)")
                return try await result { try await scene.signUp(proven.id, from: address) }
            }
            let signedUp = results.compactMap { try? $0.get() }
            #expect(signedUp.count == 1)
            #expect(signedUp.first?.isNew == true)
            #expect(results.count { $0 == .failure(.verificationClosed) } == 99)
        },
        StoreRule("a number that is proven twice has one account, which the second signup finds") { scene in
            let alices = try await scene.signUp(try await scene.prove().id)
            scene.advance(by: .seconds(60))
            let bobs = try await scene.signUp(
                try await scene.prove(as: StoreScene.bob).id,
                as: StoreScene.bob
            )
            #expect(bobs.account.id == alices.account.id)
            #expect(bobs.account.lastActiveAt == scene.now)
            #expect(alices.isNew)
            #expect(!bobs.isNew)
        },
        StoreRule(
            "of twenty owners who sign up at once with one number one makes its account",
            policy: { try .hurried() }
        ) {
            scene in
            var proofs: [Verification] = []
            for index in 0..<20 {
                proofs.append(try await scene.prove(as: Owner.operator("owner \(index)")))
            }
            let signedUp = try await atOnce(20) { [proofs] index in
                try await scene.signUp(proofs[index].id, as: proofs[index].owner)
            }
            #expect(signedUp.count { $0.isNew } == 1)
            #expect(Set(signedUp.map(\.account)).count == 1)
        },
    ]
}
