/// A captcha of a provider, as a page shows it.
public struct Captcha: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case turnstile, hcaptcha
        case recaptchaV2 = "recaptcha_v2"
        case recaptchaV3 = "recaptcha_v3"
        case friendlyCaptcha = "friendly_captcha"
    }

    /// What is done about a message while the provider does not answer.
    public enum Outage: String, Sendable, CaseIterable {
        /// It is sent for any token.
        case open
        case closed
        /// It is sent for a proof of work, which is then taken in place of a token at any time: whether the provider
        /// is down only a browser may notice.
        case proofOfWork = "proof_of_work"
    }

    public let kind: Kind
    public let siteKey: String
    public let outage: Outage
    /// What the widget calls what it is for, where the provider signs that.
    public static let action = "send"

    public init(kind: Kind, siteKey: String, outage: Outage) {
        (self.kind, self.siteKey, self.outage) = (kind, siteKey, outage)
    }

    var acceptsWork: Bool { outage == .proofOfWork }
}

/// Asks the provider about tokens of its captcha.
public protocol CaptchaVerifier: Sendable {
    /// Answers within its deadline. The provider accepts a token once.
    func verify(_ token: String, from address: ClientAddress?) async -> CaptchaResult
}

public enum CaptchaResult: Hashable, Sendable {
    case passed, failed
    /// The provider did not answer, or not as it should.
    case unavailable
}
