import PhoneDomain
import PhoneTestSupport
import Testing
import Texts

@testable import PhoneCLI

/// The prompt through a pipe: whole conversations.
@Suite struct LinePromptTests {
    private struct Transcript: Equatable {
        var output: String
        var errors = ""
        var status = ExitStatus.done
    }

    private func converse(
        _ terminal: ScriptedTerminal,
        world: SignupWorld = SignupWorld(),
        texts: Texts = Languages.english,
        environment: [String: String] = ["TERM": "xterm", "LANG": "C.UTF-8"]
    ) async throws -> Transcript {
        let flow = try world.flow(texts: texts)
        let prompt = SignupPrompt(
            begin: { flow },
            terminal: terminal,
            texts: texts,
            appearance: Appearance(terminal: terminal, environment: environment),
            clock: world.clock,
            messageNote: { _ in SignupWorld.message }
        )
        let status = await prompt.run()
        #expect(terminal.modes == [])
        return Transcript(output: terminal.output, errors: terminal.errors, status: status)
    }

    private static func consent(isRequired: Bool) -> ConsentPolicy {
        ConsentPolicy(
            version: "1",
            isRequired: isRequired,
            terms: RedirectURI("https://ace.example/t"),
            privacy: RedirectURI("https://ace.example/p")
        )
    }

    @Test("the rules are shown, and accepted before a number is asked for", arguments: [false, true])
    func consent(isRequired: Bool) async throws {
        let world = SignupWorld(consent: Self.consent(isRequired: isRequired))
        let answers = isRequired ? "maybe\nY\n" : ""
        let transcript = try await converse(.pipe(answers + "010 1234 5678\n123456\n"), world: world)
        let list = "Terms of Service (https://ace.example/t) and Privacy Policy (https://ace.example/p)."
        let question = "Agree? (y: yes, n: no)\n"
        let rules =
            isRequired ? "I agree to the \(list)\n" + question + question : "By continuing, you agree to the \(list)\n"
        #expect(transcript.output.hasPrefix(rules + "Phone number:\nCode sent"))
        #expect((transcript.errors, transcript.status) == ("", .done))
    }

    @Test("without consent nothing goes on")
    func noConsent() async throws {
        let world = SignupWorld(consent: Self.consent(isRequired: true))
        let transcript = try await converse(.pipe("n\n"), world: world, texts: TypedSignup.korean)
        let rules = "이용약관 (https://ace.example/t) 및 개인정보 처리방침 (https://ace.example/p)에 동의합니다."
        #expect(transcript.output == rules + "\n동의하시겠습니까? (y: 예, n: 아니요)\n")
        #expect((transcript.errors, transcript.status) == ("가입을 취소했습니다.\n", .interrupted))
    }

    @Test("after each failure the next line is another try")
    func unhappy() async throws {
        #expect(
            try await converse(.pipe("011-123-4567\r\nabc\n+82 10-1234-5678\nr\n12\n000000\nn\n01012345679\n123456"))
                == Transcript(
                    output: """
                        Phone number:
                        Phone number:
                        Phone number:
                        Code sent to +82 10-****-5678.
                        SMS stub │ [PhoneProof] Your code is 123456.
                        Code (r: resend, n: change number):
                        Code (r: resend, n: change number):
                        Code (r: resend, n: change number):
                        Code (r: resend, n: change number):
                        Phone number:
                        Code sent to +82 10-****-5679.
                        SMS stub │ [PhoneProof] Your code is 123456.
                        Code (r: resend, n: change number):
                        Signed up: 010-1234-5679 · account acc_00000000000000000000000000000008 (new)

                        """,
                    errors: """
                        011 and 016–019 numbers are out of service. Use your 010 number.
                        That's not a phone number. Enter digits only, no extension. For another country, start with +.
                        We just sent you a code. You can request another one in 30 seconds.
                        Enter the 6-digit code.
                        Wrong code. 4 attempts left.

                        """
                )
        )
    }

    @Test("input that ends too early is a failure that says what was missing")
    func endsTooEarly() async throws {
        #expect(
            try await converse(.pipe("01012345678\n"))
                == Transcript(
                    output: """
                        Phone number:
                        Code sent to +82 10-****-5678.
                        SMS stub │ [PhoneProof] Your code is 123456.
                        Code (r: resend, n: change number):

                        """,
                    errors:
                        "The input ended before the signup was complete. Enter a phone number, then the code.\n",
                    status: .failed
                )
        )
    }

    @Test("after the last try the next line is another number")
    func noTriesLeft() async throws {
        let transcript = try await converse(
            .pipe("01012345678\n000000\n01012345679\n123456\n"),
            world: SignupWorld(policy: VerificationPolicy(maxChecks: 1))
        )
        #expect(transcript.errors == "Wrong code. No attempts left.\n")
        #expect(transcript.output.contains("Signed up: 010-1234-5679"))
        #expect(transcript.status == .done)
    }

    @Test("Ctrl-D in a dumb terminal cancels the signup")
    func endOfInput() async throws {
        let terminal = ScriptedTerminal()
        terminal.end()
        #expect(
            try await converse(terminal, environment: ["TERM": "dumb", "LANG": "C.UTF-8"])
                == Transcript(output: "Phone number: ", errors: "Signup canceled.\n", status: .interrupted)
        )
    }

    @Test("Korean")
    func korean() async throws {
        #expect(
            try await converse(.pipe("02-123-4567\n01012345678\n111111\n123456\n"), texts: TypedSignup.korean)
                == Transcript(
                    output: """
                        휴대폰 번호:
                        휴대폰 번호:
                        +82 10-****-5678 번호로 인증번호를 보냈습니다.
                        SMS 스텁 │ [PhoneProof] Your code is 123456.
                        인증번호(r: 다시 받기, n: 번호 바꾸기):
                        인증번호(r: 다시 받기, n: 번호 바꾸기):
                        가입을 완료했습니다: 010-1234-5678 · 계정 acc_00000000000000000000000000000004 (신규)

                        """,
                    errors: """
                        유선전화 번호입니다. 휴대폰 번호를 입력해 주세요.
                        인증번호가 맞지 않습니다. 4번 더 입력할 수 있습니다.

                        """
                )
        )
    }

    @Test("a dumb terminal is asked in lines, without colours, and answers behind the question")
    func dumb() async throws {
        let terminal = ScriptedTerminal()
        terminal.type("01012345678\n")
        terminal.type("123456\n")
        #expect(
            try await converse(terminal, environment: ["TERM": "dumb", "LANG": "C.UTF-8"])
                == Transcript(
                    output: """
                        Phone number: Code sent to +82 10-****-5678.
                        SMS stub │ [PhoneProof] Your code is 123456.
                        Code (r: resend, n: change number): \
                        Signed up: 010-1234-5678 · account acc_00000000000000000000000000000003 (new)

                        """
                )
        )
    }
}

@Suite struct LineReaderTests {
    private func lines(_ portions: String...) async -> [String] {
        let terminal = ScriptedTerminal(isTerminal: false)
        for portion in portions { terminal.type(portion) }
        terminal.end()
        var reader = LineReader(terminal)
        var lines: [String] = []
        while let line = await reader.next() { lines.append(line) }
        return lines
    }

    @Test("a line ends with LF, with CR LF, or with the input")
    func ends() async {
        #expect(await lines("a\nb\r\n\nc") == ["a", "b", "", "c"])
        #expect(await lines("a\n") == ["a"])
        #expect(await lines("") == [])
    }

    @Test("a line may come in portions, and a portion may hold several lines")
    func portions() async {
        #expect(await lines("01", "0\n12", "3456\r", "\n7\n8") == ["010", "123456", "7", "8"])
    }

    @Test("of a line without end the beginning counts")
    func longLine() async {
        let long = String(repeating: "1", count: 2000)
        #expect(await lines(long, long + "\n2") == [String(repeating: "1", count: 1024), "2"])
    }
}
