public import PhoneDomain

/// The guided signup: asks for a number and for the code that was sent to it, and says what came of it.
///
/// In a terminal the number is hyphenated while it is typed. Through a pipe, and in a terminal that cannot draw a line
/// anew, it asks and answers in plain lines.
public struct SignupPrompt: Sendable {
    let flow: any SignupFlow
    let terminal: any Terminal
    let texts: any PromptTexts
    let appearance: Appearance
    let clock: any WallClock
    let ticks: any Clock<Duration>
    let messageNote: @Sendable (SignupView.SentCode) async -> String?

    /// A prompt.
    ///
    /// - Parameters:
    ///   - flow: the signup.
    ///   - terminal: where the person is.
    ///   - texts: what to say, in the person's language.
    ///   - appearance: what may be done to the screen.
    ///   - clock: what time it is, for waits.
    ///   - ticks: what paces the countdown, once a second.
    ///   - messageNote: the message that a code was just sent by, where the SMS stub shows it; nil where a gateway sends.
    ///     It must return within seconds, as a pipe's next question waits for it.
    public init(
        flow: any SignupFlow,
        terminal: any Terminal,
        texts: any PromptTexts,
        appearance: Appearance,
        clock: any WallClock,
        ticks: any Clock<Duration> = ContinuousClock(),
        messageNote: @escaping @Sendable (SignupView.SentCode) async -> String? = { _ in nil }
    ) {
        self.flow = flow
        self.terminal = terminal
        self.texts = texts
        self.appearance = appearance
        self.clock = clock
        self.ticks = ticks
        self.messageNote = messageNote
    }

    /// Leads the conversation to its end. The terminal is left as it was found, however it ends.
    public func run() async -> ExitStatus {
        guard appearance.redrawsLines, terminal.enterRawMode() else { return await converseByLines() }
        defer { terminal.leaveRawMode() }
        return await converseByKeys()
    }
}
