import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneDomain
import PhoneService
import PhoneSignup
import Testing

@testable import TwilioVerify

typealias TwilioServer = DockServer<TwilioVerify>

extension DockServer<TwilioVerify> {
    var tenantKeys: TenantKeys { TenantKeys(keys: keys) }

    /// A key of a tenants' account, as Basic authentication sends it.
    struct TwilioKey: Sendable {
        let field: String
        let account: TenantAccount.ID
        var sid: String { "AC" + account.hexadecimal }
    }

    func twilioAccount() async throws -> TwilioKey {
        let (key, secret) = try await tenantKeys.create(name: try #require(CallerName("app")))
        return TwilioKey(field: basic("AC\(key.id.hexadecimal):\(secret.text)"), account: key.account)
    }

    /// Creates another key of an account.
    func twilioKey(of other: TwilioKey, service: String? = nil) async throws -> TwilioKey {
        let (key, secret) = try await tenantKeys.create(
            name: try #require(CallerName("app")),
            account: other.account,
            tenant: service.flatMap { Tenant.ID(hexadecimal: $0.dropFirst(2)) }
        )
        return TwilioKey(field: basic("SK\(key.id.hexadecimal):\(secret.text)"), account: other.account)
    }

    func basic(_ text: String) -> String { "Basic " + Array(text.utf8).base64 }

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

    /// Has a service send a code to +82 10-1234-5678.
    ///
    /// - Parameter more: further parameters of the form, with their ampersand.
    func begin(_ service: String, _ more: String = "", key: TwilioKey) async throws -> Answer {
        try await twilio("POST", service + "/Verifications", "To=%2B821012345678&Channel=sms" + more, key: key)
    }

    /// Has a service approve or cancel a verification, by its SID or its number.
    func end(_ service: String, _ name: String, _ status: String, key: TwilioKey) async throws -> Answer {
        try await twilio("POST", "\(service)/Verifications/\(name)", "Status=\(status)", key: key)
    }

    /// Checks a code of a service.
    func check(_ service: String, _ form: String, key: TwilioKey) async throws -> Answer {
        try await twilio("POST", service + "/VerificationCheck", form, key: key)
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
