/// Why something was not done: for the person, for the program that asked, and with what helps to act on it.
public enum PhoneFailure: Error, Hashable, Sendable {
    /// The text is no number of its plan.
    case invalidPhoneNumber(PhoneNumberError)
    /// It is a number, but of a kind that cannot or must not receive a code.
    case kindNotAccepted(NumberKind)
    /// Codes are not sent to numbers of this region, or of a calling code that is not known (nil).
    case regionNotAllowed(Region?)
    /// The number had a message a moment ago.
    case resendTooSoon(nextSendAt: Timestamp)
    /// The verification's messages are used up; a new one can be begun when it has expired.
    case maxSendsReached(retryAt: Timestamp)
    /// A limit is reached, or several.
    case rateLimited(policies: [QuotaPolicy], retryAt: Timestamp)
    /// The text cannot be a code: it must have so many digits. Nothing was counted.
    case malformedCode(length: Int)
    /// A wrong code.
    case codeIncorrect(checksLeft: Int)
    /// The code's time, or the approval's, is over.
    case codeExpired
    /// The checks are used up; a new verification can be begun at this moment.
    case maxChecksReached(retryAt: Timestamp)
    /// There is no such verification, or it is somebody else's.
    case verificationNotFound
    /// The verification is approved, canceled or used already.
    case verificationClosed
    /// The number has not been proven yet.
    case verificationNotApproved
    /// Nobody has been heard of for long who has the account of this number, and it has to be decided who this is
    /// (``AccountPolicy/Recycling/ask``). The approval can still be used.
    case accountDormant
    /// Another account holds the number.
    case numberTaken
    /// There is no such change of number, or it cannot be undone any more.
    case numberChangeNotFound
    /// What was to be kept with an account is too much.
    case invalidMetadata(AccountMetadata.Fault)
    /// Whoever asks is not signed in, or no longer.
    case notSignedIn
    /// Whoever asks has proven their number too long ago for what they want: they have to sign in anew.
    case proofTooOld
    /// The store or the cryptography failed. The cause is for the operator's log, not for the one who asked.
    case unavailable(cause: String)

    /// The stable name that programs act on.
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
        case .verificationClosed: "verification_closed"
        case .accountDormant: "account_dormant"
        case .numberTaken: "number_taken"
        case .numberChangeNotFound: "number_change_not_found"
        case .notSignedIn: "unauthorized"
        case .proofTooOld: "reauthentication_required"
        case .unavailable: "unavailable"
        }
    }

    /// From when the same request may succeed, or nil if waiting does not help or nobody knows.
    public var retryAt: Timestamp? {
        switch self {
        case .resendTooSoon(let moment), .maxSendsReached(let moment), .maxChecksReached(let moment),
            .rateLimited(_, let moment):
            moment
        case .invalidPhoneNumber, .kindNotAccepted, .regionNotAllowed, .malformedCode, .codeIncorrect, .codeExpired,
            .verificationNotFound, .verificationClosed, .verificationNotApproved, .accountDormant, .numberTaken,
            .numberChangeNotFound, .invalidMetadata, .notSignedIn, .proofTooOld, .unavailable:
            nil
        }
    }
}
