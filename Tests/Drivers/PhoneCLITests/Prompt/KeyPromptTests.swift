import PhoneDomain
import PhoneSignup
import Testing
import Texts

@testable import PhoneCLI
@testable import PhoneViewModel

/// The conversation event by event, while the signup takes its time.
@Suite struct KeyPromptTests {
    /// Shows what is typed as it is. The taps are the test's.
    private struct TypedTexts: PhoneUseCase {
        func phoneText(_ typed: String) -> PhoneText { PhoneText(typed: typed, text: typed, number: nil) }
        func requestCode(_ request: CodeRequest) throws(SignupFailure) -> SentCode { throw SignupFailure(.unavailable) }
        func signUp(_ codeText: String, for sentCode: SentCode) throws(SignupFailure) -> SignedUpAccount {
            throw SignupFailure(.unavailable)
        }
    }

    /// A conversation at whose signup's other end is the test.
    private struct Conversation {
        private var conversation = KeyPrompt(
            texts: Languages.english,
            appearance: Appearance(redrawsLines: true, usesColour: false)
        )
        private let flow: SignupFlow
        var phoneText: String { flow.session.state.phoneText }

        init(phoneText: String = "010-") {
            flow = SignupFlow(PhoneViewModel(useCase: TypedTexts(), phoneText: phoneText))
        }

        /// One that shows the field of the number.
        static var begun: Conversation {
            var conversation = Conversation()
            _ = conversation.handle(.started)
            _ = conversation.begin()
            return conversation
        }

        mutating func handle(_ event: KeyPrompt.Event) -> [KeyPrompt.Action] {
            conversation.handle(event, at: Timestamp(seconds: 0))
        }

        mutating func begin() -> [KeyPrompt.Action] { handle(.begun(flow)) }

        mutating func press(_ keys: Key...) -> [KeyPrompt.Action] {
            keys.flatMap { handle(.key($0)) }
        }

        /// The last tap has been handled.
        mutating func answer(_ sentCode: SentCode? = nil, _ failure: SignupFailure? = nil) -> [KeyPrompt.Action] {
            let phone = PhoneText(typed: phoneText, text: phoneText, number: sentCode?.number)
            var state = PhoneViewState(phone: phone, code: .empty, sentCode: sentCode, channel: nil)
            state.failure = failure
            return handle(.handled(state))
        }
    }

    /// What is written for a phone field with its text and the cursor at its end.
    private func drawn(_ text: String, hints: String = "+ for another country · Ctrl-C: cancel") -> KeyPrompt.Action {
        .write("\r? Phone number: \(text)\u{1B}[J\n\(hints)\u{1B}[A\r\u{1B}[\(16 + text.count)C")
    }

    @Test("an edit is shown at once")
    func edit() {
        var conversation = Conversation.begun
        #expect(conversation.press(.text("1")) == [drawn("010-1")])
        #expect(conversation.press(.text("2"), .backspace) == [drawn("010-12"), drawn("010-1")])
    }

    @Test("keys pressed before the signup has begun are handled then, one after another")
    func beforeBeginning() {
        var conversation = Conversation()
        #expect(conversation.handle(.started) == [.begin])
        #expect(conversation.press(.text("1"), .text("2"), .backspace, .text("3"), .enter, .text("4")) == [])
        #expect(conversation.begin() == [.tap(.send), drawn("010-13", hints: "⠋ sending…")])
    }

    @Test("while a code is sent the spinner turns with each tick, and nothing else is drawn")
    func spinner() {
        var conversation = Conversation.begun
        #expect(conversation.press(.enter) == [.tap(.send), drawn("010-", hints: "⠋ sending…")])
        #expect(conversation.handle(.tick) == [drawn("010-", hints: "⠙ sending…")])
        #expect(conversation.handle(.tick) == [drawn("010-", hints: "⠹ sending…")])
        _ = conversation.answer(nil, SignupFailure(.unavailable, message: "Later."))
        #expect(conversation.handle(.tick) == [])
    }

    @Test("a code that a server refuses to send again yet is said by the hint")
    func tooSoonOnServer() throws {
        let sentCode = try sampleSentCode(expiresAt: Timestamp(seconds: 60))
        var conversation = Conversation.begun
        _ = conversation.press(.enter)
        _ = conversation.answer(sentCode)
        #expect(conversation.press(.text("r")).first == .tap(.send))
        let refused = conversation.answer(sentCode, SignupFailure(.resendTooSoon, retryAt: Timestamp(seconds: 9)))
        #expect(
            refused == [.write("\r? Code: \u{1B}[J\n! resend in 0:09 · expires in 1:00\u{1B}[A\r\u{1B}[8C")]
        )
        #expect(conversation.press(.text("r")) == [])
    }

    @Test("what was typed ahead of a refusal was meant for another outcome, and is dropped")
    func typeAhead() {
        var conversation = Conversation.begun
        #expect(conversation.press(.enter).first == .tap(.send))
        #expect(conversation.press(.text("123456"), .enter) == [])
        let refused = conversation.answer(nil, SignupFailure(.unavailable, message: "Later."))
        #expect(
            refused == [
                .write("\r? Phone number: 010-\u{1B}[J\n"),
                .write("✗ Later.\n"),
                drawn("010-"),
            ]
        )
    }

    @Test("what was typed ahead of a code that is sent goes to the code's field")
    func typeAheadOfCode() throws {
        let sentCode = try sampleSentCode()
        var conversation = Conversation.begun
        #expect(conversation.press(.enter, .text("123456"), .enter).first == .tap(.send))
        #expect(conversation.answer(sentCode).contains(.tap(.signUp)))
    }

    @Test("Ctrl-C takes effect before the signup has begun, and while a tap is handled", arguments: [false, true])
    func interrupt(_ hasBegun: Bool) {
        var conversation = hasBegun ? Conversation.begun : Conversation()
        let last = hasBegun ? conversation.press(.enter) : conversation.handle(.started)
        #expect(last.first == (hasBegun ? .tap(.send) : .begin))
        #expect(conversation.press(.interrupt).last == .exit(.interrupted))
    }

    @Test("Ctrl-D in an empty field cancels the signup as Ctrl-C does, elsewhere it does nothing")
    func endOfInput() {
        var conversation = Conversation.begun
        #expect(conversation.press(.endOfInput) == [])
        _ = conversation.press(.deleteToStart)
        for key in [Key.endOfInput, .interrupt] {
            var ending = conversation
            #expect(
                ending.press(key)
                    == [
                        .write("\r? Phone number: \u{1B}[J\n"), .writeError("✗ Signup canceled.\n"),
                        .exit(.interrupted),
                    ]
            )
        }
    }

    @Test("a terminal that goes away ends the signup once its last keys are handled")
    func hangUp() {
        var conversation = Conversation.begun
        #expect(conversation.press(.enter).first == .tap(.send))
        #expect(conversation.handle(.inputEnded) == [])
        #expect(conversation.answer().last == .exit(.failed))
    }

    @Test("keys without end do not fill the memory")
    func flood() {
        var conversation = Conversation()
        _ = conversation.handle(.started)
        for _ in 0..<10_000 { _ = conversation.press(.paste("1")) }
        _ = conversation.begin()
        #expect(conversation.phoneText == "010-" + String(repeating: "1", count: 256))
    }

    @Test("a text without end is cut")
    func longText() {
        var conversation = Conversation.begun
        let ones = String(repeating: "1", count: 10_000)
        _ = conversation.press(.text(ones))
        #expect(conversation.phoneText == "010-" + ones.prefix(1526))
        _ = conversation.press(.paste(ones))
        #expect(conversation.phoneText == "010-" + ones.prefix(1526))
    }

    @Test("a server cannot move the cursor or colour the screen")
    func hostileTexts() {
        var conversation = Conversation(phoneText: "010\u{1B}[2J\u{9B}1A\u{202E}")
        _ = conversation.handle(.started)
        _ = conversation.begin()
        let actions =
            conversation.press(.enter)
            + conversation.answer(nil, SignupFailure("x", message: "\u{1B}]0;title\u{7}bad\nnews"))
        #expect(
            actions == [
                .tap(.send),
                drawn("010[2J1A", hints: "⠋ sending…"),
                .write("\r? Phone number: 010[2J1A\u{1B}[J\n"),
                .write("✗ ]0;titlebadnews\n"),
                drawn("010[2J1A"),
            ]
        )
    }
}
