import PhoneDomain

/// An error as the service writes it: `application/problem+json` (RFC 9457) with members of the service's own, of which
/// `signup` is what a success would have answered with.
struct ProblemBody: Decodable {
    var title: String?
    var detail: String?
    var code: String?
    var reason: String?
    var checksLeft: Int?
    var nextSendAt: String?
    var violatedPolicies: [String]?
    var retryAfter: Int64?
    var signup: SignupBody?

    enum CodingKeys: String, CodingKey {
        case title, detail, code, reason, signup
        case checksLeft = "checks_left"
        case violatedPolicies = "violated_policies"
        case nextSendAt = "next_send_at"
        case retryAfter = "retry_after"
    }

    /// What a person may read of it.
    var text: String {
        detail ?? title ?? "The server gave no reason."
    }

    /// The failure that it tells of: one that the prompt has words for, in the person's language, where the members say
    /// all that these words need, and else the server's own words.
    func failure(at now: Timestamp) -> SignupFailure {
        let wait = retryAfter.flatMap { (0...Self.longestWait).contains($0) ? now + .seconds($0) : nil }
        let retryAt = nextSendAt.flatMap(Timestamp.init(rfc3339:)) ?? wait
        return known(retryAt: retryAt).map(SignupFailure.phone)
            ?? .told(code: code ?? "", detail: text, retryAt: retryAt)
    }

    private func known(retryAt: Timestamp?) -> PhoneFailure? {
        switch code {
        case "code_incorrect": checksLeft.map { .codeIncorrect(checksLeft: $0) }
        case "code_expired": .codeExpired
        case "verification_closed": .verificationClosed
        case "verification_not_found": .verificationNotFound
        case "max_checks_reached": retryAt.map { .maxChecksReached(retryAt: $0) }
        case "max_sends_reached": retryAt.map { .maxSendsReached(retryAt: $0) }
        case "resend_too_soon": retryAt.map { .resendTooSoon(nextSendAt: $0) }
        case "rate_limited":
            retryAt.map {
                .rateLimited(
                    policies: (violatedPolicies ?? []).map { QuotaPolicy(name: $0, quota: 0, window: .zero) },
                    retryAt: $0
                )
            }
        case "unavailable": .unavailable(cause: text)
        case "invalid_phone_number":
            Self.numberErrors.first { $0.code == reason }.map { .invalidPhoneNumber($0) }
        default: nil
        }
    }

    private static let numberErrors: [PhoneNumberError] = [.empty, .notANumber, .tooLong, .tooShort, .noSuchNumber]

    /// A year, in seconds: more is no wait.
    private static let longestWait: Int64 = 366 * 86_400
}
