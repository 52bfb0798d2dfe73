/// What a signup can do with a phone number. The view model drives it; ``DefaultPhoneUseCase`` implements it over real
/// ports.
public protocol PhoneUseCase: Sendable {
    /// What a field shows for this text: the number with its hyphens, as far as it is typed.
    func format(_ phoneText: String, region: Region) -> String
    /// The number, if a code could be sent to it: a number of its plan, of an allowed region and an accepted kind.
    /// Throws ``PhoneFailure/invalidPhoneNumber(_:)``, ``PhoneFailure/kindNotAccepted(_:)`` or
    /// ``PhoneFailure/regionNotAllowed(_:allowed:)``.
    func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber
    /// What ``phoneNumber(in:region:)`` does, for a request for a code: a refusal is counted, in metrics, as a request.
    func recipient(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber
    /// Whether this text has the form of a code, right or wrong.
    func isCode(_ codeText: String) -> Bool
    /// Sends a code to the number, or the same code once more if one is in flight. Returns the verification, new or
    /// live.
    func requestCode(to number: PhoneNumber, context: RequestContext) async throws(PhoneFailure) -> Verification
    /// Checks a code, and leaves the approval to its owner: the account of a signup is created by
    /// ``signUp(_:for:context:)``. Returns the approved verification.
    func verify(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification
    /// Checks a code and uses the approval to create or find the account of the proven number, in one transaction.
    /// Throws ``PhoneFailure`` where the text cannot be a code or the store fails; a refusal by the rules is an
    /// outcome.
    func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignUp.Outcome
}

extension PhoneUseCase {
    public func recipient(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        try phoneNumber(in: phoneText, region: region)
    }

    public func isValid(_ phoneText: String, region: Region) -> Bool {
        (try? phoneNumber(in: phoneText, region: region)) != nil
    }
}

/// What a server can do with verifications beyond the flow of a signup.
public protocol VerificationUseCase: PhoneUseCase {
    /// What ``PhoneUseCase/requestCode(to:context:)`` does, distinguishing a new verification from a live one.
    func begin(
        _ number: PhoneNumber,
        channel: Channel,
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer
    /// What ``PhoneUseCase/verify(_:for:context:)`` does, returning a wrong code with the verification as the check
    /// left it.
    func check(
        _ codeText: String,
        for which: VerificationReference,
        context: RequestContext
    ) async throws(PhoneFailure) -> CheckVerification.Outcome
    /// Checks a code by a command that uses the approval in the same transaction, as ``ChangeNumber`` does. `work` puts
    /// the check into the command, and passes that to the store. Throws ``PhoneFailure/malformedCode(length:)``, and
    /// what `work` throws.
    func check<Value: Sendable>(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext,
        in work: @Sendable (CheckVerification) async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value
    /// Approves a verification whose owner brought the code (``VerificationTerms/code``), and has compared it itself.
    func approve(_ id: Verification.ID, context: RequestContext) async throws(PhoneFailure) -> Verification
    func cancel(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification
    /// Throws ``PhoneFailure/verificationNotFound`` if there is none, or it is another owner's.
    func verification(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification
    /// The result of a signup with this verification; nil if it was not used yet.
    func signedUp(with verification: Verification) async throws(PhoneFailure) -> SignedUp?
}

public enum VerificationReference: Hashable, Sendable {
    case id(Verification.ID)
    /// The owner's live verification of this number (``Verification/isLive(at:)``).
    case live(PhoneNumber)
}

extension VerificationUseCase {
    public func requestCode(to number: PhoneNumber, context: RequestContext) async throws(PhoneFailure) -> Verification
    {
        try await begin(number, channel: .sms, context: context).verification
    }
}

/// Why a request failed: for the person, for the client program, and with what helps to act on it.
public enum PhoneFailure: Error, Hashable, Sendable {
    case invalidPhoneNumber(PhoneNumberError)
    /// It is a number, but of a kind that cannot or must not receive a code.
    case kindNotAccepted(NumberKind)
    /// Codes are not sent to numbers of this region, or of an unknown calling code (nil), but to numbers of those that are
    /// allowed, in alphabetical order.
    case regionNotAllowed(Region?, allowed: [Region])
    /// The number was sent a message a moment ago.
    case resendTooSoon(nextSendAt: Timestamp)
    /// The verification's messages are used up; a new one can be begun when it has expired.
    case maxSendsReached(retryAt: Timestamp)
    case rateLimited(policies: [QuotaPolicy], retryAt: Timestamp)
    /// The text cannot be a code, which has this many digits. Nothing was counted.
    case malformedCode(length: Int)
    case codeIncorrect(checksLeft: Int)
    /// The code, or the approval, has expired.
    case codeExpired
    /// The checks are used up; a new verification can be begun at this moment.
    case maxChecksReached(retryAt: Timestamp)
    /// There is no such verification, or it is another owner's.
    case verificationNotFound
    /// The same for a signup that never was, an expired one and a wrong token, so that they cannot be distinguished.
    case signupNotFound
    /// The verification is approved, canceled or used already.
    case verificationClosed
    case verificationNotApproved
    /// The account of this number was inactive for long, and it must be decided whose it is
    /// (``AccountPolicy/Recycling/ask``). The approval can still be used.
    case accountDormant
    case numberTaken
    /// There is no such change of number, or it can no longer be undone.
    case numberChangeNotFound
    case invalidMetadata(AccountMetadata.Fault)
    case notSignedIn
    /// The client's API key was revoked since it was last looked up (``RequestContext/apiKey``).
    case keyInvalid
    /// The client proved its number too long ago for this request: it must sign in again.
    case proofTooOld
    /// The store or the cryptography failed. The cause is for the operator's log, not for the client.
    case unavailable(cause: String)

    public var code: String {
        switch self {
        case .invalidPhoneNumber, .kindNotAccepted: "invalid_phone_number"
        case .regionNotAllowed: "region_not_allowed"
        case .resendTooSoon: "resend_too_soon"
        case .maxSendsReached: "max_sends_reached"
        case .rateLimited: "rate_limited"
        case .malformedCode, .verificationNotApproved, .invalidMetadata: "invalid_request"
        case .codeIncorrect: "code_incorrect"
        case .codeExpired: "code_expired"
        case .maxChecksReached: "max_checks_reached"
        case .verificationNotFound: "verification_not_found"
        case .signupNotFound: "signup_not_found"
        case .verificationClosed: "verification_closed"
        case .accountDormant: "account_dormant"
        case .numberTaken: "number_taken"
        case .numberChangeNotFound: "number_change_not_found"
        case .notSignedIn, .keyInvalid: "unauthorized"
        case .proofTooOld: "reauthentication_required"
        case .unavailable: "unavailable"
        }
    }

    /// From when the same request may succeed; nil if waiting does not help or the time is unknown.
    public var retryAt: Timestamp? {
        switch self {
        case .resendTooSoon(let moment), .maxSendsReached(let moment), .maxChecksReached(let moment),
            .rateLimited(_, let moment):
            moment
        default: nil
        }
    }
}

/// Calls a port. A refusal passes, and any other error becomes the one failure that the caller can act on: retry later.
@inlinable
public func available<Result>(_ work: () async throws -> Result) async throws(PhoneFailure) -> Result {
    do {
        return try await work()
    } catch let failure as PhoneFailure {
        throw failure
    } catch {
        throw .unavailable(cause: String(describing: error))
    }
}
