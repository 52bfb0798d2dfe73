import PhoneDomain
import Testing

extension StoreSuite {
    static let signupRules = [
        StoreRule("of a signup everything is kept") { scene in
            let signup = signup(1, phoneText: #"０１０ '"\ %_ ☎️ 끝"#, codeText: "")
            try await scene.store.insert(signup)
            #expect(try await scene.store.signup(signup.id) == signup)
            #expect(try await scene.store.signup(Signup.ID(bits: 9, 9)) == nil)
        },
        StoreRule("a change of a signup is kept, and of no other") { scene in
            let other = signup(2)
            try await scene.store.insert(signup(1))
            try await scene.store.insert(other)
            let changed = try await scene.store.update(Signup.ID(bits: 0, 1)) { signup in
                signup.phoneText = "010-1234-5678"
                signup.codeText = "000042"
                signup.verificationID = Verification.ID(bits: 0, 7)
            }
            #expect(changed?.phoneText == "010-1234-5678")
            #expect(changed?.codeText == "000042")
            #expect(changed?.verificationID == Verification.ID(bits: 0, 7))
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == changed)
            #expect(try await scene.store.signup(other.id) == other)
            let cleared = try await scene.store.update(Signup.ID(bits: 0, 1)) { $0.verificationID = nil }
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == cleared)
            #expect(cleared?.verificationID == nil)
        },
        StoreRule("a change of nothing changes nothing") { scene in
            let nothing = Signup.ID(bits: 9, 9)
            let changed = try await scene.store.update(nothing) { $0.phoneText = "1" }
            #expect(changed == nil)
            #expect(try await scene.store.signup(nothing) == nil)
        },
        StoreRule("of changes at once none is lost") { scene in
            try await scene.store.insert(signup(1))
            _ = try await scene.atOnce(100) { index in
                try await scene.store.update(Signup.ID(bits: 0, 1)) { signup in
                    if index.isMultiple(of: 2) { signup.phoneText += "1" } else { signup.codeText += "2" }
                }
            }
            let changed = try await scene.store.signup(Signup.ID(bits: 0, 1))
            #expect(changed?.phoneText == String(repeating: "1", count: 50))
            #expect(changed?.codeText == String(repeating: "2", count: 50))
        },
    ]

    static func signup(
        _ number: UInt64,
        phoneText: String = "",
        codeText: String = "",
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
            codeText: codeText,
            verificationID: nil
        )
    }
}
