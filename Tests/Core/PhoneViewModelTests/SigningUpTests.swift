import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import Testing

@Suite struct SigningUpTests {
    @Test func theRightCodeSignsUp() async throws {
        let sentCode = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", sentCode: sentCode)
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerSignUp(.success(newAccount))
        #expect(flow.useCase.calls == [.signUp("123456", sentCode.id)])
        #expect(flow.draw(.busy) == "idle - busy idle")
        #expect(flow.draw(.sentCode) == "010-1234-5678/open - - 010-1234-5678/closed")
        #expect(flow.draw(.signedUp) == "- - - new")
        #expect(flow.draw(.signUp) == "off on - off")
        #expect(flow.draw(.failure) == "none - - -")
    }

    @Test func aWrongCodeThenTheRightOne() async throws {
        let sentCode = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", sentCode: sentCode)
        flow.typeCode("000000")
        await flow.signUp()
        await flow.answerSignUp(.failure(SignupFailure(.codeIncorrect, sentCode: sentCode)))
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerSignUp(.success(newAccount))
        #expect(flow.draw(.failure) == "none - - code_incorrect none - -")
        #expect(flow.draw(.signedUp) == "- - - - - - new")
        #expect(flow.draw(.busy) == "idle - busy idle - busy idle")
        #expect(flow.draw(.codeText) == "'' 000000 - - 123456 - -")
        #expect(
            flow.useCase.calls == [.signUp("000000", sentCode.id), .signUp("123456", sentCode.id)]
        )
    }

    @Test func aRefusalShowsTheVerificationItLeft() async throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "000000", sentCode: try sampleCode())
        await flow.signUp()
        let locked = try sampleCode(isOpen: false)
        await flow.answerSignUp(.failure(SignupFailure(.codeIncorrect, sentCode: locked)))
        #expect(flow.draw(.sentCode) == "010-1234-5678/open - 010-1234-5678/closed")
        #expect(flow.draw(.signUp) == "on - off")
    }

    @Test func tapsWhileSigningUpAreIgnored() async throws {
        let sentCode = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", sentCode: sentCode)
        await flow.signUp()
        flow.tapSignUp()
        await flow.answerSignUp(.success(newAccount))
        #expect(flow.useCase.calls == [.signUp("123456", sentCode.id)])
        #expect(flow.draw(.busy) == "idle busy - idle")
    }

    /// An approval that waits for a decision about its account needs the code once more: it belongs to who has it.
    @Test func anApprovalWithoutItsCodeCannotBeUsed() async throws {
        let approved = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", sentCode: try sampleCode())
        await flow.signUp()
        await flow.answerSignUp(.failure(SignupFailure("account_dormant", sentCode: approved)))
        flow.typeCode("")
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerSignUp(.success(newAccount))
        #expect(flow.useCase.calls == [.signUp("123456", approved.id), .signUp("123456", approved.id)])
        #expect(flow.draw(.failure) == "none - account_dormant none - - -")
        #expect(flow.draw(.signUp) == "on - - off on - off")
        #expect(flow.draw(.signedUp) == "- - - - - - new")
    }

    @Test func aTapAfterAFailedOneTriesAgain() async throws {
        let sentCode = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", sentCode: sentCode)
        await flow.signUp()
        await flow.answerSignUp(.failure(SignupFailure(.unavailable)))
        await flow.signUp()
        await flow.answerSignUp(.success(newAccount))
        #expect(
            flow.useCase.calls == [.signUp("123456", sentCode.id), .signUp("123456", sentCode.id)]
        )
        #expect(flow.draw(.failure) == "none - unavailable none -")
        #expect(flow.draw(.signedUp) == "- - - - new")
    }

    @Test func aTapBeforeACodeWasAskedForSaysSo() async {
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456")
        flow.tapSignUp()
        await flow.settled()
        #expect(flow.useCase.calls == [])
        #expect(flow.draw(.failure) == "none verification_not_found")
        #expect(flow.draw(.busy) == "idle busy,idle")
    }

    /// The tap brought the code: typing another number after it does not take the account back.
    @Test func typingAnotherNumberAfterTheTapChangesNothingAboutIt() async throws {
        let sentCode = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", sentCode: sentCode)
        await flow.signUp()
        flow.type("010-1234-5679")
        await flow.answerSignUp(.success(newAccount))
        #expect(flow.draw(.signedUp) == "- - - new")
        #expect(flow.draw(.failure) == "none - - -")
        flow.type("010-1234-5678")
        #expect(flow.draw(.sentCode).hasSuffix("none - 010-1234-5678/closed"))
    }

    @Test func aResendMayBeAskedForWhileACodeIsChecked() async throws {
        let sentCode = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", sentCode: sentCode)
        await flow.signUp()
        await flow.send()
        #expect(flow.useCase.calls == [.signUp("123456", sentCode.id), .requestCode("010-1234-5678")])
        flow.useCase.answerSignUp(.failure(SignupFailure(.codeIncorrect, sentCode: sentCode)))
        await flow.answer(.success(sentCode))
        #expect(flow.draw(.busy) == "idle busy - idle")
    }
}
