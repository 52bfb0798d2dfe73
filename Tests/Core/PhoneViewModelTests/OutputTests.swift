import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import Reactive
import Testing

/// How the outputs are subscribed to, each for itself.
@Suite struct OutputTests {
    private let useCase = HeldUseCase()
    private let phoneText = PublishRelay<String>()
    private let sendTap = PublishRelay<Void>()
    private let codeText = PublishRelay<String>()
    private let signUpTap = PublishRelay<Void>()

    private func output(sentCode: SentCode? = nil) -> PhoneViewModel.Output {
        PhoneViewModel(
            useCase: useCase,
            phoneText: "010-1234-5678",
            sentCode: sentCode
        )
        .transform(
            PhoneViewModel.Input(
                phoneText: phoneText.asObservable(),
                sendTap: sendTap.asObservable(),
                codeText: codeText.asObservable(),
                signUpTap: signUpTap.asObservable()
            )
        )
    }

    /// Signs up with the code that was typed, and returns when nothing is under way any more.
    private func signUp(_ output: PhoneViewModel.Output) async throws {
        signUpTap.accept(())
        await useCase.arrival()
        useCase.answerSignUp(.success(newAccount))
        for await isBusy in output.isBusy.values where !isBusy { return }
    }

    @Test func signedUpEmitsWithoutAnyOtherOutput() async throws {
        let sentCode = try sampleCode()
        let output = output(sentCode: sentCode)
        let signedUp = BehaviorRelay<[Bool]>(value: [])
        let subscription = output.signedUp.subscribe { account in signedUp.update { $0.append(account.isNew) } }
        codeText.accept("123456")
        try await signUp(output)
        #expect(useCase.calls == [.signUp("123456", sentCode.id)])
        #expect(signedUp.value == [true])
        subscription.dispose()
    }

    @Test func aLateSubscriberGetsTheStateButNotThePastSignup() async throws {
        let sentCode = try sampleCode()
        let output = output(sentCode: sentCode)
        let bag = DisposeBag()
        output.state.subscribe { _ in }.disposed(by: bag)
        codeText.accept("123456")
        try await signUp(output)
        let seen = BehaviorRelay<[String]>(value: [])
        output.signedUp.subscribe { _ in seen.update { $0.append("signed up") } }.disposed(by: bag)
        output.codeText.subscribe { text in seen.update { $0.append(text) } }.disposed(by: bag)
        output.isSignUpEnabled.subscribe { isEnabled in seen.update { $0.append("\(isEnabled)") } }.disposed(by: bag)
        #expect(seen.value == ["123456", "false"])
    }

    @Test func signedUpEmitsAgainForASecondTap() async throws {
        let sentCode = try sampleCode()
        let output = output(sentCode: sentCode)
        let signedUp = BehaviorRelay(value: 0)
        let subscription = output.signedUp.subscribe { _ in signedUp.update { $0 += 1 } }
        try await signUp(output)
        try await signUp(output)
        #expect(signedUp.value == 2)
        subscription.dispose()
    }

    @Test func itStartsAnewAfterTheLastHasLeft() {
        let output = output()
        output.phoneText.subscribe { _ in }.dispose()
        let seen = BehaviorRelay<[String]>(value: [])
        let early = output.phoneText.subscribe { text in seen.update { $0.append(text) } }
        phoneText.accept("010-1")
        early.dispose()
        phoneText.accept("010-2")
        let late = output.phoneText.subscribe { text in seen.update { $0.append(text) } }
        #expect(seen.value == ["010-1234-5678", "010-1", "010-1234-5678"])
        late.dispose()
    }

    /// All that a tap takes along is what was sent before it, though its delivery has to wait for another.
    @Test func aTapRightAfterAKeyTakesItAlongEvenWithinADelivery() async throws {
        let sentCode = try sampleCode()
        let output = output(sentCode: sentCode)
        let subscription = output.state.subscribe { state in
            guard state.failure != nil else { return }
            codeText.accept("654321")
            signUpTap.accept(())
        }
        codeText.accept("123456")
        sendTap.accept(())
        await useCase.arrival()
        useCase.answer(.failure(SignupFailure(.resendTooSoon, retryAt: Timestamp(seconds: 60))))
        await useCase.arrival()
        #expect(useCase.calls == [.requestCode("010-1234-5678"), .signUp("654321", sentCode.id)])
        subscription.dispose()
    }

    @Test func oneEventChangesTheStateOnce() async throws {
        let output = output()
        let states = BehaviorRelay<[PhoneViewState]>(value: [])
        let subscription = output.state.subscribe { state in states.update { $0.append(state) } }
        codeText.accept("123")
        sendTap.accept(())
        await useCase.arrival()
        useCase.answer(.success(try sampleCode()))
        for await isBusy in output.isBusy.values where !isBusy { break }
        #expect(states.value.map(\.codeText) == ["", "123", "123", "", ""])
        #expect(states.value.map(\.isCodeFieldHidden) == [true, true, true, false, false])
        #expect(states.value.map(\.isBusy) == [false, false, true, true, false])
        subscription.dispose()
    }
}
