import HTTPTypes
import Logging
public import PhoneDomain
import TextEncodings

/// Twilio Verify v2 for text messages: for programs written against it, with Twilio's own libraries or without, that
/// change nothing but the URL (https://www.twilio.com/docs/verify/api).
public struct TwilioVerifyAPI: Sendable {
    let useCase: TenantUseCase
    let clock: any WallClock
    private let keys: TenantKeys
    private let base: String?

    /// - Parameter base: the service's URL, for the URLs in responses; nil for the one that the client used.
    public init(useCase: TenantUseCase, keys: TenantKeys, clock: any WallClock, base: String? = nil) {
        (self.useCase, self.keys, self.clock, self.base) = (useCase, keys, clock, base)
    }

    func addRoutes(to router: APIRouter) {
        let routes = router.group("/v2").add(TenantCallersOnly(keys: keys, useCase: useCase))
        // Programs of Twilio Verify call its account and messages as well, which only the stub has.
        for path in ["/v2", "/2010-04-01"] { router.group(path).writeErrors(TwilioError.writer(clock)) }
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
        context.tenantCaller = try await caller(of: request, in: context)
    }

    private func caller(of request: Request, in context: APIContext) async throws -> TenantCaller {
        guard let (name, secret) = request.basicCredentials else { throw TwilioError.unauthenticated }
        let isFirst = name.hasPrefix("AC")
        let named: Tenant.ID? = try? context.sid("service", prefix: "VA")
        guard let id: APIKey.ID = TwilioSID.id(name, prefix: isFirst ? "AC" : "SK") else { throw TwilioError.invalidKey }
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
        guard let tenantCaller else { throw TwilioError.unauthenticated }
        return tenantCaller
    }

    /// The account, for what a key of one tenant may not do.
    func wholeAccount() throws -> TenantAccount.ID {
        let caller = try tenants()
        guard caller.tenant == nil else { throw TwilioError.forbidden }
        return caller.account
    }

    /// The tenant in the path, if the client may act for it.
    func tenantID() throws -> Tenant.ID {
        let id: Tenant.ID = try sid("service", prefix: "VA")
        if let only = try tenants().tenant, only != id { throw TwilioError.notFound }
        return id
    }

    func tenant() throws -> Tenant {
        let caller = try tenants()
        guard let named = caller.named, named.account == caller.account, (caller.tenant ?? named.id) == named.id
        else { throw TenantFailure.notFound }
        return named
    }

    func sid<Subject>(_ part: String, prefix: String) throws -> Identifier<Subject> {
        guard let id: Identifier<Subject> = parameters.get(part).flatMap({ TwilioSID.id($0, prefix: prefix) }) else {
            throw TwilioError.notFound
        }
        return id
    }
}

extension Request {
    /// The credentials of the scheme Basic (RFC 7617 section 2); nil if there are none.
    var basicCredentials: (name: String, secret: SecretToken)? {
        guard var base64 = credentials(of: "basic").map({ Array($0.utf8) }) else { return nil }
        // Clients differ in whether they pad.
        while base64.last == UInt8(ascii: "=") { base64.removeLast() }
        guard let bytes = [UInt8](.base64, base64), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let name = String(validating: bytes[..<colon], as: UTF8.self),
            let secret = String(validating: bytes[(colon + 1)...], as: UTF8.self)
        else { return nil }
        return (name, SecretToken(secret))
    }
}
