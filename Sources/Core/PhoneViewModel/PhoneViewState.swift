import PhoneNumbers
public import PhoneSignup

/// The state of a signup after all events so far: what a driver draws, or answers with. Every output is a part of it.
public struct PhoneViewState: Hashable, Sendable {
    private(set) var phone: PhoneText
    private(set) var code: CodeField
    /// How the next code is to be sent; nil for the order of the number's country.
    public internal(set) var channel: Channel?
    /// The code that was sent to the number in the phone field, or nil.
    public private(set) var sentCode: SentCode?
    /// Why the last tap failed, or nil; typing and tapping clear it.
    public internal(set) var failure: SignupFailure?
    /// The account, once the person has signed up.
    public private(set) var signedUp: SignedUpAccount?
    /// Whether a tap is being handled; another of its kind is ignored meanwhile.
    public internal(set) var isBusy = false
    /// The code of a number that is not in the field any more is hidden, and comes back with its number.
    private var sentCodes: [PhoneNumber: SentCode]

    /// The state of a signup before its first event, with nothing in its fields.
    public init() {
        self.init(phone: PhoneText(typed: "", text: "", number: nil), code: .empty, sentCode: nil, channel: nil)
    }

    init(phone: PhoneText, code: CodeField, sentCode: SentCode?, channel: Channel?) {
        (self.phone, self.code, self.channel) = (phone, code, channel)
        sentCodes = sentCode.map { [$0.number: $0] } ?? [:]
        findSentCode()
    }

    mutating func edit(_ phone: PhoneText) {
        self.phone = phone
        failure = nil
        findSentCode()
    }

    mutating func edit(_ code: CodeField) {
        self.code = code
        failure = nil
    }

    /// Shows the result of asking for a code; a failure only if its number is still in the field.
    mutating func apply(_ send: TapResult<PhoneNumber?, SentCode>) {
        switch send.result {
        case .success(let sentCode):
            keep(sentCode)
            code = .empty
        case .failure(let failure):
            if send.subject == phone.number { self.failure = failure }
        }
    }

    /// Shows the result of signing up; a failure only if its code is still that of the number in the field.
    mutating func apply(_ signUp: TapResult<SentCode?, SignedUpAccount>) {
        switch signUp.result {
        case .success(let signedUp):
            self.signedUp = signedUp
            guard var used = signUp.subject else { return }
            (used.isOpen, used.resendableFrom) = (false, nil)
            keep(used)
        case .failure(let failure):
            if let checked = failure.sentCode { keep(checked) }
            if signUp.subject?.id == sentCode?.id { self.failure = failure }
        }
    }

    private mutating func keep(_ sentCode: SentCode) {
        sentCodes[sentCode.number] = sentCode
        findSentCode()
    }

    private mutating func findSentCode() { sentCode = phone.number.flatMap { sentCodes[$0] } }
}

// What follows from it.
extension PhoneViewState {
    /// The text of the phone field: the number with its hyphens, as far as it is typed, or as it was typed what is no
    /// number.
    public var phoneText: String { phone.text }

    /// Whether a code can be sent to the number in the phone field.
    public var isSendEnabled: Bool { phone.number != nil }

    /// When the code can be sent again; nil while none was sent to the number in the phone field, and once the
    /// person has signed up. A moment and not a boolean, since time passes without an event.
    public var resendableFrom: Timestamp? { sentCode?.resendableFrom }

    /// Whether a tap would send the code again now, unless a limit on the number or the address refuses it.
    public func isResendEnabled(at now: Timestamp) -> Bool { resendableFrom.map { $0 <= now } ?? false }

    /// Whether there is no code to type yet.
    public var isCodeFieldHidden: Bool { sentCode == nil }

    /// The channels by which a code can be sent to the number in the phone field, once one was sent.
    public var channels: [Channel] { sentCode?.channels ?? [] }

    /// The text of the code field: digits, or as it was typed what is no code.
    public var codeText: String { code.text }

    /// Whether the code field contains what may be the code, or the person needs none: they send a message instead, or their
    /// SIM has proven the number.
    public var isSignUpEnabled: Bool {
        signedUp == nil && sentCode?.isOpen == true && (code.isComplete || sentCode?.channel?.carriesCode == false)
    }
}

/// The code field.
struct CodeField: Hashable, Sendable {
    static let empty = CodeField(text: "", isComplete: false)

    let text: String
    /// Whether it may be the code, right or wrong.
    let isComplete: Bool
}

extension CodeField {
    /// What the field shows for a text: of a message that is pasted whole its code.
    init(_ typed: String, where isCode: (String) -> Bool) {
        text = VerificationCode.digits(inMessage: typed, where: isCode) ?? VerificationCode.format(typed)
        isComplete = isCode(text)
    }
}

/// The result of a tap. Streams do not fail, so a failure travels as a value.
struct TapResult<Subject: Sendable, Value: Sendable>: Sendable {
    /// What the tap was for: the fields may have changed meanwhile.
    let subject: Subject
    let result: Result<Value, SignupFailure>

    init(of subject: Subject, _ work: () async throws(SignupFailure) -> Value) async {
        self.subject = subject
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
    }
}
