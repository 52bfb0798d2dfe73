import PhoneSignup
import PhoneTestSupport
import Testing

@Suite struct SendingTests {
    @Test func aTapTakesTheTextAlongAndShowsTheCodeField() async throws {
        let flow = FlowMarbles()
        flow.type("01012345678")
        await flow.send()
        await flow.answer(.success(try sampleCode()))
        #expect(flow.useCase.calls == [.requestCode("010-1234-5678")])
        #expect(flow.draw(.busy) == "idle - busy idle")
        #expect(flow.draw(.codeField) == "hidden - - shown")
        #expect(flow.draw(.sentCode) == "none - - 010-1234-5678/open")
        #expect(flow.draw(.failure) == "none - - -")
    }

    @Test func aSecondTapWhileBusyIsIgnoredNotQueued() async throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678")
        await flow.send()
        flow.tapSend()
        flow.tapSend()
        await flow.answer(.success(try sampleCode()))
        #expect(flow.useCase.calls == [.requestCode("010-1234-5678")])
        #expect(flow.draw(.busy) == "idle busy - - idle")
        #expect(flow.draw(.codeField) == "hidden - - - shown")
    }

    @Test func aRefusalIsShownUntilTheNextKey() async {
        let flow = FlowMarbles(phoneText: "02-123-4567")
        flow.tapSend()
        await flow.settled()
        flow.type("02-123-456")
        #expect(flow.useCase.calls == [])
        #expect(flow.draw(.failure) == "none invalid_phone_number none")
        #expect(flow.draw(.codeField) == "hidden - -")
        #expect(flow.draw(.busy) == "idle busy,idle -")
    }

    @Test func aResendKeepsTheCodeFieldAndEmptiesIt() async throws {
        let sentCode = try sampleCode()
        let flow = FlowMarbles(phoneText: "010-1234-5678", codeText: "123", sentCode: sentCode)
        await flow.send()
        await flow.answer(.success(sentCode))
        await flow.send()
        await flow.answer(.failure(SignupFailure(.resendTooSoon, retryAt: Timestamp(seconds: 60))))
        #expect(flow.draw(.codeField) == "shown - - - -")
        #expect(flow.draw(.codeText) == "123 - '' - -")
        #expect(flow.draw(.failure) == "none - - - resend_too_soon")
        #expect(flow.useCase.calls == [.requestCode("010-1234-5678"), .requestCode("010-1234-5678")])
    }

    @Test func aLateAnswerForAnotherNumberStaysOutOfSightUntilItsNumberIsBack() async throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678")
        await flow.send()
        flow.type("010-1234-5679")
        await flow.answer(.success(try sampleCode("010-1234-5678")))
        flow.type("010-1234-5678")
        flow.type("010-1234-567")
        #expect(flow.draw(.codeField) == "hidden - - - shown hidden")
        #expect(flow.draw(.sentCode) == "none - - - 010-1234-5678/open none")
        #expect(flow.draw(.busy) == "idle busy - idle - -")
    }

    @Test func aLateRefusalForAnotherNumberIsNotShown() async {
        let flow = FlowMarbles(phoneText: "010-1234-5678")
        await flow.send()
        flow.type("010-1234-5679")
        await flow.answer(.failure(SignupFailure(.resendTooSoon, retryAt: Timestamp(seconds: 60))))
        #expect(flow.draw(.failure) == "none - - -")
    }

    @Test func aTapSendsByTheChannelThatWasPickedLast() async throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678")
        await flow.send()
        await flow.answer(.success(try sampleCode()))
        flow.pick(.call)
        await flow.send()
        await flow.answer(.success(try sampleCode(channel: .call)))
        flow.pick(nil)
        await flow.send()
        #expect(
            flow.useCase.calls == [
                .requestCode("010-1234-5678"), .requestCode("010-1234-5678", .call), .requestCode("010-1234-5678"),
            ]
        )
        #expect(flow.draw(.channels) == "'' - sms,call - - - - -")
    }

    @Test func eachNumberKeepsItsOwnVerification() async throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678")
        await flow.send()
        await flow.answer(.success(try sampleCode("010-1234-5678", id: "ver_1")))
        flow.type("010-1111-2222")
        await flow.send()
        await flow.answer(.success(try sampleCode("010-1111-2222", id: "ver_2")))
        flow.type("010-1234-5678")
        #expect(
            flow.draw(.sentCode)
                == "none - 010-1234-5678/open none - 010-1111-2222/open 010-1234-5678/open"
        )
    }
}
