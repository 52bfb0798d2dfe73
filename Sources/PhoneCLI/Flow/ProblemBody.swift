import PhoneDomain

/// An error as the service writes it: `application/problem+json` (RFC 9457) with members of the service's own, of which
/// `signup` is what a success would have answered with.
struct ProblemBody: Decodable {
    var title: String?
    var detail: String?
    var code: String?
    var nextSendAt: String?
    var retryAfter: Int64?
    var signup: SignupBody?

    enum CodingKeys: String, CodingKey {
        case title, detail, code, signup
        case nextSendAt = "next_send_at"
        case retryAfter = "retry_after"
    }

    /// What a person may read of it.
    var text: String {
        detail ?? title ?? "The server gave no reason."
    }

    /// The failure that it tells of.
    func failure(at now: Timestamp) -> SignupFailure {
        let wait = retryAfter.flatMap { (0...Self.longestWait).contains($0) ? now + .seconds($0) : nil }
        return .told(code: code ?? "", detail: text, retryAt: nextSendAt.flatMap(Timestamp.init(rfc3339:)) ?? wait)
    }

    /// A year, in seconds: more is no wait.
    private static let longestWait: Int64 = 366 * 86_400
}
