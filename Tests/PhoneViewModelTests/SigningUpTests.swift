import PhoneDomain
import PhoneTestSupport
import PhoneViewModel
import Testing

@Suite struct SigningUpTests {
    @Test func theRightCodeSignsUp() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", verification: verification)
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerSignUp(.success(try sampleSignedUp(verification)))
        #expect(flow.useCase.calls == [.signUp("123456", verification.id)])
        #expect(flow.draw(.busy) == "idle - busy idle")
        #expect(flow.draw(.verification) == "010-1234-5678/pending - - 010-1234-5678/approved")
        #expect(flow.draw(.signedUp) == "- - - new")
        #expect(flow.draw(.signUp) == "off on - off")
        #expect(flow.draw(.failure) == "none - - -")
    }

    @Test func aWrongCodeThenTheRightOne() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", verification: verification)
        flow.typeCode("000000")
        await flow.signUp()
        await flow.answerSignUp(.failure(.codeIncorrect(verification)))
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerSignUp(.success(try sampleSignedUp(verification)))
        #expect(flow.draw(.failure) == "none - - code_incorrect none - -")
        #expect(flow.draw(.signedUp) == "- - - - - - new")
        #expect(flow.draw(.busy) == "idle - busy idle - busy idle")
        #expect(flow.draw(.codeText) == "'' 000000 - - 123456 - -")
        #expect(
            flow.useCase.calls == [.signUp("000000", verification.id), .signUp("123456", verification.id)]
        )
    }

    @Test func aRefusalShowsTheVerificationItLeft() async throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "000000", verification: try sampleVerification())
        await flow.signUp()
        let locked = try sampleVerification(status: .maxAttemptsReached)
        await flow.answerSignUp(.failure(.codeIncorrect(locked)))
        #expect(flow.draw(.verification) == "010-1234-5678/pending - 010-1234-5678/maxAttemptsReached")
        #expect(flow.draw(.signUp) == "on - off")
    }

    @Test func tapsWhileSigningUpAreIgnored() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        flow.tapSignUp()
        await flow.answerSignUp(.success(try sampleSignedUp(verification)))
        #expect(flow.useCase.calls == [.signUp("123456", verification.id)])
        #expect(flow.draw(.busy) == "idle busy - idle")
    }

    /// An approval that waits for a decision about its account needs the code once more: it belongs to who has it.
    @Test func anApprovalWithoutItsCodeCannotBeUsed() async throws {
        let approved = try sampleVerification(status: .approved)
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: try sampleVerification())
        await flow.signUp()
        await flow.answerSignUp(.failure(.accountDormant(approved)))
        flow.typeCode("")
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerSignUp(.success(try sampleSignedUp(approved)))
        #expect(flow.useCase.calls == [.signUp("123456", approved.id), .signUp("123456", approved.id)])
        #expect(flow.draw(.failure) == "none - account_dormant none - - -")
        #expect(flow.draw(.signUp) == "on - - off on - off")
        #expect(flow.draw(.signedUp) == "- - - - - - new")
    }

    @Test func aTapAfterAFailedOneTriesAgain() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        await flow.answerSignUp(.failure(.unavailable(cause: "the disk is full")))
        await flow.signUp()
        await flow.answerSignUp(.success(try sampleSignedUp(verification)))
        #expect(
            flow.useCase.calls == [.signUp("123456", verification.id), .signUp("123456", verification.id)]
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
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        flow.type("010-1234-5679")
        await flow.answerSignUp(.success(try sampleSignedUp(verification)))
        #expect(flow.draw(.signedUp) == "- - - new")
        #expect(flow.draw(.failure) == "none - - -")
        flow.type("010-1234-5678")
        #expect(flow.draw(.verification).hasSuffix("none - 010-1234-5678/approved"))
    }

    @Test func aResendMayBeAskedForWhileACodeIsChecked() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        await flow.send()
        #expect(flow.useCase.calls == [.signUp("123456", verification.id), .requestCode("010-1234-5678")])
        flow.useCase.answerSignUp(.failure(.codeIncorrect(verification)))
        await flow.answer(.success(verification))
        #expect(flow.draw(.busy) == "idle busy - idle")
    }
}
