import PhoneDomain
import Testing
import Texts

@testable import PhoneCLI

/// The conversation event by event, while the signup takes its time.
@Suite struct KeyPromptTests {
    /// A conversation at whose signup's other end is the test.
    private struct Conversation {
        private var conversation = KeyPrompt(
            texts: Languages.english,
            appearance: Appearance(redrawsLines: true, usesColour: false)
        )
        var view = SignupView(
            phoneText: "010-",
            isSendEnabled: false,
            isCodeFieldHidden: true,
            codeText: "",
            isSignUpEnabled: false
        )

        /// One that shows the field of the number.
        static var begun: Conversation {
            var conversation = Conversation()
            _ = conversation.handle(.started)
            _ = conversation.answer()
            return conversation
        }

        mutating func handle(_ event: KeyPrompt.Event) -> [KeyPrompt.Action] {
            conversation.handle(event, at: Timestamp(seconds: 0))
        }

        mutating func press(_ keys: Key...) -> [KeyPrompt.Action] {
            keys.flatMap { handle(.key($0)) }
        }

        mutating func answer(_ change: (inout SignupView) -> Void = { _ in }) -> [KeyPrompt.Action] {
            change(&view)
            return handle(.response(view))
        }
    }

    /// What is written for a phone field with its text and the cursor at its end.
    private func drawn(_ text: String, hints: String = "+ for another country · Ctrl-C cancels") -> KeyPrompt.Action {
        .write("\r? Phone number: \(text)\u{1B}[J\n\(hints)\u{1B}[A\r\u{1B}[\(16 + text.count)C")
    }

    @Test("keys pressed during a request become one edit, and Enter comes after it")
    func coalescing() {
        var conversation = Conversation()
        #expect(conversation.handle(.started) == [.request(.begin)])
        #expect(conversation.answer() == [drawn("010-")])
        #expect(conversation.press(.text("1")) == [.request(.changePhoneText("010-1"))])
        #expect(conversation.press(.text("2"), .text("3"), .backspace, .text("4"), .enter, .text("5")) == [])
        #expect(
            conversation.answer { $0.phoneText = "010-1" }
                == [.request(.changePhoneText("010-124")), drawn("010-1")]
        )
        #expect(
            conversation.answer { $0.phoneText = "010-124" }
                == [.request(.send), drawn("010-124", hints: "⠋ sending…")]
        )
    }

    @Test("while a code is sent the spinner turns with each tick, and nothing else is drawn")
    func spinner() {
        var conversation = Conversation.begun
        #expect(conversation.press(.enter) == [.request(.send), drawn("010-", hints: "⠋ sending…")])
        #expect(conversation.handle(.tick) == [drawn("010-", hints: "⠙ sending…")])
        #expect(conversation.handle(.tick) == [drawn("010-", hints: "⠹ sending…")])
        _ = conversation.answer { $0.failure = SignupFailure(.unavailable, message: "Later.") }
        #expect(conversation.handle(.tick) == [])
    }

    @Test("a code that a server refuses to send again yet is said by the hint")
    func tooSoonOnServer() throws {
        let sentCode = try sampleSentCode(expiresAt: Timestamp(seconds: 60))
        var conversation = Conversation.begun
        _ = conversation.press(.enter)
        _ = conversation.answer {
            $0.sentCode = sentCode
            $0.isCodeFieldHidden = false
        }
        #expect(conversation.press(.text("r")).first == .request(.send))
        let refused = conversation.answer { $0.failure = SignupFailure(.resendTooSoon, retryAt: Timestamp(seconds: 9)) }
        #expect(
            refused == [.write("\r? Code: \u{1B}[J\n! resend in 0:09 · expires in 1:00\u{1B}[A\r\u{1B}[8C")]
        )
        #expect(conversation.press(.text("r")) == [])
    }

    @Test("what was typed ahead of a refusal was meant for another outcome, and is dropped")
    func typeAhead() {
        var conversation = Conversation.begun
        #expect(conversation.press(.enter).first == .request(.send))
        #expect(conversation.press(.text("123456"), .enter) == [])
        let refused = conversation.answer { $0.failure = SignupFailure(.unavailable, message: "Later.") }
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
        #expect(conversation.press(.enter, .text("123456"), .enter).first == .request(.send))
        let sent = conversation.answer {
            $0.sentCode = sentCode
            $0.isCodeFieldHidden = false
        }
        #expect(sent.contains(.request(.changeCodeText("123456"))))
        #expect(conversation.answer { $0.codeText = "123456" }.contains(.request(.signUp)))
    }

    @Test(
        "Ctrl-C takes effect during a request",
        arguments: [SignupRequest.begin, .changePhoneText("010-1"), .send]
    )
    func interrupt(_ request: SignupRequest) {
        var conversation = Conversation()
        var last = conversation.handle(.started)
        if request != .begin {
            _ = conversation.answer()
            last = conversation.press(request == .send ? .enter : .text("1"))
        }
        #expect(last.contains(.request(request)))
        #expect(conversation.press(.interrupt).last == .exit(.interrupted))
    }

    @Test("Ctrl-D in an empty field cancels the signup as Ctrl-C does, elsewhere it does nothing")
    func endOfInput() {
        var conversation = Conversation.begun
        _ = conversation.press(.text("1"))
        _ = conversation.answer { $0.phoneText = "010-1" }
        #expect(conversation.press(.endOfInput) == [])
        _ = conversation.press(.backspace)
        _ = conversation.answer { $0.phoneText = "" }
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
        #expect(conversation.press(.text("1")) == [.request(.changePhoneText("010-1"))])
        #expect(conversation.handle(.inputEnded) == [])
        #expect(conversation.answer { $0.phoneText = "010-1" }.last == .exit(.failed))
    }

    @Test("keys without end do not fill the memory")
    func flood() {
        var conversation = Conversation()
        _ = conversation.handle(.started)
        for _ in 0..<10_000 { _ = conversation.press(.paste("1")) }
        var count = 0
        while conversation.answer({ $0.isSendEnabled = true }).contains(.request(.changePhoneText("1"))) { count += 1 }
        #expect(count == 256)
    }

    @Test("a text without end is not sent as such")
    func longText() {
        var conversation = Conversation.begun
        let ones = String(repeating: "1", count: 10_000)
        #expect(conversation.press(.text(ones)) == [.request(.changePhoneText("010-" + ones.prefix(1526)))])
        _ = conversation.answer()
        #expect(conversation.press(.paste(ones)) == [.request(.changePhoneText(String(ones.prefix(1530))))])
    }

    @Test("a server cannot move the cursor or colour the screen")
    func hostileTexts() {
        var conversation = Conversation()
        _ = conversation.handle(.started)
        _ = conversation.answer { $0.phoneText = "010\u{1B}[2J\u{9B}1A\u{202E}" }
        let actions =
            conversation.press(.enter)
            + conversation.answer {
                $0.failure = SignupFailure("x", message: "\u{1B}]0;title\u{7}bad\nnews")
            }
        #expect(
            actions == [
                .request(.send),
                drawn("010[2J1A", hints: "⠋ sending…"),
                .write("\r? Phone number: 010[2J1A\u{1B}[J\n"),
                .write("✗ ]0;titlebadnews\n"),
                drawn("010[2J1A"),
            ]
        )
    }
}
