import CoreEncodings
import HTTPTypes
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

extension Problem {
    package static func malformed(_ detail: String) -> Problem { Problem(.invalidRequest, detail, status: .badRequest) }

    /// - Parameter detail: what it must be, after its name: `must be …`.
    package static func field(_ name: String, _ detail: String) -> Problem {
        Problem(.invalidRequest, "\(name) \(detail).", members: [JSON.Member("field", .string(name))])
    }

    /// The credentials are missing or invalid (RFC 9110 section 15.5.2).
    ///
    /// - Parameter error: the code of RFC 6750 section 3.1; nil if there were no credentials.
    package static func unauthorized(_ detail: String, error: String? = nil, message: Message? = nil) -> Problem {
        Problem(
            .unauthorized,
            detail,
            headers: [.wwwAuthenticate: challenge + (error.map { #", error="\#($0)""# } ?? "")],
            message: message
        )
    }

    package static let regionHint = "a region is not allowed; verification.allowed_regions lists those that are"

    /// Is for the operator's log: the client must not learn which it is.
    package static func unknownHint(_ what: String) -> String {
        "this \(what) is wrong, was revoked, or is in another database: unless database.url is set, a command uses the database of the "
            + "folder that it runs in; `check-config` shows which"
    }

    /// The error codes of RFC 6749 section 5.2, and those for devices.
    enum OAuthError: String, CaseIterable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        case unauthorizedClient = "unauthorized_client"
        case invalidScope = "invalid_scope"
        // Those of RFC 8628 section 3.5.
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case accessDenied = "access_denied"
        case expiredToken = "expired_token"
    }

    /// The problem as OAuth clients expect it: with the status and media type of RFC 6749 section 5.2, without which
    /// some take it for a response with tokens.
    func inOAuth(_ error: OAuthError) -> Problem {
        var problem = self
        problem.status = .badRequest
        problem.contentType = "application/json"
        problem.headers[.wwwAuthenticate] = nil
        problem.members += [
            JSON.Member("error", .string(error.rawValue)), JSON.Member("error_description", .string(detail)),
        ]
        return problem
    }

    /// RFC 6750 section 3.1.
    ///
    /// - Parameter detail: what to do about it, if the credentials were not an API key.
    static func insufficientScope(_ scope: APIScope, _ detail: String? = nil) -> Problem {
        Problem(
            .insufficientScope,
            detail ?? "This API key lacks the scope \(scope.rawValue).",
            headers: [.wwwAuthenticate: challenge + #", error="insufficient_scope", scope="\#(scope.rawValue)""#]
        )
    }

    private static let challenge = #"Bearer realm="phoneproof""#

    static func requestInFlight(wait: Duration) -> Problem {
        Problem(
            .idempotencyConflict,
            "A request with this Idempotency-Key is in progress; wait for its response, or retry in a moment.",
            status: .conflict
        )
        .retryable(after: wait)
    }

    static let requestMismatch = Problem(
        .idempotencyConflict,
        "This Idempotency-Key was used for a different request; use a new key for each request."
    )

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.bodyTooLarge, "The body has more than \(limit) bytes.")
    }

    /// The one reason against undoing a change that the link does not cause.
    static let numberTakenSince = Problem(
        .numberTaken,
        "Another account has verified this number since, so the change cannot be undone.",
        message: { $0.undo.taken }
    )

    /// A dependency does not respond. How long that lasts is unknown; 5 seconds keep clients from making it worse.
    static func unavailable(cause: String) -> Problem {
        Problem(.unavailable, "The service is temporarily unavailable; retry shortly.", cause: cause)
            .retryable(after: .seconds(5))
    }

    /// A fault of the service, of which the client learns nothing more.
    static func internalError(cause: String) -> Problem {
        Problem(
            .internalError,
            "Internal error; the request can be retried.",
            message: { $0.failures.internalError },
            cause: cause
        )
    }
}

extension Problem {
    init(_ failure: AdministrationFailure) {
        switch failure {
        case .notFound(let line): self.init(.notFound, Self.sentence(line))
        case .conflict(let line): self.init(.conflict, Self.sentence(line))
        case .invalid(let field, let line): self = .field(field, line)
        }
    }

    private static func sentence(_ line: String) -> String { line.prefix(1).uppercased() + line.dropFirst() + "." }

    init(_ failure: PhoneFailure, at now: Timestamp) {
        switch failure {
        case .invalidPhoneNumber(let error):
            self.init(.invalidPhoneNumber, error.detail)
            members = [JSON.Member("reason", .string(error.code))]
        case .kindNotAccepted:
            self.init(.invalidPhoneNumber, "A code cannot be sent to this kind of number; use a mobile number.")
            members = [JSON.Member("reason", .string(Self.kindNotAccepted))]
        case .regionNotAllowed(let region, let allowed):
            self.init(
                .regionNotAllowed,
                "Codes are not sent to numbers of \(region?.description ?? "this country"); use one of allowed_regions."
            )
            members = [JSON.Member("allowed_regions", .array(allowed.map { .string($0.description) }))]
            hint = Self.regionHint
        case .channelUnavailable(let channel, let offered):
            self.init(
                .channelUnavailable,
                "No code can be sent to this number\(channel.map { " by \($0)" } ?? ""); use one of channels."
            )
            members = [JSON.Member("channels", .array(offered.map { .string($0.rawValue) }))]
        case .resendTooSoon(let moment):
            self.init(.resendTooSoon, "A message was sent to this number a moment ago; wait until next_send_at.")
            members = Self.nextSend(moment, at: now)
        case .maxSendsReached(let moment):
            self.init(.maxSendsReached, "No sends are left; begin a new verification when this one has expired.")
            members = [JSON.Member("sends_left", 0)] + Self.nextSend(moment, at: now)
        case .rateLimited(let policies, _):
            self.init(.rateLimited, Self.limitDetail(policies))
            members = [JSON.Member("violated_policies", .array(policies.map { .string($0.name) }))]
        case .challengeRequired(let challenge):
            self.init(
                .challengeRequired,
                "The fraud guard wants a proof first: solve challenge, and send the request again with proof."
            )
            members = [JSON.Member("challenge", challenge.json(at: now))]
        case .challengeFailed(let fault, _):
            let reason =
                switch fault {
                case .invalid: "The proof is not one for this number"
                case .expired: "The proof has expired"
                case .early: "The proof is used too early"
                case .unavailable: "Nobody can verify the proof at the moment"
                case .used: "The proof was used already"
                }
            self.init(.challengeFailed, "\(reason); send the request without proof, or with a new one.")
            members = [JSON.Member("reason", .string(fault.rawValue))]
        case .sendDenied:
            self.init(
                .sendDenied,
                "The operator's program (hooks.before_send) refused this message, or only the operator's own app causes any."
            )
        case .malformedCode(let length):
            self.init(.invalidRequest, "The code must have \(length) digits.")
        case .codeIncorrect(let verification):
            self.init(.codeIncorrect, "The code is incorrect.")
            members = [JSON.Member("checks_left", .integer(verification.checksLeft))]
        case .codeExpired:
            self.init(.codeExpired, "The code has expired; send a new one.")
        case .maxChecksReached:
            self.init(.maxChecksReached, "No checks are left; begin a new verification when this one has expired.")
            members = [JSON.Member("checks_left", 0)]
        case .verificationNotFound:
            self.init(.verificationNotFound, "There is no such verification; send a code first.")
        case .signupNotFound:
            self.init(
                .signupNotFound,
                "There is no such signup, it has expired, or the token does not match; begin a new one."
            )
        case .verificationClosed:
            self.init(.verificationClosed, "The verification has already ended; begin a new one.")
        case .verificationNotApproved:
            self.init(.invalidRequest, "The number is not verified yet; check the code first.")
        case .accountDormant:
            self.init(
                .accountDormant,
                "The account with this number is dormant; decide by POST …/dormant-account whether to open it or start a new one."
            )
        case .accountSuspended:
            self.init(.accountSuspended, "The account of this number is suspended; only an operator can restore it.")
        case .consentRequired:
            self.init(
                .consentRequired,
                "A new account needs the person's consent; show the rules, and send their version as the member consent."
            )
        case .numberTaken:
            self.init(.numberTaken, "Another account has this number; use another number, or sign in to that account.")
        case .numberChangeNotFound:
            self.init(.numberChangeNotFound, "There is no such number change, or it can no longer be undone.")
        case .invalidMetadata(let fault):
            let expectation =
                switch fault {
                case .tooLong: "must have at most \(AccountMetadata.maxByteCount) bytes as JSON after the change"
                case .tooDeep: "must not be nested deeper than \(AccountMetadata.maxDepth) levels"
                }
            self = .field("metadata", expectation)
        case .notSignedIn: self = .notSignedIn
        case .keyInvalid:
            // It was written for clients.
            self = CallerAuthority.invalidKey
            return
        case .proofTooOld:
            self.init(.reauthenticationRequired, "The sign-in is too old for this request; sign in again.")
        case .unavailable(let cause): self = .unavailable(cause: cause)
        }
        let isOfNumber = if case .challengeFailed(_, isOfNumber: true) = failure { true } else { false }
        message = { $0.explanation(of: isOfNumber ? .verificationNotFound : failure, at: now) }
        if let retryAt = failure.retryAt { self = retryable(after: retryAt - now) }
        if case .rateLimited(let policies, let retryAt) = failure { addRateLimits(policies, wait: retryAt - now) }
    }

    private static func nextSend(_ moment: Timestamp, at now: Timestamp) -> [JSON.Member] {
        [
            JSON.Member("next_send_at", .string(moment.description)),
            JSON.Member("next_send_in", .seconds(until: moment, from: now)),
        ]
    }

    /// The reason for a valid number of a kind that gets no codes.
    static let kindNotAccepted = "kind_not_accepted"

    /// The same for an access token that never was, an expired one, and one whose session has ended.
    static let notSignedIn = Problem.unauthorized(
        "The access token is invalid or expired; refresh it, or sign in again.",
        error: "invalid_token"
    )

    private static func limitDetail(_ policies: [QuotaPolicy]) -> String {
        switch policies.first?.name {
        case "guard-block": "The fraud guard blocks messages to numbers with this prefix for now; retry later."
        case "guard-challenge":
            "The fraud guard challenges numbers with this prefix: retry later, or send vouched: true after a check of your own."
        default: "A rate limit was exceeded; retry later."
        }
    }

    /// Adds the exceeded policies and when they allow the next request
    /// (https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-10.txt). There is no partition key: it
    /// would be an address or a number.
    mutating func addRateLimits(_ policies: [QuotaPolicy], wait: Duration) {
        guard !policies.isEmpty else { return }
        let seconds = max(1, wait.wholeSecondsRoundedUp)
        headers[.rateLimitPolicy] = policies.map { policy in
            #""\#(policy.name)";q=\#(policy.quota);w=\#(max(1, policy.window.wholeSecondsRoundedUp))"#
        }.joined(separator: ", ")
        headers[.rateLimit] = policies.map { #""\#($0.name)";r=0;t=\#(seconds)"# }.joined(separator: ", ")
    }
}
