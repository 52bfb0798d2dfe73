import HTTPTypes
import PhoneDomain

extension Problem {
    /// The body, or the path, cannot be read at all.
    static func malformed(_ detail: String) -> Problem {
        var problem = Problem(.invalidRequest, detail)
        problem.status = .badRequest
        return problem
    }

    /// A field, or a query parameter, is missing or has no possible value.
    ///
    /// - Parameter detail: what it has to be, after its name: `must be …`.
    static func field(_ name: String, _ detail: String) -> Problem {
        var problem = Problem(.invalidRequest, "\(name) \(detail).")
        problem.members = [JSON.Member("field", .string(name))]
        return problem
    }

    /// Whoever asked has shown no credentials, or none that can be read or are good (RFC 9110 section 15.5.2).
    ///
    /// - Parameter error: what is wrong with those that were shown, in the words of RFC 6750 section 3.1; nil if none were.
    static func unauthorized(_ detail: String, error: String? = nil) -> Problem {
        var problem = Problem(.unauthorized, detail)
        problem.headers[.wwwAuthenticate] = challenge + (error.map { #", error="\#($0)""# } ?? "")
        return problem
    }

    /// What OAuth calls a refusal (RFC 6749 section 5.2).
    enum OAuthError: String, CaseIterable {
        case invalidRequest = "invalid_request"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
    }

    /// The problem as OAuth's clients read it: with the status and the media type of RFC 6749 section 5.2, without which
    /// some take it for an answer that holds tokens.
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

    /// The key is good, and not for this (RFC 6750 section 3.1).
    ///
    /// - Parameter detail: what to do about it, where it is no key that was shown.
    static func insufficientScope(_ scope: APIScope, _ detail: String? = nil) -> Problem {
        var problem = Problem(
            .insufficientScope,
            detail ?? "This API key has not the scope \(scope.rawValue); call with one that has."
        )
        problem.headers[.wwwAuthenticate] = challenge + #", error="insufficient_scope", scope="\#(scope.rawValue)""#
        return problem
    }

    private static let challenge = #"Bearer realm="phoneproof""#

    /// The same request is being worked on.
    static func requestInFlight(wait: Duration) -> Problem {
        var problem = Problem(
            .idempotencyConflict,
            "A request with this Idempotency-Key is being worked on; wait for its answer, or ask again in a moment."
        )
        .retryable(after: wait)
        problem.status = .conflict
        return problem
    }

    /// The key stands for another request.
    static let requestMismatch = Problem(
        .idempotencyConflict,
        "This Idempotency-Key was used for another request; use a new one for each."
    )

    /// The body has more bytes than this.
    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.bodyTooLarge, "The body has more than \(limit) bytes; nothing that is asked for here is so long.")
    }

    /// One answer for no such signup, an ended one and the wrong token, so that none can be told from another.
    static let signupNotFound = Problem(
        .signupNotFound,
        "There is no such signup, it has ended, or the token is not its token; begin a new one."
    )

    /// A change of number cannot be undone for this reason alone; it is nothing that the one who asks could do anything about.
    static let numberTakenSince = Problem(
        .numberTaken,
        "This number has been proven for another account since, so the change cannot be undone."
    )

    /// Something that the service stands on does not answer. How long that lasts nobody knows; 5 seconds keep
    /// callers from making it worse.
    static func unavailable(cause: String) -> Problem {
        var problem = Problem(.unavailable, "The service cannot do this at the moment; try again shortly.")
            .retryable(after: .seconds(5))
        problem.cause = cause
        return problem
    }

    /// A fault of ours, of which the caller learns nothing but that.
    static func internalError(cause: String) -> Problem {
        var problem = Problem(.internalError, "Something went wrong on our side; the request may be tried again.")
        problem.cause = cause
        return problem
    }
}
