import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneDomain
import PhoneService
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import TwilioVerify

typealias TwilioServer = DockServer<TwilioVerify>

extension DockServer<TwilioVerify> {
    /// A key of a tenants' account, as Basic authentication sends it.
    struct TwilioKey: Sendable {
        let field: String
        let account: TenantAccount.ID
        var sid: String { account.sid }
    }

    /// With a service of a new account.
    static func open(
        _ form: String = "FriendlyName=Acme",
        abusePolicy: AbusePolicy = .standard,
        _ work: (Shop) async throws -> Void
    ) async throws {
        try await run(abusePolicy: abusePolicy) { try await work(Shop($0, form, key: $0.twilioAccount())) }
    }

    var tenantKeys: TenantKeys { TenantKeys(keys: keys) }

    func twilioAccount() async throws -> TwilioKey {
        let (key, secret) = try await tenantKeys.create(name: try #require(CallerName("app")))
        return TwilioKey(field: basic("\(key.account.sid):\(secret.text)"), account: key.account)
    }

    /// Creates another key of an account.
    func twilioKey(of other: TwilioKey, service: String? = nil) async throws -> TwilioKey {
        let (key, secret) = try await tenantKeys.create(
            name: try #require(CallerName("app")),
            account: other.account,
            tenant: service.flatMap { Tenant.ID(sid: $0) }
        )
        return TwilioKey(field: basic("SK\(key.id.hexadecimal):\(secret.text)"), account: other.account)
    }

    func basic(_ text: String) -> String { "Basic " + Array(text.utf8).base64 }

    /// Sends a percent-encoded form.
    func twilio(_ method: String, _ path: String, _ form: String? = nil, key: TwilioKey) async throws -> Answer {
        try await send(
            method,
            "/v2" + path,
            form,
            type: "application/x-www-form-urlencoded",
            headers: ["Authorization": key.field]
        )
    }
}

/// A program with the key of an account, and a service of it.
struct Shop: Sendable {
    let server: TwilioServer
    let key: TwilioServer.TwilioKey
    let sid: String
    var path: String { "/Services/" + sid }
    var clock: ManualClock { server.clock }
    var store: MemoryStore { server.store }

    /// Creates a service.
    init(_ server: TwilioServer, _ form: String = "FriendlyName=Acme", key: TwilioServer.TwilioKey) async throws {
        (self.server, self.key) = (server, key)
        let answer = try await server.twilio("POST", "/Services", form, key: key)
        sid = try #require(answer.text("sid"), "\(answer.body)")
    }

    func call(_ method: String, _ path: String, _ form: String? = nil) async throws -> TwilioServer.Answer {
        try await server.twilio(method, path, form, key: key)
    }

    /// Has a code sent.
    func send(_ form: String) async throws -> TwilioServer.Answer {
        try await call("POST", path + "/Verifications", form)
    }

    /// Has a code sent to +82 10-1234-5678.
    ///
    /// - Parameter more: further parameters of the form, with their ampersand.
    func begin(_ more: String = "") async throws -> TwilioServer.Answer {
        try await send("To=%2B821012345678&Channel=sms" + more)
    }

    /// - Parameter name: of a verification, its SID or its number.
    func show(_ name: String = "%2B821012345678") async throws -> TwilioServer.Answer {
        try await call("GET", "\(path)/Verifications/\(name)")
    }

    /// Approves or cancels a verification, by its SID or its number.
    func end(_ name: String, _ status: String) async throws -> TwilioServer.Answer {
        try await call("POST", "\(path)/Verifications/\(name)", "Status=\(status)")
    }

    func check(_ code: String, of verification: String = "To=%2B821012345678") async throws -> TwilioServer.Answer {
        try await call("POST", path + "/VerificationCheck", "\(verification)&Code=\(code)")
    }
}
