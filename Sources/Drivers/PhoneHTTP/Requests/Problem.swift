package import CoreEncodings
package import HTTPTypes
import Logging
import PhoneAdministration
import PhoneDomain
package import PhoneSignup
package import Texts

/// An error response (RFC 9457).
package struct Problem: Error {
    let code: ProblemCode
    /// What happened and what to do about it, for the developer.
    package let detail: String
    /// The same for the person who uses the client; nil if only its developer can do something about it.
    var message: Message?
    /// The language of ``message``; nil for the one that the request accepts.
    var language: LanguageTag?
    package var status: HTTPResponse.Status
    package var members: [JSON.Member]
    /// Headers besides the content type.
    package var headers: HeaderFields
    /// What is logged for the operator, by the code that responds with the problem. No response has it.
    package var cause: String?
    /// What the operator can do about it, for the log and not for the client.
    package internal(set) var hint: String?

    var contentType = Self.contentType

    package typealias Message = @Sendable (Texts) -> String

    /// RFC 9457 section 3.
    static let contentType = "application/problem+json"

    package init(
        _ code: ProblemCode,
        _ detail: String,
        status: HTTPResponse.Status? = nil,
        members: [JSON.Member] = [],
        headers: HeaderFields = [:],
        message: Message? = nil,
        cause: String? = nil
    ) {
        (self.code, self.detail, self.status, self.message) = (code, detail, status ?? code.status, message)
        (self.members, self.headers, self.cause) = (members, headers, cause)
    }

    /// The body. `type` is a URN, since it must be stable and unique and need not lead anywhere: an `https` URL would
    /// promise a page on a host that the operator does not own.
    func json(in texts: Texts) -> JSON {
        .object(
            [
                JSON.Member("type", .string("urn:phoneproof:problem:" + code.rawValue)),
                JSON.Member("title", .string(code.title)),
                JSON.Member("status", .integer(status.code)),
                JSON.Member("detail", .string(detail)),
                JSON.Member("code", .string(code.rawValue)),
            ] + text(in: texts) + members
        )
    }

    /// The members that every problem has, without those of HTTP.
    func summary(in texts: Texts) -> [JSON.Member] {
        [JSON.Member("code", .string(code.rawValue)), JSON.Member("detail", .string(detail))] + text(in: texts)
    }

    private func text(in texts: Texts) -> [JSON.Member] {
        message.map { [JSON.Member("message", .string($0(texts)))] } ?? []
    }

    /// The problem with the time until a retry, in the body and as `Retry-After` (RFC 9110 section 10.2.3): whole
    /// seconds, rounded up and at least 1, so that nobody retries too early.
    package func retryable(after wait: Duration) -> Problem {
        let seconds = max(1, wait.wholeSecondsRoundedUp)
        var problem = self
        problem.members.append(JSON.Member("retry_after", .integer(seconds)))
        problem.headers[.retryAfter] = String(seconds)
        return problem
    }
}

extension Problem {
    /// - Parameter now: when a failure that says from when a retry may succeed is turned into the time until then.
    package init(of error: any Error, at now: Timestamp) {
        switch error {
        case let problem as Problem: self = problem
        case let failure as PhoneFailure: self.init(failure, at: now)
        case let failure as AdministrationFailure: self.init(failure)
        // The error itself may contain anything, such as a number; its type says where to look.
        default: self = .internalError(cause: String(reflecting: type(of: error)))
        }
    }

    func response(to request: Request, in context: APIContext) -> Response {
        if let hint { context.logger.info("\(hint)") }
        let texts = language.flatMap(Languages.texts(in:)) ?? request.texts(else: context.language)
        return Response(status, json: json(in: texts), contentType: contentType, headers: headers)
    }
}

/// The stable code of an error, which programs act on. The raw values are the wire's.
package enum ProblemCode: String, CaseIterable {
    case invalidRequest = "invalid_request"
    case invalidPhoneNumber = "invalid_phone_number"
    case regionNotAllowed = "region_not_allowed"
    case channelUnavailable = "channel_unavailable"
    case resendTooSoon = "resend_too_soon"
    case maxSendsReached = "max_sends_reached"
    case rateLimited = "rate_limited"
    case challengeRequired = "challenge_required"
    case challengeFailed = "challenge_failed"
    case sendDenied = "send_denied"
    case codeIncorrect = "code_incorrect"
    case codeExpired = "code_expired"
    case maxChecksReached = "max_checks_reached"
    case verificationNotFound = "verification_not_found"
    case verificationClosed = "verification_closed"
    case signupNotFound = "signup_not_found"
    case accountDormant = "account_dormant"
    case accountSuspended = "account_suspended"
    case consentRequired = "consent_required"
    case numberTaken = "number_taken"
    case numberChangeNotFound = "number_change_not_found"
    case sessionNotFound = "session_not_found"
    case reauthenticationRequired = "reauthentication_required"
    case unauthorized
    case insufficientScope = "insufficient_scope"
    case signatureInvalid = "signature_invalid"
    case idempotencyConflict = "idempotency_conflict"
    case conflict
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case bodyTooLarge = "body_too_large"
    case headerTooLarge = "header_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case unavailable
    case internalError = "internal_error"

    /// The usual status.
    var status: HTTPResponse.Status {
        switch self {
        case .invalidRequest, .invalidPhoneNumber, .channelUnavailable, .codeIncorrect, .consentRequired,
            .challengeFailed, .idempotencyConflict:
            .unprocessableContent
        case .challengeRequired: .preconditionRequired
        case .accountSuspended, .regionNotAllowed, .sendDenied, .reauthenticationRequired, .insufficientScope,
            .signatureInvalid:
            .forbidden
        case .resendTooSoon, .maxSendsReached, .rateLimited, .maxChecksReached: .tooManyRequests
        case .codeExpired: .gone
        case .verificationNotFound, .signupNotFound, .numberChangeNotFound, .sessionNotFound, .notFound: .notFound
        case .verificationClosed, .accountDormant, .numberTaken, .conflict: .conflict
        case .unauthorized: .unauthorized
        case .methodNotAllowed: .methodNotAllowed
        case .bodyTooLarge: .contentTooLarge
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .unavailable: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    /// The same at every occurrence: the code in words, as in "Invalid request".
    var title: String {
        switch self {
        case .maxSendsReached: "No sends left"
        case .maxChecksReached: "No checks left"
        case .codeIncorrect: "Incorrect code"
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst().replacing("_", with: " ")
        }
    }
}
