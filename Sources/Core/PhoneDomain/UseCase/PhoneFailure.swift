public import PhoneNumbers
public import PhoneSignup

/// Why a request failed: for the person, for the client program, and with what helps to act on it.
public enum PhoneFailure: Error, Hashable, Sendable {
    case invalidPhoneNumber(PhoneNumberError)
    /// It is a number, but of a kind that cannot or must not receive a code.
    case kindNotAccepted(NumberKind)
    /// Codes are not sent to numbers of this region, or of an unknown calling code (nil), but to numbers of those that
    /// are allowed, in alphabetical order.
    case regionNotAllowed(Region?, allowed: [Region])
    /// No gateway sends to this number by this channel, or by any (nil); by the others it can be sent.
    case channelUnavailable(Channel?, offered: [Channel])
    /// The number was sent a message a moment ago.
    case resendTooSoon(nextSendAt: Timestamp)
    /// The verification's messages are used up; a new one can be begun when it has expired.
    case maxSendsReached(retryAt: Timestamp)
    case rateLimited(policies: [QuotaPolicy], retryAt: Timestamp)
    /// The guard lets the message out for a proof.
    case challengeRequired(Challenge)
    /// The proof for the guard is not valid, or that of the number is not, in place of which a code proves it.
    case challengeFailed(ProofFault, isOfNumber: Bool = false)
    /// The operator's hook refused the message (``SendHook``).
    case sendDenied
    /// The text cannot be a code, which has this many digits. Nothing was counted.
    case malformedCode(length: Int)
    case codeIncorrect(Verification)
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
    case accountDormant(Verification)
    /// An operator has suspended the account of this number.
    case accountSuspended
    /// There is no account without accepting the rules (``ConsentPolicy/isRequired``). The approval, if there is one,
    /// can still be used.
    case consentRequired(Verification?)
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
        case .channelUnavailable: "channel_unavailable"
        case .resendTooSoon: "resend_too_soon"
        case .maxSendsReached: "max_sends_reached"
        case .rateLimited: "rate_limited"
        case .challengeRequired: "challenge_required"
        case .challengeFailed: "challenge_failed"
        case .sendDenied: "send_denied"
        case .malformedCode, .verificationNotApproved, .invalidMetadata: "invalid_request"
        case .codeIncorrect: "code_incorrect"
        case .codeExpired: "code_expired"
        case .maxChecksReached: "max_checks_reached"
        case .verificationNotFound: "verification_not_found"
        case .signupNotFound: "signup_not_found"
        case .verificationClosed: "verification_closed"
        case .accountDormant: "account_dormant"
        case .accountSuspended: "account_suspended"
        case .consentRequired: "consent_required"
        case .numberTaken: "number_taken"
        case .numberChangeNotFound: "number_change_not_found"
        case .notSignedIn, .keyInvalid: "unauthorized"
        case .proofTooOld: "reauthentication_required"
        case .unavailable: "unavailable"
        }
    }

    /// Every ``code``.
    public static let codes = [
        "invalid_phone_number", "region_not_allowed", "channel_unavailable", "resend_too_soon", "max_sends_reached",
        "rate_limited", "challenge_required", "challenge_failed", "send_denied", "invalid_request", "code_incorrect",
        "code_expired", "max_checks_reached", "verification_not_found", "signup_not_found", "verification_closed",
        "account_dormant", "account_suspended", "consent_required", "number_taken", "number_change_not_found",
        "unauthorized", "reauthentication_required", "unavailable",
    ]

    /// The verification that was checked, as the refusal left it, so that no response needs to read it again: by then
    /// another check may have changed it. Nil where nothing of it has changed.
    public var verification: Verification? {
        switch self {
        case .codeIncorrect(let verification), .accountDormant(let verification): verification
        case .consentRequired(let verification): verification
        default: nil
        }
    }

    /// When the same request may succeed; nil if waiting does not help or the time is unknown.
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
public func available<Result>(_ work: () async throws -> Result) async throws(PhoneFailure) -> Result {
    do { return try await work() } catch { throw PhoneFailure(of: error) }
}

/// The same for a port that answers at once.
public func available<Result>(_ work: () throws -> Result) throws(PhoneFailure) -> Result {
    do { return try work() } catch { throw PhoneFailure(of: error) }
}

extension PhoneFailure {
    /// What a port has thrown, as ``available(_:)`` passes it on.
    public init(of error: any Error) {
        self = error as? PhoneFailure ?? .unavailable(cause: String(describing: error))
    }
}
