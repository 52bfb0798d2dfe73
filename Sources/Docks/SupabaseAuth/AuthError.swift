import CoreEncodings
import HTTPTypes
import Logging
import PhoneDomain
import PhoneHTTP
import PhoneSignup

/// An error in one of Supabase Auth's two forms, by its codes
/// (https://supabase.com/docs/guides/auth/debugging/error-codes).
struct AuthError: Error {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    var headers: HeaderFields = [:]
    /// What the operator's log says, and the client does not hear.
    var cause: String?

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    static let versionField = HTTPField.Name.known("X-Supabase-Api-Version")
    static let codeField = HTTPField.Name.known("X-Sb-Error-Code")
    /// The version from which on `code` is a text.
    private static let version = "2024-01-01"

    static func write(at clock: any WallClock) -> ErrorWriter {
        { error, request, context in
            let found = AuthError(of: error, at: clock.now(), isCheck: request.path.contains("/verify"))
            if let cause = found.cause {
                context.logger.error("a request by Supabase's API failed", metadata: ["error.cause": "\(cause)"])
            }
            return found.response(to: request)
        }
    }

    private func response(to request: Request) -> Response {
        var response: Response
        let asked = request.headers[Self.versionField] ?? ""
        if asked.utf8.count == Self.version.utf8.count, asked >= Self.version {
            response = Response(status, json: ["code": .string(code), "message": .string(message)], headers: headers)
            response.headers[Self.versionField] = Self.version
        } else {
            response = Response(
                status,
                json: ["code": .integer(status.code), "error_code": .string(code), "msg": .string(message)],
                headers: headers
            )
        }
        response.headers[Self.codeField] = code
        return response
    }
}

// MARK: - What the API itself refuses

extension AuthError {
    static let noKey = AuthError(.unauthorized, "no_authorization", "No API key found in request: send apikey")
    static let invalidKey = AuthError(.unauthorized, "no_authorization", "Invalid API key")
    static let noToken = AuthError(.unauthorized, "no_authorization", "This endpoint requires a valid Bearer token")
    static let invalidToken = AuthError(.forbidden, "bad_jwt", "Invalid JWT: it is not an access token, or has expired")
    static let sessionNotFound = AuthError(
        .forbidden,
        "session_not_found",
        "Session from session_id claim in JWT does not exist"
    )
    static let noPhone = AuthError(.badRequest, "validation_failed", "A phone number is required")
    static let noE164 = AuthError(.badRequest, "validation_failed", "Invalid phone number format (E.164 required)")
    static let otherChannel = AuthError(.badRequest, "validation_failed", "Invalid channel: sms is the only one")
    static let otherType = AuthError(.badRequest, "validation_failed", "Invalid type: use sms or phone_change")
    static let otherScope = AuthError(.badRequest, "validation_failed", "Unsupported logout scope")
    static let otherGrantType = AuthError(.badRequest, "invalid_credentials", "unsupported_grant_type")
    static let noRefreshToken = AuthError(.badRequest, "validation_failed", "A refresh token is required")
    /// The same for a refresh token that never was, one that was used before, and one whose session has ended.
    static let refreshTokenNotFound = AuthError(
        .badRequest,
        "refresh_token_not_found",
        "Invalid Refresh Token: Refresh Token Not Found"
    )
    static let signupsDisabled = AuthError(.unprocessableContent, "otp_disabled", "Signups not allowed for otp")
    static let noNumber = AuthError(.unprocessableContent, "validation_failed", "The account has no phone number now")
    /// The same for whatever is wrong with a code.
    static let codeInvalid = AuthError(.forbidden, "otp_expired", "Token has expired or is invalid")

    // What there is not.
    static let emailDisabled = AuthError(
        .unprocessableContent,
        "email_provider_disabled",
        "Email logins are disabled: people sign in by phone"
    )
    static let passwordsDisabled = AuthError(
        .unprocessableContent,
        "phone_provider_disabled",
        "Passwords are disabled: sign in with a code (signInWithOtp)"
    )
    static let anonymousDisabled = AuthError(
        .unprocessableContent,
        "anonymous_provider_disabled",
        "Anonymous sign-ins are disabled"
    )
    static let providersDisabled = AuthError(.badRequest, "provider_disabled", "Provider is not enabled")
    static let web3Disabled = AuthError(.unprocessableContent, "web3_provider_disabled", "Web3 provider is disabled")

    /// The paths of what there is not.
    static let refusals: [(method: HTTPRequest.Method, path: String, error: AuthError)] = [
        (.post, "recover", emailDisabled), (.post, "magiclink", emailDisabled),
        (.get, "verify", emailDisabled), (.get, "authorize", providersDisabled), (.get, "callback", providersDisabled),
        (.post, "callback", providersDisabled), (.get, "user/identities/authorize", providersDisabled),
        (.delete, "user/identities/{id}", providersDisabled),
        (.post, "sso", AuthError(.notFound, "saml_provider_disabled", "SAML 2.0 is disabled")),
        (.post, "factors", mfaDisabled), (.post, "factors/**", mfaDisabled), (.delete, "factors/**", mfaDisabled),
        (.post, "invite", notAdmin), (.get, "admin/**", notAdmin), (.post, "admin/**", notAdmin),
        (.put, "admin/**", notAdmin), (.delete, "admin/**", notAdmin),
    ]
    private static let mfaDisabled = AuthError(
        .unprocessableContent,
        "mfa_totp_enroll_not_enabled",
        "Further factors are disabled"
    )
    private static let notAdmin = AuthError(.forbidden, "not_admin", "Use the commands of phoneproof")
}

// MARK: - What others refuse

extension AuthError {
    private init(of error: any Error, at now: Timestamp, isCheck: Bool) {
        switch error {
        case let error as AuthError: self = error
        case let failure as PhoneFailure: self.init(failure, at: now, isCheck: isCheck)
        default: self.init(Problem(of: error, at: now))
        }
    }

    /// What no route of this API has thrown itself: an error of HTTP or of the body.
    private init(_ problem: Problem) {
        switch problem.status {
        case .badRequest, .unsupportedMediaType: self.init(.badRequest, "bad_json", problem.detail)
        case .unprocessableContent: self.init(.badRequest, "validation_failed", problem.detail)
        case .notFound: self.init(.notFound, "not_found", problem.detail)
        case .serviceUnavailable: self.init(.serviceUnavailable, "request_timeout", problem.detail)
        case .internalServerError: self.init(.internalServerError, "unexpected_failure", problem.detail)
        default: self.init(problem.status, "validation_failed", problem.detail)
        }
        (headers, cause) = (problem.headers, problem.cause)
    }

    private init(_ failure: PhoneFailure, at now: Timestamp, isCheck: Bool) {
        switch failure {
        case .malformedCode, .codeIncorrect, .codeExpired, .verificationNotFound, .verificationClosed:
            self = .codeInvalid
        case .maxChecksReached: self = Self.tooMany
        case .rateLimited where isCheck: self = Self.tooMany
        case .resendTooSoon(let moment):
            let seconds = max(1, (moment - now).wholeSecondsRoundedUp)
            self.init(
                .tooManyRequests,
                Self.sendLimit,
                "For security purposes, you can only request this after \(seconds) seconds."
            )
        case .maxSendsReached, .rateLimited:
            self.init(.tooManyRequests, Self.sendLimit, "SMS rate limit exceeded")
        case .invalidPhoneNumber: self = .noE164
        case .kindNotAccepted, .regionNotAllowed, .channelUnavailable, .sendDenied:
            self.init(.unprocessableContent, "sms_send_failed", "Codes are not sent to this number")
        case .numberTaken:
            self.init(
                .unprocessableContent,
                "phone_exists",
                "A user with this phone number has already been registered"
            )
        case .proofTooOld:
            self.init(.unauthorized, "reauthentication_needed", "The sign-in is too old for this: sign in again")
        case .accountDormant:
            self.init(
                .conflict,
                "conflict",
                "The account of this number was inactive: its operator decides whose it is"
            )
        case .accountSuspended: self.init(.forbidden, "user_banned", "User is banned")
        case .invalidMetadata(.tooLong): self.init(.badRequest, "validation_failed", "data is too long")
        case .invalidMetadata(.tooDeep): self.init(.badRequest, "validation_failed", "data is nested too deeply")
        case .notSignedIn: self = isCheck ? .codeInvalid : .sessionNotFound
        default: self.init(Problem(of: failure, at: now))
        }
        if let retryAt = failure.retryAt {
            headers[.retryAfter] = String(max(1, (retryAt - now).wholeSecondsRoundedUp))
        }
    }

    private static let sendLimit = "over_sms_send_rate_limit"
    private static let tooMany = AuthError(
        .tooManyRequests,
        "over_request_rate_limit",
        "Request rate limit reached"
    )
}
