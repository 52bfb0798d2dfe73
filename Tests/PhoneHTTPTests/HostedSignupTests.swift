import PhoneAccounts
import PhoneDomain
import PhoneTestSupport
import PhoneViewModel
import Records
import Testing

@testable import PhoneHTTP

@Suite struct HostedSignupTests {
    private let store = MemoryStore()
    private let clock = ManualClock()
    private let signups: HostedSignup

    init() throws {
        let useCase = VerificationUseCase(
            store: store,
            vault: FixedCodeVault(code: try #require(VerificationCode("042042"))),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(),
            clock: clock
        )
        let accounts = AccountUseCase(
            store: store,
            authority: PlainAccessTokens(),
            deriver: PlainSecretDeriver(),
            vault: PlainTokenVault(),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(after: 1000),
            clock: clock
        )
        signups = HostedSignup(
            useCase: useCase,
            accounts: accounts,
            store: store,
            tokens: PlainTokenVault(),
            identifiers: CountingIdentifiers(after: 2000),
            clock: clock,
            ttl: .seconds(3600),
            limits: .none
        )
    }

    @Test func aPersonSignsUpOverSeveralRequests() async throws {
        let (begun, token) = try await signups.begin(.korea, .korean, from: nil)
        #expect(begun.phoneText == "010-")

        let edited = try await signups.edit(begun, phoneText: "01012345678", codeText: nil, from: nil)
        #expect(edited.state.phoneText == "010-1234-5678")
        #expect(edited.state.isSendEnabled && edited.state.isCodeFieldHidden)

        let sent = try await signups.send(try await signups.signup(begun.id), phoneText: nil, from: nil)
        #expect(sent.failure == nil && !sent.state.isCodeFieldHidden)
        #expect(await store.outbox.count == 1)

        let wrong = try await signUp(begun.id, token, codeText: "000000")
        #expect(wrong.failure?.checksLeft == 4)
        #expect(wrong.signedUp == nil)

        let right = try await signUp(begun.id, token, codeText: "042042")
        #expect(right.failure == nil)
        let account = try #require(right.signedUp?.account)
        #expect(account.phoneNumber?.e164 == "+821012345678")

        // A later request sees the same, and no other code is sent.
        let shown = try await signups.show(try await signups.signup(begun.id, for: token), from: nil)
        #expect(shown.signedUp?.account.id == account.id)
        let again = try await signups.send(shown.signup, phoneText: "010-8765-4321", from: nil)
        #expect(again.failure == .verificationClosed)
        #expect(await store.outbox.count == 1)
    }

    private func signUp(_ id: Signup.ID, _ token: SecretToken, codeText: String) async throws -> HostedSignup.Answer {
        let signup = try await signups.signup(id, for: token)
        return try await signups.signUp(signup, token, codeText: codeText, userAgent: nil, from: nil)
    }

    @Test func aCodeIsJudgedAndNotStored() async throws {
        let (begun, _) = try await signups.begin(.korea, .korean, from: nil)
        let sent = try await signups.send(begun, phoneText: "010-1234-5678", from: nil)
        let edited = try await signups.edit(sent.signup, phoneText: nil, codeText: "042042", from: nil)
        #expect(edited.state.codeText == "042042")
        let shown = try await signups.show(try await signups.signup(begun.id), from: nil)
        #expect(shown.state.codeText.isEmpty)
    }

    @Test func aSendThatIsRefusedKeepsWhatWasTyped() async throws {
        let (begun, _) = try await signups.begin(.korea, .korean, from: nil)
        let refused = try await signups.send(begun, phoneText: "02-123-4567", from: nil)
        #expect(refused.failure?.code == "invalid_phone_number")
        #expect(try await signups.signup(begun.id).phoneText == "02-123-4567")
        #expect(await store.outbox.isEmpty)
    }

    @Test func aStrangerAndALateClientFindNothing() async throws {
        let (begun, token) = try await signups.begin(.korea, .korean, from: nil)
        await #expect(throws: PhoneFailure.signupNotFound) {
            try await signups.signup(begun.id, for: SecretToken("sgt_other"))
        }
        clock.advance(by: .seconds(3600))
        await #expect(throws: PhoneFailure.signupNotFound) { try await signups.signup(begun.id, for: token) }
    }

    @Test func anOutageIsAFailure() async throws {
        store.fail(with: MemoryOutage())
        await #expect(throws: PhoneFailure.unavailable(cause: "the disk is gone")) {
            try await signups.begin(.korea, .korean, from: nil)
        }
    }
}

private struct MemoryOutage: Error, CustomStringConvertible { let description = "the disk is gone" }
