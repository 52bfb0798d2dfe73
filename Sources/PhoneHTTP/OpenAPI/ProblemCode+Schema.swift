import HTTPTypes
import PhoneDomain

/// What the document says of each code. There is no default: a code that is added has to be described.
extension ProblemCode {
    /// The name of its schema: `CodeIncorrectProblem`.
    var schemaName: String {
        name + "Problem"
    }

    /// The name of its ``failureSchema``: `CodeIncorrectFailure`.
    var failureName: String { name + "Failure" }

    private var name: String {
        rawValue.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The problem as a body (RFC 9457).
    var schema: Schema {
        .object(
            [
                Schema.Property("type", .constant(.string("urn:phoneproof:problem:" + rawValue))),
                Schema.Property("title", .constant(.string(title))),
                Schema.Property(
                    "status",
                    statuses.count > 1 ? .choice(of: statuses) : .constant(.integer(status.code))
                ),
                Schema.Property("detail", .text().described("What happened and what to do about it, for a person.")),
                Schema.Property("code", .constant(.string(rawValue))),
            ] + members + (isFailureOfSignup ? [Self.signup] : []) + (self == .invalidRequest ? [Self.field] : [])
                + (self == .invalidRequest || self == .unauthorized ? Self.ofOAuth : [])
        ).described(meaning)
    }

    /// The failure as the state of a signup has it; nil if it cannot be one.
    var failureSchema: Schema? {
        guard isFailureOfSignup else { return nil }
        return .object(
            [
                Schema.Property("code", .constant(.string(rawValue))),
                Schema.Property("detail", .text()),
            ] + members
        )
    }

    /// When it happens.
    var meaning: String {
        switch self {
        case .invalidRequest:
            "The body cannot be read (400), or a field is missing or has no possible value (422); `field` names it."
        case .invalidPhoneNumber: "There is no such number in its plan, or it is none that can be sent a code."
        case .regionNotAllowed: "The number's country is not one that this server sends codes to."
        case .resendTooSoon: "The number had a message a moment ago."
        case .maxSendsReached: "The messages of this verification are used up."
        case .rateLimited:
            "A limit on number, address, prefix or the whole service is reached; `violated_policies` names it."
        case .codeIncorrect: "The code is wrong; `checks_left` says how often another may be tried."
        case .codeExpired: "The time of the code, or of the approval, is over."
        case .maxChecksReached: "Every check was used up on wrong codes."
        case .verificationNotFound: "There is no such verification, or it is somebody else's."
        case .verificationClosed: "The verification was approved, canceled or used already."
        case .signupNotFound: "There is no such signup, it has ended, or the token is not its token."
        case .accountDormant:
            "The number has an account that nobody has used for long, and it has to be decided who this is. The approval "
                + "can still be used."
        case .numberTaken: "Another account has the number."
        case .numberChangeNotFound: "There is no such change of number, or it cannot be undone any more."
        case .reauthenticationRequired: "The number was proven too long ago in this session; sign in anew."
        case .sessionNotFound: "The account has no such session, or no longer."
        case .unauthorized:
            "There are no credentials, or none that are good (401; 400 where OAuth's form was sent, as RFC 6749 has it)."
        case .insufficientScope: "The API key is good, and not for this."
        case .signatureInvalid: "The report is not signed by the gateway that it speaks for."
        case .idempotencyConflict:
            "A request with this `Idempotency-Key` is being worked on (409), or another one came with it before (422)."
        case .notFound: "There is nothing at this path."
        case .methodNotAllowed: "The path takes other methods; `Allow` names them."
        case .bodyTooLarge: "The body has more bytes than the server reads: 65,536 unless it is set up otherwise."
        case .headerTooLarge: "Line and header fields have more bytes than the server reads; the connection ends."
        case .unsupportedMediaType:
            "The body is not said to be of a type that is taken here: JSON, where nothing else is said."
        case .unavailable: "Something that the service stands on does not answer."
        case .internalError: "A fault of the service."
        }
    }

    /// The statuses that it comes with.
    private var statuses: [Int] {
        switch self {
        case .invalidRequest: [400, 422]
        case .idempotencyConflict: [409, 422]
        case .unauthorized: [400, 401]
        default: [status.code]
        }
    }

    /// Whether it may be what a tap in a signup came to.
    private var isFailureOfSignup: Bool {
        switch self {
        case .invalidRequest, .invalidPhoneNumber, .regionNotAllowed, .resendTooSoon, .maxSendsReached, .rateLimited,
            .codeIncorrect, .codeExpired, .maxChecksReached, .verificationNotFound, .verificationClosed,
            .accountDormant,
            .unavailable:
            true
        case .numberTaken, .numberChangeNotFound, .sessionNotFound, .reauthenticationRequired, .signupNotFound,
            .unauthorized, .insufficientScope, .signatureInvalid, .idempotencyConflict, .notFound, .methodNotAllowed,
            .bodyTooLarge, .headerTooLarge, .unsupportedMediaType, .internalError:
            false
        }
    }

    /// What it says besides what every problem says.
    private var members: [Schema.Property] {
        switch self {
        case .invalidPhoneNumber: [Self.reason]
        case .resendTooSoon: [Self.nextSendAt, Self.retryAfter]
        case .maxSendsReached:
            [Schema.Property("sends_left", .constant(0)), Self.nextSendAt, Self.retryAfter]
        case .rateLimited: [Self.violatedPolicies, Self.retryAfter]
        case .codeIncorrect: [Self.checksLeft]
        case .maxChecksReached: [Schema.Property("checks_left", .constant(0)), Self.retryAfter]
        case .unavailable: [Self.retryAfter]
        case .idempotencyConflict: [Self.optionalRetryAfter]
        case .invalidRequest, .regionNotAllowed, .codeExpired, .verificationNotFound, .verificationClosed,
            .accountDormant, .numberTaken, .numberChangeNotFound, .sessionNotFound, .reauthenticationRequired,
            .signupNotFound, .unauthorized, .insufficientScope, .signatureInvalid, .notFound, .methodNotAllowed,
            .bodyTooLarge,
            .headerTooLarge, .unsupportedMediaType, .internalError:
            []
        }
    }

    private static let reason = Schema.Property(
        "reason",
        .choice(of: PhoneNumberError.Reason.allCases.map(\.rawValue) + [Problem.kindNotAccepted])
            .described("What is wrong with the number.")
    )

    private static let nextSendAt = Schema.Property(
        "next_send_at",
        .moment("From when the code may be sent again, or a new one asked for.")
    )

    private static let retryAfter = Schema.Property(
        "retry_after",
        .count(from: 1).described("In how many seconds the same request may succeed, as `Retry-After` says.")
    )

    private static let optionalRetryAfter = Schema.Property(
        retryAfter.name,
        retryAfter.schema,
        isRequired: false
    )

    private static let violatedPolicies = Schema.Property(
        "violated_policies",
        .list(of: .text()).described("The names of the limits, as `RateLimit-Policy` has them.")
    )

    private static let checksLeft = Schema.Property(
        "checks_left",
        .count().described("How many codes may still be tried.")
    )

    private static let field = Schema.Property(
        "field",
        .text().described("The member of the body, the parameter or the header field, where it is one."),
        isRequired: false
    )

    private static let ofOAuth = [
        Schema.Property(
            "error",
            .choice(of: Problem.OAuthError.self).described(
                "In answers to a form: what OAuth calls it (RFC 6749 section 5.2)."
            ),
            isRequired: false
        ),
        Schema.Property(
            "error_description",
            .text().described("With `error`: what `detail` says."),
            isRequired: false
        ),
    ]

    private static let signup = Schema.Property(
        "signup",
        .named(.signup).described(
            "In answers to a tap in a signup: the signup as it stands, all that there is to draw."
        ),
        isRequired: false
    )
}
