import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

/// The part of the rules that a view model has, for one person.
@Suite struct ServerPhoneUseCaseTests {
    private let store = MemoryStore()
    private let clock = ManualClock()

    private func useCase(region: Region = .korea, fallbackRegion: Region? = nil) throws -> ServerPhoneUseCase {
        let rules = try VerificationUseCase.plain(
            over: store,
            code: "042042",
            routes: Routes([Routes.Gateway("all", serves: [.sms, .call])]),
            clock: clock
        )
        return ServerPhoneUseCase(
            rules,
            context: RequestContext(owner: .local, region: region, language: .english),
            fallbackRegion: fallbackRegion,
            explain: \.code
        )
    }

    @Test(arguments: ["US", "GB", "JP", "IT"])
    func aNumberThatBeginsWithZeroMayBeOfTheFallbackRegion(_ region: String) throws {
        let useCase = try useCase(region: try #require(Region(region)), fallbackRegion: .korea)
        let korean = useCase.phoneText("01012345678")
        #expect(korean.text == "010-1234-5678")
        #expect(korean.number?.e164 == "+821012345678")
        #expect(useCase.phoneText("010-1234-5678").number == korean.number)
        #expect(useCase.phoneText("01012345678x").text == "01012345678x")
        #expect(useCase.phoneText("01012345678x").number == nil)
        #expect(useCase.phoneText("1012345678").number == nil)
    }

    @Test func aNumberOfTheRegionItselfStaysOne() throws {
        let useCase = try useCase(region: try #require(Region("GB")), fallbackRegion: .korea)
        #expect(useCase.phoneText("07400 123456").text == "07400 123456")
    }

    @Test func aWrongCodeThenTheRightOne() async throws {
        let useCase = try useCase()
        let phone = useCase.phoneText("01012345678")
        let sent = try await useCase.requestCode(CodeRequest(phone: phone, channel: .call))
        #expect(sent.number == phone.number)
        #expect(sent.channel == .call)
        #expect(sent.channels == [.sms, .call])
        #expect(sent.resendableFrom == clock.now() + .seconds(30))
        #expect(sent.expiresAt == clock.now() + .seconds(600))
        #expect(sent.checksLeft == 5 && sent.isOpen)

        let wrong = await #expect(throws: SignupFailure.self) { try await useCase.signUp("111111", for: sent) }
        var left = sent
        left.checksLeft = 4
        #expect(wrong == SignupFailure(.codeIncorrect, message: "code_incorrect", sentCode: left))
        #expect(useCase.results.failure?.checksLeft == 4)

        let account = try await useCase.signUp("042042", for: sent)
        #expect(account.isNew)
        #expect(useCase.results.failure == nil)
        #expect(useCase.results.signedUp?.account.id.description == account.id)
        #expect(useCase.results[sent]?.consumedBy == useCase.results.signedUp?.account.id)
    }

    @Test func whatIsNoNumberIsRefusedForItsReason() async throws {
        let useCase = try useCase()
        let phone = useCase.phoneText("02-123-4567")
        let refusal = await #expect(throws: SignupFailure.self) {
            try await useCase.requestCode(CodeRequest(phone: phone))
        }
        #expect(refusal?.code == .invalidPhoneNumber)
        #expect(useCase.results.failure == .kindNotAccepted(.fixedLine))
    }

    @Test func aCodeThatItDidNotSendIsUnknown() async throws {
        let number = try PhoneNumber(parsing: "01012345678", region: .korea)
        let useCase = try useCase()
        let refusal = await #expect(throws: SignupFailure.self) {
            try await useCase.signUp("042042", for: SentCode(id: "ver_1", number: number))
        }
        #expect(refusal?.code == .verificationNotFound)
    }
}
