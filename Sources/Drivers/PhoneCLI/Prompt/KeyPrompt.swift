import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneViewModel
import Texts

/// The guided signup key by key, as a state machine: ``handle(_:at:)`` takes an event and returns the actions that
/// follow.
///
/// There is one field at a time, on the line of the cursor, with hints below it; earlier lines stay above it. The field
/// shows the text of the view model's state, never what was typed. While a tap is being handled keys wait.
struct KeyPrompt {
    enum Event: Sendable {
        case started
        case key(Key)
        case inputEnded
        /// A ``KeyPrompt/tick`` has passed.
        case tick
        case begun(SignupFlow)
        /// The last tap has been handled.
        case handled(PhoneViewState)
        /// The signup cannot begin, or not go on, unless the failure may pass.
        case failed(SignupFlowError)
        /// The SMS stub shows this message.
        case message(String)
    }

    enum Action: Hashable, Sendable {
        case write(String)
        case writeError(String)
        /// Begin the signup and report it.
        case begin
        /// Tap and report the state when that has been handled. There is one tap at a time.
        case tap(SignupFlow.Tap)
        /// Report the message with this code, if it can be shown.
        case fetchMessage(SentCode)
        case exit(ExitStatus)
    }

    /// The time between two pictures of the spinner.
    static let tick: Duration = .milliseconds(100)
    /// How long a first response may take before a spinner shows that it is awaited.
    private static let silentTicks = 3
    /// How long a hint is highlighted.
    private static let flashTicks = 8
    /// A person types ahead by a few keys; more than that is a cat.
    private static let mostPendingKeys = 256

    var line: PromptLine
    private let texts: Texts
    private let nextSteps: (SignedUpAccount) -> [String]
    private let region: Region?
    /// Nil until it has begun.
    private(set) var flow: SignupFlow?
    private var view = PhoneViewState()
    private var field = LineEditor("")
    private var isAtCode = false
    /// Whether the rules must be accepted first.
    private var isAtConsent = false
    /// The one that is being handled.
    private var tap: SignupFlow.Tap?
    /// The last one, if it had no response.
    private var lostTap: SignupFlow.Tap?
    private var pendingKeys: [Key] = []
    private var hasInputEnded = false
    /// When the last tap's result lets a code be sent again.
    private var resendAt: Timestamp?
    /// When the number that was tried last can have another code; nil unless its code has no checks left.
    private var usedUpUntil: Timestamp?
    /// The ticks of the spinner, and those for which the hint is still highlighted.
    private var spinnerTicks = 0
    private var flashTicks = 0
    private var now = Timestamp(milliseconds: 0)
    private var actions: [Action] = []

    /// The first event must be ``Event/started``.
    ///
    /// - Parameters:
    ///   - region: where numbers without a calling code are at home, for a hint.
    ///   - nextSteps: the last lines after signing up.
    init(
        texts: Texts,
        appearance: Appearance,
        region: Region? = nil,
        nextSteps: @escaping (SignedUpAccount) -> [String] = { _ in [] }
    ) {
        (self.texts, self.region, self.nextSteps) = (texts, region, nextSteps)
        line = PromptLine(appearance: appearance)
    }

    mutating func handle(_ event: Event, at now: Timestamp) -> [Action] {
        self.now = now
        actions = []
        switch event {
        case .started: actions.append(.begin)
        case .key(.interrupt):
            exit(.interrupted, printing: texts.prompt.canceled)
            return actions
        case .key(let key): if pendingKeys.count < Self.mostPendingKeys { pendingKeys.append(key) }
        case .inputEnded: hasInputEnded = true
        case .tick:
            spinnerTicks += 1
            flashTicks = max(0, flashTicks - 1)
        case .begun(let flow): begin(flow)
        case .handled(let state): showResult(state)
        case .failed(let error) where flow != nil && error.mayPass: showLoss(error)
        case .failed(let error):
            exit(error.exitStatus, printing: texts.explanation(of: error))
            return actions
        case .message(let message): message.split(whereSeparator: \.isNewline).forEach { show(stubMessage: $0) }
        }
        handlePendingKeys()
        if !hasEnded { draw() }
        return actions
    }
}

// Keys.
extension KeyPrompt {
    private mutating func handlePendingKeys() {
        while isReady, let key = pendingKeys.first {
            pendingKeys.removeFirst()
            var edited = field
            if isAtConsent {
                handleConsent(key)
            } else if edit(&edited, by: key) {
                show(edited)
            } else {
                handle(key)
            }
        }
        guard hasInputEnded, isReady else { return }
        // What was typed stays on the screen, though all of it came before the signup had begun.
        draw()
        exit(.failed, printing: texts.prompt.inputEnded)
    }

    private var isReady: Bool { flow != nil && tap == nil && !hasEnded }

    /// A key that does not edit.
    private mutating func handle(_ key: Key) {
        switch key {
        case .enter: handleEnter()
        case .paste(let pasted): paste(String(pasted.prefix(LineEditor.longestText)))
        case .text(let text): if let command = CodeCommand(text) { perform(command) }
        case .escape: if isAtCode { perform(.otherNumber) }
        case .endOfInput: exit(.interrupted, printing: texts.prompt.canceled)
        default: break
        }
    }

    /// What is a number, or contains a code, replaces the text. Anything else is inserted into it.
    private mutating func paste(_ pasted: String) {
        var inserted = field
        inserted.insert(pasted)
        show(LineEditor(pasted))
        if isAtCode ? !view.isSignUpEnabled : !view.isSendEnabled { show(inserted) }
    }

    private func edit(_ field: inout LineEditor, by key: Key) -> Bool {
        switch key {
        case .text(let typed):
            if isAtCode, CodeCommand(typed) != nil { return false }
            field.insert(typed)
            return true
        case .endOfInput: return field.text.isEmpty ? false : field.apply(.delete)
        default: return field.apply(key)
        }
    }

    private mutating func handleConsent(_ key: Key) {
        switch key {
        case .text(let text):
            // What was typed ahead may come as one text.
            if text.count > 1 { pendingKeys.insert(.text(String(text.dropFirst())), at: 0) }
            let letter = String(text.prefix(1))
            guard let answer = ConsentAnswer(letter) else { return }
            if answer == .no { return exit(.interrupted, printing: texts.prompt.canceled) }
            write(line.end(texts.prompt.consentQuestion, letter))
            isAtConsent = false
        case .escape, .endOfInput: exit(.interrupted, printing: texts.prompt.canceled)
        default: break
        }
    }

    private mutating func handleEnter() {
        if isAtCode, view.codeText.isEmpty, !view.isSignUpEnabled {
            // Enter in an empty code field follows "r" out of habit.
            if lostTap == .send { start(.send) }
            return
        }
        start(isAtCode ? .signUp : .send)
    }

    private mutating func perform(_ command: CodeCommand) {
        switch command {
        case .resend: resend()
        case .otherChannel: if let channel = view.sentCode?.otherChannel { resend(by: channel) }
        case .otherNumber:
            write(line.clear())
            isAtCode = false
            field = LineEditor(view.phoneText)
        }
    }

    private mutating func resend(by channel: Channel? = nil) {
        guard wait(until: resendAt) == nil else { return flashTicks = Self.flashTicks }
        if let channel { flow?.session.changeChannel(channel) }
        start(.send)
    }

    private mutating func start(_ tap: SignupFlow.Tap) {
        (self.tap, lostTap) = (tap, nil)
        actions.append(.tap(tap))
    }

    /// The field with the text that the view model makes of it.
    private mutating func show(_ edited: LineEditor) {
        if edited.text != field.text, let session = flow?.session {
            view = isAtCode ? session.changeCodeText(edited.text) : session.changePhoneText(edited.text)
        }
        field = edited
        field.replace(with: isAtCode ? view.codeText : view.phoneText)
    }
}

// Results.
extension KeyPrompt {
    private mutating func begin(_ flow: SignupFlow) {
        (self.flow, view) = (flow, flow.session.state)
        field = LineEditor(view.phoneText)
        // Of a signup that continues: the rules were accepted before the code was sent.
        if view.takesCode {
            keepTime()
            write(line.clear())
            return showSentCode()
        }
        if let consent = flow.consent {
            print(texts.sentence(on: consent))
            isAtConsent = consent.isRequired
        }
    }

    /// The field stays as it is, for another try.
    private mutating func showLoss(_ error: SignupFlowError) {
        lostTap = tap.take()
        endField()
        pendingKeys = []
        print(texts.explanation(of: error), mark: .failure)
    }

    private mutating func showResult(_ state: PhoneViewState) {
        view = state
        switch tap.take() {
        case .send: showSendResult()
        case .signUp: showSignUpResult()
        case nil: break
        }
    }

    private mutating func showSendResult() {
        keepTime()
        if isAtCode, view.failure?.code == "resend_too_soon" {
            pendingKeys = []
            flashTicks = Self.flashTicks
            return
        }
        if isAtCode { write(line.clear()) } else { endField() }
        if let failure = view.failure { show(failure) }
        showSentCode()
    }

    /// The field that follows, below the line that says where the code was sent.
    private mutating func showSentCode() {
        if view.failure == nil, let sentCode = view.sentCode {
            // No-break spaces, so that the number is not broken either.
            let number = sentCode.number.masked.replacing(" ", with: "\u{A0}")
            print(texts.sent(to: number, by: sentCode.channel), mark: .success)
            actions.append(.fetchMessage(sentCode))
        }
        isAtCode = view.takesCode
        usedUpUntil = nil
        field = LineEditor(isAtCode ? view.codeText : view.phoneText)
    }

    private mutating func showSignUpResult() {
        keepTime()
        endField()
        if let account = view.signedUp {
            print(texts.welcome(to: account, with: view.phoneText), mark: .success)
            // Not wrapped: a command is copied whole.
            for step in nextSteps(account) { write("  " + line.appearance.legible(step.printable) + "\n") }
            actions.append(.exit(.done))
        } else if let failure = view.failure {
            show(failure)
            guard view.takesCode else {
                isAtCode = false
                usedUpUntil = resendAt
                field = LineEditor(view.phoneText)
                return show(LineEditor(""))
            }
            if failure.needsAnotherCode { show(LineEditor("")) }
        }
    }

    /// Editing clears failures.
    private mutating func keepTime() {
        resendAt = [view.sentCode?.resendableFrom, view.failure?.retryAt].compactMap { $0 }.max()
    }

    /// Drops what was typed ahead: it was meant for another result.
    private mutating func show(_ failure: SignupFailure) {
        pendingKeys = []
        print(texts.explanation(of: failure), mark: .failure)
    }

    private mutating func show(stubMessage: Substring) {
        write(line.print(String(stubMessage).printable, beginning: texts.prompt.stubLabel + " │ "))
    }
}

// Output.
extension KeyPrompt {
    private var hasEnded: Bool {
        if case .exit = actions.last { true } else { false }
    }

    private mutating func exit(_ status: ExitStatus, printing text: String) {
        if flow == nil { write(line.clear()) } else { endField() }
        actions.append(.writeError(line.paragraph(text.printable, mark: .failure)))
        actions.append(.exit(status))
    }

    private mutating func print(_ text: String, mark: Appearance.Mark? = nil) {
        write(line.print(text.printable, mark: mark))
    }

    private mutating func endField() { write(line.end(label, field.text)) }

    private mutating func draw() {
        guard flow != nil else {
            guard spinnerTicks >= Self.silentTicks else { return }
            return write(
                line.draw(texts.pages.phoneLabel, LineEditor(""), hints: ["\(spinner) \(texts.prompt.connecting)"])
            )
        }
        if isAtConsent {
            return write(
                line.draw(texts.prompt.consentQuestion, LineEditor(""), hints: [texts.prompt.cancelHint], as: .aside)
            )
        }
        write(line.draw(label, field, hints: hints, as: flashTicks > 0 ? .alert : .aside))
    }

    private mutating func write(_ text: String) {
        if !text.isEmpty { actions.append(.write(text)) }
    }

    private var label: String { isAtCode ? texts.pages.codeLabel : texts.pages.phoneLabel }

    /// What can be done next, the most important first.
    private var hints: [String] {
        switch tap {
        case .send: return ["\(spinner) \(texts.pages.sending)"]
        case .signUp: return ["\(spinner) \(texts.pages.signingUp)"]
        case nil: break
        }
        if lostTap != nil {
            return [texts.prompt.tryAgainHint, isAtCode ? texts.prompt.otherNumberHint : texts.prompt.cancelHint]
        }
        guard isAtCode else {
            if view.isSendEnabled { return [texts.prompt.sendHint, texts.prompt.cancelHint] }
            if let wait = wait(until: usedUpUntil) {
                return [texts.prompt.anotherNumberWait.filled(["wait": wait]), texts.prompt.cancelHint]
            }
            let regionHint = region.map { texts.prompt.regionHint.filled(["region": $0.description]) }
            return [texts.prompt.phoneHint, regionHint, texts.prompt.cancelHint].compactMap(\.self)
        }
        if flashTicks > 0 { return ["! " + resendHint] + expiryHints }
        return (view.isSignUpEnabled ? [texts.prompt.signUpHint] : []) + [resendHint] + channelHints + expiryHints
            + [texts.prompt.otherNumberHint]
    }

    private var spinner: String {
        let pictures = line.appearance.spinner
        return pictures[spinnerTicks % pictures.count]
    }

    /// A code that has expired by then, or has no checks left, is not sent again; another one is.
    private var resendHint: String {
        let isNew = view.sentCode?.enterableUntil.map { $0 <= max(now, resendAt ?? now) } ?? true
        guard let wait = wait(until: resendAt) else {
            return isNew ? texts.prompt.newCodeHint : texts.prompt.resendHint
        }
        return (isNew ? texts.prompt.newCodeWait : texts.prompt.resendWait).filled(["wait": wait])
    }

    private var channelHints: [String] {
        guard wait(until: resendAt) == nil, let channel = view.sentCode?.otherChannel else { return [] }
        return ["c: " + texts.send(by: channel)]
    }

    private var expiryHints: [String] {
        guard let expiresAt = view.sentCode?.enterableUntil else { return [] }
        return [wait(until: expiresAt).map { texts.prompt.expiryWait.filled(["wait": $0]) } ?? texts.prompt.expired]
    }

    /// Nil once it has passed.
    private func wait(until moment: Timestamp?) -> String? {
        moment.flatMap { $0 > now ? Countdown.text($0 - now) : nil }
    }
}

/// A command where a code is expected: a letter, since codes have none.
enum CodeCommand: Hashable, Sendable {
    case resend
    case otherChannel
    case otherNumber

    /// Parses `r`, `c` or `n`, in either case or as the same key writes on a Korean keyboard; nil for anything else.
    init?(_ text: String) {
        switch text {
        case "r", "R", "ㄱ": self = .resend
        case "c", "C", "ㅊ": self = .otherChannel
        case "n", "N", "ㅜ": self = .otherNumber
        default: return nil
        }
    }
}

/// The answer to whether one accepts the rules: a letter, in either case or as the same key writes on a Korean
/// keyboard.
enum ConsentAnswer {
    case yes, no

    init?(_ text: String) {
        switch text {
        case "y", "Y", "ㅛ": self = .yes
        case "n", "N", "ㅜ": self = .no
        default: return nil
        }
    }
}
