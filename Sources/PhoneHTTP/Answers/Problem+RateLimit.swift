import HTTPTypes
import PhoneDomain

extension Problem {
    /// Names the policies that a request was refused by, and when they let the next one through
    /// (https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-10.txt). No partition key is told: it would
    /// be an address or a number.
    mutating func tell(_ policies: [QuotaPolicy], wait: Duration) {
        guard let policyField = Self.policyField, let limitField = Self.limitField, !policies.isEmpty else { return }
        let seconds = max(1, wait.wholeSecondsRoundedUp)
        headers[policyField] = policies.map { policy in
            #""\#(policy.name)";q=\#(policy.quota);w=\#(max(1, policy.window.wholeSecondsRoundedUp))"#
        }.joined(separator: ", ")
        headers[limitField] = policies.map { #""\#($0.name)";r=0;t=\#(seconds)"# }.joined(separator: ", ")
    }

    private static let policyField = HTTPField.Name("RateLimit-Policy")
    private static let limitField = HTTPField.Name("RateLimit")
}
