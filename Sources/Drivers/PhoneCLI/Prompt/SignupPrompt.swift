public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup
import PhoneViewModel
public import Texts

/// The guided signup: asks for a number and for the code that was sent to it, and shows the result.
///
/// In a terminal the number is hyphenated while it is typed. Through a pipe, and in a terminal that cannot redraw a
/// line, questions and answers are plain lines.
public struct SignupPrompt: Sendable {
    private let begin: @Sendable () async throws(SignupFlowError) -> SignupFlow
    private let terminal: any Terminal
    private let texts: Texts
    private let appearance: Appearance
    private let clock: any WallClock
    private let ticks: any Clock<Duration>
    private let nextSteps: @Sendable (SignedUpAccount) -> [String]
    private let region: Region?
    private let messageNote: @Sendable (SentCode) async -> String?

    /// - Parameters:
    ///   - clock: the time, for waits.
    ///   - ticks: paces spinner and countdown.
    ///   - region: where numbers without a calling code are at home, for a hint.
    ///   - nextSteps: the last lines for a person who has signed up in a terminal.
    ///   - messageNote: returns the message with the code that was just sent, if the SMS stub shows it; nil where a
    ///     gateway sends. It must return within seconds, as a pipe's next question waits for it.
    public init(
        begin: @escaping @Sendable () async throws(SignupFlowError) -> SignupFlow,
        terminal: any Terminal,
        texts: Texts,
        appearance: Appearance,
        clock: any WallClock,
        ticks: any Clock<Duration> = ContinuousClock(),
        region: Region? = nil,
        nextSteps: @escaping @Sendable (SignedUpAccount) -> [String] = { _ in [] },
        messageNote: @escaping @Sendable (SentCode) async -> String? = { _ in nil }
    ) {
        (self.begin, self.terminal, self.texts, self.appearance) = (begin, terminal, texts, appearance)
        (self.clock, self.ticks, self.region) = (clock, ticks, region)
        (self.nextSteps, self.messageNote) = (nextSteps, messageNote)
    }

    /// Runs the signup to its end. Raw mode is left however it ends.
    public func run() async -> ExitStatus {
        guard appearance.redrawsLines, terminal.enterRawMode() else { return await runByLines() }
        defer { terminal.leaveRawMode() }
        return await runByKeys()
    }
}

/// How a command ends, as the shell sees it; 64 and up are those of `sysexits.h`.
public enum ExitStatus: Int32, Error, Sendable, CaseIterable {
    case done = 0
    /// What the person entered, or a check, failed.
    case failed = 1
    case usage = 64
    /// The service cannot be reached.
    case unreachable = 69
    case configuration = 78
    /// Ctrl-C or Ctrl-D: 128 and the number of SIGINT, as a shell has it.
    case interrupted = 130
}

// Key by key.
extension SignupPrompt {
    private enum Arrival: Sendable {
        case bytes([UInt8])
        case event(KeyPrompt.Event)
    }

    /// Passes events to a ``KeyPrompt`` in order and performs its actions.
    ///
    /// Nothing here waits for the signup, so a key pressed meanwhile, Ctrl-C first of all, takes effect at once.
    private func runByKeys() async -> ExitStatus {
        let (arrivals, inbox) = AsyncStream.makeStream(of: Arrival.self)
        let reading = Task { [terminal] in
            for await bytes in terminal.input { inbox.yield(.bytes(bytes)) }
            inbox.yield(.event(.inputEnded))
        }
        let ticking = Task { [ticks] in
            while (try? await ticks.sleep(for: KeyPrompt.tick)) != nil { inbox.yield(.event(.tick)) }
        }
        var working: Task<Void, Never>?
        var fetching: Task<Void, Never>?
        defer { for task in [reading, ticking, working, fetching] { task?.cancel() } }

        var decoder = KeyDecoder()
        var conversation = KeyPrompt(texts: texts, appearance: appearance, region: region, nextSteps: nextSteps)
        inbox.yield(.event(.started))
        for await arrival in arrivals {
            conversation.line.width = terminal.width
            if terminal.hasContinued() { conversation.line.forget() }
            let events: [KeyPrompt.Event] =
                switch arrival {
                case .bytes(let bytes): decoder.decode(bytes).map(KeyPrompt.Event.key)
                case .event(.tick): decoder.tick().map(KeyPrompt.Event.key) + [.tick]
                case .event(let event): [event]
                }
            for action in events.flatMap({ conversation.handle($0, at: clock.now()) }) {
                switch action {
                case .write(let text): terminal.write(text)
                case .writeError(let text): terminal.writeError(text)
                case .exit(let status): return status
                case .begin, .tap:
                    working = Task { [begin, flow = conversation.flow] in
                        do throws(SignupFlowError) {
                            if case .tap(let tap) = action, let flow {
                                inbox.yield(.event(.handled(try await flow.tap(tap))))
                            } else {
                                inbox.yield(.event(.begun(try await begin())))
                            }
                        } catch {
                            inbox.yield(.event(.failed(error)))
                        }
                    }
                case .fetchMessage(let sentCode):
                    fetching = Task { [messageNote] in
                        if let message = await messageNote(sentCode) { inbox.yield(.event(.message(message))) }
                    }
                }
            }
        }
        // They end only when the task of the whole prompt is cancelled.
        return .interrupted
    }
}

// Line by line.
extension SignupPrompt {
    /// Successes go to the output, failures to the error output. After a failure the next line is another try, so that
    /// a program at the other end can go on.
    private func runByLines() async -> ExitStatus {
        do throws(SignupFlowError) {
            return try await readLines()
        } catch {
            printError(texts.explanation(of: error))
            return error.exitStatus
        }
    }

    private func readLines() async throws(SignupFlowError) -> ExitStatus {
        var lines = LineReader(terminal)
        let flow = try await begin()
        var view = flow.session.state
        var asksForCode = false
        if let consent = flow.consent {
            print(texts.sentence(on: consent))
            while consent.isRequired {
                ask(texts.prompt.consentQuestion)
                guard let line = await lines.next() else { return inputEnded() }
                if let answer = ConsentAnswer(line) {
                    if answer == .yes { break }
                    printError(texts.prompt.canceled)
                    return .interrupted
                }
            }
        }
        while view.signedUp == nil {
            ask(asksForCode ? texts.codeQuestion(or: view.sentCode?.otherChannel) : texts.pages.phoneLabel + ":")
            guard let line = await lines.next() else { return inputEnded() }
            switch (asksForCode, CodeCommand(line)) {
            case (true, .otherNumber):
                asksForCode = false
                continue
            case (false, _):
                flow.session.changePhoneText(line)
                view = try await send(flow)
            case (true, .resend): view = try await send(flow)
            case (true, .otherChannel):
                if let channel = view.sentCode?.otherChannel { flow.session.changeChannel(channel) }
                view = try await send(flow)
            case (true, nil):
                flow.session.changeCodeText(line)
                view = try await flow.tap(.signUp)
                printError(view.failure)
            }
            asksForCode = view.takesCode
        }
        if let account = view.signedUp { print(texts.welcome(to: account, with: view.phoneText), as: .success) }
        return .done
    }

    private func inputEnded() -> ExitStatus {
        // Ctrl-D in a terminal.
        let isCanceled = terminal.isInputTerminal
        printError(isCanceled ? texts.prompt.canceled : texts.prompt.inputEnded)
        return isCanceled ? .interrupted : .failed
    }

    private func send(_ flow: SignupFlow) async throws(SignupFlowError) -> PhoneViewState {
        let view = try await flow.tap(.send)
        printError(view.failure)
        if view.failure == nil, let sentCode = view.sentCode {
            print(texts.sent(to: sentCode.number.masked, by: sentCode.channel))
            let message = await messageNote(sentCode) ?? ""
            for line in message.split(whereSeparator: \.isNewline) { print("\(texts.prompt.stubLabel) │ \(line)") }
        }
        return view
    }

    /// Through a pipe a question is a line of its own; in a terminal the answer follows it.
    private func ask(_ question: String) {
        let end = terminal.isInputTerminal && terminal.isOutputTerminal ? " " : "\n"
        terminal.write(appearance.legible(question) + end)
    }

    private func print(_ text: String, as role: Appearance.Role? = nil) {
        let text = appearance.legible(text.printable)
        terminal.write((role.map { appearance.draw(text, as: $0) } ?? text) + "\n")
    }

    private func printError(_ failure: SignupFailure?) {
        if let failure { printError(texts.explanation(of: failure)) }
    }

    private func printError(_ text: String) { terminal.writeError(appearance.legible(text.printable) + "\n") }
}

/// Splits an input into lines, however its bytes arrive.
struct LineReader {
    /// The most bytes of a line. The rest of a longer one is dropped: no number or code is that long.
    private static let longestLine = 1024

    private var portions: AsyncStream<[UInt8]>.Iterator
    private var portion: ArraySlice<UInt8> = []

    init(_ terminal: any Terminal) { portions = terminal.input.makeAsyncIterator() }

    /// The next line without its end (LF or CR LF), or nil if there is none. The last line need not be ended.
    mutating func next() async -> String? {
        var line: [UInt8] = []
        while true {
            if let end = portion.firstIndex(of: UInt8(ascii: "\n")) {
                append(portion[..<end], to: &line)
                portion = portion[(end + 1)...]
                return text(line)
            }
            append(portion, to: &line)
            guard let next = await portions.next(isolation: #isolation) else {
                portion = []
                return line.isEmpty ? nil : text(line)
            }
            portion = next[...]
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line += bytes.prefix(Self.longestLine - line.count)
    }

    private func text(_ line: [UInt8]) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
}
