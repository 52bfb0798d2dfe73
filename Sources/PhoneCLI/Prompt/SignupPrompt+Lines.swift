import PhoneDomain

extension SignupPrompt {
    /// Asks and answers in plain lines: what went well to the output, what did not to the error output. After a failure
    /// the next line is another try, so that a program at the other end can go on.
    func converseByLines() async -> ExitStatus {
        do throws(SignupFlowError) {
            return try await ask()
        } catch {
            complain(texts.explanation(of: error))
            return error.exitStatus
        }
    }

    private func ask() async throws(SignupFlowError) -> ExitStatus {
        var lines = LineReader(terminal)
        var view = try await flow.begin()
        var asksForCode = false
        while view.account == nil {
            prompt(asksForCode ? texts.codeQuestion : texts.phoneQuestion)
            guard let line = await lines.next() else {
                complain(texts.inputEnded)
                return .failed
            }
            switch (asksForCode, CodeCommand(line)) {
            case (false, _):
                _ = try await flow.changePhoneText(line)
                view = try await send()
                asksForCode = !view.isCodeFieldHidden
            case (true, .resend):
                view = try await send()
                asksForCode = !view.isCodeFieldHidden
            case (true, .otherNumber):
                asksForCode = false
            case (true, nil):
                _ = try await flow.changeCodeText(line)
                view = try await flow.signUp()
                complain(of: view.failure)
            }
        }
        if let account = view.account { say(texts.welcome(to: account, with: view.phoneText), as: .success) }
        return .done
    }

    private func send() async throws(SignupFlowError) -> SignupView {
        let view = try await flow.send()
        complain(of: view.failure)
        if view.failure == nil, let sentCode = view.sentCode {
            say(texts.sent(to: sentCode.maskedNumber))
            if let note = await messageNote(sentCode) { texts.lines(ofNote: note).forEach { say($0) } }
        }
        return view
    }

    /// Through a pipe a question is a line of its own; in a terminal the answer follows it.
    private func prompt(_ question: String) {
        terminal.write(
            appearance.legible(question) + (terminal.isInputTerminal && terminal.isOutputTerminal ? " " : "\n")
        )
    }

    private func say(_ text: String, as role: Appearance.Role? = nil) {
        let text = appearance.legible(text.printable)
        terminal.write((role.map { appearance.draw(text, as: $0) } ?? text) + "\n")
    }

    private func complain(of failure: SignupFailure?) {
        if let failure { complain(texts.explanation(of: failure, at: clock.now())) }
    }

    private func complain(_ text: String) {
        terminal.writeError(appearance.legible(text.printable) + "\n")
    }
}
