import PhoneDomain
import Texts

/// The guided signup key by key, as a state machine: ``handle(_:at:)`` takes an event and returns the actions that
/// follow.
///
/// There is one field at a time, on the line of the cursor, with hints below it; earlier lines stay above it. The field
/// shows the text that the signup returns, never what was typed. While a request is in progress keys wait, and what was
/// typed meanwhile becomes one edit.
struct KeyPrompt {
    enum Event: Sendable {
        case started
        case key(Key)
        case inputEnded
        /// A ``KeyPrompt/tick`` has passed.
        case tick
        /// The last request has been handled.
        case response(SignupView)
        /// The signup cannot go on.
        case failed(SignupFlowError)
        /// The SMS stub shows this message.
        case message(String)
    }

    enum Action: Hashable, Sendable {
        case write(String)
        case writeError(String)
        /// Send this request and report the response. There is one at a time.
        case request(SignupRequest)
        /// Report the message with this code, if it can be shown.
        case fetchMessage(SentCode)
        case exit(ExitStatus)
    }

    /// The purpose of the request in progress.
    private enum Request {
        case begin
        /// Its response is shown with the cursor of this text.
        case edit(LineEditor)
        /// Tries whether a paste is a number or contains a code by itself. If not, it is inserted into the previous
        /// text.
        case replacement(of: LineEditor, by: String)
        case send
        case signUp
    }

    /// The time between two pictures of the spinner.
    static let tick: Duration = .milliseconds(100)
    /// How long a hint is highlighted.
    private static let flashTicks = 8
    /// A person types ahead by a few keys; more than that is a cat.
    private static let mostPendingKeys = 256

    var line: PromptLine
    private let texts: any Texts
    private let nextSteps: (SignedUpAccount) -> [String]
    private let region: Region?
    private var view = SignupView()
    private var field = LineEditor("")
    private var isAtCode = false
    /// Whether the rules must be accepted first.
    private var isAtConsent = false
    private var request: Request?
    private var pendingKeys: [Key] = []
    private var hasInputEnded = false
    /// What the last tap returned: editing clears failures.
    private var sentCode: SentCode?
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
        texts: any Texts,
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
        case .started: send(.begin, for: .begin)
        case .key(.interrupt):
            exit(.interrupted, printing: texts.canceled)
            return actions
        case .key(let key): if pendingKeys.count < Self.mostPendingKeys { pendingKeys.append(key) }
        case .inputEnded: hasInputEnded = true
        case .tick:
            spinnerTicks += 1
            flashTicks = max(0, flashTicks - 1)
        case .response(let view): handleResponse(view)
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
        while request == nil, !hasEnded, let key = pendingKeys.first {
            if !isAtConsent, sendEdits() { continue }
            pendingKeys.removeFirst()
            if isAtConsent {
                handleConsent(key)
                continue
            }
            switch key {
            case .enter: handleEnter()
            case .paste(let pasted):
                let pasted = String(pasted.prefix(LineEditor.longestText))
                send(change(to: pasted), for: .replacement(of: field, by: pasted))
            case .text(let text): if let command = CodeCommand(text) { perform(command) }
            case .escape: if isAtCode { perform(.otherNumber) }
            case .endOfInput: exit(.interrupted, printing: texts.canceled)
            default: break
            }
        }
        if hasInputEnded, request == nil, !hasEnded { exit(.failed, printing: texts.inputEnded) }
    }

    /// Combines the pending edits into one.
    ///
    /// - Returns: false if the next key is not an edit.
    private mutating func sendEdits() -> Bool {
        var edited = field
        let count = pendingKeys.count
        while let key = pendingKeys.first, edit(&edited, by: key) { pendingKeys.removeFirst() }
        if edited.text == field.text {
            field = edited
            return pendingKeys.count < count
        }
        send(change(to: edited.text), for: .edit(edited))
        return true
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
            if answer == .no { return exit(.interrupted, printing: texts.canceled) }
            write(line.end(texts.consentQuestion, letter))
            isAtConsent = false
        case .escape, .endOfInput: exit(.interrupted, printing: texts.canceled)
        default: break
        }
    }

    private func change(to text: String) -> SignupRequest { isAtCode ? .changeCodeText(text) : .changePhoneText(text) }

    private mutating func handleEnter() {
        // Enter in an empty code field follows "r" out of habit.
        if isAtCode, view.codeText.isEmpty, !view.isSignUpEnabled { return }
        if isAtCode { send(.signUp, for: .signUp) } else { send(.send, for: .send) }
    }

    private mutating func perform(_ command: CodeCommand) {
        switch command {
        case .resend: resend(.send)
        case .otherChannel: if let channel = sentCode?.otherChannel { resend(.sendBy(channel)) }
        case .otherNumber:
            write(line.clear())
            isAtCode = false
            field = LineEditor(view.phoneText)
        }
    }

    private mutating func resend(_ request: SignupRequest) {
        if wait(until: resendAt) == nil { send(request, for: .send) } else { flashTicks = Self.flashTicks }
    }

    private mutating func send(_ signupRequest: SignupRequest, for request: Request) {
        self.request = request
        actions.append(.request(signupRequest))
    }
}

// Responses.
extension KeyPrompt {
    private mutating func handleResponse(_ response: SignupView) {
        let request = request
        self.request = nil
        view = response
        switch request {
        case .begin:
            field = LineEditor(view.phoneText)
            if let consent = view.consent {
                print(texts.sentence(on: consent))
                isAtConsent = consent.isRequired
            }
        case .edit(let edited): show(edited)
        case .replacement(var before, let pasted):
            if isAtCode ? view.isSignUpEnabled : view.isSendEnabled { return show(LineEditor("")) }
            before.insert(pasted)
            send(change(to: before.text), for: .edit(before))
        case nil: break
        case .send: showSendResult()
        case .signUp: showSignUpResult()
        }
    }

    private mutating func show(_ edited: LineEditor) {
        field = edited
        field.replace(with: isAtCode ? view.codeText : view.phoneText)
    }

    private mutating func showSendResult() {
        keepTimes()
        if isAtCode, view.failure?.code == "resend_too_soon" {
            pendingKeys = []
            flashTicks = Self.flashTicks
            return
        }
        if isAtCode { write(line.clear()) } else { endField() }
        if let failure = view.failure {
            show(failure)
        } else if let sentCode = view.sentCode {
            // No-break spaces, so that the number is not broken either.
            print(texts.sent(to: sentCode.number.masked.replacing(" ", with: "\u{A0}")), mark: .success)
            actions.append(.fetchMessage(sentCode))
        }
        isAtCode = view.takesCode
        usedUpUntil = nil
        show(LineEditor(""))
    }

    private mutating func showSignUpResult() {
        keepTimes()
        endField()
        if let account = view.account {
            print(texts.welcome(to: account, with: view.phoneText), mark: .success)
            // Not wrapped: a command is copied whole.
            for step in nextSteps(account) { write("  " + line.appearance.legible(step.printable) + "\n") }
            actions.append(.exit(.done))
        } else if let failure = view.failure {
            show(failure)
            guard view.takesCode else {
                isAtCode = false
                usedUpUntil = resendAt
                field = LineEditor("")
                return send(.changePhoneText(""), for: .edit(field))
            }
            guard failure.needsAnotherCode, !view.codeText.isEmpty else { return }
            field = LineEditor("")
            send(.changeCodeText(""), for: .edit(field))
        }
    }

    private mutating func keepTimes() {
        sentCode = view.sentCode
        resendAt = [view.sentCode?.resendableFrom, view.failure?.retryAt].compactMap { $0 }.max()
    }

    /// Drops what was typed ahead: it was meant for another result.
    private mutating func show(_ failure: SignupFailure) {
        pendingKeys = []
        print(texts.explanation(of: failure), mark: .failure)
    }

    private mutating func show(stubMessage: Substring) {
        write(line.print(String(stubMessage).printable, beginning: texts.stubLabel + " │ "))
    }
}

// Output.
extension KeyPrompt {
    private var hasEnded: Bool {
        if case .exit = actions.last { true } else { false }
    }

    private mutating func exit(_ status: ExitStatus, printing text: String) {
        endField()
        actions.append(.writeError(line.paragraph(text.printable, mark: .failure)))
        actions.append(.exit(status))
    }

    private mutating func print(_ text: String, mark: Appearance.Mark? = nil) {
        write(line.print(text.printable, mark: mark))
    }

    private mutating func endField() { write(line.end(label, field.text)) }

    private mutating func draw() {
        if case .begin? = request { return }
        if isAtConsent {
            return write(line.draw(texts.consentQuestion, LineEditor(""), hints: [texts.cancelHint], as: .aside))
        }
        write(line.draw(label, field, hints: hints, as: flashTicks > 0 ? .alert : .aside))
    }

    private mutating func write(_ text: String) {
        if !text.isEmpty { actions.append(.write(text)) }
    }

    private var label: String { isAtCode ? texts.codeLabel : texts.phoneLabel }

    /// What can be done next, the most important first.
    private var hints: [String] {
        switch request {
        case .send: return ["\(spinner) \(texts.sending)"]
        case .signUp: return ["\(spinner) \(texts.signingUp)"]
        case .begin, .edit, .replacement, nil: break
        }
        guard isAtCode else {
            if view.isSendEnabled { return [texts.sendHint, texts.cancelHint] }
            if let wait = wait(until: usedUpUntil) {
                return [texts.anotherNumberHint(orCodeIn: wait), texts.cancelHint]
            }
            return [texts.phoneHint] + (region.map { [texts.regionHint($0)] } ?? []) + [texts.cancelHint]
        }
        if flashTicks > 0 { return ["! " + resendHint] + expiryHints }
        return (view.isSignUpEnabled ? [texts.signUpHint] : []) + [resendHint] + channelHints + expiryHints
            + [texts.otherNumberHint]
    }

    private var spinner: String {
        let pictures = line.appearance.spinner
        return pictures[spinnerTicks % pictures.count]
    }

    /// A code that has expired by then, or has no checks left, is not sent again; another one is.
    private var resendHint: String {
        let isNew = sentCode?.enterableUntil.map { $0 <= max(now, resendAt ?? now) } ?? true
        guard let wait = wait(until: resendAt) else { return isNew ? texts.newCodeHint : texts.resendHint }
        return isNew ? texts.newCodeHint(in: wait) : texts.resendHint(in: wait)
    }

    private var channelHints: [String] {
        guard wait(until: resendAt) == nil, let channel = sentCode?.otherChannel else { return [] }
        return ["c: " + texts.send(by: channel)]
    }

    private var expiryHints: [String] {
        guard let expiresAt = sentCode?.enterableUntil else { return [] }
        return [wait(until: expiresAt).map(texts.expiryHint(in:)) ?? texts.expired]
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
