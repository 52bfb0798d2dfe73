public import CoreEncodings
import Logging
public import PhoneDomain
import PhoneNumbers

/// What providers of captchas differ in. Nothing else of the service knows them apart.
public struct CaptchaProvider: Sendable {
    /// The URL that verifies tokens.
    let verification: String
    /// The URL of the widget's script.
    public let script: String
    /// The secret is a header of this name; nil where it is a field of the form.
    var secretHeader: String?
    var sendsSiteKey = false
    /// The path to the host that the widget was on, or its origin.
    var hostname = ["hostname"]
    var hasAction = false
    var hasScore = false
    /// The most bytes of a token.
    var longestToken = 8192
    /// The class of the widget's element; nil where a script asks for the token (reCAPTCHA v3).
    public var widget: String?
    /// What the pages' policy allows for it, beside the origin of ``script``.
    public var scripts = "", frames = "", connections = "", styles = ""

    /// - https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
    /// - https://docs.hcaptcha.com
    /// - https://developers.google.com/recaptcha/docs/verify
    /// - https://developer.friendlycaptcha.com/docs/v2/getting-started/verify
    public init(_ kind: Captcha.Kind) {
        switch kind {
        case .turnstile:
            verification = "https://challenges.cloudflare.com/turnstile/v0/siteverify"
            script = "https://challenges.cloudflare.com/turnstile/v0/api.js"
            (hasAction, widget, frames) = (true, "cf-turnstile", "https://challenges.cloudflare.com")
            longestToken = 2048
        case .hcaptcha:
            verification = "https://api.hcaptcha.com/siteverify"
            script = "https://js.hcaptcha.com/1/api.js"
            (sendsSiteKey, widget) = (true, "h-captcha")
            let hosts = "https://hcaptcha.com https://*.hcaptcha.com"
            (scripts, frames, connections, styles) = (hosts, hosts, hosts, hosts)
        case .recaptchaV2, .recaptchaV3:
            verification = "https://www.google.com/recaptcha/api/siteverify"
            script = "https://www.google.com/recaptcha/api.js"
            (scripts, frames) = (
                "https://www.gstatic.com/recaptcha/", "https://www.google.com https://recaptcha.google.com"
            )
            connections = "https://www.google.com"
            if kind == .recaptchaV2 { widget = "g-recaptcha" } else { (hasAction, hasScore) = (true, true) }
        case .friendlyCaptcha:
            verification = "https://global.frcapi.com/api/v2/captcha/siteverify"
            script = "https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@1/site.min.js"
            (secretHeader, sendsSiteKey, widget) = ("X-API-Key", true, "frc-captcha")
            hostname = ["data", "challenge", "origin"]
            (frames, connections) = ("https://*.frcapi.com", "https://*.frcapi.com")
        }
    }
}

/// Verifies the tokens of a captcha with its provider, on the service's side.
public struct CaptchaClient: CaptchaVerifier {
    private let provider: CaptchaProvider
    private let captcha: Captcha
    private let secret: String
    private let address: String
    /// The hosts on which the widget may have been; none for any.
    private let hostnames: [String]
    /// The lowest score that passes, in percent.
    private let leastScore: Int
    private static let timeout: Duration = .seconds(3)
    private let environment: DeliveryEnvironment
    private let client: GatewayClient

    /// `address` is where tokens are verified; nil for the provider's own.
    public init(
        _ captcha: Captcha,
        secret: String,
        at address: EndpointURL? = nil,
        hostnames: [String] = [],
        leastScore: Int = 50,
        environment: DeliveryEnvironment
    ) {
        provider = CaptchaProvider(captcha.kind)
        (self.captcha, self.secret, self.hostnames, self.leastScore) = (captcha, secret, hostnames, leastScore)
        self.address = address?.description ?? provider.verification
        self.environment = environment
        client = GatewayClient(connectTimeout: Self.timeout)
    }

    /// An outage, which may open the service, is what no token can cause: no response or none of the provider's, an
    /// error of its own, or its word that the secret is wrong.
    public func verify(_ token: String, from address: ClientAddress?) async -> CaptchaResult {
        guard isWellFormed(token) else { return .failed }
        var fields = [(name: "response", value: token)]
        var headers: [GatewayClient.Header] = []
        if let header = provider.secretHeader {
            headers.append((header, secret))
        } else {
            fields.append(("secret", secret))
            if let address { fields.append(("remoteip", address.description)) }
        }
        if provider.sendsSiteKey { fields.append(("sitekey", captcha.siteKey)) }
        let (client, url, form, sent) = (client, self.address, URLEncodedForm(fields), headers)
        let response = try? await withTimeout(Self.timeout, on: environment.clock) {
            () async throws(GatewayFailure) in try await client.post(form, to: url, headers: sent)
        }
        guard let response, ![408, 429].contains(response.status), response.status < 500
        else { return unavailable("no answer") }
        let json = response.json ?? .null
        if Self.isOfOperator(json) { return unavailable("the secret is refused") }
        guard 200..<300 ~= response.status else {
            // A firewall before the provider, perhaps, or a wrong URL.
            let metadata: Logger.Metadata = ["provider": "\(captcha.kind.rawValue)", "status": "\(response.status)"]
            environment.logger.warning(
                "the captcha's provider refused a request; its token is invalid",
                metadata: metadata
            )
            return .failed
        }
        if json == .null { return unavailable("no answer") }
        guard json["success"]?.bool == true else { return .failed }
        let host = provider.hostname.reduce(json) { $0?[$1] ?? .null }
        guard hostnames.isEmpty || Self.hostname(host?.string ?? "").map(hostnames.contains) == true else {
            return .failed
        }
        if provider.hasAction, json["action"]?.string != Captcha.action { return .failed }
        if provider.hasScore {
            guard case .number(let text) = json["score"], let score = Double(text), score * 100 >= Double(leastScore)
            else { return .failed }
        }
        return .passed
    }

    private func unavailable(_ reason: String) -> CaptchaResult {
        environment.logger.warning(
            "the captcha's provider does not verify tokens; acting by challenge.on_outage",
            metadata: ["provider": "\(captcha.kind.rawValue)", "error": "\(reason)"]
        )
        return .unavailable
    }

    /// Whether it is one that a provider may have made, all of which use base64 in either alphabet, with dots between
    /// its parts. Others need no question, which a firewall before the provider might refuse.
    private func isWellFormed(_ token: String) -> Bool {
        1...provider.longestToken ~= token.utf8.count
            && token.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.+/=".utf8.contains($0) }
    }

    /// Whether it refuses the secret, and not the token: no person could help that. A key of another site than the
    /// token's (`sitekey-secret-mismatch`, `sitekey_invalid`) is the token's fault.
    private static func isOfOperator(_ json: JSON) -> Bool {
        let codes = (json["error-codes"]?.array ?? []).map(\.string) + [json["error"]?["error_code"]?.string]
        return codes.contains { operatorsCodes.contains($0 ?? "") }
    }

    private static let operatorsCodes: Set = [
        "invalid-input-secret", "missing-input-secret", "auth_required", "auth_invalid",
    ]

    /// The host of a text that is a host or an origin.
    private static func hostname(_ text: String) -> String? {
        text.contains("://") ? EndpointURL(text)?.host : text.isEmpty ? nil : text
    }
}
