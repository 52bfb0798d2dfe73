import HTTPTypes
import Hummingbird
import PhoneDomain

extension TwilioError {
    /// Nobody is known by these credentials, or none came.
    static let unauthenticated = TwilioError(20003, "Authenticate", status: .unauthorized)

    /// The key is another tenant's.
    static let forbidden = TwilioError(20403, "This key is good for one service alone.", status: .forbidden)

    /// A parameter that cannot be, by the name that the caller has for it.
    static func parameter(_ name: String, _ wanted: String? = nil) -> TwilioError {
        TwilioError(60200, "Invalid parameter: \(name)" + (wanted.map { ". It must be \($0)." } ?? ""))
    }

    /// What is asked for is not to be had, here or of this tenant.
    static func missingFeature(_ detail: String) -> TwilioError {
        TwilioError(60204, "Service does not support this feature: \(detail)", status: .forbidden)
    }

    /// Whatever went wrong, as Twilio would tell it.
    init(anyOf error: any Error, at now: Timestamp) {
        switch error {
        case let told as TwilioError: self = told
        case let failure as TenantFailure: self.init(failure, at: now)
        case let failure as PhoneFailure: self.init(failure, at: now)
        case let problem as Problem: self.init(problem)
        default:
            // The error itself may bear anything, a number among it; its type says where to look.
            self.init(20500, "Internal server error.", status: .internalServerError)
            cause = String(reflecting: type(of: error))
        }
    }

    /// An error of HTTP itself. Twilio's codes are those of HTTP and 20000, but for two.
    init(_ problem: Problem) {
        let code =
            switch problem.status {
            case .unauthorized: 20003
            case .methodNotAllowed: 20004
            default: 20_000 + problem.status.code
            }
        self.init(code, problem.detail, status: problem.status)
        headers = problem.headers
        cause = problem.cause
    }

    /// - Parameters:
    ///   - failure: why something was not done for a tenant. Codes: https://www.twilio.com/docs/verify/api/error-codes.
    ///   - now: this moment.
    init(_ failure: TenantFailure, at now: Timestamp) {
        switch failure {
        case .notFound: self = .notFound
        case .nameRestricted:
            self.init(
                60248,
                "Friendly name is restricted: use up to 30 letters and spaces, no more than 4 digits, and no links."
            )
        case .uniqueNameTaken: self.init(60208, "A rate limit with this UniqueName exists already.", status: .conflict)
        case .tooManyLimits: self.init(60207, "A service may have \(Tenant.mostLimits) rate limits at most.")
        case .tooManyBuckets: self.init(60210, "A rate limit may have \(TenantLimit.mostBuckets) buckets at most.")
        case .intervalTaken: self.init(60211, "A bucket with this Interval exists already.", status: .conflict)
        case .featureDisabled: self = .missingFeature("CustomCode needs CustomCodeEnabled.")
        case .limitUnknown:
            self = .parameter("RateLimits", "a JSON object of the UniqueNames of this service's rate limits and texts")
        case .numberListed: self.init(60411, "The number is on the safe list already.", status: .conflict)
        case .wording(let fault): self.init(fault)
        case .refused(let failure): self.init(failure, at: now)
        }
    }

    private init(_ fault: MessageWordingFault) {
        switch fault {
        case .templateUnknown: self.init(60228, "Template was not found.", status: .notFound)
        case .translationMissing: self.init(60229, "The template has no text for this Locale.")
        case .substitutionsMissing(let names):
            self.init(60224, "Missing substitutions of the template: \(names.joined(separator: ", "))")
        case .valueRefused("service"): self.init(.nameRestricted, at: Timestamp(milliseconds: 0))
        case .valueRefused("app_hash"): self = .parameter("AppHash")
        case .valueRefused(let name):
            self = .parameter("TemplateCustomSubstitutions", "free of line breaks and links, and short, for \(name)")
        case .tooLong: self.init(60247, "The message is too long for one SMS.")
        }
    }

    private init(_ failure: PhoneFailure, at now: Timestamp) {
        switch failure {
        case .invalidPhoneNumber: self = .parameter("To")
        case .kindNotAccepted:
            self.init(60205, "SMS is not supported by landline phone number", status: .forbidden)
        case .regionNotAllowed:
            self.init(60605, "The destination country is blocked by geo permissions", status: .forbidden)
        case .maxSendsReached: self.init(60203, "Max send attempts reached", status: .tooManyRequests)
        case .maxChecksReached: self.init(60202, "Max check attempts reached", status: .tooManyRequests)
        case .resendTooSoon:
            self.init(60212, "Too many concurrent requests for phone number", status: .tooManyRequests)
        case .rateLimited(let policies, _) where policies.contains { $0.name.hasPrefix("guard-") }:
            self.init(60410, "The destination phone number has been blocked by Fraud Guard", status: .forbidden)
        case .rateLimited: self.init(20429, "Too many requests", status: .tooManyRequests)
        case .malformedCode, .codeIncorrect: self = .parameter("Code")
        case .codeExpired, .verificationNotFound, .verificationClosed, .verificationNotApproved: self = .notFound
        case .unavailable(let cause):
            self.init(20503, "The service cannot do this at the moment; try again.", status: .serviceUnavailable)
            self.cause = cause
            retryAfter = 1
        case .accountDormant, .numberTaken, .numberChangeNotFound, .invalidMetadata, .notSignedIn, .proofTooOld:
            // None of them is said of a verification.
            self.init(20500, "Internal server error.", status: .internalServerError)
            cause = failure.code
        }
        if let retryAt = failure.retryAt { retryAfter = max(1, (retryAt - now).wholeSecondsRoundedUp) }
    }
}
