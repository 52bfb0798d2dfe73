public import PhoneDomain

/// The state of a signup after all events so far: what a driver draws, or answers with. Every output is a part of it.
public struct PhoneViewState: Hashable, Sendable {
    private(set) var phone: PhoneField
    private(set) var code: CodeField
    /// The verification of the number in the phone field, or nil.
    public private(set) var verification: Verification?
    /// Why the last tap failed, or nil; typing and tapping clear it.
    public internal(set) var failure: PhoneFailure?
    /// The proof that the next request for a code brings.
    var proof: ChallengeProof?
    /// The account, once the person has signed up.
    public internal(set) var signedUp: SignedUp?
    /// Whether a tap is being handled; another of its kind is ignored meanwhile.
    public internal(set) var isBusy = false
    /// The verification of a number that is not in the field any more is hidden, and comes back with its number.
    private var verifications: [PhoneNumber: Verification]

    static let empty = PhoneViewState(
        phone: PhoneField(typed: "", text: "", number: nil),
        code: .empty,
        verification: nil
    )

    init(phone: PhoneField, code: CodeField, verification: Verification?) {
        self.phone = phone
        self.code = code
        verifications = verification.map { [$0.phoneNumber: $0] } ?? [:]
        findVerification()
    }

    mutating func edit(_ phone: PhoneField) {
        self.phone = phone
        failure = nil
        findVerification()
    }

    mutating func edit(_ code: CodeField) {
        self.code = code
        failure = nil
    }

    /// Shows the result of asking for a code; a failure only if its number is still in the field.
    mutating func apply(_ send: TapResult<PhoneNumber?, Verification>) {
        proof = nil
        switch send.result {
        case .success(let verification):
            keep(verification)
            code = .empty
        case .failure(let failure):
            if send.subject == phone.number { self.failure = failure }
        }
    }

    /// Shows the result of signing up; a failure only if its verification is still the visible one.
    mutating func apply(_ signUp: TapResult<Verification.ID?, SignedUp>) {
        switch signUp.result {
        case .success(let signedUp):
            keep(signedUp.verification)
            self.signedUp = signedUp
        case .failure(let failure):
            if let checked = failure.verification { keep(checked) }
            if signUp.subject == verification?.id { self.failure = failure }
        }
    }

    private mutating func keep(_ verification: Verification) {
        verifications[verification.phoneNumber] = verification
        findVerification()
    }

    private mutating func findVerification() { verification = phone.number.flatMap { verifications[$0] } }
}

// What follows from it.
extension PhoneViewState {
    /// The text of the phone field: the number with its hyphens, as far as it is typed, or as it was typed what is no
    /// number.
    public var phoneText: String { phone.text }

    /// Whether a code can be sent to the number in the phone field.
    public var isSendEnabled: Bool { phone.number != nil }

    /// What is to be solved before the code is sent, or nil. ``PhoneViewModel/Input/proof`` takes the solution.
    public var challenge: Challenge? { if case .challengeRequired(let challenge) = failure { challenge } else { nil } }

    /// When the code can be sent again; nil while none was sent to the number in the phone field, and once the
    /// person has signed up. A moment and not a boolean, since time passes without an event.
    public var resendableFrom: Timestamp? { verification?.resendableFrom }

    /// Whether a tap would send the code again now, unless a limit on the number or the address refuses it.
    public func isResendEnabled(at now: Timestamp) -> Bool { resendableFrom.map { $0 <= now } ?? false }

    /// Whether there is no code to type yet.
    public var isCodeFieldHidden: Bool { verification == nil }

    /// The text of the code field: digits, or as it was typed what is no code.
    public var codeText: String { code.text }

    /// Whether the code field contains what may be the code.
    public var isSignUpEnabled: Bool {
        guard signedUp == nil, let verification, verification.consumedBy == nil else { return false }
        return switch verification.recordedStatus {
        case .approved, .pending: code.isComplete
        case .canceled, .expired, .maxAttemptsReached, .failed: false
        }
    }
}

/// The phone field: its text, and the number in it if a code can be sent there.
struct PhoneField: Hashable, Sendable {
    /// What the number is read from. The text is for showing only: it must never decide where a code goes.
    let typed: String
    let text: String
    let number: PhoneNumber?
}

/// The code field.
struct CodeField: Hashable, Sendable {
    static let empty = CodeField(text: "", isComplete: false)

    let text: String
    /// Whether it may be the code, right or wrong.
    let isComplete: Bool
}

/// The result of a tap. Streams do not fail, so a failure travels as a value.
struct TapResult<Subject: Sendable, Value: Sendable>: Sendable {
    /// What the tap was for: the fields may have changed meanwhile.
    let subject: Subject
    let result: Result<Value, PhoneFailure>

    init(of subject: Subject, _ work: () async throws(PhoneFailure) -> Value) async {
        self.subject = subject
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
    }
}
