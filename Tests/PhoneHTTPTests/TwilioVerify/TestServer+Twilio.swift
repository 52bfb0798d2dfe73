import PhoneDomain
import Testing

extension TestServer {
    /// A key of a tenants' account, as Basic authentication sends it.
    struct TwilioKey: Sendable {
        let field: String
        let account: TenantAccount.ID
        var sid: String { "AC" + account.hexadecimal }
    }

    func twilioAccount() async throws -> TwilioKey {
        let (key, secret) = try await TenantKeys(keys: keys, identifiers: CountingIdentifiers(after: 3000)).create(name: try #require(CallerName("app")))
        return TwilioKey(field: basic("AC\(key.id.hexadecimal):\(secret.text)"), account: key.account)
    }

    /// Creates another key of an account.
    func twilioKey(of other: TwilioKey, service: String? = nil) async throws -> TwilioKey {
        let (key, secret) = try await TenantKeys(keys: keys, identifiers: CountingIdentifiers(after: 3000)).create(
            name: try #require(CallerName("app")),
            account: other.account,
            tenant: service.flatMap { Tenant.ID(hexadecimal: $0.dropFirst(2)) }
        )
        return TwilioKey(field: basic("SK\(key.id.hexadecimal):\(secret.text)"), account: other.account)
    }

    func basic(_ text: String) -> String { "Basic " + base64(text) }

    /// Sends a percent-encoded form.
    func twilio(
        _ method: String,
        _ path: String,
        _ form: String? = nil,
        key: TwilioKey
    ) async throws -> Answer {
        try await send(
            method,
            "/v2" + path,
            form,
            type: "application/x-www-form-urlencoded",
            headers: ["Authorization": key.field]
        )
    }

    /// Creates a service.
    ///
    /// - Returns: its path.
    func twilioService(_ form: String = "FriendlyName=Acme", key: TwilioKey) async throws -> String {
        let answer = try await twilio("POST", "/Services", form, key: key)
        return "/Services/" + (try #require(answer.text("sid"), "\(answer.body)"))
    }

    /// Checks a code of a service.
    func check(_ service: String, _ form: String, key: TwilioKey) async throws -> Answer {
        try await twilio("POST", service + "/VerificationCheck", form, key: key)
    }

    private func base64(_ text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array(text.utf8)
        var encoded = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for index in 0...part.count { encoded.append(digits[bits >> (18 - 6 * index) & 63]) }
            encoded += String(repeating: "=", count: 3 - part.count)
        }
        return encoded
    }
}

/// The body of a Twilio error.
func twilioError(_ code: Int, _ message: String, _ status: Int) -> String {
    json(
        """
        {"code":\(code),
         "message":"\(message)",
         "more_info":"https://www.twilio.com/docs/errors/\(code)",
         "status":\(status)}
        """
    )
}
