import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let signupRules = [
        StoreRule("of a signup everything is kept") { scene in
            let signup = signup(1, phoneText: #"０１０ '"\ %_ ☎️ 끝"#)
            try await scene.store.insert(signup)
            #expect(try await scene.store.signup(signup.id) == signup)
            #expect(try await scene.store.signup(Signup.ID(bits: 9, 9)) == nil)
        },
        StoreRule("a signup that is begun once more, at once or later, stays as it is and is counted once") { scene in
            let policy = try LimitPolicy.only { $0.signupsByAddress = [try #require(RateLimit("1/1h"))] }
            let begin = BeginSignup(signup(1), from: ClientAddress("203.0.113.7"), limits: policy)
            try await atOnce(20) { _ in try await scene.store.begin(begin) }
            let sent = try await scene.send(for: Signup.ID(bits: 0, 1), phoneText: "010-1234-5678").get()
            try await scene.store.begin(begin)
            let kept = try await scene.store.signup(Signup.ID(bits: 0, 1))
            #expect(kept?.verificationID == sent.verification.id)
            await #expect(throws: PhoneFailure.self) {
                try await scene.store.begin(
                    BeginSignup(signup(2), from: ClientAddress("203.0.113.7"), limits: policy)
                )
            }
        },
        StoreRule("a change of a signup is kept, and of no other") { scene in
            let other = signup(2)
            try await scene.store.insert(signup(1))
            try await scene.store.insert(other)
            let changed = try await scene.store.update(Signup.ID(bits: 0, 1)) { signup in
                signup.phoneText = "010-1234-5678"
                signup.verificationID = Verification.ID(bits: 0, 7)
                signup.region = .world
            }
            #expect(changed?.region == .world)
            #expect(changed?.phoneText == "010-1234-5678")
            #expect(changed?.verificationID == Verification.ID(bits: 0, 7))
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == changed)
            #expect(try await scene.store.signup(other.id) == other)
            let cleared = try await scene.store.update(Signup.ID(bits: 0, 1)) { $0.verificationID = nil }
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == cleared)
            #expect(cleared?.verificationID == nil)
        },
        StoreRule("with its code a signup gets its verification and its text, and refused nothing") {
            scene in
            var expected = signup(1, phoneText: "010-")
            try await scene.store.insert(expected)
            let first = try await scene.send(for: expected.id, phoneText: "010-1234-5678").get()
            expected.phoneText = "010-1234-5678"
            expected.verificationID = first.verification.id
            #expect(try await scene.store.signup(expected.id) == expected)
            let tooSoon = PhoneFailure.resendTooSoon(nextSendAt: StoreScene.start + .seconds(30))
            #expect(try await scene.send(for: expected.id, phoneText: "+82 10 1234 5678") == .failure(tooSoon))
            #expect(try await scene.store.signup(expected.id) == expected)
            scene.advance(by: .seconds(30))
            #expect(
                try await scene.send(for: expected.id, phoneText: nil).get().verification.id == first.verification.id
            )
            #expect(try await scene.store.signup(expected.id) == expected)
        },
        StoreRule("for a signup that is complete no code is sent, and nothing is counted") { scene in
            let id = Signup.ID(bits: 0, 1)
            try await scene.store.insert(signup(1))
            let complete = try await scene.store.update(id) { signup in
                signup.verificationID = Verification.ID(bits: 0, 7)
                signup.isComplete = true
            }
            #expect(try await scene.send(for: id, phoneText: "010-1234-5678") == .failure(.verificationClosed))
            #expect(try await scene.store.signup(id) == complete)
            #expect(try await scene.claim().isEmpty)
            #expect(try await scene.begin().get().isNew)
        },
        StoreRule("a code is sent for a signup that is gone, which stays gone") { scene in
            let id = Signup.ID(bits: 0, 1)
            let answer = try await scene.send(for: id, phoneText: "010-1234-5678").get()
            #expect(answer.isNew)
            #expect(try await scene.store.signup(id) == nil)
        },
        StoreRule("a change of nothing changes nothing") { scene in
            let nothing = Signup.ID(bits: 9, 9)
            let changed = try await scene.store.update(nothing) { $0.phoneText = "1" }
            #expect(changed == nil)
            #expect(try await scene.store.signup(nothing) == nil)
        },
        StoreRule("of changes at once none is lost") { scene in
            try await scene.store.insert(signup(1))
            try await atOnce(100) { index in
                try await scene.store.update(Signup.ID(bits: 0, 1)) { signup in
                    signup.phoneText += index.isMultiple(of: 2) ? "1" : "2"
                }
            }
            let changed = try await scene.store.signup(Signup.ID(bits: 0, 1))
            #expect(changed?.phoneText.count { $0 == "1" } == 50)
            #expect(changed?.phoneText.count == 100)
        },
    ]

    static func signup(
        _ number: UInt64,
        phoneText: String = "",
        createdAt: Timestamp = StoreScene.start
    ) -> Signup {
        Signup(
            id: Signup.ID(bits: 0, number),
            tokenDigest: [0, 255, 128, 7],
            region: .korea,
            language: .english,
            createdAt: createdAt,
            expiresAt: createdAt + .seconds(3600),
            phoneText: phoneText,
            verificationID: nil
        )
    }
}
