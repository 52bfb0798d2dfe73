import PhoneNumbers
import PhoneTestSupport
import PhoneViewModel
import Testing

@Suite struct TypingTests {
    @Test func hyphensAppearAndTheNumberBecomesSendable() {
        let flow = FlowMarbles()
        for text in [
            "010-1", "010-12", "010-123", "010-1234", "010-12345", "010-1234-56", "010-1234-567", "010-1234-5678",
        ] {
            flow.type(text)
        }
        #expect(
            flow.draw(.phoneText)
                == "010- 010-1 010-12 010-123 010-1234 010-1234-5 010-1234-56 010-1234-567 010-1234-5678"
        )
        #expect(flow.draw(.send) == "off - - - - - - - on")
        #expect(flow.draw(.codeField) == "hidden - - - - - - - -")
        #expect(flow.draw(.codeText) == "'' - - - - - - - -")
        #expect(flow.draw(.signUp) == "off - - - - - - - -")
        #expect(flow.draw(.sentCode) == "none - - - - - - - -")
        #expect(flow.draw(.failure) == "none - - - - - - - -")
        #expect(flow.draw(.signedUp) == "- - - - - - - - -")
        #expect(flow.draw(.busy) == "idle - - - - - - - -")
    }

    @Test func deletingGoesBackOverTheHyphens() {
        let flow = FlowMarbles(phoneText: "010-1234-5")
        for text in ["010-1234-", "010-1234", "010-123"] { flow.type(text) }
        #expect(flow.draw(.phoneText) == "010-1234-5 010-1234- 010-1234 010-123")
    }

    @Test func pastingIsCleaned() {
        let flow = FlowMarbles(phoneText: "")
        flow.type("０１０ １２３４ ５６７８")
        flow.type("0082 10 1234 5678")
        flow.type("+82 10-1234-5678")
        flow.type("🙂")
        #expect(flow.draw(.phoneText) == "'' 010-1234-5678 00_82_10-1234-5678 +82_10-1234-5678 🙂")
        #expect(flow.draw(.send) == "off on - - off")
    }

    @Test(
        arguments: [
            ("DE", "015123456789", "01512 3456789", "+4915123456789"),
            ("DE", "15123456789", "15123456789", "+4915123456789"),
            ("GB", "07400123456", "07400 123456", "+447400123456"),
            ("JP", "09012345678", "090-1234-5678", "+819012345678"),
            ("KR", "004915123456789", "00 49 1512 3456789", "+4915123456789"),
            ("US", "011821012345678", "011 82 10-1234-5678", "+821012345678"),
        ]
    )
    func whatIsTypedKeyByKeyIsTheNumber(_ home: String, _ keys: String, _ shown: String, _ e164: String) throws {
        let region = try #require(Region(home))
        let session = PhoneViewSession(PhoneViewModel(useCase: HeldUseCase(region: region)))
        for key in keys { session.changePhoneText(session.state.phoneText + String(key)) }
        #expect(session.state.phoneText == shown)
        #expect(session.state.isSendEnabled)
        #expect(try PhoneNumber(parsing: session.state.phoneText, region: region).e164 == e164)
    }

    @Test func anExtensionDoesNotCompleteANumber() async throws {
        let flow = FlowMarbles()
        flow.type("010-1234-567 x8")
        // Else the tap would wait for an answer.
        try #require(flow.draw(.send) == "off -")
        flow.tapSend()
        await flow.settled()
        #expect(flow.draw(.phoneText) == "010- 010-1234-567_x8 -")
        #expect(flow.draw(.send) == "off - -")
        #expect(flow.draw(.failure) == "none - invalid_phone_number")
        #expect(flow.useCase.calls.isEmpty)
    }

    @Test func theCodeFieldShowsDigitsOrWhatWasTyped() throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678", sentCode: try sampleCode())
        flow.typeCode("1")
        flow.typeCode("1a")
        flow.typeCode("123 45６")
        flow.typeCode("123456")
        #expect(flow.draw(.codeText) == "'' 1 1a 123456 -")
        #expect(flow.draw(.signUp) == "off - - on -")
        #expect(flow.draw(.codeField) == "shown - - - -")
    }

    @Test func aPastedMessageYieldsItsCode() throws {
        let flow = FlowMarbles(phoneText: "010-1234-5678", sentCode: try sampleCode())
        flow.typeCode("Your code is 494918. It expires in 10 min.")
        flow.typeCode("인증번호 49491 (10분)")
        flow.typeCode("494918a")
        #expect(flow.draw(.codeText) == "'' 494918 인증번호 49491 (10분) 494918a")
        #expect(flow.draw(.signUp) == "off on off -")
    }
}
