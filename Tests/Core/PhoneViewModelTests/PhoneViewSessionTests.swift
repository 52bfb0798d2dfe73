import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneViewModel

@Suite struct PhoneViewSessionTests {
    private let store = MemoryStore()
    private let clock = ManualClock()

    private func session() throws -> PhoneViewSession {
        let useCase = try VerificationUseCase.plain(over: store, code: "042042", clock: clock)
        return PhoneViewSession(
            PhoneViewModel(
                useCase: ServerPhoneUseCase(
                    useCase,
                    context: RequestContext(owner: .local, region: .korea, language: .korean)
                ),
                phoneText: "010-"
            )
        )
    }

    @Test func aWholeSignupOverTheRealRules() async throws {
        let session = try session()
        let empty = session.state
        #expect(empty.phoneText == "010-")
        #expect(!empty.isSendEnabled)
        #expect(empty.isCodeFieldHidden)

        let typed = session.changePhoneText("01012345678")
        #expect(typed.phoneText == "010-1234-5678")
        #expect(typed.isSendEnabled)

        let sent = await session.tapSend()
        let sentCode = try #require(sent.sentCode)
        let nextSendAt = try #require(sentCode.resendableFrom)
        #expect(!sent.isCodeFieldHidden)
        #expect(sent.resendableFrom == nextSendAt)
        #expect(!sent.isResendEnabled(at: nextSendAt - .milliseconds(1)))
        #expect(sent.isResendEnabled(at: nextSendAt))
        #expect(sentCode.channels == [.sms])

        #expect(session.changeCodeText("11111").isSignUpEnabled == false)
        let coded = session.changeCodeText("111111")
        #expect(coded.codeText == "111111")
        #expect(coded.isSignUpEnabled)

        let wrong = await session.tapSignUp()
        #expect(wrong.failure?.sentCode?.checksLeft == 4)
        #expect(wrong.sentCode?.checksLeft == 4)
        #expect(!wrong.isBusy)

        session.changeCodeText("042 042")
        let done = await session.tapSignUp()
        #expect(done.signedUp?.isNew == true)
        #expect(done.sentCode?.isOpen == false)
        #expect(done.failure == nil)
        #expect(done.resendableFrom == nil)
        #expect(await store.accountCount == 1)
    }

    @Test func statesLoseNothing() async throws {
        let session = try session()
        let states = session.states
        for length in 1...8 { session.changePhoneText("010" + String("12345678".prefix(length))) }
        var seen: [String] = []
        for await state in states {
            if seen.last != state.phoneText { seen.append(state.phoneText) }
            if state.phoneText == "010-1234-5678", state.isSendEnabled { break }
        }
        #expect(
            seen == [
                "010-", "010-1", "010-12", "010-123", "010-1234", "010-1234-5", "010-1234-56", "010-1234-567",
                "010-1234-5678",
            ]
        )
    }

    /// The thread that brought the last answer may still be on its way out when the driver goes on.
    @Test func oneEventRightAfterAnotherIsNeverMissed() async throws {
        let session = try session()
        for turn in 0..<3000 {
            let text = turn.isMultiple(of: 2) ? "02-123-4567" : "070-1234-5678"
            #expect(session.changePhoneText(text).phoneText == text)
            #expect(session.state.failure == nil)
            #expect(await session.tapSend().failure?.code == .invalidPhoneNumber)
            #expect(await session.tapSignUp().failure?.code == .verificationNotFound)
        }
    }

    @Test func nothingOfASessionStaysBehind() async throws {
        weak var gone: PhoneViewSession?
        do {
            let session = try session()
            session.changePhoneText("01012345678")
            await session.tapSend()
            gone = session
        }
        #expect(gone == nil)
    }

    @Test func theChainsGoWithTheSession() async throws {
        weak var gone: HeldUseCase?
        do {
            let useCase = HeldUseCase()
            let session = PhoneViewSession(
                PhoneViewModel(
                    useCase: useCase,
                    phoneText: "010-1234-5678"
                )
            )
            session.changeCodeText("123456")
            async let sent = session.tapSend()
            await useCase.arrival()
            useCase.answer(.success(try sampleCode()))
            #expect(await sent.isSignUpEnabled == false)
            gone = useCase
        }
        #expect(gone == nil)
    }

    @Test(.hangLimit) func releasingTheSessionAfterCancellationCancelsItsWork() async {
        let useCase = AbandonedUseCase()
        let waiting = Task {
            await PhoneViewSession(PhoneViewModel(useCase: useCase)).tapSend().isBusy
        }
        #expect(await useCase.next() == "begun")
        waiting.cancel()
        #expect(await waiting.value)
        #expect(await useCase.next() == "cancelled")
    }
}
