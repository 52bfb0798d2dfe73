internal import CoreEncodings
public import PhoneSignup

/// Why a call failed.
public enum PhoneProofError: Error, Hashable, Sendable {
    /// There is no response. The reason is for a developer or an operator.
    case unreachable(reason: String)
    /// The response is none of PhoneProof's: perhaps a proxy's.
    case notUnderstood(status: Int)
    /// The service refused it.
    case refused(Problem)

    /// A problem document of the service (RFC 9457).
    public struct Problem: Hashable, Sendable {
        public let status: Int
        /// Stable, for programs.
        public let code: SignupFailure.Code
        /// English, for a developer.
        public let detail: String
        /// A sentence for the person, in the language of the signup or the client.
        public let message: String?
        /// How long to wait before the same request may succeed; nil if waiting does not help or the time is unknown.
        public let retryAfter: Duration?
        public let checksLeft: Int?
        public let sendsLeft: Int?
        /// The field of the request that is wrong.
        public let field: String?
        /// The limits that a `rate_limited` names.
        public let violatedPolicies: [String]
        /// What a success returns, where a signup refuses.
        let signup: JSON?

        /// What is to be solved, where the code is `challenge_required`.
        public let work: WorkChallenge?

        /// Whether it is about a guided signup that can go on.
        public var keepsSignup: Bool { signup != nil }

        /// What the client itself knows without a request.
        init(_ code: SignupFailure.Code, status: Int, detail: String) {
            (self.code, self.status, self.detail) = (code, status, detail)
            (message, retryAfter, checksLeft, sendsLeft, field) = (nil, nil, nil, nil, nil)
            (violatedPolicies, signup, work) = ([], nil, nil)
        }

        init?(_ body: JSON, status: Int, retryAfter: Duration?) {
            guard let title = body["title"]?.string else { return nil }
            self.status = status
            code = SignupFailure.Code(rawValue: body["code"]?.string ?? "")
            detail = body["detail"]?.string ?? title
            message = body["message"]?.string
            self.retryAfter = body["retry_after"]?.integer.flatMap(Duration.init(seconds:)) ?? retryAfter
            (checksLeft, sendsLeft) = (body["checks_left"]?.integer, body["sends_left"]?.integer)
            field = body["field"]?.string
            violatedPolicies = body["violated_policies"]?.array?.compactMap(\.string) ?? []
            signup = body["signup"]
            work = body["challenge"].flatMap { WorkChallenge($0) ?? $0["proof_of_work"].flatMap(WorkChallenge.init) }
        }
    }

    /// The problem's code; nil where there is no problem document.
    public var code: SignupFailure.Code? { if case .refused(let problem) = self { problem.code } else { nil } }
}

/// The codes to act on beside those that every signup may have.
extension SignupFailure.Code {
    /// The service wants a proof of work, and ``RemoteSignup`` has no solver; or the solution was refused.
    public static let challengeRequired: SignupFailure.Code = "challenge_required"
    public static let challengeFailed: SignupFailure.Code = "challenge_failed"
    /// The operator's own program refuses to send a code.
    public static let sendDenied: SignupFailure.Code = "send_denied"
    /// Show ``RemoteSignup/consent``, and sign up once more after ``RemoteSignup/acceptConsent()``.
    public static let consentRequired: SignupFailure.Code = "consent_required"
    /// Nobody has used the number's account for long: ``RemoteSignup/chooseNewAccount()``, or your server decides.
    public static let accountDormant: SignupFailure.Code = "account_dormant"
    public static let accountSuspended: SignupFailure.Code = "account_suspended"
    /// The signup has expired: begin another one.
    public static let signupNotFound: SignupFailure.Code = "signup_not_found"
    public static let sessionNotFound: SignupFailure.Code = "session_not_found"
    /// Another account has the number.
    public static let numberTaken: SignupFailure.Code = "number_taken"
    /// The person signed in too long ago to change the number: by another signup they have a session that may.
    public static let reauthenticationRequired: SignupFailure.Code = "reauthentication_required"
    /// The API key is valid, but not for this.
    public static let insufficientScope: SignupFailure.Code = "insufficient_scope"
}

extension Duration {
    /// Nil for more than a year, which is nonsense, and for what is past.
    init?(seconds: Int) {
        guard (0...366 * 86_400).contains(seconds) else { return nil }
        self = .seconds(seconds)
    }
}
