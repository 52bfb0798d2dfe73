import PhoneDomain

/// The conversation in a terminal, as a state machine: its one method takes an event and says what follows.
///
/// There is one field at a time, on the line where the cursor is; what was said stays above it. The field shows what
/// the signup gives back, never what was typed. While the signup is at work keys wait, and what was typed meanwhile goes
/// to it as one edit.
struct KeyConversation {
    /// What the signup is at work on.
    private enum Request {
        case beginning
        case edit
        /// Trying whether a paste is a number by itself. If not it belongs to what the field held before.
        case replacement(of: String, by: String)
        case sending
        case signingUp
    }

    /// A person types ahead by a few keys; what is pressed beyond that is a cat.
    private static let mostPendingKeys = 256
    /// No number or code is so long; what goes beyond is not worth sending.
    private static let longestText = 256

    /// How many columns the terminal has, or nil if nobody knows.
    var width: Int? {
        get { line.width }
        set { line.width = newValue }
    }

    private let texts: any PromptTexts
    private var line: PromptLine
    private var phoneField = PhoneField(startText: "")
    private var view = SignupView(
        phoneText: "",
        isSendEnabled: false,
        isCodeFieldHidden: true,
        codeText: "",
        isSignUpEnabled: false
    )
    private var hasBegun = false
    private var isAtCode = false
    private var request: Request?
    private var pendingKeys: [Key] = []
    private var hasInputEnded = false
    private var resendAt: Timestamp?
    private var now = Timestamp(milliseconds: 0)
    private var actions: [Action] = []

    /// A conversation; the first event is to be ``Event/opened``.
    init(texts: any PromptTexts, appearance: Appearance) {
        self.texts = texts
        self.line = PromptLine(appearance: appearance)
    }

    /// What follows from this event at this moment.
    mutating func handle(_ event: Event, at now: Timestamp) -> [Action] {
        self.now = now
        actions = []
        switch event {
        case .opened: ask(.begin, for: .beginning)
        case .key(.interrupt):
            commit()
            actions.append(.leave(.interrupted))
            return actions
        case .key(let key): if pendingKeys.count < Self.mostPendingKeys { pendingKeys.append(key) }
        case .inputEnded: hasInputEnded = true
        case .tick: break
        case .answered(let view): take(view)
        case .failed(let error):
            leave(error.exitStatus, saying: texts.explanation(of: error))
            return actions
        case .noted(let note): texts.lines(ofNote: note).forEach { say($0) }
        }
        takePendingKeys()
        if !isOver { draw() }
        return actions
    }
}

// What the person does.
extension KeyConversation {
    private mutating func takePendingKeys() {
        while request == nil, !isOver, let key = pendingKeys.first {
            if edit() { continue }
            pendingKeys.removeFirst()
            switch key {
            case .enter: enter()
            case .paste(let pasted):
                let pasted = String(pasted.prefix(Self.longestText))
                ask(.changePhoneText(pasted), for: .replacement(of: view.phoneText, by: pasted))
            case .text(let text): if let command = CodeCommand(text) { obey(command) }
            case .endOfInput: if isUntouched { leave(.failed, saying: texts.canceled) }
            case .interrupt, .backspace, .clear: break
            }
        }
        if hasInputEnded, request == nil, !isOver { leave(.failed, saying: texts.inputEnded) }
    }

    /// Makes one edit of all the edits that wait; false if the next key is none.
    private mutating func edit() -> Bool {
        let before = isAtCode ? view.codeText : view.phoneText
        var text = before
        var count = 0
        while count < pendingKeys.count, let edited = edited(text, by: pendingKeys[count]) {
            text = edited
            count += 1
        }
        pendingKeys.removeFirst(count)
        text = String(text.prefix(Self.longestText))
        guard text != before else { return count > 0 }
        ask(isAtCode ? .changeCodeText(text) : .changePhoneText(text), for: .edit)
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

    private mutating func enter() {
        // Enter in an empty code field is the one that follows "r" out of habit.
        if isAtCode, view.codeText.isEmpty, !view.isSignUpEnabled { return }
        if isAtCode { ask(.signUp, for: .signingUp) } else { ask(.send, for: .sending) }
    }

    private mutating func obey(_ command: CodeCommand) {
        switch command {
        case .resend: ask(.send, for: .sending)
        case .otherNumber:
            write(line.clear())
            isAtCode = false
        }
    }

    private mutating func ask(_ question: SignupRequest, for request: Request) {
        self.request = request
        actions.append(.ask(question))
    }

    private var isUntouched: Bool {
        isAtCode ? view.codeText.isEmpty : view.phoneText.isEmpty || view.phoneText == phoneField.startText
    }
}

// What the signup answers.
extension KeyConversation {
    private mutating func take(_ answer: SignupView) {
        let request = request
        self.request = nil
        view = answer
        switch request {
        case .beginning:
            hasBegun = true
            phoneField = PhoneField(startText: view.phoneText)
        case .edit, nil: break
        case .replacement(let before, let pasted): if !view.isSendEnabled { join(pasted, to: before) }
        case .sending: concludeSending()
        case .signingUp: concludeSigningUp()
        }
    }

    private mutating func join(_ pasted: String, to before: String) {
        ask(.changePhoneText(phoneField.text(before, typing: pasted)), for: .edit)
    }

    private mutating func concludeSending() {
        if isAtCode { write(line.clear()) } else { commit() }
        noteWait()
        if let failure = view.failure {
            refuse(failure)
        } else if let sentCode = view.sentCode {
            say(texts.sent(to: sentCode.maskedNumber))
            actions.append(.lookForMessage(sentCode))
        }
        isAtCode = !view.isCodeFieldHidden
    }

    private mutating func concludeSigningUp() {
        commit()
        noteWait()
        if let account = view.account {
            say(texts.welcome(to: account, with: view.phoneText), as: .success)
            actions.append(.leave(.done))
        } else if let failure = view.failure {
            refuse(failure)
            if failure.spendsCode, !view.codeText.isEmpty {
                ask(.changeCodeText(""), for: .edit)
            }
        }
    }

    /// From when a code can be asked for again: what the last answer to a tap said, since editing clears failures.
    private mutating func noteWait() {
        resendAt = [view.sentCode?.nextSendAt, view.failure?.retryAt].compactMap { $0 }.max()
    }

    /// What was typed ahead was meant for another outcome.
    private mutating func refuse(_ failure: SignupFailure) {
        pendingKeys = []
        say(texts.explanation(of: failure, at: now), as: .failure)
    }
}

// What there is to see.
extension KeyConversation {
    private var isOver: Bool {
        if case .leave = actions.last { true } else { false }
    }

    private mutating func leave(_ status: ExitStatus, saying text: String) {
        commit()
        actions.append(.complain(line.appearance.legible(text.printable) + "\n"))
        actions.append(.leave(status))
    }

    private mutating func say(_ text: String, as role: Appearance.Role? = nil) {
        write(line.say(text.printable, as: role))
    }

    /// Leaves the field as it is, without its hint, and goes on below it.
    private mutating func commit() {
        if line.isEmpty { return }
        write(line.draw(label, text, hint: ""))
        write(line.end())
    }

    private mutating func draw() {
        if !hasBegun { return }
        write(line.draw(label, text, hint: hint))
    }

    private mutating func write(_ text: String) {
        if !text.isEmpty { actions.append(.write(text)) }
    }

    private var label: String { isAtCode ? texts.codeLabel : texts.phoneLabel }

    private var text: String { (isAtCode ? view.codeText : view.phoneText).printable }

    private var hint: String {
        switch request {
        case .sending: return texts.sending
        case .signingUp: return texts.signingUp
        case .beginning, .edit, .replacement, nil: break
        }
        guard isAtCode else { return view.isSendEnabled ? texts.sendHint : "" }
        let wait = resendAt.flatMap { $0 > now ? $0 - now : nil }
        let resend = wait.map { texts.resendHint(in: Countdown.text($0)) } ?? texts.resendHint
        if view.isSignUpEnabled { return "\(texts.signUpHint) · \(resend)" }
        return view.codeText.isEmpty ? "\(resend) · \(texts.otherNumberHint)" : resend
    }
}
