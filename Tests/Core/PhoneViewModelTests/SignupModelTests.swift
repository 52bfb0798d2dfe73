import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import Synchronization
import Testing

/// The model that SwiftUI observes.
@MainActor @Suite struct SignupModelTests {
    private func model(_ useCase: HeldUseCase, sentCode: SentCode? = nil) -> SignupModel {
        SignupModel(PhoneViewModel(useCase: useCase, phoneText: "010-", sentCode: sentCode))
    }

    @Test func aWholeSignup() async throws {
        let useCase = HeldUseCase()
        let model = model(useCase)
        #expect(model.phoneText == "010-")
        model.phoneText = "01012345678"
        #expect(model.phoneText == "010-1234-5678")
        #expect(model.state.isSendEnabled)

        async let sent: Void = model.send()
        await useCase.arrival()
        useCase.answer(.success(try sampleCode()))
        await sent
        #expect(model.state.channels == [.sms, .call])

        async let resent: Void = model.send(by: .call)
        await useCase.arrival()
        useCase.answer(.success(try sampleCode(channel: .call)))
        await resent
        #expect(useCase.calls == [.requestCode("010-1234-5678"), .requestCode("010-1234-5678", .call)])

        model.codeText = "Your code is 494918."
        #expect(model.codeText == "494918")
        async let signedUp: Void = model.signUp()
        await useCase.arrival()
        useCase.answerSignUp(.success(newAccount))
        await signedUp
        #expect(model.state.signedUp == newAccount)
    }

    /// What happens between the beginning of a tap and its end is seen too, since the state is observed.
    @Test(.hangLimit) func beingBusyIsShownMeanwhile() async throws {
        let useCase = HeldUseCase()
        let model = model(useCase)
        model.phoneText = "01012345678"
        async let sent: Void = model.send()
        await useCase.arrival()
        while !model.state.isBusy { await Task.yield() }
        useCase.answer(.failure(SignupFailure(.rateLimited)))
        await sent
        #expect(model.state.failure?.code == .rateLimited)
        #expect(!model.state.isBusy)
    }

    @Test func theChainsGoWithTheModel() async throws {
        weak var gone: HeldUseCase?
        do {
            let useCase = HeldUseCase()
            let model = model(useCase)
            model.phoneText = "0101"
            gone = useCase
        }
        while gone != nil { await Task.yield() }
        #expect(gone == nil)
    }
}
