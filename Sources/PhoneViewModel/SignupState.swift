import PhoneDomain

/// The state of a signup after all events so far. Every output follows from it.
struct SignupState: Sendable {
    private(set) var phone: PhoneField
    private(set) var code: CodeField
    /// The verification of the number in the phone field.
    private(set) var verification: Verification?
    private(set) var failure: PhoneFailure?
    private(set) var signedUp: SignedUp?
    var isBusy = false
    /// The verification of a number that is not in the field any more is hidden, and comes back with its number.
    private var verifications: [PhoneNumber: Verification]

    static let empty = SignupState(phone: PhoneField(typed: "", text: "", number: nil), code: .empty, verification: nil)

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

    mutating func clearFailure() { failure = nil }

    /// Shows the result of asking for a code; a failure only if its number is still in the field.
    mutating func apply(_ send: TapResult<PhoneNumber?, Verification>) {
        switch send.result {
        case .success(let verification):
            keep(verification)
            code = .empty
        case .failure(let failure):
            if send.subject == phone.number { self.failure = failure }
        }
    }

    /// Shows the result of signing up; a failure only if its verification is still the visible one.
    mutating func apply(_ signUp: TapResult<Verification.ID?, SignUp.Outcome>) {
        var failure: PhoneFailure?
        switch signUp.result {
        case .success(.signedUp(let signedUp, let used)):
            keep(used)
            self.signedUp = signedUp
        case .success(.refused(let refusal, let refused)):
            failure = refusal
            if let refused { keep(refused) }
        case .failure(let error): failure = error
        }
        if let failure, signUp.subject == verification?.id { self.failure = failure }
    }

    private mutating func keep(_ verification: Verification) {
        verifications[verification.phoneNumber] = verification
        findVerification()
    }

    private mutating func findVerification() { verification = phone.number.flatMap { verifications[$0] } }

    /// Whether the code field contains what may be the code.
    var isSignUpEnabled: Bool {
        guard signedUp == nil, let verification, verification.consumedBy == nil else {
            return false
        }
        return switch verification.recordedStatus {
        case .approved, .pending: code.isComplete
        case .canceled, .expired, .maxAttemptsReached, .failed: false
        }
    }
}

/// The phone field: its text, and the number in it if a code can be sent there.
struct PhoneField: Sendable {
    /// What the number is read from. The text is for showing only: it must never decide where a code goes.
    let typed: String
    let text: String
    let number: PhoneNumber?
}

/// The code field.
struct CodeField: Sendable {
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
