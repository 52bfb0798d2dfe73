import HTTPTypes
import PhoneDomain
import PhoneHTTP
import PhoneSignup
import SMSStub

extension TwilioError {
    static let invalidKey: TwilioError = {
        var error = unauthenticated
        error.hint = Problem.unknownHint("API key")
        return error
    }()
    /// The key is another tenant's.
    static let forbidden = TwilioError(20403, "This key is good for one service alone.", status: .forbidden)

    /// - Parameter name: as the client has it.
    static func parameter(_ name: String, _ expectation: String? = nil) -> TwilioError {
        TwilioError(60200, "Invalid parameter: \(name)" + (expectation.map { ". It must be \($0)." } ?? ""))
    }

    /// A feature that is not available here, or not to this tenant.
    static func missingFeature(_ detail: String) -> TwilioError {
        TwilioError(60204, "Service does not support this feature: \(detail)", status: .forbidden)
    }

    static func writer(_ clock: any WallClock) -> ErrorWriter {
        writer { error in
            switch error {
            case let failure as TenantFailure: TwilioError(failure)
            case let failure as PhoneFailure: TwilioError(failure, at: clock.now())
            default: TwilioError(anyOf: error)
            }
        }
    }

    /// The codes are at https://www.twilio.com/docs/verify/api/error-codes.
    init(_ failure: TenantFailure) {
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
        }
    }

    private init(_ fault: MessageWordingError) {
        switch fault {
        case .templateUnknown: self.init(60228, "Template was not found.", status: .notFound)
        case .translationMissing: self.init(60229, "The template has no text for this Locale.")
        case .substitutionsMissing(let names):
            self.init(60224, "Missing substitutions of the template: \(names.joined(separator: ", "))")
        case .valueRefused("service"): self.init(.nameRestricted)
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
            hint = Problem.regionHint
        case .channelUnavailable(let channel, _):
            let name = channel?.rawValue.uppercased() ?? "AUTO"
            self.init(60223, "Delivery channel disabled: \(name)", status: .forbidden)
        case .maxSendsReached: self.init(60203, "Max send attempts reached", status: .tooManyRequests)
        case .maxChecksReached: self.init(60202, "Max check attempts reached", status: .tooManyRequests)
        case .resendTooSoon:
            self.init(60212, "Too many concurrent requests for phone number", status: .tooManyRequests)
        case .rateLimited(let policies, _) where policies.contains(where: \.isOfGuard):
            self.init(60410, "The destination phone number has been blocked by Fraud Guard", status: .forbidden)
        case .sendDenied:
            self.init(60410, "The destination phone number has been blocked by Fraud Guard", status: .forbidden)
        case .rateLimited: self.init(20429, "Too many requests", status: .tooManyRequests)
        case .malformedCode, .codeIncorrect: self = .parameter("Code")
        // An ended verification is treated as absent, as Twilio has it: its codes for one are never reached from here.
        case .codeExpired, .verificationNotFound, .verificationClosed, .verificationNotApproved: self = .notFound
        case .unavailable(let cause):
            self.init(20503, "The service cannot do this at the moment; try again.", status: .serviceUnavailable)
            self.cause = cause
            retryAfter = 1
        case .keyInvalid: self = .invalidKey
        case .signupNotFound, .accountDormant, .accountSuspended, .consentRequired, .numberTaken, .numberChangeNotFound,
            .invalidMetadata, .notSignedIn, .proofTooOld, .challengeRequired, .challengeFailed:
            // These do not occur with verifications.
            self.init(20500, "Internal server error.", status: .internalServerError)
            cause = failure.code
        }
        if let retryAt = failure.retryAt { retryAfter = max(1, (retryAt - now).wholeSecondsRoundedUp) }
    }
}
