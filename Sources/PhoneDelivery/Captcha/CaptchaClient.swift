import Logging
public import PhoneDomain
public import TextEncodings

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

    public func verify(_ token: String, from address: ClientAddress?) async -> CaptchaResult {
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
        guard let response, let json = response.json, let isSuccess = json["success"]?.bool,
            (200..<500).contains(response.status)
        else { return unavailable("no answer") }
        if !isSuccess { return Self.isOfOperator(json) ? unavailable("the secret is refused") : .failed }
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

    /// Whether it refuses the secret or the key, and not the token: no person could help that.
    private static func isOfOperator(_ json: JSON) -> Bool {
        let codes =
            (json["error-codes"]?.array ?? []).compactMap(\.string) + [json["error"]?["error_code"]?.string ?? ""]
        return codes.contains { $0.contains("secret") || $0.hasPrefix("auth_") || $0 == "sitekey_invalid" }
    }

    /// The host of a text that is a host or an origin.
    private static func hostname(_ text: String) -> String? {
        text.contains("://") ? EndpointURL(text)?.host : text.isEmpty ? nil : text
    }
}
