import CoreEncodings
import HTTPTypes
package import PhoneAdministration
import PhoneDomain
package import PhoneHTTP
package import PhoneService
import PhoneSignup
package import PhoneStore
import SMSStub

/// Twilio Verify v2 for text messages: for programs written against it, with Twilio's own libraries or without, that
/// change nothing but the URL (https://www.twilio.com/docs/verify/api).
package struct TwilioVerify: DockWithCommands {
    package static let records: [any Record.Type] = [Tenant.self, SafeNumber.self]
    package static let name = "twilio"
    package static let abstract = "Manage what programs written for Twilio Verify need."
    package static let commands: [any DockCommand.Type] = [CreateTwilioKey.self]

    private let isEnabled: Bool
    /// The service's URL, for the URLs in responses; nil for the one that the client used.
    private let address: EndpointURL?
    private let resendCooldowns: [Duration]

    package init(_ reader: SettingsReader) {
        let verify = reader.section("twilio_verify") {
            "The API of Twilio Verify (v2) at /v2, for programs written for Twilio Verify. They need the URL of this"
            "service and keys made by `phoneproof twilio create-key`."
        }
        isEnabled = verify("enabled").flag(true) { "Whether the API at /v2 is on." }
        address = verify("address")
            .value(
                example: "https://verify.example.com",
                "an http or https URL without a query, such as https://verify.example.com",
                EndpointURL.init(base:)
            ) {
                "The URL of this service for such programs, without /v2. Links in lists begin with it. By default it"
                "is the URL of the request, with http: set it if a proxy terminates TLS."
            }
        resendCooldowns = verify("resend_cooldowns_seconds").cooldowns([.zero]) {
            "Like verification.resend_cooldowns_seconds, for these programs. Twilio Verify has no cooldown. All other"
            "limits apply."
        }
    }

    /// A tenant chooses how long its codes are.
    package var longestCode: Int? { isEnabled ? VerificationCode.lengths.upperBound : nil }

    package var findings: [Finding] {
        Finding.facts("verify", isEnabled ? "/v2 of Twilio Verify, with keys of `phoneproof twilio create-key`" : nil)
    }

    package var docsLine: DocsLine? {
        guard isEnabled else { return nil }
        return DocsLine(
            title: "Programs written for Twilio Verify",
            path: "/v2",
            text: "They change the URL and nothing else, with Twilio's libraries or without. Their keys: "
                + "`phoneproof twilio create-key`."
        )
    }

    package func addRoutes(to router: APIRouter, over service: DockService) {
        guard isEnabled else { return }
        let useCase = TenantUseCase(service: service, resendCooldowns: resendCooldowns)
        TwilioAPI(service: service, useCase: useCase, base: address?.description).addRoutes(to: router)
    }
}

/// The routes of Twilio Verify.
struct TwilioAPI: Sendable {
    let service: DockService
    let useCase: TenantUseCase
    let base: String?

    func addRoutes(to router: APIRouter) {
        let callers = TenantCallersOnly(keys: TenantKeys(keys: service.keys), useCase: useCase)
        let routes = router.group("/v2").add(callers)
        // Programs of Twilio Verify call its account and messages as well, which only the stub has.
        for path in ["/v2", "/2010-04-01"] { router.group(path).writeErrors(TwilioError.writer(service.clock)) }
        addServices(to: routes.group("/Services"))
        addVerifications(to: routes.group("/Services/{service}"))
        addRateLimits(to: routes.group("/Services/{service}/RateLimits"))
        addAttempts(to: routes.group("/Attempts"))
        addSafeList(to: routes.group("/SafeList/Numbers"))
        routes.get("/Templates", use: listTemplates)
        // Features of Twilio Verify that are not supported get the same response as unknown paths.
        for method in [HTTPRequest.Method.get, .post, .delete] {
            routes.on("**", method) { _, _ in throw TwilioError.notFound }
        }
    }

    func urls(_ request: Request) -> TwilioURLs { TwilioURLs(request, base: base) }
}

/// Authenticates programs with a key of a tenants' account, as Twilio's libraries send it: Basic (RFC 7617) with the
/// account's SID and its token, or a key's SID and its secret (https://www.twilio.com/docs/iam/api-keys).
struct TenantCallersOnly: RequestFilter {
    let keys: TenantKeys
    let useCase: TenantUseCase

    func check(_ request: Request, _ context: inout APIContext) async throws {
        context.client = try await caller(of: request, in: context)
    }

    private func caller(of request: Request, in context: APIContext) async throws -> TenantCaller {
        guard let (name, secret) = request.basicCredentials else { throw TwilioError.unauthenticated }
        let isFirst = name.hasPrefix("AC")
        let named: Tenant.ID? = try? context.sid("service")
        guard isFirst || name.hasPrefix("SK"), let id = APIKey.ID(hexadecimal: name.dropFirst(2).asciiLowercased)
        else { throw TwilioError.invalidKey }
        // Both at once, which a database elsewhere answers in the time of one.
        async let tenant = useCase.tenant(named)
        guard let key = try await available({ try await keys.key(id, secret) }), key.isFirst == isFirst
        else { throw TwilioError.invalidKey }
        return TenantCaller(account: key.account, tenant: key.tenant, named: try await tenant)
    }
}

struct TenantCaller: Sendable {
    let account: TenantAccount.ID
    /// The only tenant that it may act for; nil for all of the account.
    let tenant: Tenant.ID?
    /// The tenant in the path, of any account; nil if there is none.
    let named: Tenant?
}

extension APIContext {
    /// - Throws: ``TwilioError`` if nothing has authenticated the request: then nothing is served.
    func tenants() throws -> TenantCaller {
        guard let caller = client as? TenantCaller else { throw TwilioError.unauthenticated }
        return caller
    }

    /// The account, for what a key of one tenant may not do.
    func wholeAccount() throws -> TenantAccount.ID {
        let caller = try tenants()
        guard caller.tenant == nil else { throw TwilioError.forbidden }
        return caller.account
    }

    /// The tenant in the path, if the client may act for it.
    func tenant() throws -> Tenant {
        let caller = try tenants()
        guard let named = caller.named, named.account == caller.account, (caller.tenant ?? named.id) == named.id
        else { throw TenantFailure.notFound }
        return named
    }

    func sid<Subject: TwilioResource>(_ part: String) throws -> Identifier<Subject> {
        guard let id = parameters.get(part).flatMap({ Identifier<Subject>(sid: $0) }) else {
            throw TwilioError.notFound
        }
        return id
    }
}
