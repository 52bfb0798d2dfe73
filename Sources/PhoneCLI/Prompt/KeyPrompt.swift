import PhoneDomain
import Texts

/// The guided signup key by key, as a state machine: ``handle(_:at:)`` takes an event and returns the actions that follow.
///
/// There is one field at a time, on the line of the cursor; earlier lines stay above it. The field shows the text that the
/// signup returns, never what was typed. While a request is in progress keys wait, and what was typed meanwhile becomes
/// one edit.
struct KeyPrompt {
    enum Event: Sendable {
        case started
        case key(Key)
        case inputEnded
        /// A second has passed.
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
        case fetchMessage(SignupView.SentCode)
        case exit(ExitStatus)
    }

    /// The purpose of the request in progress.
    private enum Request {
        case begin
        case edit
        /// Tries whether a paste is a number by itself. If not, it is appended to the previous text.
        case replacement(of: String, by: String)
        case send
        case signUp
    }

    /// A person types ahead by a few keys; more than that is a cat.
    private static let mostPendingKeys = 256
    /// In characters. No number or code is that long.
    private static let longestText = 256

    var line: PromptLine
    private let texts: any Texts
    private var phoneField = PhoneField(startText: "")
    private var view = SignupView()
    private var isAtCode = false
    private var request: Request?
    private var pendingKeys: [Key] = []
    private var hasInputEnded = false
    private var resendAt: Timestamp?
    private var now = Timestamp(milliseconds: 0)
    private var actions: [Action] = []

    /// The first event must be ``Event/started``.
    init(texts: any Texts, appearance: Appearance) {
        self.texts = texts
        line = PromptLine(appearance: appearance)
    }

    mutating func handle(_ event: Event, at now: Timestamp) -> [Action] {
        self.now = now
        actions = []
        switch event {
        case .started: send(.begin, for: .begin)
        case .key(.interrupt):
            endField()
            actions.append(.exit(.interrupted))
            return actions
        case .key(let key): if pendingKeys.count < Self.mostPendingKeys { pendingKeys.append(key) }
        case .inputEnded: hasInputEnded = true
        case .tick: break
        case .response(let view): handleResponse(view)
        case .failed(let error):
            exit(error.exitStatus, printing: texts.explanation(of: error))
            return actions
        case .message(let message): texts.lines(ofStubMessage: message).forEach { print($0) }
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
            if sendEdits() { continue }
            pendingKeys.removeFirst()
            switch key {
            case .enter: handleEnter()
            case .paste(let pasted):
                let pasted = String(pasted.prefix(Self.longestText))
                send(.changePhoneText(pasted), for: .replacement(of: view.phoneText, by: pasted))
            case .text(let text): if let command = CodeCommand(text) { perform(command) }
            case .endOfInput: if isUntouched { exit(.failed, printing: texts.canceled) }
            case .interrupt, .backspace, .clear: break
            }
        }
        if hasInputEnded, request == nil, !hasEnded { exit(.failed, printing: texts.inputEnded) }
    }

    /// Combines the pending edits into one.
    ///
    /// - Returns: false if the next key is not an edit.
    private mutating func sendEdits() -> Bool {
        let before = isAtCode ? view.codeText : view.phoneText
        var text = before
        let count = pendingKeys.count
        while let key = pendingKeys.first, let edited = edited(text, by: key) {
            text = edited
            pendingKeys.removeFirst()
        }
        text = String(text.prefix(Self.longestText))
        guard text != before else { return pendingKeys.count < count }
        send(isAtCode ? .changeCodeText(text) : .changePhoneText(text), for: .edit)
        return true
    }

    private func edited(_ text: String, by key: Key) -> String? {
        switch key {
        case .text(let typed) where !isAtCode: phoneField.text(text, typing: typed)
        case .text(let typed): CodeCommand(typed) == nil ? text + typed : nil
        case .paste(let pasted): isAtCode ? text + pasted : nil
        case .backspace: String(text.dropLast())
        case .clear: ""
        case .enter, .interrupt, .endOfInput: nil
        }
    }

    private mutating func handleEnter() {
        // Enter in an empty code field follows "r" out of habit.
        if isAtCode, view.codeText.isEmpty, !view.isSignUpEnabled { return }
        if isAtCode { send(.signUp, for: .signUp) } else { send(.send, for: .send) }
    }

    private mutating func perform(_ command: CodeCommand) {
        switch command {
        case .resend: send(.send, for: .send)
        case .otherNumber:
            write(line.clear())
            isAtCode = false
        }
    }

    private mutating func send(_ signupRequest: SignupRequest, for request: Request) {
        self.request = request
        actions.append(.request(signupRequest))
    }

    private var isUntouched: Bool {
        isAtCode ? view.codeText.isEmpty : view.phoneText.isEmpty || view.phoneText == phoneField.startText
    }
}

// Responses.
extension KeyPrompt {
    private mutating func handleResponse(_ response: SignupView) {
        let request = request
        self.request = nil
        view = response
        switch request {
        case .begin: phoneField = PhoneField(startText: view.phoneText)
        case .edit, nil: break
        case .replacement(let before, let pasted):
            if !view.isSendEnabled { send(.changePhoneText(phoneField.text(before, typing: pasted)), for: .edit) }
        case .send: showSendResult()
        case .signUp: showSignUpResult()
        }
    }

    private mutating func showSendResult() {
        if isAtCode { write(line.clear()) } else { endField() }
        updateResendTime()
        if let failure = view.failure {
            show(failure)
        } else if let sentCode = view.sentCode {
            print(texts.sent(to: sentCode.maskedNumber))
            actions.append(.fetchMessage(sentCode))
        }
        isAtCode = !view.isCodeFieldHidden
    }

    private mutating func showSignUpResult() {
        endField()
        updateResendTime()
        if let account = view.account {
            print(texts.welcome(to: account, with: view.phoneText), as: .success)
            actions.append(.exit(.done))
        } else if let failure = view.failure {
            show(failure)
            if failure.needsAnotherCode, !view.codeText.isEmpty { send(.changeCodeText(""), for: .edit) }
        }
    }

    /// Keeps the time from the last response to a tap, since editing clears failures.
    private mutating func updateResendTime() {
        resendAt = [view.sentCode?.nextSendAt, view.failure?.retryAt].compactMap { $0 }.max()
    }

    /// Drops what was typed ahead: it was meant for another result.
    private mutating func show(_ failure: SignupFailure) {
        pendingKeys = []
        print(texts.explanation(of: failure, at: now), as: .failure)
    }
}

// Output.
extension KeyPrompt {
    private var hasEnded: Bool {
        if case .exit = actions.last { true } else { false }
    }

    private mutating func exit(_ status: ExitStatus, printing text: String) {
        endField()
        actions.append(.writeError(line.appearance.legible(text.printable) + "\n"))
        actions.append(.exit(status))
    }

    private mutating func print(_ text: String, as role: Appearance.Role? = nil) {
        write(line.print(text.printable, as: role))
    }

    /// Leaves the field as it is, without its hint, and goes on below it.
    private mutating func endField() {
        if line.isEmpty { return }
        write(line.draw(label, text, hint: ""))
        write(line.end())
    }

    private mutating func draw() {
        if case .begin? = request { return }
        write(line.draw(label, text, hint: hint))
    }

    private mutating func write(_ text: String) {
        if !text.isEmpty { actions.append(.write(text)) }
    }

    private var label: String { isAtCode ? texts.codeLabel : texts.phoneLabel }

    private var text: String { (isAtCode ? view.codeText : view.phoneText).printable }

    private var hint: String {
        switch request {
        case .send: return texts.sending
        case .signUp: return texts.signingUp
        case .begin, .edit, .replacement, nil: break
        }
        guard isAtCode else { return view.isSendEnabled ? texts.sendHint : "" }
        let wait = resendAt.flatMap { $0 > now ? $0 - now : nil }
        let resend = wait.map { texts.resendHint(in: Countdown.text($0)) } ?? texts.resendHint
        if view.isSignUpEnabled { return "\(texts.signUpHint) · \(resend)" }
        return view.codeText.isEmpty ? "\(resend) · \(texts.otherNumberHint)" : resend
    }
}

/// A command where a code is expected: a letter, since codes have none.
enum CodeCommand: Hashable, Sendable {
    case resend
    case otherNumber

    /// Parses `r` or `n`, in either case or as the same key writes on a Korean keyboard; nil for anything else.
    init?(_ text: String) {
        switch text {
        case "r", "R", "ㄱ": self = .resend
        case "n", "N", "ㅜ": self = .otherNumber
        default: return nil
        }
    }
}

/// How typed text joins the text of a phone field. The view model then decides what the field shows.
private struct PhoneField {
    /// The text before anything is typed, such as `010-`.
    let startText: String

    /// The text after this was typed at its end.
    ///
    /// The field starts with what most people would type. A person who types it again means it once, and one who begins
    /// with a plus sign means another beginning.
    func text(_ text: String, typing typed: String) -> String {
        if text == startText, let first = typed.first, first == "+" || first == "＋" { return typed }
        let whole = text + typed
        guard startText.first != "+", whole.hasPrefix(startText) else { return whole }
        let rest = whole.dropFirst(startText.count)
        let start = startText.filter { ("0"..."9").contains($0) }
        return !start.isEmpty && rest.hasPrefix(start) ? String(rest) : whole
    }
}
