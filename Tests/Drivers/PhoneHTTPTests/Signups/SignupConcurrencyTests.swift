import PhoneDomain
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

/// Concurrent requests to one signup.
@Suite struct SignupConcurrencyTests {
    @Test func anEditShowsWhatWasSavedAndNotWhatWasReadBefore() async throws {
        let interrupted: @Sendable (MemoryStore) -> any SignupStore = { store in
            InterruptedSignups(store: store) { $0.region = .world }
        }
        try await TestServer.run(signups: interrupted) { server in
            let signup = try await server.beginSignup()
            let edited = try await signup.edit(#"{"phone_text":"01012345678"}"#)
            #expect(edited.status == 200)
            #expect(edited.body.contains(#""is_send_enabled":false"#))
        }
    }

    @Test func aRequestKeepsOnlyWhatItChanged() async throws {
        let id = Signup.ID(bits: 0, 1)
        let verification = Verification.ID(bits: 0, 77)
        let cases: [(call: (String, String, String), kept: [String])] = [
            (("PATCH", "", #"{"phone_text":"0101"}"#), ["010-1", verification.description]),
            (("PATCH", "", #"{"code_text":"12"}"#), ["02-", verification.description]),
            (("POST", "/send", #"{"phone_text":"01012345678"}"#), ["010-1234-5678", "\(Verification.ID(bits: 0, 2))"]),
            (("POST", "/send", "{}"), ["02-", verification.description]),
            (("POST", "/sign-up", #"{"code_text":"123456"}"#), ["02-", verification.description]),
        ]
        for (call, kept) in cases {
            let interrupted: @Sendable (MemoryStore) -> any SignupStore = { store in
                InterruptedSignups(store: store) { signup in
                    signup.phoneText = "02-"
                    signup.verificationID = verification
                }
            }
            try await TestServer.run(signups: interrupted) { server in
                let signup = try await server.beginSignup()
                _ = try await signup.call(call.0, call.1, call.2)
                let stored = try #require(try await server.store.signup(id))
                #expect([stored.phoneText, stored.verificationID?.description] == kept)
            }
        }
    }

    /// A sign-up happens right after the send has read the signup.
    @Test func aSendDoesNotTakeThePlaceOfASignUpThatCameThroughMeanwhile() async throws {
        let id = Signup.ID(bits: 0, 1)
        let verification = Verification.ID(bits: 0, 77)
        let interrupted: @Sendable (MemoryStore) -> any SignupStore = { store in
            InterruptedSignups(store: store) { signup in
                signup.phoneText = "010-1111-2222"
                signup.verificationID = verification
                signup.isComplete = true
            }
        }
        try await TestServer.run(signups: interrupted) { server in
            let signup = try await server.beginSignup()
            let sent = try await signup.send("01012345678")
            #expect(sent.status == 409)
            #expect(sent.body.contains(#""code":"verification_closed""#))
            let stored = try #require(try await server.store.signup(id))
            #expect(stored.verificationID == verification)
            #expect(stored.phoneText == "010-1111-2222")
            #expect(await server.store.outbox.isEmpty)
        }
    }

    /// A send for another number happens right after the sign-up has read the signup.
    @Test func aSignUpTakesItsPlaceBackFromASendThatCameThroughMeanwhile() async throws {
        let interrupt = Mutex(false)
        let other = Verification.ID(bits: 0, 77)
        let interrupted: @Sendable (MemoryStore) -> any SignupStore = { store in
            InterruptedSignups(store: store) { signup in
                if interrupt.withLock(\.self) { signup.verificationID = other }
            }
        }
        try await TestServer.run(signups: interrupted) { server in
            let signup = try await server.beginSignup("01012345678")
            interrupt.withLock { $0 = true }
            let signedUp = try await signup.signUp()
            interrupt.withLock { $0 = false }
            #expect(signedUp.status == 201)
            let seen = try await signup.show()
            #expect(seen.body.contains(#""account":{"id""#))
            let again = try await signup.signUp()
            #expect(again.status == 201)
        }
    }

    /// Someone has the signup's token, and polls for the moment when the code is correct.
    @Test func whoHasTheTokenAndNoCodeNeverGetsTheAccount() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let answers = try await atOnce(40) { index in
                let body =
                    index == 20 ? #"{"code_text":"314159"}"# : index.isMultiple(of: 10) ? #"{"code_text":"1"}"# : nil
                return (index, try await signup.call("POST", "/sign-up", body))
            }
            for (index, answer) in answers {
                #expect((answer.status == 201) == (index == 20))
                #expect(answer.body.contains("rt_") == (index == 20))
                #expect([201, 409, 422].contains(answer.status))
            }
        }
    }
}

/// A store in which another request changes a signup right after it is read.
private struct InterruptedSignups: SignupStore {
    let store: MemoryStore
    let interruption: @Sendable (inout Signup) -> Void

    func begin(_ command: BeginSignup) async throws { try await store.begin(command) }

    func signup(_ id: Signup.ID) async throws -> Signup? {
        let found = try await store.signup(id)
        _ = try await store.update(id, interruption)
        return found
    }

    func update(
        _ id: Signup.ID,
        within limits: TakeLimits,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? { try await store.update(id, within: limits, change) }
}
