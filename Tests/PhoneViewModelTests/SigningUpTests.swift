import PhoneDomain
import PhoneViewModel
import Testing

@Suite struct SigningUpTests {
    @Test func theRightCodeSignsUp() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", verification: verification)
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerLeadingOn(.success(try sampleVerification(status: .approved)))
        await flow.answerSignUp(.success(sampleSignedUp(verification)))
        #expect(flow.useCase.calls == [.verify("123456", verification.id), .signUp(verification.id)])
        #expect(flow.draw(.busy) == "idle - busy - idle")
        #expect(flow.draw(.verification) == "010-1234-5678/pending - - 010-1234-5678/approved -")
        #expect(flow.draw(.signedUp) == "- - - - new")
        #expect(flow.draw(.signUp) == "off on - - off")
        #expect(flow.draw(.failure) == "none - - - -")
    }

    @Test func aWrongCodeThenTheRightOne() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", verification: verification)
        flow.typeCode("000000")
        await flow.signUp()
        await flow.answer(.failure(.codeIncorrect(checksLeft: 4)))
        flow.typeCode("123456")
        await flow.signUp()
        await flow.answerLeadingOn(.success(try sampleVerification(status: .approved)))
        await flow.answerSignUp(.success(sampleSignedUp(verification)))
        #expect(flow.draw(.failure) == "none - - code_incorrect none - - -")
        #expect(flow.draw(.signedUp) == "- - - - - - - new")
        #expect(flow.draw(.busy) == "idle - busy idle - busy - idle")
        #expect(flow.draw(.codeText) == "'' 000000 - - 123456 - - -")
        #expect(
            flow.useCase.calls == [
                .verify("000000", verification.id), .verify("123456", verification.id), .signUp(verification.id),
            ]
        )
    }

    @Test func tapsWhileItIsSeenToAreIgnoredFromTheCheckToTheAccount() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        flow.tapSignUp()
        await flow.answerLeadingOn(.success(try sampleVerification(status: .approved)))
        flow.tapSignUp()
        await flow.answerSignUp(.success(sampleSignedUp(verification)))
        #expect(flow.useCase.calls == [.verify("123456", verification.id), .signUp(verification.id)])
        #expect(flow.draw(.busy) == "idle busy - - - idle")
    }

    @Test func anApprovalThatCouldNotBeUsedIsUsedByTheNextTapWithoutACheck() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        await flow.answerLeadingOn(.success(try sampleVerification(status: .approved)))
        await flow.answerSignUp(.failure(.unavailable(cause: "the disk is full")))
        await flow.signUp()
        await flow.answerSignUp(.success(sampleSignedUp(verification)))
        #expect(
            flow.useCase.calls == [
                .verify("123456", verification.id), .signUp(verification.id), .signUp(verification.id),
            ]
        )
        #expect(flow.draw(.failure) == "none - - unavailable none -")
        #expect(flow.draw(.signedUp) == "- - - - - new")
    }

    @Test func aTapBeforeACodeWasAskedForSaysSo() async {
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456")
        flow.tapSignUp()
        await flow.settled()
        #expect(flow.useCase.calls == [])
        #expect(flow.draw(.failure) == "none verification_not_found")
        #expect(flow.draw(.busy) == "idle busy,idle")
    }

    @Test func whoHasGoneOnToAnotherNumberIsNotSignedUpWithTheOldOne() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        flow.type("010-1234-5679")
        await flow.answer(.success(try sampleVerification(status: .approved)))
        #expect(flow.useCase.calls == [.verify("123456", verification.id)])
        #expect(flow.draw(.signedUp) == "- - - -")
        #expect(flow.draw(.failure) == "none - - -")
        flow.type("010-1234-5678")
        #expect(flow.draw(.verification).hasSuffix("none - 010-1234-5678/approved"))
    }

    @Test func aResendMayBeAskedForWhileACodeIsChecked() async throws {
        let verification = try sampleVerification()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123456", verification: verification)
        await flow.signUp()
        await flow.send()
        #expect(flow.useCase.calls == [.verify("123456", verification.id), .requestCode("010-1234-5678")])
        flow.useCase.answer(.failure(.codeIncorrect(checksLeft: 4)))
        await flow.answer(.success(verification))
        #expect(flow.draw(.busy) == "idle busy - idle")
    }
}
