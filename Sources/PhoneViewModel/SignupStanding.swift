import PhoneDomain

/// How a signup stands: what came of all the events so far. What there is to see follows from it.
struct SignupStanding: Sendable {
    private(set) var phone: Phone
    private(set) var code: Code
    /// The verification of the number that the phone field says.
    private(set) var verification: Indirect<Verification>?
    private(set) var failure: PhoneFailure?
    /// All that the signup came to, in order: tapping again after it has comes to the same once more.
    private(set) var signedUp: [Indirect<SignedUp>] = []
    private(set) var isBusy = false
    /// One that belongs to another number than the field now says is out of sight, and comes back with its number.
    private var known: [PhoneNumber: Indirect<Verification>]

    /// One of which nothing is known yet.
    static let empty = SignupStanding(phone: Phone(text: "", number: nil), code: .none, verification: nil)

    init(phone: Phone, code: Code, verification: Indirect<Verification>?) {
        self.phone = phone
        self.code = code
        known = verification.map { [$0.value.phoneNumber: $0] } ?? [:]
        findVerification()
    }

    /// The phone field was edited.
    mutating func edit(_ phone: Phone) {
        self.phone = phone
        failure = nil
        findVerification()
    }

    /// The code field was edited.
    mutating func edit(_ code: Code) {
        self.code = code
        failure = nil
    }

    /// A tap is about to be seen to.
    mutating func attempt() {
        failure = nil
    }

    /// A code was asked for.
    mutating func take(_ request: Attempt<PhoneNumber?, Verification>) {
        if let verification = request.success {
            keep(verification)
            code = .none
        } else if request.subject == phone.number {
            failure = request.failure
        }
    }

    /// The code was brought to sign up with.
    mutating func take(_ signUp: Attempt<Verification.ID?, SignUp.Outcome>) {
        var failure = signUp.failure
        switch signUp.success?.value {
        case .signedUp(let signedUp, let used):
            keep(Indirect(used))
            self.signedUp.append(Indirect(signedUp))
        case .refused(let refusal, let left):
            failure = refusal
            if let left { keep(Indirect(left)) }
        case nil: break
        }
        if let failure, signUp.subject == verification?.value.id { self.failure = failure }
    }

    /// Work has begun, or all of it has ended.
    mutating func turn(isBusy: Bool) {
        self.isBusy = isBusy
    }

    private mutating func keep(_ verification: Indirect<Verification>) {
        known[verification.value.phoneNumber] = verification
        findVerification()
    }

    private mutating func findVerification() {
        verification = phone.number.flatMap { known[$0] }
    }

    /// Whether the code field holds what may be the code.
    var isSignUpEnabled: Bool {
        guard signedUp.isEmpty, let verification = verification?.value, verification.consumedBy == nil else {
            return false
        }
        return switch verification.recordedStatus {
        case .approved, .pending: code.isWhole
        case .canceled, .expired, .maxAttemptsReached, .failed: false
        }
    }
}
