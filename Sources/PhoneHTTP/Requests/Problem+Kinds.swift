import HTTPTypes
import PhoneDomain
import TextEncodings

extension Problem {
    static func malformed(_ detail: String) -> Problem { Problem(.invalidRequest, detail, status: .badRequest) }

    /// - Parameter detail: what it must be, after its name: `must be …`.
    static func field(_ name: String, _ detail: String) -> Problem {
        Problem(.invalidRequest, "\(name) \(detail).", members: [JSON.Member("field", .string(name))])
    }

    /// The credentials are missing or invalid (RFC 9110 section 15.5.2).
    ///
    /// - Parameter error: the code of RFC 6750 section 3.1; nil if there were no credentials.
    static func unauthorized(_ detail: String, error: String? = nil) -> Problem {
        Problem(
            .unauthorized,
            detail,
            headers: [.wwwAuthenticate: challenge + (error.map { #", error="\#($0)""# } ?? "")]
        )
    }

    /// The error codes of RFC 6749 section 5.2.
    enum OAuthError: String, CaseIterable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
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
            detail ?? "This API key has not the scope \(scope.rawValue); call with one that has.",
            headers: [.wwwAuthenticate: challenge + #", error="insufficient_scope", scope="\#(scope.rawValue)""#]
        )
    }

    private static let challenge = #"Bearer realm="phoneproof""#

    static func requestInFlight(wait: Duration) -> Problem {
        Problem(
            .idempotencyConflict,
            "A request with this Idempotency-Key is being worked on; wait for its answer, or ask again in a moment.",
            status: .conflict
        )
        .retryable(after: wait)
    }

    static let requestMismatch = Problem(
        .idempotencyConflict,
        "This Idempotency-Key was used for another request; use a new one for each."
    )

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.bodyTooLarge, "The body has more than \(limit) bytes; nothing that is asked for here is so long.")
    }

    /// The same for a signup that never was, an expired one and a wrong token, so that they cannot be distinguished.
    static let signupNotFound = Problem(
        .signupNotFound,
        "There is no such signup, it has ended, or the token is not its token; begin a new one."
    )

    /// The one reason against undoing a change that the link does not cause.
    static let numberTakenSince = Problem(
        .numberTaken,
        "This number has been proven for another account since, so the change cannot be undone."
    )

    /// A dependency does not respond. How long that lasts is unknown; 5 seconds keep clients from making it worse.
    static func unavailable(cause: String) -> Problem {
        Problem(.unavailable, "The service cannot do this at the moment; try again shortly.", cause: cause)
            .retryable(after: .seconds(5))
    }

    /// A fault of the service, of which the client learns nothing more.
    static func internalError(cause: String) -> Problem {
        Problem(.internalError, "Something went wrong on our side; the request may be tried again.", cause: cause)
    }
}

extension Problem {
    init(_ failure: PhoneFailure, at now: Timestamp) {
        switch failure {
        case .invalidPhoneNumber(let error):
            self.init(.invalidPhoneNumber, error.detail)
            members = [JSON.Member("reason", .string(error.code))]
        case .kindNotAccepted:
            self.init(.invalidPhoneNumber, "A code cannot be sent to this kind of number; use a mobile number.")
            members = [JSON.Member("reason", .string(Self.kindNotAccepted))]
        case .regionNotAllowed(let region):
            self.init(
                .regionNotAllowed,
                "Codes are not sent to numbers of \(region?.description ?? "this country"); use another number."
            )
        case .resendTooSoon(let moment):
            self.init(.resendTooSoon, "This number had a message a moment ago; wait before the next.")
            members = [JSON.Member("next_send_at", .string(moment.description))]
        case .maxSendsReached(let moment):
            self.init(.maxSendsReached, "No sends are left; begin again when this verification has expired.")
            members = [JSON.Member("sends_left", 0), JSON.Member("next_send_at", .string(moment.description))]
        case .rateLimited(let policies, _):
            self.init(.rateLimited, Self.limitDetail(policies))
            members = [JSON.Member("violated_policies", .array(policies.map { .string($0.name) }))]
        case .malformedCode(let length):
            self.init(.invalidRequest, "The code must have \(length) digits.")
        case .codeIncorrect(let checksLeft):
            self.init(.codeIncorrect, "This is not the code that was sent; compare it with the message.")
            members = [JSON.Member("checks_left", .integer(checksLeft))]
        case .codeExpired:
            self.init(.codeExpired, "The time for this code is over; have a new one sent.")
        case .maxChecksReached:
            self.init(.maxChecksReached, "No checks are left; begin again when this verification has expired.")
            members = [JSON.Member("checks_left", 0)]
        case .verificationNotFound:
            self.init(.verificationNotFound, "There is no such verification; have a code sent first.")
        case .verificationClosed:
            self.init(.verificationClosed, "The verification has ended already; begin a new one.")
        case .verificationNotApproved:
            self.init(.invalidRequest, "The number has not been proven yet; check the code first.")
        case .accountDormant:
            self.init(
                .accountDormant,
                "This number has an account that nobody has used for long, and it has to be decided whether it is yours."
            )
        case .numberTaken:
            self.init(.numberTaken, "Another account has this number; use another number, or sign in to that account.")
        case .numberChangeNotFound:
            self.init(.numberChangeNotFound, "There is no such change of number, or it cannot be undone any more.")
        case .invalidMetadata(let fault):
            let expectation =
                switch fault {
                case .tooLong: "must have no more than \(AccountMetadata.maxByteCount) bytes as JSON, changes and all"
                case .tooDeep: "must not nest deeper than \(AccountMetadata.maxDepth) levels"
                }
            self = .field("metadata", expectation)
        case .notSignedIn: self = .notSignedIn
        case .proofTooOld:
            self.init(.reauthenticationRequired, "You signed in too long ago for this; sign in anew.")
        case .unavailable(let cause): self = .unavailable(cause: cause)
        }
        if let retryAt = failure.retryAt { self = retryable(after: retryAt - now) }
        if case .rateLimited(let policies, let retryAt) = failure { addRateLimits(policies, wait: retryAt - now) }
    }

    /// The reason for a valid number of a kind that gets no codes.
    static let kindNotAccepted = "kind_not_accepted"

    /// The same for an access token that never was, an expired one, and one whose session has ended.
    static let notSignedIn = Problem.unauthorized(
        "This token is not good, or no longer; refresh it, or sign in again.",
        error: "invalid_token"
    )

    private static func limitDetail(_ policies: [QuotaPolicy]) -> String {
        switch policies.first?.name {
        case "guard-block": "Messages to numbers like this one are held back for now; use another number, or wait."
        case "guard-challenge":
            "Messages to numbers like this one go out only for a person that the caller vouches for; wait, or vouch."
        default: "A limit is reached; wait before the next try."
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
