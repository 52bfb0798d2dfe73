import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import Testing
import Texts

@testable import PhoneCLI

/// The prompt as a whole, in a terminal.
@Suite(.hangLimit) struct SignupPromptTests {
    /// A clock whose ticks never come.
    private struct NoTicks: Clock {
        typealias Instant = ContinuousClock.Instant
        var now: Instant { ContinuousClock().now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            throw CancellationError()
        }
    }

    private func prompt(_ flow: SignupFlow, _ terminal: ScriptedTerminal, _ world: SignupWorld) -> SignupPrompt {
        prompt(beginning: { flow }, terminal, world)
    }

    private func prompt(
        beginning begin: @escaping @Sendable () async throws(SignupFlowError) -> SignupFlow,
        _ terminal: ScriptedTerminal,
        _ world: SignupWorld
    ) -> SignupPrompt {
        SignupPrompt(
            begin: begin,
            terminal: terminal,
            texts: Languages.english,
            appearance: Appearance(terminal: terminal, environment: ["TERM": "xterm", "LANG": "C.UTF-8"]),
            clock: world.clock,
            ticks: NoTicks(),
            nextSteps: { ["Next: see \($0.id)", "or:   sleep"] },
            messageNote: { _ in SignupWorld.message }
        )
    }

    private let accountLine =
        """
        ✔ Signed up: 010-1234-5678 · account acc_00000000000000000000000000000003 (new)
          Next: see acc_00000000000000000000000000000003
          or:   sleep
        ▏
        """

    @Test("the rules are accepted by a key, before the field of the number")
    func consent() async throws {
        let terms = ConsentPolicy(version: "1", isRequired: true, terms: RedirectURI("https://ace.example/t"))
        let world = SignupWorld(consent: terms)
        let typed = try await TypedSignup(world: world, usesColour: false)
        let rules = "I agree to the Terms of Service (https://ace.example/t).\n? Agree? (y: yes, n: no): "
        #expect(typed.shown == rules + "▏\nCtrl-C: cancel")
        #expect(await typed.press("x1\r") == rules + "▏\nCtrl-C: cancel")
        #expect(await typed.press("y0101234").hasPrefix(rules + "y\n? Phone number: 010-1234▏"))
        let refusing = try await TypedSignup(world: world, usesColour: false)
        _ = await refusing.press("n")
        #expect((refusing.errors, refusing.status) == ("✗ Signup canceled.\n", .interrupted))
        #expect(refusing.taps == [])
    }

    @Test("a signup from the first key to the last")
    func wholeSignup() async throws {
        let world = SignupWorld()
        let terminal = ScriptedTerminal()
        async let status = prompt(try world.flow(), terminal, world).run()
        await terminal.shows("Phone number: ▏")
        terminal.type("0101234")
        await terminal.shows("010-1234▏")
        terminal.type("5678\r")
        await terminal.shows("SMS stub │ [PhoneProof] Your code is 123456.\n? Code: ▏\nresend in 0:30")
        terminal.type("123456")
        await terminal.shows("Code: 123456▏\nEnter: sign up")
        terminal.type("\r")
        #expect(try await status == .done)
        #expect(terminal.screen.hasSuffix(accountLine))
        #expect(terminal.modes == ["raw", "cooked"])
        #expect(terminal.errors == "")
    }

    @Test(
        "Ctrl-C leaves at every stage, with the terminal as it was",
        arguments: [
            [],
            ["12", "12▏"],
            ["01012345678\r", "Code: ▏"],
            ["01012345678\r", "Code: ▏", "12", "Code: 12▏"],
            ["01012345678\r", "Code: ▏", "000000\r", "4 attempts left.\n? Code: ▏"],
            ["1\r", "incomplete.\n? Phone number: 1▏"],
        ]
    )
    func interrupt(_ script: [String]) async throws {
        let world = SignupWorld()
        let terminal = ScriptedTerminal()
        async let status = prompt(try world.flow(), terminal, world).run()
        await terminal.shows("Phone number: ▏")
        for (index, step) in script.enumerated() {
            if index.isMultiple(of: 2) { terminal.type(step) } else { await terminal.shows(step) }
        }
        terminal.type("\u{3}")
        #expect(try await status == .interrupted)
        #expect(terminal.modes == ["raw", "cooked"])
        #expect(terminal.screen.hasSuffix("\n▏"))
        #expect(terminal.errors.hasSuffix(" Signup canceled.\n"))
    }

    @Test("Ctrl-C leaves although the signup never answers")
    func interruptWithoutAnswer() async throws {
        let terminal = ScriptedTerminal()
        async let status = prompt(SignupFlow(PhoneViewModel(useCase: SilentServer())), terminal, SignupWorld()).run()
        await terminal.shows("Phone number: ▏")
        terminal.type("\r")
        await terminal.shows("⠋ sending…")
        terminal.type("\u{3}")
        #expect(await status == .interrupted)
        #expect(terminal.modes == ["raw", "cooked"])
        #expect(terminal.screen == "? Phone number: \n▏")
    }

    private struct SilentServer: PhoneUseCase {
        func phoneText(_ typed: String) -> PhoneText { PhoneText(typed, region: .korea) }
        func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode { throw await silence() }
        func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
            throw await silence()
        }

        private func silence() async -> SignupFailure {
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            return SignupFailure(.unavailable)
        }
    }

    @Test("a server that cannot be reached ends the prompt with one line, and the terminal as it was")
    func unreachable() async throws {
        let begin: @Sendable () async throws(SignupFlowError) -> SignupFlow = { () throws(SignupFlowError) in
            throw SignupFlowError.unreachable(server: "http://127.0.0.1:9", reason: "Connection refused")
        }
        let lines = [
            "Cannot reach http://127.0.0.1:9. Check that it is running and that the",
            "address is correct. (Connection refused)\n",
        ]
        let terminal = ScriptedTerminal()
        #expect(await prompt(beginning: begin, terminal, SignupWorld()).run() == .unreachable)
        #expect(terminal.errors == "\u{1B}[31m✗\u{1B}[0m " + lines.joined(separator: "\n  "))
        #expect(terminal.modes == ["raw", "cooked"])

        let pipe = ScriptedTerminal.pipe("")
        #expect(await prompt(beginning: begin, pipe, SignupWorld()).run() == .unreachable)
        #expect(pipe.errors == lines.joined(separator: " "))
        #expect(pipe.output == "")
    }

    @Test("a terminal that goes away ends the prompt")
    func hangUp() async throws {
        let world = SignupWorld()
        let terminal = ScriptedTerminal()
        terminal.type("0101234")
        terminal.end()
        #expect(await prompt(try world.flow(), terminal, world).run() == .failed)
        #expect(terminal.screen == "? Phone number: 010-1234\n▏")
        #expect(terminal.modes == ["raw", "cooked"])
    }

    @Test("a terminal without raw mode is asked in lines")
    func withoutRawMode() async throws {
        let world = SignupWorld()
        let terminal = ScriptedTerminal(hasRawMode: false)
        terminal.type("01012345678\n123456\n")
        #expect(await prompt(try world.flow(), terminal, world).run() == .done)
        #expect(terminal.modes == [])
    }
}
