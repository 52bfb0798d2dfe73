import HTTPTypes

/// The stable name of a way in which a request can fail: what programs act on. The raw values are the wire's.
enum ProblemCode: String, CaseIterable {
    case invalidRequest = "invalid_request"
    case invalidPhoneNumber = "invalid_phone_number"
    case regionNotAllowed = "region_not_allowed"
    case resendTooSoon = "resend_too_soon"
    case maxSendsReached = "max_sends_reached"
    case rateLimited = "rate_limited"
    case codeIncorrect = "code_incorrect"
    case codeExpired = "code_expired"
    case maxChecksReached = "max_checks_reached"
    case verificationNotFound = "verification_not_found"
    case verificationClosed = "verification_closed"
    case signupNotFound = "signup_not_found"
    case accountDormant = "account_dormant"
    case numberTaken = "number_taken"
    case numberChangeNotFound = "number_change_not_found"
    case sessionNotFound = "session_not_found"
    case reauthenticationRequired = "reauthentication_required"
    case unauthorized
    case insufficientScope = "insufficient_scope"
    case signatureInvalid = "signature_invalid"
    case idempotencyConflict = "idempotency_conflict"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case bodyTooLarge = "body_too_large"
    case headerTooLarge = "header_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case unavailable
    case internalError = "internal_error"

    /// The status that goes with it.
    var status: HTTPResponse.Status {
        switch self {
        case .invalidRequest, .invalidPhoneNumber, .codeIncorrect, .idempotencyConflict: .unprocessableContent
        case .regionNotAllowed, .insufficientScope, .signatureInvalid, .reauthenticationRequired: .forbidden
        case .resendTooSoon, .maxSendsReached, .rateLimited, .maxChecksReached: .tooManyRequests
        case .codeExpired: .gone
        case .verificationNotFound, .signupNotFound, .numberChangeNotFound, .sessionNotFound, .notFound: .notFound
        case .verificationClosed, .accountDormant, .numberTaken: .conflict
        case .unauthorized: .unauthorized
        case .methodNotAllowed: .methodNotAllowed
        case .bodyTooLarge: .contentTooLarge
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .unavailable: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    /// A short summary that is the same at every occurrence.
    var title: String {
        switch self {
        case .invalidRequest: "Invalid request"
        case .invalidPhoneNumber: "Invalid phone number"
        case .regionNotAllowed: "Region not allowed"
        case .resendTooSoon: "Resend too soon"
        case .maxSendsReached: "No sends left"
        case .rateLimited: "Rate limited"
        case .codeIncorrect: "Incorrect code"
        case .codeExpired: "Code expired"
        case .maxChecksReached: "No checks left"
        case .verificationNotFound: "Verification not found"
        case .verificationClosed: "Verification closed"
        case .signupNotFound: "Signup not found"
        case .accountDormant: "Account dormant"
        case .numberTaken: "Number taken"
        case .numberChangeNotFound: "Number change not found"
        case .sessionNotFound: "Session not found"
        case .reauthenticationRequired: "Reauthentication required"
        case .unauthorized: "Unauthorized"
        case .insufficientScope: "Insufficient scope"
        case .signatureInvalid: "Signature invalid"
        case .idempotencyConflict: "Idempotency conflict"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .bodyTooLarge: "Body too large"
        case .headerTooLarge: "Header too large"
        case .unsupportedMediaType: "Unsupported media type"
        case .unavailable: "Unavailable"
        case .internalError: "Internal error"
        }
    }
}
